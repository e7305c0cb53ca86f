import type { ExactJson } from '../../protocol/light.ts';
import { absolutePath, type SeenTool, type Touched, touchedBy } from '../tools/index.ts';

/** One line of a transcript, as whoever reads the file hands it in. */
export interface TranscriptLine {
  /** From 1. */
  readonly line: number;
  /** Without the end of the line; of a line that is longer than what is kept, its head. */
  readonly text: string;
  /** Of a line that is longer than what is kept: its size in bytes, and the SHA-256 of all of it in hex. */
  readonly cut?: { readonly bytes: number; readonly sha256: string };
}

/** What a transcript says of the session that it is of; again where a later line says otherwise. */
export interface TranscriptSession {
  readonly kind: 'session';
  readonly session_id: string;
  readonly parent_session_id: string | null;
  readonly cwd: string | null;
  /** The program's own version. */
  readonly version: string | null;
  readonly model: string | null;
  /** RFC 3339, as the program wrote it. */
  readonly started_at: string | null;
  readonly line: number;
}

/**
 * `denied`: not carried out, by a rule or a person; `cancelled`: stopped before its end; `unknown`: the transcript does not have its end,
 * or does not say which it was.
 */
export type TranscriptOutcome = 'completed' | 'failed' | 'denied' | 'cancelled' | 'unknown';

/** A call of a tool, from the line that asks for it to the line that has its end. */
export interface TranscriptCall {
  readonly kind: 'call';
  /** The program's own id of it. */
  readonly call_id: string | null;
  /** The program's own name of the tool. */
  readonly tool: string;
  /** Of a tool of an MCP server, where the program says it apart from the tool's name. */
  readonly server: string | null;
  /** Undefined where the transcript does not have it. */
  readonly input: ExactJson | undefined;
  readonly output: ExactJson | undefined;
  /** The whole output as the program tells it to its hooks; undefined where the transcript does not have it so. */
  readonly told_to_hooks: ExactJson | undefined;
  readonly outcome: TranscriptOutcome;
  readonly exit_code: number | null;
  /** What the program says of a call that was not completed. */
  readonly error: string | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly duration_ms: number | null;
  /** The files that the program says it changed by the call. */
  readonly changed: readonly { readonly path: string; readonly access: 'write' | 'delete' }[];
  /** The sub-agent that made it; null for the session's own agent. */
  readonly sub_agent: string | null;
  /** The call that it is a part of, such as the one whose code made it. */
  readonly within: string | null;
  /** The call that began the process which this one types into. */
  readonly typed_into: string | null;
  readonly line: number;
  /** Null where the transcript ends before it does. */
  readonly end_line: number | null;
  /** Of a line that was longer than what is kept: input or output is the head of what the program wrote. */
  readonly cut: { readonly bytes: number; readonly sha256: string } | null;
}

/** What the user said, or the model answered. */
export interface TranscriptText {
  readonly kind: 'prompt' | 'answer';
  readonly text: string;
  readonly at: string | null;
  readonly sub_agent: string | null;
  readonly line: number;
}

/** What could not be read, or is not known: never guessed. */
export interface TranscriptUnread {
  readonly kind: 'unread';
  readonly line: number;
  readonly reason: string;
}

export type TranscriptItem = TranscriptSession | TranscriptCall | TranscriptText | TranscriptUnread;

/** Reads one transcript from its first line on. It may be fed line by line while the program still writes. */
export interface TranscriptReader {
  take(line: TranscriptLine): readonly TranscriptItem[];
  /** The calls that have no end so far, in the order in which they began. Reading may continue. */
  open(): readonly TranscriptCall[];
}

/** What a call names, and the files that the program says it changed. */
export function touchedIn(call: TranscriptCall, tool: SeenTool, cwd: string | null): readonly Touched[] {
  const named = touchedBy(tool, call.input, cwd);
  const changed = call.changed.map(
    ({ path, access }): Touched => ({ kind: 'file', id: absolutePath(path, cwd), access }),
  );
  const known = new Set(named.map(({ kind, id }) => `${kind} ${id}`));
  return [...named, ...changed.filter(({ kind, id }) => !known.has(`${kind} ${id}`))];
}

/** The session that a sub-agent's calls are of, where the program says of a sub-agent that it is one, with the session that began it. */
export function sessionOfSubAgent(
  program: string,
  subAgent: string | null,
  session: string,
): { readonly id: string; readonly parent: string } | null {
  return program === 'copilot' && subAgent !== null ? { id: subAgent, parent: session } : null;
}
