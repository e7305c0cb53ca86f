import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import {
  type HttpAnswer,
  jsonIn,
  NOT_RECORDED,
  noteMissed,
  requestRecorder,
  type Verdict,
  verdictIn,
} from '../../agent/light.ts';
import { exactJsonText, hasCode, isMembers } from '../../protocol/light.ts';
import type { RecorderHome } from '../base/home.ts';
import type { FeedId } from '../base/programs.ts';
import { RecordError, type RecordErrorCode } from '../base/record-error.ts';
import type { Take } from './feed.ts';
import { handInMissed } from './hand-in-missed.ts';
import type { Seen } from './seen.ts';

/** How long the recorder may take to answer, in milliseconds. */
const BUDGET_MS = 3_000;

/**
 * Hands events to the recorder of this user, which runs in another process. Where it cannot be reached within 3 seconds, the events
 * are noted as missed and the agent's policy says whether it may go on.
 */
export class RecorderClient {
  readonly #home: RecorderHome;

  constructor(home: RecorderHome) {
    this.#home = home;
  }

  /** @throws RecordError EVENT_INVALID, EVENT_TOO_LARGE, NOT_INSTALLED; FOLDER_UNUSABLE where nothing can be noted either */
  readonly take: Take = async (feed, seen) => {
    let answer: HttpAnswer;
    try {
      answer = await this.#post(`/v1/seen/${feed}`, exactJsonText({ seen }));
    } catch {
      return this.missed(feed, idsOf(seen));
    }
    const verdict = verdictIn(answer);
    if (verdict !== null) {
      if (this.#home.isSystem) await this.#handIn(feed);
      return verdict;
    }
    const { code, message } = refusalIn(answer);
    if (code === null) return this.missed(feed, idsOf(seen));
    throw new RecordError(code, message);
  };

  /** Whether an agent is installed for a feed. */
  readonly isInstalled = (feed: FeedId): boolean => existsSync(this.#home.agent(feed));

  /**
   * Notes events as missed, for the recorder to sign a gap for them.
   * @returns what the agent's policy says of what could not be recorded
   * @throws RecordError NOT_INSTALLED, FOLDER_UNUSABLE
   */
  async missed(feed: FeedId, eventIds: readonly string[]): Promise<Verdict> {
    if (!this.isInstalled(feed)) throw new RecordError('NOT_INSTALLED', `no agent is installed for ${feed}`);
    try {
      noteMissed(this.#home.folder, feed, eventIds, 'mcp');
    } catch (cause) {
      throw new RecordError('FOLDER_UNUSABLE', `${this.#home.missed} cannot be written`, { cause });
    }
    return this.withoutRecord(feed);
  }

  /** Two calls at once hand in the same files, of which the recorder makes the same gaps. */
  async #handIn(feed: FeedId): Promise<void> {
    try {
      await handInMissed(
        this.#home.missed,
        feed,
        async (lines) => (await this.#post(`/v1/missed/${feed}`, lines)).status === 200,
      );
    } catch {
      // The event itself is recorded; what was missed stays noted, and is handed in with a later one.
    }
  }

  /** What the agent's policy says of what could not be recorded. */
  async withoutRecord(feed: FeedId): Promise<Verdict> {
    const blocked = (await this.#onFailure(feed)) === 'block';
    return { allowed: !blocked, reason: blocked ? NOT_RECORDED : null, operation_ids: [] };
  }

  async #onFailure(feed: FeedId): Promise<unknown> {
    try {
      const agent: unknown = JSON.parse(await readFile(this.#home.agent(feed), 'utf8'));
      return isMembers(agent) ? agent['on_failure'] : undefined;
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return 'allow';
      // What cannot be read may have said that nothing is to run unrecorded.
      return 'block';
    }
  }

  #post(path: string, body: string | Uint8Array): Promise<HttpAnswer> {
    return requestRecorder(this.#home.folder, { path, body, timeoutMs: BUDGET_MS });
  }
}

/** What the recorder says no to an event with; everything else it says means that it is out of order. */
const REFUSALS: readonly RecordErrorCode[] = ['EVENT_INVALID', 'EVENT_TOO_LARGE', 'NOT_INSTALLED'];

function refusalIn({ body }: HttpAnswer): { code: RecordErrorCode | null; message: string } {
  const answer = jsonIn(body.toString('utf8'));
  const error = isMembers(answer) && isMembers(answer['error']) ? answer['error'] : {};
  const { code, message } = error;
  return {
    code: REFUSALS.find((known) => known === code) ?? null,
    message: typeof message === 'string' ? message : '',
  };
}

function idsOf(seen: readonly Seen[]): string[] {
  return seen.map(({ event_id }) => event_id);
}
