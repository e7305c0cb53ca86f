import { randomUUID } from 'node:crypto';
import { Serial } from '../../node/light.ts';
import { formatTime, messageOf } from '../../protocol/light.ts';
import { AgentError } from '../agent-error.ts';
import type { GapMoment, Moment, OnFailure, Sink } from './moments.ts';

export interface RecordingOptions {
  /**
   * `throw` (the default): each record is waited for, and what cannot be recorded does not happen. `continue`: actions are carried
   * out whether or not they are recorded, and what was lost is said in a record of phase `gap` once there can be one.
   */
  readonly onFailure?: OnFailure;
  /** Called for each moment that was not recorded. */
  readonly onLoss?: (error: unknown, moment: Moment) => void;
}

interface Losses {
  count: number;
  firstAt: string;
  reason: string;
}

function reasonOf(error: unknown): string {
  if (error instanceof AgentError) return `${error.code}: ${error.message}`;
  return messageOf(error);
}

/** Hands the moments of one session to their sink, in order, and does what its caller asked for where that fails. */
export class Recording {
  readonly #sink: Sink;
  readonly #onFailure: OnFailure;
  readonly #onLoss: RecordingOptions['onLoss'];
  readonly #order = new Serial();
  #losses: Losses | null = null;
  #handedIn = 0;
  /** Moments up to this one waited while the service was away for as long as was to be tried: they are lost with that one. */
  #abandoned = 0;
  #records = 0;
  #lost = 0;

  constructor(sink: Sink, { onFailure = 'throw', onLoss }: RecordingOptions) {
    this.#sink = sink;
    this.#onFailure = onFailure;
    this.#onLoss = onLoss;
  }

  /** Names the agent. */
  get agent(): string {
    return this.#sink.agent;
  }

  /** How many records were made. */
  get records(): number {
    return this.#records;
  }

  /** How many moments could not be recorded, as far as is known by now. */
  get lost(): number {
    return this.#lost;
  }

  /**
   * Records a moment, after those that were handed in before.
   * @param wait also under `continue`: whether to wait until it is recorded or lost
   * @returns whether it is recorded; under `continue`, unless it was waited for, whether it will be is open, and the answer true
   * @throws AgentError where the policy is `throw`, and under either policy ACTION_BLOCKED
   */
  async record(moment: Moment, wait = false): Promise<boolean> {
    const number = ++this.#handedIn;
    const done = this.#order.run(() => this.#take(moment, number));
    if (this.#onFailure === 'throw') {
      await done;
      return true;
    }
    const settled = done.then(
      () => true,
      (error: unknown) => {
        if (error instanceof AgentError && error.code === 'ACTION_BLOCKED') throw error;
        return false;
      },
    );
    if (this.#sink.local || wait) return settled;
    // Told to onLoss and counted already; nobody waits for it.
    settled.catch(() => undefined);
    return true;
  }

  /** Waits for what was handed in. */
  async idle(): Promise<void> {
    await this.#order.idle();
  }

  async #take(moment: Moment, number: number): Promise<void> {
    try {
      if (number <= this.#abandoned) throw new AgentError('SERVICE_UNAVAILABLE', 'an earlier record could not be sent');
      if (this.#losses !== null) await this.#tellGap(this.#losses, moment);
      await this.#sink.take(moment, this.#onFailure);
      this.#records++;
    } catch (error) {
      if (error instanceof AgentError && error.code === 'ACTION_BLOCKED') throw error;
      if (error instanceof AgentError && error.code === 'SERVICE_UNAVAILABLE') this.#abandoned = this.#handedIn;
      this.#lost++;
      this.#losses ??= { count: 0, firstAt: moment.observedAt, reason: reasonOf(error) };
      this.#losses.count++;
      this.#onLoss?.(error, moment);
      throw error;
    }
  }

  /** Says what is missing, in a record before the next one. */
  async #tellGap({ count, firstAt, reason }: Losses, { session, actor }: Moment): Promise<void> {
    const lastAt = formatTime(Date.now());
    const common = { operationId: randomUUID(), observedAt: lastAt, session, actor, cause: [] };
    const gap: GapMoment = { ...common, kind: 'gap', count, firstAt, lastAt, reason };
    await this.#sink.take(gap, this.#onFailure);
    this.#records++;
    this.#losses = null;
  }
}
