import { nameOf, touchedBy } from '../../actions/tools/index.ts';
import { type ExactJson, formatTime, parseTime } from '../../protocol/light.ts';
import {
  lasted,
  type Seen,
  type SeenCall,
  type SeenCommon,
  type SeenDecision,
  type SeenNote,
  type SeenSession,
  type SeenTold,
  type SeenTool,
  type Touched,
  type WitnessSource,
} from '../seen/seen.ts';

/** One run of a hook. */
export interface HookRun {
  readonly eventId: string;
  /** RFC 3339 in UTC with milliseconds. */
  readonly receivedAt: string;
  /** SHA-256 of the body's bytes in hex. */
  readonly digest: string;
  readonly shortened?: SeenCommon['shortened'];
}

type Optional<T> = T | undefined;

/** What a program says of an event, whatever it calls the members. Texts may have any length. */
export interface EventFacts {
  readonly event: string;
  readonly source?: WitnessSource;
  /** Milliseconds since the epoch, or RFC 3339; where it is neither, the time at which the body came in counts. */
  readonly at?: Optional<string | number>;
  readonly session?: Optional<string>;
  readonly parent?: Optional<string>;
  readonly turn?: Optional<number>;
  readonly subAgent?: Optional<string>;
  readonly subAgentType?: Optional<string>;
  readonly model?: Optional<string>;
  readonly modelProvider?: Optional<string>;
  readonly modelVersion?: Optional<string>;
  readonly programVersion?: Optional<string>;
  readonly cwd?: Optional<string>;
  readonly traceparent?: Optional<string>;
  readonly extra?: ExtraFacts;
}

export type ExtraFacts = { readonly [member: string]: ExactJson | undefined };

export interface CallFacts {
  readonly tool: SeenTool;
  readonly callId?: Optional<string>;
  readonly input?: ExactJson | undefined;
  readonly output?: ExactJson | undefined;
  readonly outcome?: SeenCall['outcome'] | undefined;
  readonly durationMs?: Optional<number>;
  /** Where the program says it by itself; else it follows from the input. */
  readonly touched?: readonly Touched[] | undefined;
}

const MAX_INSTANT = Date.UTC(9999, 11, 31);

/** One event of a program, of which what was seen is made. Its texts may have any length: they are cut once the secrets are out. */
export class HookEvent {
  readonly #common: SeenCommon;

  constructor(facts: EventFacts, run: HookRun) {
    const session = nameOf(facts.session);
    const parent = nameOf(facts.parent);
    const subAgent = nameOf(facts.subAgent);
    const subAgentType = nameOf(facts.subAgentType);
    this.#common = {
      source: facts.source ?? 'hook',
      witness: null,
      event_id: run.eventId,
      raw_event: nameOf(facts.event) ?? 'unnamed',
      raw_sha256: run.digest,
      observed_at: timeOf(facts.at) ?? run.receivedAt,
      session:
        session === undefined
          ? null
          : { id: session, ...(parent !== undefined && { parent }), ...(isCount(facts.turn) && { turn: facts.turn }) },
      sub_agent:
        subAgent === undefined ? null : { id: subAgent, ...(subAgentType !== undefined && { type: subAgentType }) },
      model: modelOf(facts),
      program_version: nameOf(facts.programVersion) ?? null,
      cwd: nameOf(facts.cwd) ?? null,
      trace: traceOf(facts.traceparent),
      extra: extraOf(facts.extra ?? {}),
      ...(run.shortened !== undefined && { shortened: run.shortened }),
    };
  }

  call(stage: SeenCall['stage'], facts: CallFacts): SeenCall {
    const { input, output, outcome, durationMs } = facts;
    return {
      kind: 'call',
      stage,
      ...this.#common,
      tool: facts.tool,
      call_id: nameOf(facts.callId) ?? null,
      ...(input !== undefined && { input }),
      ...(output !== undefined && { output }),
      ...(outcome !== undefined && { outcome }),
      ...lasted(durationMs),
      touched: facts.touched ?? touchedBy(facts.tool, input, this.#common.cwd),
    };
  }

  decision(
    facts: CallFacts,
    decision: SeenDecision['decision'],
    by: SeenDecision['by'],
    reason: string | undefined,
  ): SeenDecision {
    return {
      kind: 'decision',
      ...this.#common,
      tool: facts.tool,
      call_id: nameOf(facts.callId) ?? null,
      ...(facts.input !== undefined && { input: facts.input }),
      decision,
      by,
      reason: textOf(reason),
    };
  }

  session(kind: SeenSession['kind'], reason: string | undefined): SeenSession {
    return { kind, ...this.#common, reason: nameOf(reason) ?? null };
  }

  told(told: SeenTold['told']): SeenTold {
    return { kind: 'told', ...this.#common, told };
  }

  note(name: string, text?: string): SeenNote {
    return { kind: 'note', ...this.#common, name: nameOf(name) ?? 'unnamed', text: textOf(text) };
  }
}

/** What follows from one body, each with its own id. */
export function withOwnIds(seen: readonly Seen[]): readonly Seen[] {
  return seen.map((one, index) => (index === 0 ? one : { ...one, event_id: `${one.event_id}/${index}` }));
}

function textOf(text: string | undefined): string | null {
  return nameOf(text) ?? null;
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0;
}

function modelOf(facts: EventFacts): SeenCommon['model'] {
  const name = nameOf(facts.model);
  const provider = nameOf(facts.modelProvider);
  const version = nameOf(facts.modelVersion);
  if (name === undefined) return null;
  return { name, ...(provider !== undefined && { provider }), ...(version !== undefined && { version }) };
}

function timeOf(at: string | number | undefined): string | null {
  if (at === undefined) return null;
  try {
    const instant = typeof at === 'number' ? Math.trunc(at) : parseTime(at);
    return instant >= 0 && instant <= MAX_INSTANT ? formatTime(instant) : null;
  } catch {
    return null;
  }
}

function traceOf(traceparent: string | undefined): SeenCommon['trace'] {
  const [, trace, span] = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-/.exec(traceparent ?? '') ?? [];
  return trace === undefined || span === undefined ? null : { trace_id: trace, span_id: span };
}

function extraOf(facts: ExtraFacts): SeenCommon['extra'] {
  const members = Object.entries(facts).flatMap(([name, value]): [string, ExactJson][] => {
    if (value === undefined || value === '') return [];
    return [[name, value]];
  });
  return members.length === 0 ? null : Object.fromEntries(members);
}
