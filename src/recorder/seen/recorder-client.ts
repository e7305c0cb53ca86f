import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ALIVE_S,
  type HttpAnswer,
  jsonIn,
  leaveSeen,
  NOT_RECORDED,
  noteMissed,
  patienceFor,
  policyIn,
  requestRecorder,
  type Verdict,
  verdictIn,
} from '../../agent/light.ts';
import { exactJsonText, hasCode, isMembers } from '../../protocol/light.ts';
import type { RecorderHome } from '../base/home.ts';
import type { FeedId } from '../base/programs.ts';
import { RecordError, type RecordErrorCode } from '../base/record-error.ts';
import type { Take } from './feed.ts';
import type { Seen, WitnessSource } from './seen.ts';

/**
 * Hands in what a feed without a hook's script noted as missed: the system's recorder cannot see the folder, which is the person's. What was put
 * aside before is handed in, and what there is now is put aside, so that whoever had that file open has finished the line by then.
 *
 * A crash at any moment loses nothing: a file is removed once its gap is durable, and the same file handed in twice makes the same gap.
 * @param post whether the recorder answered that the gap of these lines is durable
 * @throws what the file system does
 */
async function handInMissed(missed: string, feed: FeedId, post: (lines: Buffer) => Promise<boolean>): Promise<void> {
  if (!existsSync(missed)) return;
  const aside = (await readdir(missed)).filter((name) => name.startsWith(`${feed}.`));
  for (const name of aside) {
    const path = join(missed, name);
    if (!(await post(await readFile(path)))) return;
    await rm(path, { force: true });
  }
  const current = join(missed, feed);
  if (existsSync(current)) await rename(current, join(missed, `${feed}.${randomUUID()}`));
}

/** What is left for the next recorder. */
const LEFT: Verdict = { allowed: true, reason: null, operation_ids: [] };

/** The witnesses that work in a separate process, between two others. */
type ProxySource = Extract<WitnessSource, 'mcp' | 'acp'>;

/**
 * Hands events to the recorder of this user, which runs in another process. Where it does not answer in time, as a hook's script
 * measures it, the agent's policy says whether it may go on. Then the events are left for the next recorder, as a hook's are; else, and where
 * they cannot be, they are noted as missed.
 */
export class RecorderClient {
  readonly #home: RecorderHome;
  readonly #source: ProxySource;
  readonly #wake: () => Promise<void>;
  #waking: Promise<void> | null = null;

  /**
   * @param source what kind of witness it works for
   * @param wake starts a recorder where none runs; never rejected
   */
  constructor(home: RecorderHome, source: ProxySource = 'mcp', wake: () => Promise<void> = async () => undefined) {
    this.#home = home;
    this.#source = source;
    this.#wake = wake;
  }

  /** @throws RecordError EVENT_INVALID, EVENT_TOO_LARGE, NOT_INSTALLED; FOLDER_UNUSABLE where nothing can be noted either */
  readonly take: Take = async (feed, seen) => {
    let answer: HttpAnswer;
    const body = exactJsonText({ seen });
    try {
      answer = await this.#post(`/v1/seen/${feed}`, body);
    } catch (error) {
      // One that hangs holds the folder: another could not start.
      if (!hasCode(error, 'ETIMEDOUT')) this.#begin();
      const who = { witness: this.#source, count: seen.length };
      const isLeft = !this.#home.isSystem && leaveSeen(this.#home.folder, feed, body, who);
      return isLeft ? LEFT : this.missed(feed, idsOf(seen));
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

  /** Starts a recorder, unless this is doing so. */
  #begin(): void {
    this.#waking ??= this.#wake().finally(() => {
      this.#waking = null;
    });
  }

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
      noteMissed(this.#home.folder, feed, eventIds, this.#source);
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
    const blocked = policyIn(this.#home.agent(feed)).on_failure === 'block';
    return { allowed: !blocked, reason: blocked ? NOT_RECORDED : null, operation_ids: [] };
  }

  /** @throws Error where no recorder answers */
  async #post(path: string, body: string | Uint8Array): Promise<HttpAnswer> {
    await this.#alive();
    return requestRecorder(this.#home.folder, { path, body, timeoutMs: patienceFor(Buffer.byteLength(body)) });
  }

  /** As the script of a hook does it, with which it shares what is known of a recorder that hangs. */
  async #alive(): Promise<void> {
    const { folder, away, missed, isSystem } = this.#home;
    const wasAway = existsSync(away);
    const seconds = wasAway ? ALIVE_S.afterVain : isSystem ? ALIVE_S.system : ALIVE_S.own;
    try {
      await requestRecorder(folder, { path: '/v1/alive', timeoutMs: seconds * 1_000 });
    } catch (error) {
      // Where nobody listens nobody waited, and the next hook starts a recorder.
      if (hasCode(error, 'ETIMEDOUT')) await noteAway(missed, away);
      throw error;
    }
    if (wasAway) await rm(away, { force: true });
  }
}

async function noteAway(missed: string, away: string): Promise<void> {
  try {
    await mkdir(missed, { recursive: true, mode: 0o700 });
    await writeFile(away, '', { mode: 0o600 });
  } catch {
    // Those after wait as long.
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
