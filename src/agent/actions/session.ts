import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { formatTime } from '../../protocol/light.ts';
import { AgentError, EndNotRecorded } from '../agent-error.ts';
import type { Actor, Decision, RefusedStatus, ToldKind, Tool } from './action-types.ts';
import { digestOf, drawSalt } from './contents.ts';
import type { Action, CallMembers, CallStage, Common, Moment, Sink } from './moments.ts';
import { type ActionOptions, OpenAction } from './open-action.ts';
import { plainJson } from './plain-json.ts';
import { Recording } from './recording.ts';
import { actorOf, type CallOptions, named, type Question, type SessionOptions, shownOf } from './session-options.ts';

interface Running {
  readonly session: Session;
  readonly action: OpenAction | null;
}

const running = new AsyncLocalStorage<Running>();

/** The session whose `run` or `call` the caller is within. */
export function currentSession(): Session | null {
  return running.getStore()?.session ?? null;
}

/** The most things told that one record has room for. */
const MAX_TOLD = 64;

/**
 * One run of an agent, and what it did: each call of a tool, each thing that it was told, each decision becomes a record of the payload
 * profile countersign.agent-action/1. Made by `agent.session()` or `recorder.session()`. Its first record says that it started.
 */
export class Session {
  readonly id: string;
  readonly #sink: Sink;
  readonly #options: SessionOptions;
  readonly #recording: Recording;
  readonly #actor: Actor;
  readonly #parent: Session | null;
  readonly #start: Moment;
  readonly #open = new Set<OpenAction>();
  readonly #children = new Set<Session>();
  #started: Promise<unknown> | null = null;
  #ended: Promise<void> | null = null;
  #isOver = false;

  constructor(sink: Sink, options: SessionOptions, parent: Session | null = null) {
    this.id = options.id ?? randomUUID();
    this.#sink = sink;
    this.#options = options;
    this.#recording = new Recording(sink, options);
    this.#actor = actorOf(options);
    this.#parent = parent;
    const cause = parent === null ? [] : [this.#within() ?? parent.#start.operationId];
    this.#start = { kind: 'session_started', ...this.#common(cause) };
  }

  /** How many records the session has, and how many could not be made, as far as is known by now. */
  get counts(): { readonly records: number; readonly lost: number } {
    return { records: this.#recording.records, lost: this.#recording.lost };
  }

  /**
   * A session that this one begins, such as that of a sub-agent: with the same options where it is given no others, and with the call
   * that it is begun within, or else the beginning of this one, as its cause.
   */
  child(options: SessionOptions = {}): Session {
    const { id: _, ...inherited } = this.#options;
    const child = new Session(this.#sink, { ...inherited, ...options }, this);
    this.#children.add(child);
    return child;
  }

  /** Carries out an action with this session as the current one. */
  run<T>(action: () => T): T {
    return running.run({ session: this, action: running.getStore()?.action ?? null }, action);
  }

  /**
   * Carries out an action and records that it began, and how it ended. A call within another one names that one as its cause.
   * @returns what the action does
   * @throws what the action throws; under the policy `throw` also AgentError where the beginning cannot be recorded, and then nothing
   *   was carried out, and EndNotRecorded where the action was carried out and its end cannot be recorded
   */
  async call<T>(options: CallOptions<T>, action: (call: OpenAction) => T | Promise<T>): Promise<T> {
    const open = await this.begin(options, 'started', options.question);
    const within = { session: this, action: open };
    const [settled] = await Promise.allSettled([running.run(within, async () => action(open))]);
    try {
      if (settled.status === 'rejected') await open.failed(settled.reason);
      else await open.completed(shownOf(options, settled.value));
    } catch (error) {
      throw new EndNotRecorded(settled, error);
    }
    if (settled.status === 'rejected') throw settled.reason;
    return settled.value;
  }

  /** The function, each of whose calls is one of this session. Its argument is recorded as `input`, or all of them as an array. */
  recorded<A extends readonly unknown[], T>(
    tool: string | Tool,
    action: (...args: A) => T | Promise<T>,
  ): (...args: A) => Promise<T> {
    return (...args) => this.call({ tool, input: args.length === 1 ? args[0] : args }, () => action(...args));
  }

  /**
   * Records that an action begins, for callers that learn of its end elsewhere; `call` is simpler.
   * @param stage `proposed` where the program around it has yet to decide whether it happens
   */
  async begin(
    options: ActionOptions,
    stage: 'proposed' | 'started' = 'started',
    question?: Question,
  ): Promise<OpenAction> {
    const action = this.#actionOf(options, question?.action);
    const { touched = [] } = options;
    const common = this.#common(this.#causes(options));
    const open = new OpenAction(
      {
        record: (end, members) => this.#recordCall(end, this.#common(), members),
        ended: (ended) => this.#open.delete(ended),
      },
      action,
      touched,
      common.operationId,
    );
    await this.#recordCall(stage, common, { action, touched });
    this.#open.add(open);
    return open;
  }

  /** Records what the agent was told. */
  async told(...things: readonly { readonly kind: ToldKind; readonly value: unknown }[]): Promise<void> {
    for (let from = 0; from < things.length; from += MAX_TOLD) {
      const told = things.slice(from, from + MAX_TOLD).map(({ kind, value }) => ({ kind, value: plainJson(value) }));
      await this.#record({ kind: 'told', ...this.#common(this.#causes()), told });
    }
  }

  /** Records anything else. */
  async note(name: string, text: string | null = null): Promise<void> {
    await this.#record({ kind: 'note', ...this.#common(this.#causes()), name, text });
  }

  /**
   * Records that somebody is asked whether an action may be carried out.
   * @param options `presented`: what whoever decides is shown
   */
  async ask(options: ActionOptions & { readonly presented?: unknown }): Promise<Question> {
    const action = this.#actionOf(options);
    const common = this.#common(this.#causes(options));
    const shown = options.presented === undefined ? null : { value: plainJson(options.presented), salt: drawSalt() };
    const members = { action, touched: options.touched ?? [], ...(shown && { presented: shown }) };
    await this.#recordCall('asked', common, members);
    const presentedDigest = shown && digestOf(shown.salt, shown.value);
    return { askedBy: this.#recording.agent, operationId: common.operationId, action, presentedDigest };
  }

  /**
   * Records a decision on a question. Where it is recorded by the very agent that asked, and a person or another agent decided, it is
   * marked as reported: the agent's word. A decision that proves itself is recorded in a session of the decider's own agent.
   * @returns the question, with the input that may now be carried out
   */
  async decided(question: Question, decision: Decision): Promise<Question> {
    const { action, operationId: of, askedBy, presentedDigest } = question;
    const reported = decision.by.kind !== 'policy' && askedBy === this.#recording.agent;
    const about = { action, of, presentedDigest, reported, decision };
    await this.#record({ kind: 'decision', ...this.#common(), ...about });
    return 'input' in decision ? { ...question, action: { ...action, input: plainJson(decision.input) } } : question;
  }

  /** Records that an action that was asked about was not carried out. */
  async refused({ action }: Question, status: RefusedStatus = 'denied', message?: string): Promise<void> {
    const outcome = { status, ...(message ? { error: { message } } : {}) };
    await this.#recordCall('refused', this.#common(), { action, touched: [], outcome });
  }

  /**
   * Ends the session, and those that it began: what is still open gets an end that nobody saw, and the last record says how many there are, unless some were
   * lost. Waits for everything that was handed in. After it has succeeded, a further call does nothing.
   * @throws AgentError under the policy `throw`; then it may be called again
   */
  end(): Promise<void> {
    this.#ended ??= this.#end().catch((error: unknown) => {
      this.#ended = null;
      throw error;
    });
    return this.#ended;
  }

  async #end(): Promise<void> {
    for (const child of this.#children) await child.end();
    for (const action of [...this.#open]) await action.unknown('the session ended before the action did');
    await this.#begun();
    await this.#recording.idle();
    const { records, lost } = this.counts;
    const totals = lost === 0 ? { records } : {};
    await this.#recording.record({ kind: 'session_ended', ...this.#common(), ...totals }, true);
    this.#isOver = true;
  }

  #actionOf({ tool, input, operationType, subject }: ActionOptions, asked?: Action): Action {
    const own = { actionId: randomUUID(), tool: named(tool), input: plainJson(input), salt: drawSalt() };
    return {
      ...(asked ?? own),
      ...(operationType === undefined ? {} : { operationType }),
      ...(subject === undefined ? {} : { subject }),
    };
  }

  #common(cause: readonly string[] = []): Common {
    const session = { id: this.id, ...(this.#parent && { parent: this.#parent.id }) };
    const observedAt = formatTime(Date.now());
    return { operationId: randomUUID(), observedAt, session, actor: this.#actor, cause };
  }

  /** The record of the action that the caller is within. */
  #within(): string | undefined {
    return running.getStore()?.action?.operationId;
  }

  #causes({ cause = [] }: Pick<ActionOptions, 'cause'> = {}): readonly string[] {
    const within = this.#within();
    return within === undefined ? cause : [within, ...cause];
  }

  async #recordCall(stage: CallStage, common: Common, members: CallMembers): Promise<void> {
    await this.#record({ kind: 'call', stage, ...common, ...members });
  }

  async #record(moment: Moment): Promise<void> {
    if (this.#isOver) throw new AgentError('SESSION_ENDED', `the session ${this.id} has ended`);
    await this.#begun();
    await this.#recording.record(moment);
  }

  /** The record that the session started comes first; where it could not be made, the next one tries again. */
  async #begun(): Promise<void> {
    this.#started ??= (this.#parent === null ? Promise.resolve() : this.#parent.#begun()).then(() =>
      this.#recording.record(this.#start),
    );
    try {
      await this.#started;
    } catch (error) {
      this.#started = null;
      throw error;
    }
  }
}

/**
 * The function, each of whose calls is one of the session that its caller is within (`session.run`, `session.call`).
 * @throws AgentError SESSION_ENDED, from the function, where its caller is within none
 */
export function recorded<A extends readonly unknown[], T>(
  tool: string | Tool,
  action: (...args: A) => T | Promise<T>,
): (...args: A) => Promise<T> {
  return async (...args) => {
    const session = currentSession();
    if (session === null) throw new AgentError('SESSION_ENDED', 'the call is within no session: use session.run');
    return session.recorded(tool, action)(...args);
  };
}
