import type { SeenTool, Touched } from '../../actions/tools/index.ts';
import type { ExactJson } from '../../protocol/light.ts';
import type { LeftOut } from './left-out.ts';
import type { Received } from './received.ts';

export type { SeenTool, Touched } from '../../actions/tools/index.ts';

/** How an event came to be known: `witnesses[].source` of the payload profile. */
export const WITNESS_SOURCES = ['hook', 'plugin', 'mcp', 'acp', 'otlp', 'library', 'transcript', 'other'] as const;
export type WitnessSource = (typeof WITNESS_SOURCES)[number];

export type EndStatus = 'ok' | 'error' | 'timeout' | 'cancelled' | 'unknown' | 'denied' | 'blocked';

/** What every event says of where it comes from. Nothing in it is known to be true: it is what a program said. */
export interface SeenCommon {
  readonly source: WitnessSource;
  /** What of that kind saw it, such as the name of an MCP server or of an instrumentation scope. */
  readonly witness: string | null;
  /**
   * Tells this observation from every other one: the same one that comes twice is taken once. A UUID of the hook's run, or what
   * follows from the ids of the program (trace and span, session and message).
   */
  readonly event_id: string;
  /** The name by which the program calls the event, such as PreToolUse. */
  readonly raw_event: string;
  /** SHA-256 of the very bytes that came in, 64 lowercase hex digits: whoever kept them can show that they are what was recorded. */
  readonly raw_sha256: string;
  /** When it was seen (RFC 3339): by the program's clock where it says so, else when it came in. */
  readonly observed_at: string;
  readonly session: { readonly id: string; readonly parent?: string; readonly turn?: number } | null;
  readonly sub_agent: { readonly id: string; readonly type?: string } | null;
  readonly model: { readonly name: string; readonly provider?: string; readonly version?: string } | null;
  readonly program_version: string | null;
  /** The working folder. */
  readonly cwd: string | null;
  /** W3C Trace Context, in hex. */
  readonly trace: { readonly trace_id: string; readonly span_id?: string; readonly parent_span_id?: string } | null;
  /** What else the program said that is worth keeping: small, and subject to redaction like everything else. */
  readonly extra: { readonly [member: string]: ExactJson } | null;
  /**
   * Of what came in too long to be kept, or was cut off: how many bytes came, what the texts and lists here lack of it, and whether its
   * end never came.
   */
  readonly shortened?: { readonly bytes: number; readonly left_out: readonly LeftOut[]; readonly cut_off?: true };
}

/** What every event says that was made of what came in. */
export function shortenedBy({
  size,
  leftOut,
  isCutOff,
}: Pick<Received, 'size' | 'leftOut' | 'isCutOff'>): Pick<SeenCommon, 'shortened'> {
  if (isCutOff) return { shortened: { bytes: size, left_out: leftOut, cut_off: true } };
  return leftOut.length === 0 ? {} : { shortened: { bytes: size, left_out: leftOut } };
}

/** A call of a tool, at one of its moments. */
export interface SeenCall extends SeenCommon {
  readonly kind: 'call';
  /**
   * `proposed`: the program is about to run it, and may still ask; `asked`: somebody is asked; `started`: it is being carried
   * out; `completed`, `failed`, `refused`: how it ended.
   */
  readonly stage: 'proposed' | 'asked' | 'started' | 'completed' | 'failed' | 'refused';
  readonly tool: SeenTool;
  /** The program's own id of the call; null where it has none, and calls are joined by what they were given. */
  readonly call_id: string | null;
  /** Undefined where the witness does not know it. */
  readonly input?: ExactJson;
  readonly output?: ExactJson;
  /** The output is a part, or in another form than hooks of the program have it. */
  readonly unlike_hooks?: true;
  /** Of `completed` with the status `unknown` nobody said how it ended, only that it was carried out; without an outcome it ended well. */
  readonly outcome?: {
    readonly status: EndStatus;
    readonly exit_code?: number;
    readonly error?: { readonly type?: string; readonly message?: string };
  };
  readonly duration_ms?: number;
  readonly touched: readonly Touched[];
  /** The program tells of all its calls once more, and of those that it reported before nothing new is recorded. */
  readonly again?: true;
}

/** A decision in the program's own dialog, or by its rules: the acting program's word. */
export interface SeenDecision extends SeenCommon {
  readonly kind: 'decision';
  readonly tool: SeenTool;
  readonly call_id: string | null;
  readonly input?: ExactJson;
  readonly decision: 'approved' | 'denied' | 'expired';
  readonly by: { readonly kind: 'human' | 'policy' | 'agent' | 'unknown'; readonly id: string };
  readonly reason: string | null;
}

export interface SeenSession extends SeenCommon {
  readonly kind: 'session_started' | 'session_ended';
  readonly reason: string | null;
}

/** What the agent was told. */
export interface SeenTold extends SeenCommon {
  readonly kind: 'told';
  readonly told: readonly {
    readonly kind: 'system' | 'user' | 'memory' | 'tool_output' | 'file' | 'agent' | 'other';
    readonly value: ExactJson;
  }[];
}

/** The definitions of a server's tools: recorded when they are first seen, and whenever they change. */
export interface SeenTools extends SeenCommon {
  readonly kind: 'tools';
  readonly server: string;
  readonly count: number;
  /** SHA-256 of the canonical definitions, 64 lowercase hex digits. */
  readonly definitions_sha256: string;
}

/** Anything else worth recording; `name` becomes `note.kind` of the profile. */
export interface SeenNote extends SeenCommon {
  readonly kind: 'note';
  readonly name: string;
  readonly text: string | null;
}

/** Events that are known to be missing. */
export interface SeenGap extends SeenCommon {
  readonly kind: 'gap';
  /** Null where nobody knows how many. */
  readonly count: number | null;
  readonly first_at: string;
  readonly last_at: string;
  readonly reason: string;
}

export type Seen = SeenCall | SeenDecision | SeenSession | SeenTold | SeenTools | SeenNote | SeenGap;

/**
 * How long a call took, by a program that can say anything: left out where it is no time that a record can state.
 * @param milliseconds undefined where nothing was said
 */
export function lasted(milliseconds: number | undefined): Pick<SeenCall, 'duration_ms'> {
  const whole = milliseconds === undefined ? -1 : Math.round(milliseconds);
  return whole >= 0 && Number.isSafeInteger(whole) ? { duration_ms: whole } : {};
}
