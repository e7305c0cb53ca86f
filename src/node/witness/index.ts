export { type WitnessAnswer, WitnessFolder, WitnessFolderError } from './witness-folder.ts';
