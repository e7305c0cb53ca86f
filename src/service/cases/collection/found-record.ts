import { createHash } from 'node:crypto';
import { AGENT_ACTION_PROFILE, contentDigest } from '../../../actions/profile/index.ts';
import { cutText, operationOfCall, toolOf } from '../../../actions/tools/index.ts';
import {
  sessionOfSubAgent,
  TRANSCRIPTS,
  type TranscriptCall,
  type TranscriptItem,
  type TranscriptSession,
  touchedIn,
} from '../../../actions/transcripts/index.ts';
import { nodeCrypto } from '../../../node/index.ts';
import {
  canonicalize,
  type ExactJson,
  formatTime,
  type Json,
  type JsonObject,
  unlessRefused,
  withTexts,
} from '../../../protocol/index.ts';
import type { FoundFile } from './found-files.ts';

/** An action, as a file says it that was found. */
export interface FoundRecord {
  /** A UUID made of what the file says and where: the same file gives the same one again. */
  readonly operationId: string;
  readonly agentId: string;
  readonly operationType: string;
  readonly subject: string;
  readonly action: string;
  readonly atMs: number;
  readonly payload: JsonObject;
  readonly line: number;
  readonly endLine: number;
  /** What makes it the same call in another file, or in a ledger; null of what is no call, or has no id. */
  readonly session: string | null;
  readonly callId: string | null;
  /** What tells it from others of its session, in whatever file that is; null where nothing does. */
  readonly key: string | null;
}

/** What of a session holds for its calls. */
export interface SessionSoFar {
  readonly id: string;
  readonly parent: string | null;
  readonly cwd: string | null;
  readonly version: string | null;
  readonly model: string | null;
}

/** How much of an input or output the record of it has, in bytes of canonical JSON: the file has all of it. */
const MAX_CONTENT_BYTES = 64 * 1024;
const NAME = 256;
const ERROR = 8_192;
const PLACE = 1_024;
const MAX_TOUCHED = 256;

type Member = readonly [name: string, value: Json | undefined];

function members(...all: readonly Member[]): JsonObject {
  return Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== null)) as JsonObject;
}

function named(text: string | null | undefined, most = NAME): string | undefined {
  return text === null || text === undefined || text === '' ? undefined : cutText(text, most);
}

/** An id of what it is made of, in the form of a UUID of version 4: ids of records have that form. */
export function uuidFrom(...parts: readonly (string | number)[]): string {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Whose folder a path lies in, by the customs of Linux, macOS and Windows; null where it does not say. */
export function personOfPath(path: string): string | null {
  const parts = path.split(/[\\/]+/);
  const at = parts.findIndex((part) => /^(?:home|Users)$/i.test(part));
  const name = at < 0 ? (parts.includes('root') ? 'root' : undefined) : parts[at + 1];
  return name === undefined || name === '' ? null : name;
}

/** How the agent of a transcript is called: never as one of a ledger is, which has no `found:` before it. */
export function foundAgent(program: string, foundAt: string): string {
  const person =
    personOfPath(foundAt)
      ?.normalize('NFKD')
      .replace(/[^A-Za-z0-9._-]+/g, '-') ?? '';
  return `found:${program}${person === '' ? '' : `:${person}`}`.slice(0, 128);
}

/** A value that a record can have, with what was a number that a double does not keep; null of what has no canonical form. */
function canonicalOf(
  value: ExactJson,
): { readonly value: Json; readonly canonical: string; readonly numbers: readonly string[] } | null {
  const { value: plain, places } = withTexts(value);
  // Of a lone surrogate, or of too many levels: the file has it, and the record says that it has not.
  return unlessRefused(() => ({ value: plain, canonical: canonicalize(plain), numbers: places }), null);
}

interface Contents {
  readonly content: JsonObject;
  readonly redactions: readonly JsonObject[];
}

/** What a call was given or gave back, as a content of the profile. */
function contentOf(name: string, value: ExactJson | undefined, isCut: boolean): Contents | null {
  if (value === undefined) return null;
  const form = canonicalOf(value);
  if (form === null) {
    const text = 'not shown: it has no canonical form (protocol F4); the file has it';
    return { content: { value: text }, redactions: [{ at: `/${name}/value`, type: 'not-canonical' }] };
  }
  const { value: plain, canonical, numbers } = form;
  const bytes = Buffer.byteLength(canonical);
  if (bytes <= MAX_CONTENT_BYTES && !isCut) {
    const redactions = numbers.slice(0, 64).map((at) => ({ at: `/${name}/value${at}`, type: 'number' }));
    return { content: { value: plain }, redactions };
  }
  const head = typeof plain === 'string' ? plain : canonical;
  const kept = bytes <= MAX_CONTENT_BYTES ? plain : head.slice(0, MAX_CONTENT_BYTES / 4).toWellFormed();
  const digest = contentDigest('', plain, nodeCrypto.sha256);
  // Of a line that the reader cut nobody has the whole: the digest is of what was read, and `truncated` says that there is more.
  return { content: { value: kept, digest, bytes, truncated: true }, redactions: [] };
}

const ENDS = {
  completed: ['completed', 'ok'],
  failed: ['failed', 'error'],
  denied: ['refused', 'denied'],
  cancelled: ['failed', 'cancelled'],
  unknown: ['failed', 'unknown'],
} as const satisfies Record<TranscriptCall['outcome'], readonly [phase: string, status: string]>;

/** Whether milliseconds since 1970 are a time that the protocol has a form for. */
export function isTime(at: number): boolean {
  return at >= 0 && at < Date.UTC(10_000, 0);
}

/** Milliseconds since 1970 of a time as a program wrote it; null of none, and of one that the protocol has no form for. */
export function timeOf(text: string | null): number | null {
  const at = text === null ? Number.NaN : Date.parse(text);
  return isTime(at) ? at : null;
}

/** Makes records of what one transcript says, in the form in which recorders make them: lists, searches and marks read both alike. */
export class FoundRecords {
  readonly #file: FoundFile;
  readonly #program: keyof typeof TRANSCRIPTS;
  readonly #agentId: string;
  #session: SessionSoFar | null = null;
  /** The last time that was read: what has none lies between its neighbours. */
  #lastMs: number;
  /** Which of several records of one line comes next. */
  #ofLine = 0;
  #lastLine = 0;

  constructor(file: FoundFile, program: keyof typeof TRANSCRIPTS) {
    this.#file = file;
    this.#program = program;
    this.#agentId = foundAgent(program, file.foundAt);
    this.#lastMs = file.modifiedMs ?? 0;
  }

  get session(): SessionSoFar | null {
    return this.#session;
  }

  /** @returns null of what is no action */
  take(item: TranscriptItem): FoundRecord | null {
    if (item.kind === 'session') return this.#begun(item);
    if (item.kind === 'call') return this.#call(item);
    if (item.kind !== 'prompt') return null;
    const told = contentOf('told/0/content', item.text, false);
    const rest = members(['told', [{ kind: 'user', content: told?.content ?? {} }]]);
    return this.#record({
      phase: 'told',
      at: timeOf(item.at),
      line: item.line,
      endLine: item.line,
      operation: { operationType: 'prompt.submit', subject: this.#session?.id ?? this.#program },
      callId: null,
      key: item.at === null ? null : `prompt ${item.at} ${createHash('sha256').update(item.text).digest('hex')}`,
      subAgent: item.sub_agent,
      rest,
      redactions: told?.redactions ?? [],
    });
  }

  #begun({
    session_id,
    parent_session_id,
    cwd,
    version,
    model,
    started_at,
    line,
  }: TranscriptSession): FoundRecord | null {
    const before = this.#session;
    this.#session = { id: session_id, parent: parent_session_id, cwd, version, model };
    if (before?.id === session_id) return null;
    return this.#record({
      // No start of the profile: a transcript has no end of its session, which would be missed.
      phase: 'note',
      action: 'session_started',
      at: timeOf(started_at),
      line,
      endLine: line,
      operation: { operationType: 'session.start', subject: cutText(session_id, 512) },
      callId: null,
      key: 'start',
      subAgent: null,
      rest: { note: members(['kind', 'session'], ['text', named(cwd, PLACE)]) },
      redactions: [],
    });
  }

  #call(call: TranscriptCall): FoundRecord {
    const tool = toolOf(call.tool, {
      server: call.server ?? undefined,
      tool: call.server === null ? undefined : call.tool,
    });
    const cwd = this.#session?.cwd ?? null;
    const touched = touchedIn(call, tool, cwd).slice(0, MAX_TOUCHED);
    const [phase, status] = ENDS[call.outcome];
    const isCut = call.cut !== null;
    const contents = [contentOf('input', call.input, isCut), contentOf('output', call.output, isCut)] as const;
    const error = members(['message', named(call.error, ERROR)]);
    const exitCode = call.exit_code !== null && Number.isSafeInteger(call.exit_code) ? call.exit_code : undefined;
    const outcome = members(
      ['status', status],
      ['exit_code', exitCode],
      ['error', status === 'ok' || Object.keys(error).length === 0 ? undefined : error],
    );
    const { operationType, subject } = operationOfCall({ tool, touched, cwd });
    const duration = call.duration_ms ?? between(call.started_at, call.ended_at);
    return this.#record({
      phase,
      at: timeOf(call.ended_at) ?? timeOf(call.started_at),
      line: call.line,
      endLine: call.end_line ?? call.line,
      operation: { operationType, subject },
      callId: call.call_id,
      key: call.call_id === null ? null : `call ${call.call_id}`,
      subAgent: call.sub_agent,
      durationMs: duration,
      rest: members(
        [
          'tool',
          members(
            ['name', cutText(tool.name, NAME)],
            ['type', tool.type],
            ['server', named(tool.server)],
            ['call_id', named(call.call_id)],
          ),
        ],
        ['input', contents[0]?.content],
        ['output', contents[1]?.content],
        ['outcome', outcome],
        ['whole_call', true],
        ['touched', touched.length === 0 ? undefined : touched.map((one) => ({ ...one, id: cutText(one.id, PLACE) }))],
        ['witnesses', [{ source: 'transcript', name: TRANSCRIPTS[this.#program].name }]],
      ),
      redactions: contents.flatMap((content) => content?.redactions ?? []),
    });
  }

  #record(made: {
    readonly phase: string;
    /** Where it is not called as its phase is. */
    readonly action?: string;
    readonly at: number | null;
    readonly line: number;
    readonly endLine: number;
    readonly operation: { readonly operationType: string; readonly subject: string };
    readonly callId: string | null;
    readonly key: string | null;
    readonly subAgent: string | null;
    readonly durationMs?: number | null;
    readonly rest: JsonObject;
    readonly redactions: readonly JsonObject[];
  }): FoundRecord {
    const { phase, line, endLine, operation, callId, redactions } = made;
    const { itemNo, fileNo, foundAt, sha256 } = this.#file;
    const session = this.#session;
    const own = session && (sessionOfSubAgent(this.#program, made.subAgent, session.id) ?? session);
    const atMs = made.at ?? this.#lastMs;
    this.#lastMs = atMs;
    this.#ofLine = line === this.#lastLine ? this.#ofLine + 1 : 0;
    this.#lastLine = line;
    const id = [sha256, line, this.#ofLine, phase] as const;
    const isCall = 'tool' in made.rest;
    const duration =
      made.durationMs === undefined || made.durationMs === null ? undefined : Math.round(made.durationMs);
    const payload: JsonObject = {
      profile: AGENT_ACTION_PROFILE,
      phase,
      ...(isCall && { action_id: uuidFrom('action', ...id) }),
      ...(own !== null && {
        session: members(['id', cutText(own.id, NAME)], ['parent', named(own.parent)]),
      }),
      actor: members(
        ['program', members(['name', TRANSCRIPTS[this.#program].name], ['version', named(session?.version)])],
        ['model', session?.model == null ? undefined : { name: cutText(session.model, NAME) }],
      ),
      ...made.rest,
      timing: members(
        ['observed_at', formatTime(atMs)],
        ['duration_ms', duration !== undefined && duration >= 0 ? duration : undefined],
      ),
      ...(redactions.length > 0 && { redactions: redactions.slice(0, 256) }),
      // Where it stands: an extension of the profile, which a search finds as any other member.
      x_found: members(
        ['found_at', cutText(foundAt, 4_096)],
        ['line', line],
        ['end_line', endLine],
        ['item_no', itemNo],
        ['file_no', fileNo],
        ['file_sha256', sha256],
        // Not as the profile has it: that asks which record began a sub-agent, and a transcript does not say it.
        ['sub_agent', named(made.subAgent)],
        ['folder', named(session?.cwd, PLACE)],
        ['time', made.at === null ? 'of the entry before, or of the file: the entry has none' : undefined],
      ),
    };
    return {
      operationId: uuidFrom('operation', ...id),
      agentId: this.#agentId,
      operationType: operation.operationType,
      subject: operation.subject,
      action: made.action ?? phase,
      atMs,
      payload,
      line,
      endLine,
      session: own?.id ?? null,
      callId,
      key: made.key,
    };
  }
}

function between(from: string | null, to: string | null): number | null {
  const [begun, ended] = [timeOf(from), timeOf(to)];
  return begun === null || ended === null || ended < begun ? null : ended - begun;
}
