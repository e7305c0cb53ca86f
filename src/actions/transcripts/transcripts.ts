import { isMembers } from '../../protocol/light.ts';
import { type Body, members, text } from '../tools/index.ts';
import { ClaudeCodeReader } from './claudecode.ts';
import { CodexReader } from './codex.ts';
import { CopilotReader } from './copilot.ts';
import { GeminiReader } from './gemini.ts';
import type { TranscriptItem, TranscriptLine, TranscriptReader } from './items.ts';
import { KimiReader } from './kimi.ts';
import { bodyOf } from './line-body.ts';
import { OpencodeReader } from './opencode.ts';

/** A program whose transcripts are read. */
export interface TranscriptProgram {
  readonly name: string;
  /** The versions whose transcripts were read here. Of others the same form is taken, and what is not known is said. */
  readonly tried: string;
  /** Whether a line is of the program's form. */
  readonly isLine: (body: Body) => boolean;
  /** @param path where the file is, or was: of some it alone names the session */
  readonly open: (path: string) => TranscriptReader;
}

const claudeLine = members({ type: text, sessionId: text, uuid: text, operation: text });

/** Every program whose transcripts are read, by its id in `src/api/programs.ts`: a new one is a file here and a row. */
export const TRANSCRIPTS = {
  claudecode: {
    name: 'Claude Code',
    tried: '2.1.330',
    isLine: (body) => {
      const line = claudeLine(body);
      const isOne = line.uuid !== undefined || line.operation !== undefined;
      return isOne && line.type !== undefined && line.sessionId !== undefined;
    },
    open: () => new ClaudeCodeReader(),
  },
  codex: {
    name: 'Codex CLI',
    tried: '0.169.0',
    isLine: (body) => body['type'] === 'session_meta' && isMembers(body['payload']),
    open: () => new CodexReader(),
  },
  gemini: {
    name: 'Gemini CLI',
    tried: '0.61.0',
    isLine: (body) => typeof body['sessionId'] === 'string' && typeof body['projectHash'] === 'string',
    open: () => new GeminiReader(),
  },
  copilot: {
    name: 'GitHub Copilot CLI',
    tried: '1.0.102',
    isLine: (body) => body['type'] === 'session.start' && body['parentId'] === null,
    open: () => new CopilotReader(),
  },
  opencode: {
    name: 'opencode',
    tried: '1.18.33',
    isLine: (body) => body['table'] === 'session' && typeof body['directory'] === 'string',
    open: () => new OpencodeReader(),
  },
  kimi: {
    name: 'Kimi Code',
    tried: '2.1.0',
    isLine: (body) => body['type'] === 'metadata' && typeof body['protocol_version'] === 'string',
    open: (path) => new KimiReader(path),
  },
} as const satisfies { readonly [program: string]: TranscriptProgram };

export type TranscriptProgramId = keyof typeof TRANSCRIPTS;

/** How many lines at the beginning of a file are looked at to tell whose it is. */
export const FIRST_LINES = 16;

/**
 * The program whose transcript a file is, by its first lines: names of files are not kept where they are moved.
 * @returns null for a program that is not known
 */
export function programOfTranscript(first: readonly TranscriptLine[]): TranscriptProgramId | null {
  const bodies = first
    .slice(0, FIRST_LINES)
    .map(bodyOf)
    .filter((body) => body !== null);
  const found = Object.entries(TRANSCRIPTS).find(([, { isLine }]) => bodies.some((body) => isLine(body)));
  // Names of the table, which entries lose.
  return (found?.[0] as TranscriptProgramId | undefined) ?? null;
}

export function hasTranscripts(program: string): program is TranscriptProgramId {
  return Object.hasOwn(TRANSCRIPTS, program);
}

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
