import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { messageOf } from '../../protocol/light.ts';
import { ArchiveError } from '../archive/archive-error.ts';
import { S3Client, textOf } from '../archive/s3-client.ts';
import { type S3Target, s3Target } from '../archive/s3-target.ts';
import {
  type Beat,
  type CommitLog,
  isCut,
  LogDoubt,
  type LogEntry,
  LogError,
  type Met,
  type NodeSign,
  type Place,
  READ_BYTES,
  type Slice,
} from './commit-log.ts';
import { setBack } from './folder-log.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Soon given up: meanwhile the node answers nobody, and no other one takes over that cannot read either. */
const PATIENCE = { attempts: 2, quietMs: 1500 };
/** Objects that are asked for at once. */
const ABREAST = 32;
/** An entry begins with its id, which is read alone to see whether it is there. */
const ID_BYTES = 36;
const SIZE_EVERY_MS = 60 * 1000;

interface Listed {
  readonly name: string;
  readonly bytes: number;
  /** How long ago it was written, by the bucket's clock. */
  readonly ageMs: number;
}

/**
 * A bucket as the log: an object an entry, whose name a conditional PUT takes if nobody has it. What an object store has answered is as durable
 * as all it keeps, and read by everybody from then on; so is what it did not come to answer and is there.
 */
export class ObjectLog implements CommitLog {
  readonly #client: S3Client;
  readonly #target: S3Target;
  readonly #keepMs: number;
  #isTried = false;
  /** The newest that was read at the place that was asked for last. */
  #held: LogEntry | null = null;
  /** What the log takes, and when that was looked at; by performance.now. */
  #size = { bytes: 0, at: Number.NEGATIVE_INFINITY };

  /** @param keepMs how old an entry is at least that is cut off */
  constructor(target: S3Target, keepMs: number = DAY_MS) {
    this.#target = target;
    this.#client = new S3Client(target, undefined, PATIENCE);
    this.#keepMs = keepMs;
  }

  /** @param place s3://BUCKET/PREFIX. @throws LogError LOG_UNUSABLE */
  static at(place: string): ObjectLog {
    try {
      return new ObjectLog(s3Target(place));
    } catch (error) {
      throw error instanceof ArchiveError ? new LogError('LOG_UNUSABLE', error.message) : error;
    }
  }

  append(entry: LogEntry): Promise<boolean> {
    return clear(async () => {
      if (!this.#isTried) await this.#client.tryCreatingOnce(`${this.#target.prefix}.create-once`);
      this.#isTried = true;
      if (entry.no > 1 && (await this.#idAt(entry.no - 1)) !== entry.prev) return false;
      const { id, sealed, ...about } = entry;
      const bytes = Buffer.concat([Buffer.from(`${id}${JSON.stringify(about)}\n`), sealed]);
      // Where the first answer was lost, the second request finds this very entry.
      return (await this.#client.create(this.#keyOf(entry.no), { bytes })) || (await this.#idAt(entry.no)) === id;
    });
  }

  read(from: Place, most: number, bytes = READ_BYTES): Promise<Slice> {
    return clear(async () => {
      // Before the entries: what it says is kept is among them.
      const beat = await this.#beat();
      const entries: LogEntry[] = [];
      if (from.no > 0) {
        if ((await this.#idAt(from.no)) !== from.id) throw setBack(from);
        if (this.#held?.id !== from.id) this.#held = await this.#at(from.no);
        if (this.#held === null) throw setBack(from);
        entries.push(this.#held);
      }
      // Mostly nothing new is there.
      for (let abreast = 1; !isCut(from, entries, most, bytes); abreast = ABREAST) {
        const next = from.no === 0 ? entries.length + 1 : from.no + entries.length;
        const count = Math.min(abreast, most - entries.length);
        const read = await Promise.all(Array.from({ length: count }, (_, n) => this.#at(next + n)));
        const end = read.indexOf(null);
        entries.push(...read.slice(0, end === -1 ? count : end).filter((entry) => entry !== null));
        if (end !== -1) break;
      }
      return { entries, beat };
    });
  }

  beat(beat: Beat): Promise<boolean> {
    return clear(async () => {
      if ((await this.#idAt(beat.no + 1)) !== null) return false;
      // A node that is about to learn that it is not active any more may write it after the next one: of an entry that is not the newest.
      await this.#put('beat.json', Buffer.from(JSON.stringify(beat)));
      return true;
    });
  }

  async newest(): Promise<LogEntry | null> {
    const [first] = await clear(() => this.#list('log/', 1));
    if (first === undefined) return null;
    let newest = await clear(async () => this.#at(Math.max(noOf(first), (await this.#beat())?.no ?? 0)));
    while (newest !== null) {
      const { entries } = await this.read(newest, 2 * ABREAST);
      const last = entries.at(-1);
      if (last === undefined || last.no === newest.no) break;
      newest = last;
    }
    return newest;
  }

  cut(before: number): Promise<void> {
    return clear(async () => {
      const oldest = await this.#list('log/');
      const names = oldest.filter((one) => noOf(one) < before && one.ageMs > this.#keepMs).map(({ name }) => name);
      while (names.length > 0) {
        // The oldest first: what is left has no gaps.
        await Promise.all(names.splice(0, ABREAST).map((name) => this.#send({ method: 'DELETE', key: `log/${name}` })));
      }
    });
  }

  meet(own: NodeSign | null): Promise<Met> {
    return clear(async () => {
      let now = Date.now();
      if (own !== null) now = timeOf(await this.#put(`nodes/${own.key}`, own.sealed)) ?? now;
      const others = (await this.#list('nodes/')).filter(({ name, ageMs }) => name !== own?.key && ageMs < DAY_MS);
      const nodes = others.map(async ({ name: key, ageMs: heardMs }) => {
        const sealed = await this.#bytesOf(`nodes/${key}`);
        return sealed === null ? [] : [{ key, sealed, heardMs }];
      });
      return { nodes: (await Promise.all(nodes)).flat(), bytes: await this.#bytes(), now };
    });
  }

  async close(): Promise<void> {
    // Nothing is held open but connections that end by themselves.
  }

  /** As many as there are, each as large as the oldest ones are on average: a list of all would be read for minutes. */
  async #bytes(): Promise<number> {
    if (performance.now() - this.#size.at > SIZE_EVERY_MS) {
      const oldest = await this.#list('log/');
      const [first] = oldest;
      const last = Math.max((await this.#beat())?.no ?? 0, ...oldest.map(noOf));
      const mean = oldest.reduce((sum, { bytes }) => sum + bytes, 0) / Math.max(oldest.length, 1);
      const count = first === undefined ? 0 : last - noOf(first) + 1;
      this.#size = { bytes: Math.round(mean * count), at: performance.now() };
    }
    return this.#size.bytes;
  }

  #keyOf(no: number): string {
    return `${this.#target.prefix}log/${String(no).padStart(16, '0')}`;
  }

  async #idAt(no: number): Promise<string | null> {
    const headers = { range: `bytes=0-${ID_BYTES - 1}` };
    const answer = await this.#client.send({ method: 'GET', key: this.#keyOf(no), headers, answers: [404] });
    const text = await textOf(answer);
    return answer.statusCode === 404 ? null : text;
  }

  async #at(no: number): Promise<LogEntry | null> {
    const bytes = await this.#bytesOf(this.#keyOf(no).slice(this.#target.prefix.length));
    if (bytes === null) return null;
    const end = bytes.indexOf('\n');
    try {
      const about = JSON.parse(bytes.toString('utf8', ID_BYTES, end)) as Omit<LogEntry, 'id' | 'sealed'>;
      return { ...about, no, id: bytes.toString('latin1', 0, ID_BYTES), sealed: bytes.subarray(end + 1) };
    } catch (error) {
      throw new LogError('LOG_FOREIGN', `entry ${no} of the shared log cannot be read`, { cause: error });
    }
  }

  async #beat(): Promise<Beat | null> {
    const bytes = await this.#bytesOf('beat.json');
    return bytes === null ? null : (JSON.parse(bytes.toString('utf8')) as Beat);
  }

  async #bytesOf(name: string): Promise<Buffer | null> {
    const answer = await this.#send({ method: 'GET', key: name });
    return answer.statusCode === 404 ? null : buffer(answer);
  }

  async #put(name: string, bytes: Uint8Array): Promise<IncomingMessage> {
    const answer = await this.#send({ method: 'PUT', key: name, bytes });
    answer.resume();
    return answer;
  }

  #send(request: { readonly method: 'GET' | 'PUT' | 'DELETE'; readonly key: string; readonly bytes?: Uint8Array }) {
    return this.#client.send({ ...request, key: this.#target.prefix + request.key, answers: [404] });
  }

  /** The first of a folder, by their names. */
  async #list(folder: string, most = 1000): Promise<Listed[]> {
    const query = { 'list-type': '2', prefix: this.#target.prefix + folder, 'max-keys': String(most) };
    const answer = await this.#client.send({ method: 'GET', key: '', query });
    const now = timeOf(answer) ?? Date.now();
    const text = await textOf(answer);
    return [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, of = '']) => {
      const [, name = ''] = /<Key>[^<]*?([^</]*)<\/Key>/.exec(of) ?? [];
      const [, written = ''] = /<LastModified>([^<]*)<\/LastModified>/.exec(of) ?? [];
      const [, bytes = '0'] = /<Size>(\d+)<\/Size>/.exec(of) ?? [];
      return { name, bytes: Number(bytes), ageMs: Math.max(0, now - Date.parse(written)) };
    });
  }
}

const noOf = ({ name }: Pick<Listed, 'name'>): number => Number.parseInt(name, 10);

/** By the bucket's clock. */
function timeOf({ headers: { date } }: IncomingMessage): number | null {
  return date === undefined ? null : Date.parse(date);
}

/** Anything but an answer is doubt. @throws LogDoubt, LogError */
async function clear<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof LogError) throw error;
    if (error instanceof ArchiveError && error.code === 'ARCHIVE_UNUSABLE') {
      throw new LogError('LOG_UNUSABLE', error.message, { cause: error });
    }
    throw new LogDoubt(messageOf(error), { cause: error });
  }
}
