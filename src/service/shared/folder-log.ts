import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { syncFile, syncFolder, writeDurably } from '../../node/index.ts';
import { hasCode } from '../../protocol/light.ts';
import {
  type Beat,
  type CommitLog,
  isCut,
  type LogEntry,
  LogError,
  type Met,
  type NodeSign,
  type Place,
  READ_BYTES,
  type Slice,
} from './commit-log.ts';

const BEAT_FILE = 'beat.json';
const DAY_MS = 24 * 60 * 60 * 1000;

const nameOf = (no: number): string => `${String(no).padStart(16, '0')}.entry`;

/**
 * A folder as the log: a file an entry, which link(2) gives its name if nobody has it. For one machine: to try a pair of
 * nodes, and for tests. A network's file system promises less than this needs.
 */
export class FolderLog implements CommitLog {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws LogError LOG_UNUSABLE */
  static async open(folder: string): Promise<FolderLog> {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw new LogError('LOG_UNUSABLE', `the folder ${folder} of the shared log cannot be used`, { cause: error });
    }
    return new FolderLog(folder);
  }

  async append(entry: LogEntry): Promise<boolean> {
    if (entry.no > 1 && (await this.#at(entry.no - 1))?.id !== entry.prev) return false;
    const temporary = join(this.#folder, `${entry.id}.new`);
    try {
      await writeFile(temporary, serialize(entry), { mode: 0o600 });
      await syncFile(temporary);
      await link(temporary, join(this.#folder, nameOf(entry.no)));
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
      throw error;
    } finally {
      await rm(temporary, { force: true });
    }
    await syncFolder(this.#folder);
    return true;
  }

  async read(from: Place, most: number, bytes = READ_BYTES): Promise<Slice> {
    const entries: LogEntry[] = [];
    // Before the entries: what it says is kept is among them.
    const beat = await this.#beat();
    for (let no = Math.max(from.no, 1); !isCut(from, entries, most, bytes); no++) {
      const entry = await this.#at(no);
      if (entry === null) break;
      entries.push(entry);
    }
    if (from.no > 0 && entries[0]?.id !== from.id) throw setBack(from);
    return { entries, beat };
  }

  async beat(beat: Beat): Promise<boolean> {
    if ((await this.#at(beat.no + 1)) !== null) return false;
    const path = join(this.#folder, BEAT_FILE);
    // A node that is about to learn that it is not active any more writes at the same time as the next one.
    await writeDurably(path, JSON.stringify(beat), `${path}.${randomUUID()}.new`);
    return true;
  }

  async newest(): Promise<LogEntry | null> {
    const numbers = await this.#numbers();
    const last = numbers.at(-1);
    return last === undefined ? null : this.#at(last);
  }

  async cut(before: number): Promise<void> {
    for (const no of await this.#numbers()) {
      if (no >= before) break;
      const path = join(this.#folder, nameOf(no));
      if ((await stat(path)).mtimeMs < Date.now() - DAY_MS) await rm(path);
    }
  }

  async meet(own: NodeSign | null): Promise<Met> {
    let now = Date.now();
    if (own !== null) {
      const path = join(this.#folder, `${own.key}.node`);
      await writeDurably(path, serialize(own).toString('base64'));
      now = (await stat(path)).mtimeMs;
    }
    const nodes: Met['nodes'][number][] = [];
    let bytes = 0;
    for (const name of await readdir(this.#folder)) {
      const found = await stat(join(this.#folder, name)).catch(() => null);
      if (found !== null) bytes += found.size;
      const heardMs = now - (found?.mtimeMs ?? 0);
      if (!name.endsWith('.node') || heardMs > DAY_MS) continue;
      const sign = await this.#read(name, (text) => deserialize(Buffer.from(text.toString(), 'base64')) as NodeSign);
      if (sign !== null && sign.key !== own?.key) nodes.push({ ...sign, heardMs });
    }
    return { nodes, bytes, now };
  }

  async close(): Promise<void> {
    // Nothing is held open.
  }

  async #numbers(): Promise<number[]> {
    const names = await readdir(this.#folder);
    return names
      .filter((name) => name.endsWith('.entry'))
      .map((name) => Number.parseInt(name, 10))
      .sort((a, b) => a - b);
  }

  async #at(no: number): Promise<LogEntry | null> {
    return this.#read(nameOf(no), (bytes) => deserialize(bytes) as LogEntry);
  }

  #beat(): Promise<Beat | null> {
    return this.#read(BEAT_FILE, (bytes) => JSON.parse(bytes.toString('utf8')) as Beat);
  }

  async #read<T>(name: string, parse: (bytes: Buffer) => T): Promise<T | null> {
    try {
      return parse(await readFile(join(this.#folder, name)));
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return null;
      throw error;
    }
  }
}

/** What a node finds whose newest entry is not in the log. */
export function setBack({ no }: Place): LogError {
  return new LogError(
    'LOG_SET_BACK',
    `the shared log does not hold entry ${no}, which this folder holds: its database was set back, or the log was cut ` +
      'since this node last read it (docs/shared-log.md, When a node refuses)',
  );
}
