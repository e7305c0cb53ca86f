import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSystemView, recorderFolder } from '../node/light.ts';
import { type ExactJson, exactJsonText, hasCode, messageOf } from '../protocol/light.ts';
import type { GapMoment, Moment, OnFailure, Sink } from './actions/moments.ts';
import { seenOf } from './actions/seen.ts';
import { Session } from './actions/session.ts';
import type { SessionOptions } from './actions/session-options.ts';
import { AgentError } from './agent-error.ts';
import type { HttpAnswer } from './http-exchange.ts';
import { ALIVE_S, leaveSeen, noteMissed, patienceFor, requestRecorder, verdictIn } from './recorder-socket.ts';
import type { Verdict } from './verdict.ts';

export interface RecorderClientOptions {
  /** For which of the recorder's agents: `other`, unless the recorder was installed for another type of program. */
  readonly feed?: string;
  /** The recorder's folder; this user's own one where it is left out. */
  readonly folder?: string;
  /**
   * How long to go on trying while no recorder answers, in milliseconds; 3,000 by default. One that hangs is waited for until then, and for 3
   * seconds, with more for large events, at the least; after that only for a sign of life, a quarter of a second, until one answers.
   */
  readonly retryForMs?: number;
}

const ALLOWED: Verdict = { allowed: true, reason: null, operation_ids: [] };

const PAUSE_MS = 100;

/**
 * Hands what an agent does to the recorder that runs on this machine. The recorder has key and token, redacts, signs, keeps and sends;
 * this needs neither, and no network.
 */
export class RecorderClient implements Sink {
  readonly local = true;
  readonly #feed: string;
  readonly #folder: string;
  readonly #retryForMs: number;
  /** By session, how many of its moments were noted as missed since its last gap. */
  readonly #noted = new Map<string, number>();
  /** Whether the recorder was waited for in vain, and has not answered since. */
  #hangs = false;

  constructor({ feed = 'other', folder = recorderFolder(process.env), retryForMs = 3000 }: RecorderClientOptions = {}) {
    this.#feed = feed;
    this.#folder = folder;
    this.#retryForMs = retryForMs;
  }

  get agent(): string {
    return `recorder/${this.#feed}`;
  }

  /** A session whose records the recorder makes. */
  session(options: SessionOptions = {}): Session {
    return new Session(this, options);
  }

  /**
   * Where no recorder answers, a session that continues leaves the moment for the next one, as far as the agent's policy permits. Else, since
   * what it tells of then does not happen, and where it cannot be left, it is noted as missed in the recorder's folder, so that the next
   * recorder signs a gap for it. Both are so also if this process has ended by then.
   * @throws AgentError ACTION_BLOCKED, RECORDER_UNAVAILABLE, RECORDER_REFUSED
   */
  async take(moment: Moment, onFailure: OnFailure): Promise<void> {
    const told = moment.kind === 'gap' ? this.#withoutNoted(moment) : moment;
    const { allowed, reason } = told === null ? ALLOWED : await this.#handOrKeep(told, onFailure);
    if (moment.kind === 'gap' || moment.kind === 'session_ended') this.#noted.delete(moment.session.id);
    // What has happened is not undone by forbidding it.
    const isBefore = moment.kind === 'call' && ['proposed', 'asked', 'started'].includes(moment.stage);
    if (!allowed && isBefore) throw new AgentError('ACTION_BLOCKED', reason ?? 'the recorder does not allow it');
  }

  /**
   * Hands in events in the recorder's own form. The same `event_id` is taken once, so it is safe to hand one in again.
   * @throws AgentError RECORDER_UNAVAILABLE, RECORDER_REFUSED
   */
  async hand(seen: readonly { readonly [member: string]: ExactJson }[]): Promise<Verdict> {
    const body = exactJsonText({ seen });
    const giveUp = performance.now() + this.#retryForMs;
    /** One for all tries, once somebody listens: what hangs more than once is waited for no longer. */
    let deadline: number | null = null;
    for (;;) {
      const until: number = deadline ?? Math.max(giveUp, performance.now() + patienceFor(Buffer.byteLength(body)));
      try {
        return await this.#post(body, until);
      } catch (error) {
        if (!(error instanceof AgentError && hasCode(error.cause, 'ECONNREFUSED', 'ENOENT'))) deadline = until;
        const gone = error instanceof AgentError && error.code === 'RECORDER_UNAVAILABLE';
        if (!gone || this.#hangs || performance.now() + PAUSE_MS > giveUp) throw error;
        await sleep(PAUSE_MS);
      }
    }
  }

  async #handOrKeep(moment: Moment, onFailure: OnFailure): Promise<Verdict> {
    const seen = [seenOf(moment)];
    try {
      return await this.hand(seen);
    } catch (error) {
      const isAway = error instanceof AgentError && error.code === 'RECORDER_UNAVAILABLE';
      // One that answered, with whatever, has counted it.
      const isUnanswered = isAway && error.cause !== undefined;
      if (isUnanswered && onFailure === 'continue' && this.#leave(exactJsonText({ seen }))) return ALLOWED;
      if (isAway && moment.kind !== 'gap' && this.#note(moment)) {
        const { id } = moment.session;
        this.#noted.set(id, (this.#noted.get(id) ?? 0) + 1);
      }
      throw error;
    }
  }

  /** The recorder makes the gap of what was noted: null where that is all of it. */
  #withoutNoted(gap: GapMoment): GapMoment | null {
    const count = gap.count - (this.#noted.get(gap.session.id) ?? 0);
    return count > 0 ? { ...gap, count } : null;
  }

  #leave(body: string): boolean {
    const who = { witness: 'library', count: 1 } as const;
    return !isSystemView(this.#folder) && leaveSeen(this.#folder, this.#feed, body, who);
  }

  /** @returns false where the recorder cannot see the folder, no agent is installed, or the folder cannot be written */
  #note({ operationId }: Moment): boolean {
    if (isSystemView(this.#folder) || !existsSync(join(this.#folder, 'agents', `${this.#feed}.json`))) return false;
    try {
      noteMissed(this.#folder, this.#feed, [operationId], 'library');
      return true;
    } catch {
      // The session counts it as before, and its caller gets the error.
      return false;
    }
  }

  async #post(body: string, deadline: number): Promise<Verdict> {
    let answered: HttpAnswer;
    try {
      if (this.#hangs) {
        await requestRecorder(this.#folder, { path: '/v1/alive', timeoutMs: ALIVE_S.afterVain * 1_000 });
      }
      const path = `/v1/seen/${encodeURIComponent(this.#feed)}`;
      const timeoutMs = Math.max(1, Math.ceil(deadline - performance.now()));
      answered = await requestRecorder(this.#folder, { path, body, timeoutMs });
      this.#hangs = false;
    } catch (error) {
      this.#hangs = hasCode(error, 'ETIMEDOUT');
      throw this.#unavailable(messageOf(error), error);
    }
    const { status } = answered;
    const text = answered.body.toString('utf8');
    if (status >= 500) throw this.#unavailable(`HTTP ${status}`);
    const verdict = verdictIn(answered);
    if (verdict !== null) return verdict;
    if (status === 403) return { allowed: false, reason: text || null, operation_ids: [] };
    throw new AgentError('RECORDER_REFUSED', `the recorder answered HTTP ${status}: ${text.slice(0, 500)}`);
  }

  #unavailable(why: string, cause?: unknown): AgentError {
    return new AgentError('RECORDER_UNAVAILABLE', `no recorder answers for ${this.#folder}: ${why}`, { cause });
  }
}
