import type { SeenTool } from '../seen/seen.ts';
import type { StateChange } from './draft.ts';
import type { CallRef, HeldWitness, OpenCall } from './open-call.ts';

/** The most calls of one agent that are kept: whoever starts more at once has the oldest forgotten. */
const MAX_CALLS = 5000;

const PREFIX = 'call/';

/** Whether two names may mean the same thing: a witness that knows none does not speak against one. */
function mayBe(a: string | null, b: string | null): boolean {
  return a === null || b === null || a === b;
}

/** A tool's own name: a program writes the server's before it (`mcp__server__tool`, `@server/tool`, `MCP:tool`). */
function bareName({ name, server }: SeenTool): string {
  if (server === null) return name.replace(/^MCP:/, '');
  for (const before of [`mcp__${server}__`, `mcp_${server}_`, `@${server}/`, `${server}__`, `${server}/`, 'MCP:']) {
    if (name.startsWith(before)) return name.slice(before.length);
  }
  return name;
}

function isSameTool(a: SeenTool, b: SeenTool): boolean {
  return a.name === b.name || (mayBe(a.server, b.server) && bareName(a) === bareName(b));
}

/** Programs tell their hooks of a tool by another name than their transcripts (`Bash`, `bash`): the input that they give it is the same. */
function isToldElsewhere({ source, input, tool }: OpenCall, ref: CallRef): boolean {
  const isOfTranscript = source === 'transcript' || ref.source === 'transcript';
  return isOfTranscript && input !== null && input === ref.input && tool.type === ref.tool.type;
}

type Lacking<T, Names extends keyof T> = Omit<T, Names> & Partial<Pick<T, Names>>;

/** A call as an earlier version may have kept it, without what came since. */
interface KeptCall extends Lacking<Omit<OpenCall, 'held'>, 'touched' | 'cwd'> {
  readonly held: readonly Lacking<HeldWitness, 'error'>[];
}

/** The calls of one agent that events may still belong to, newest last. */
export class Calls {
  readonly #calls = new Map<string, OpenCall>();
  /** Those of them that have not ended: most events are about these few. */
  readonly #unended = new Map<string, OpenCall>();
  /** Those without the program's own id: an event that has one can only be about these, or about the one with its id. */
  readonly #unnamed = new Map<string, OpenCall>();
  readonly #byCallId = new Map<string, Set<string>>();
  #changes: StateChange[] = [];

  /** Takes what was kept. @returns whether the entry is a call's */
  load(key: string, value: unknown): boolean {
    if (!key.startsWith(PREFIX)) return false;
    const { touched = [], cwd = null, held, ...call } = value as KeptCall;
    this.#put({ ...call, touched, cwd, held: held.map(({ error = null, ...one }) => ({ ...one, error })) });
    return true;
  }

  /** What has to be written since it was last asked. */
  drain(): StateChange[] {
    const changes = this.#changes;
    this.#changes = [];
    return changes;
  }

  get(actionId: string): OpenCall | undefined {
    return this.#calls.get(actionId);
  }

  values(): IterableIterator<OpenCall> {
    return this.#calls.values();
  }

  /** Those that have not ended, oldest first. */
  unended(): IterableIterator<OpenCall> {
    return this.#unended.values();
  }

  set(call: OpenCall): void {
    this.#put(call);
    this.#changes.push({ key: PREFIX + call.action_id, value: call as never });
    const [oldest] = this.#calls.values();
    if (this.#calls.size > MAX_CALLS && oldest !== undefined) this.drop(oldest);
  }

  #put(call: OpenCall): void {
    this.#calls.set(call.action_id, call);
    if (call.ended === null) this.#unended.set(call.action_id, call);
    else this.#unended.delete(call.action_id);
    if (call.call_id === null) {
      this.#unnamed.set(call.action_id, call);
      return;
    }
    this.#unnamed.delete(call.action_id);
    const ids = this.#byCallId.get(call.call_id);
    if (ids === undefined) this.#byCallId.set(call.call_id, new Set([call.action_id]));
    else ids.add(call.action_id);
  }

  drop({ action_id, call_id }: OpenCall): void {
    this.#calls.delete(action_id);
    this.#unended.delete(action_id);
    this.#unnamed.delete(action_id);
    const ids = call_id === null ? undefined : this.#byCallId.get(call_id);
    ids?.delete(action_id);
    if (call_id !== null && ids?.size === 0) this.#byCallId.delete(call_id);
    this.#changes.push({ key: PREFIX + action_id, value: null });
  }

  /** The call with the program's own id: the newest, where an id is used again. */
  byId({ session, sub_agent, call_id }: CallRef): OpenCall | undefined {
    if (call_id === null) return undefined;
    const candidates = [...(this.#byCallId.get(call_id) ?? [])].flatMap((id) => this.#calls.get(id) ?? []);
    return candidates.findLast((call) => mayBe(call.session, session) && mayBe(call.sub_agent, sub_agent));
  }

  /**
   * The call that an event without an id belongs to, by what it was given: the oldest first, as the program ends them.
   * @param among all of them, or those that have not ended
   * @param fits what else has to hold
   */
  byInput(ref: CallRef, among: 'all' | 'unended', fits: (call: OpenCall) => boolean): OpenCall | undefined {
    const isAny = among === 'all';
    const calls = ref.call_id !== null ? this.#unnamed : isAny ? this.#calls : this.#unended;
    for (const call of calls.values()) {
      const isOne =
        (isAny || call.ended === null) &&
        mayBe(call.session, ref.session) &&
        mayBe(call.sub_agent, ref.sub_agent) &&
        mayBe(call.input, ref.input) &&
        (isSameTool(call.tool, ref.tool) || isToldElsewhere(call, ref));
      if (isOne && fits(call)) return call;
    }
    return undefined;
  }
}
