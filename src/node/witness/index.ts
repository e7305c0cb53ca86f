export { WitnessFolder, WitnessFolderError } from './witness-folder.ts';
