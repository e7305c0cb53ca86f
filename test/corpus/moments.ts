/** The pieces that the hospital's story is told in: what happens at which moment, and how each kind of agent does it. */
import type { Decision } from '../../src/agent/actions/action-types.ts';
import type { ActionOptions, OpenAction } from '../../src/agent/index.ts';
import type { JsonObject } from '../../src/protocol/index.ts';
import type { Cast, Plain, PlainRecord, SessionOf } from './cast.ts';

export interface Moment {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly act: (cast: Cast) => Promise<unknown>;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Clocks in Berlin go back an hour at this moment. */
const WINTER = Date.UTC(2026, 9, 25, 1);

/**
 * A time in Berlin; of the hour that comes twice, the first.
 * @param day of October 2026; 32 is the first of November
 */
export function berlin(day: number, time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  const utc = Date.UTC(2026, 9, day, hours, minutes) + Math.round(seconds * SECOND);
  return utc - 2 * HOUR < WINTER ? utc - 2 * HOUR : utc - HOUR;
}

/** What becomes of a call: what it gives, or why it failed. */
export type Ending =
  | { readonly output: unknown; readonly exitCode?: number }
  | { readonly error: string; readonly name?: string };

export interface Call extends ActionOptions {
  readonly ms: number;
  readonly ending: Ending;
  /** How a person decided on it before, where somebody was asked. */
  readonly decision?: Decision;
}

/** A session of the library as a list of moments, its calls one after the other. */
export class Told {
  readonly moments: Moment[] = [];
  readonly #who: SessionOf;
  #at: number;

  constructor(who: SessionOf, at: number) {
    this.#who = who;
    this.#at = at;
  }

  told(kind: 'user' | 'system' | 'tool_output' | 'file', value: unknown): this {
    return this.#then(2 * SECOND, (cast) => cast.session(this.#who).told({ kind, value }));
  }

  note(name: string, text: string): this {
    return this.#then(SECOND, (cast) => cast.session(this.#who).note(name, text));
  }

  call({ ms, ending, decision, ...given }: Call): this {
    const name = typeof given.tool === 'string' ? given.tool : given.tool.name;
    // A subject is signed for good: none of them names what was touched.
    const options = { ...given, subject: name };
    let open: OpenAction | undefined;
    if (decision === undefined) {
      this.#then(ms, async (cast) => {
        open = await cast.session(this.#who).begin(options, 'started');
      });
    } else {
      let question: Awaited<ReturnType<ReturnType<Cast['session']>['ask']>>;
      this.#then(90 * SECOND, async (cast) => {
        question = await cast.session(this.#who).ask({ ...options, presented: `${String(options.tool)}?` });
      });
      this.#then(5 * SECOND, async (cast) => {
        question = await cast.session(this.#who).decided(question, decision);
      });
      this.#then(ms, async (cast) => {
        open = await cast.session(this.#who).begin(options, 'started', question);
      });
    }
    return this.#then(4 * SECOND, async () => {
      if (open === undefined) throw new Error('the call has not begun');
      if ('error' in ending)
        await open.failed(Object.assign(new Error(ending.error), { name: ending.name ?? 'Error' }));
      else await open.completed(ending.output, ending.exitCode === undefined ? {} : { exitCode: ending.exitCode });
    });
  }

  end(): Moment[] {
    this.#then(0, (cast) => cast.session(this.#who).end());
    return this.moments;
  }

  /** @param ms until what comes next */
  #then(ms: number, act: Moment['act']): this {
    this.moments.push({ at: this.#at, act });
    this.#at += ms;
    return this;
  }
}

export interface HookCall {
  readonly tool: string;
  readonly input: JsonObject;
  readonly ms: number;
  readonly ending:
    | { readonly response: JsonObject }
    | { readonly error: string }
    | { readonly denied: string }
    /** Nobody learns how it ended. */
    | 'open';
  /** By which sub-agent; none where it is the session's own. */
  readonly subAgent?: string;
}

/** A session of Claude Code as a list of moments: what its hooks are given. */
export function hookSession(id: string, at: number, prompt: string, calls: readonly HookCall[]): Moment[] {
  const common = { session_id: id, cwd: '/srv/it', permission_mode: 'default' };
  const moments: Moment[] = [];
  let time = at;
  const then = (ms: number, body: object): void => {
    moments.push({ at: time, act: (cast) => cast.hook({ ...common, ...body }) });
    time += ms;
  };
  then(SECOND, { hook_event_name: 'SessionStart', source: 'startup' });
  then(2 * SECOND, { hook_event_name: 'UserPromptSubmit', prompt });
  for (const [n, { tool, input, ms, ending, subAgent }] of calls.entries()) {
    const inside = subAgent === undefined ? {} : { agent_id: subAgent, agent_type: 'general-purpose' };
    const call = { ...inside, tool_name: tool, tool_input: input, tool_use_id: `${id} call ${n}` };
    then(ms, { ...call, hook_event_name: 'PreToolUse' });
    if (ending === 'open') continue;
    if ('response' in ending)
      then(3 * SECOND, { ...call, hook_event_name: 'PostToolUse', tool_response: ending.response, duration_ms: ms });
    else if ('error' in ending)
      then(3 * SECOND, { ...call, hook_event_name: 'PostToolUseFailure', error: ending.error, duration_ms: ms });
    else then(3 * SECOND, { ...call, hook_event_name: 'PermissionDenied', reason: ending.denied });
  }
  then(0, { hook_event_name: 'SessionEnd', reason: 'other' });
  return moments;
}

export function plainRecord(agent: Plain, at: number, record: PlainRecord): Moment {
  return { at, act: (cast) => cast.plain(agent, at, record) };
}
