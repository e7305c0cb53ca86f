import { ClaudeCodeReader } from './claudecode.ts';
import { CodexReader } from './codex.ts';
import { CopilotReader } from './copilot.ts';
import { TRANSCRIPT_FORMS, type TranscriptProgramId } from './forms.ts';
import { GeminiReader } from './gemini.ts';
import type { TranscriptItem, TranscriptLine, TranscriptReader } from './items.ts';
import { KimiReader } from './kimi.ts';
import { OpencodeReader } from './opencode.ts';

/** Every program whose transcripts are read: a new one is a file here, a row, and one of `forms.ts`. */
export const TRANSCRIPTS = {
  claudecode: { ...TRANSCRIPT_FORMS.claudecode, open: () => new ClaudeCodeReader() },
  codex: { ...TRANSCRIPT_FORMS.codex, open: () => new CodexReader() },
  gemini: { ...TRANSCRIPT_FORMS.gemini, open: () => new GeminiReader() },
  copilot: { ...TRANSCRIPT_FORMS.copilot, open: () => new CopilotReader() },
  opencode: { ...TRANSCRIPT_FORMS.opencode, open: () => new OpencodeReader() },
  kimi: { ...TRANSCRIPT_FORMS.kimi, open: (path) => new KimiReader(path) },
} as const satisfies {
  /** @param path where the file is, or was: of some it alone names the session */
  readonly [Program in TranscriptProgramId]: { readonly open: (path: string) => TranscriptReader };
};

/**
 * Reads a whole transcript. Throws for nothing that it holds; memory is bounded.
 * @param lines in their order, each at most as long as the caller keeps of one
 * @param path where the file is, or was
 */
export async function* readTranscript(
  program: TranscriptProgramId,
  lines: AsyncIterable<TranscriptLine>,
  path = '',
): AsyncGenerator<TranscriptItem> {
  const reader = TRANSCRIPTS[program].open(path);
  for await (const line of lines) if (line.text.trim() !== '') yield* reader.take(line);
  yield* reader.open();
}
