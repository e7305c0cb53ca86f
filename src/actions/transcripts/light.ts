/** Whose transcript a file is, without the readers of any. */
export { FIRST_LINES, programOfTranscript, type TranscriptProgramId } from './forms.ts';
export type { TranscriptLine } from './items.ts';
