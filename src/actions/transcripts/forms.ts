import { isMembers } from '../../protocol/light.ts';
import { type Body, members, text } from '../tools/light.ts';
import type { TranscriptLine } from './items.ts';
import { bodyOf } from './line-body.ts';

/** What is known of a program's transcripts without reading one. */
interface TranscriptForm {
  readonly name: string;
  /** The first and the last of the versions whose transcripts were read here. Of others the same form is taken, and what is not known is said. */
  readonly tried: readonly [first: string, last: string];
  /** Whether they say which version wrote them. */
  readonly namesVersion: boolean;
  /** Whether a line is of the program's form. */
  readonly isLine: (body: Body) => boolean;
}

const claudeLine = members({ type: text, sessionId: text, uuid: text, operation: text });

/** Every program whose transcripts are read, by its id in `src/api/programs.ts`. */
export const TRANSCRIPT_FORMS = {
  claudecode: {
    name: 'Claude Code',
    tried: ['2.1.330', '2.1.332'],
    namesVersion: true,
    isLine: (body) => {
      const line = claudeLine(body);
      const isOne = line.uuid !== undefined || line.operation !== undefined;
      return isOne && line.type !== undefined && line.sessionId !== undefined;
    },
  },
  codex: {
    name: 'Codex CLI',
    tried: ['0.161.0', '0.171.0'],
    namesVersion: true,
    isLine: (body) => body['type'] === 'session_meta' && isMembers(body['payload']),
  },
  gemini: {
    name: 'Gemini CLI',
    tried: ['0.51.0', '0.61.0'],
    namesVersion: false,
    isLine: (body) => typeof body['sessionId'] === 'string' && typeof body['projectHash'] === 'string',
  },
  copilot: {
    name: 'GitHub Copilot CLI',
    tried: ['1.0.92', '1.0.102'],
    namesVersion: true,
    isLine: (body) => body['type'] === 'session.start' && body['parentId'] === null,
  },
  opencode: {
    name: 'opencode',
    tried: ['1.18.33', '1.18.33'],
    namesVersion: true,
    isLine: (body) => body['table'] === 'session' && typeof body['directory'] === 'string',
  },
  kimi: {
    name: 'Kimi Code',
    tried: ['2.0.2', '2.1.0'],
    namesVersion: false,
    isLine: (body) => body['type'] === 'metadata' && typeof body['protocol_version'] === 'string',
  },
} as const satisfies { readonly [program: string]: TranscriptForm };

export type TranscriptProgramId = keyof typeof TRANSCRIPT_FORMS;

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
  const found = Object.entries(TRANSCRIPT_FORMS).find(([, { isLine }]) => bodies.some((body) => isLine(body)));
  // Names of the table, which entries lose.
  return (found?.[0] as TranscriptProgramId | undefined) ?? null;
}

/** Whether a program says a version that is outside of those whose transcripts were read. */
export function isUntried(program: TranscriptProgramId, version: string | null): version is string {
  const [first, last] = TRANSCRIPT_FORMS[program].tried;
  return version !== null && (inOrder(version, first) < 0 || inOrder(version, last) > 0);
}

function inOrder(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

export function hasTranscripts(program: string): program is TranscriptProgramId {
  return Object.hasOwn(TRANSCRIPT_FORMS, program);
}
