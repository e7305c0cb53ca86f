import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import type { ClientRequest, RequestOptions } from 'node:http';
import { join } from 'node:path';
import { request as httpRequest } from '../../node/light.ts';
import { exactJsonText, hasCode } from '../../protocol/light.ts';
import type { RecorderHome } from '../base/home.ts';
import type { FeedId } from '../base/programs.ts';
import { RecordError, type RecordErrorCode } from '../base/record-error.ts';
import type { Take, Verdict } from './feed.ts';
import { handInMissed } from './hand-in-missed.ts';
import type { Seen } from './seen.ts';

/** How long the recorder may take to answer, in milliseconds. */
const BUDGET_MS = 3_000;

/** The most that an answer may have, in bytes. */
const LARGEST_ANSWER = 1 << 20;

const REASON = 'Countersign could not record this action, and actions that are not recorded are blocked';

/**
 * Hands events to the recorder of this user, which runs in another process. Where it cannot be reached within 3 seconds, the events
 * are noted as missed and the agent's policy says whether it may go on.
 */
export class RecorderClient {
  readonly #home: RecorderHome;
  readonly #platform: NodeJS.Platform;

  constructor(home: RecorderHome, platform: NodeJS.Platform = process.platform) {
    this.#home = home;
    this.#platform = platform;
  }

  /** @throws RecordError EVENT_INVALID, EVENT_TOO_LARGE, NOT_INSTALLED; FOLDER_UNUSABLE where nothing can be noted either */
  readonly take: Take = async (feed, seen) => {
    let answer: Answer;
    try {
      answer = await this.#post(`/v1/seen/${feed}`, exactJsonText({ seen }));
    } catch (error) {
      if (error instanceof RecordError) throw error;
      return this.missed(feed, idsOf(seen));
    }
    const { status, body } = answer;
    if (status === 200 || status === 403) {
      const verdict = verdictOf(body);
      if (verdict !== null) {
        if (this.#home.isSystem) await this.#handIn(feed);
        return verdict;
      }
    }
    const { code, message } = refusalIn(body);
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
    const time = `${new Date().toISOString().slice(0, 19)}Z`;
    try {
      await mkdir(this.#home.missed, { recursive: true, mode: 0o700 });
      const lines = eventIds.map((id) => `${time} ${id} mcp\n`).join('');
      await appendFile(join(this.#home.missed, feed), lines, { mode: 0o600 });
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
    return { allowed: !blocked, reason: blocked ? REASON : null, operation_ids: [] };
  }

  async #onFailure(feed: FeedId): Promise<unknown> {
    try {
      const agent: unknown = JSON.parse(await readFile(this.#home.agent(feed), 'utf8'));
      return memberOf(agent, 'on_failure');
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return 'allow';
      // What cannot be read may have said that nothing is to run unrecorded.
      return 'block';
    }
  }

  async #post(path: string, body: string | Buffer): Promise<Answer> {
    const where = this.#platform === 'win32' ? await this.#port() : { socketPath: this.#home.socket, headers: {} };
    const headers = { ...where.headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const signal = AbortSignal.timeout(BUDGET_MS);
    const request = httpRequest({ ...where, method: 'POST', path, headers, signal, agent: false });
    return answerTo(request, body);
  }

  /** On Windows there is no Unix socket that Node could reach. */
  async #port(): Promise<RequestOptions & { headers: Record<string, string> }> {
    const address: unknown = JSON.parse(await readFile(this.#home.address, 'utf8'));
    const token = (await readFile(this.#home.token, 'utf8')).trim();
    return {
      host: '127.0.0.1',
      port: Number(memberOf(address, 'port')),
      headers: { authorization: `Bearer ${token}` },
    };
  }
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** What the recorder says no to an event with; everything else it says means that it is out of order. */
const REFUSALS: readonly RecordErrorCode[] = ['EVENT_INVALID', 'EVENT_TOO_LARGE', 'NOT_INSTALLED'];

function refusalIn(body: string): { code: RecordErrorCode | null; message: string } {
  const error = memberOf(parsed(body), 'error');
  const [code, message] = [memberOf(error, 'code'), memberOf(error, 'message')];
  return {
    code: REFUSALS.find((known) => known === code) ?? null,
    message: typeof message === 'string' ? message : '',
  };
}

function answerTo(request: ClientRequest, body: string | Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > LARGEST_ANSWER) response.destroy(new Error('the answer of the recorder is too large'));
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      );
    });
    request.end(body);
  });
}

function idsOf(seen: readonly Seen[]): string[] {
  return seen.map(({ event_id }) => event_id);
}

function verdictOf(body: string): Verdict | null {
  const value = parsed(body);
  const [allowed, reason, ids] = ['allowed', 'reason', 'operation_ids'].map((name) => memberOf(value, name));
  if (typeof allowed !== 'boolean' || !Array.isArray(ids)) return null;
  return {
    allowed,
    reason: typeof reason === 'string' ? reason : null,
    operation_ids: ids.filter((id) => typeof id === 'string'),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
