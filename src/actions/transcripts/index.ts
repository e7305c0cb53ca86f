/**
 * The transcripts that programs keep of their sessions, read into one form: a file a program, pinned by transcripts that the real program
 * wrote. Pure: whoever has the file hands in its lines. Nothing in a transcript is signed: it is what the program, or somebody after it,
 * wrote there.
 */

export { hasTranscripts, isUntried, type TranscriptProgramId } from './forms.ts';
export {
  sessionOfSubAgent,
  type TranscriptCall,
  type TranscriptItem,
  type TranscriptLine,
  type TranscriptSession,
  touchedIn,
} from './items.ts';
export { readTranscript, TRANSCRIPTS } from './transcripts.ts';
