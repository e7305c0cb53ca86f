import { randomUUID } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../../protocol/text/light.ts';
import { lockFile, writeDurably } from '../index.ts';
import { EMPTY_STORE, formatTrustStore, parseTrustStore, type TrustStore } from './store-shape.ts';
import { TrustError } from './trust-error.ts';

/** A store of ten thousand organizations takes a tenth. */
const MAX_STORE_BYTES = 64 * 1024 * 1024;

/** How long a change waits for that of another program, which takes milliseconds, and how often it looks. */
const LOCK_WAIT_MS = 10_000;
const LOCK_LOOK_MS = 10;

/** Of what the file system or SQLite refused, which locks the file. */
function systemCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  return 'syscall' in error || error.name === 'SqliteError' ? codeOf(error) : null;
}

function unreachable(path: string, what: string, error: unknown): TrustError {
  const code = systemCode(error);
  if (code === null) throw error;
  return new TrustError('STORE_UNREACHABLE', `the trust store ${path} cannot be ${what} (${code})`);
}

/** A trust store on disk: read whole, replaced whole, for its user alone. */
export class TrustStoreFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** @returns an empty store where there is no file. @throws TrustError STORE_UNREACHABLE, STORE_INVALID */
  async read(): Promise<TrustStore> {
    let bytes: Buffer;
    try {
      const info = await stat(this.path);
      // Looked at first: opening a pipe waits for whoever writes into it.
      if (!info.isFile() || info.size > MAX_STORE_BYTES) {
        throw new TrustError('STORE_INVALID', `${this.path}: is not a trust store`);
      }
      bytes = await readFile(this.path);
    } catch (error) {
      if (error instanceof TrustError) throw error;
      if (systemCode(error) === 'ENOENT') return EMPTY_STORE;
      throw unreachable(this.path, 'read', error);
    }
    try {
      return parseTrustStore(bytes);
    } catch (error) {
      throw error instanceof TrustError ? new TrustError(error.code, `${this.path}: ${error.message}`) : error;
    }
  }

  /**
   * Replaces the store by what `change` makes of it. Other programs of the user, and others in this one, change the same file:
   * each has it for itself from reading to writing, so that no key comes back that somebody takes out at the same moment.
   * @param change called again where another change came first
   * @throws TrustError, and what `change` throws
   */
  async update<T extends { readonly store: TrustStore }>(change: (store: TrustStore) => T): Promise<T> {
    const before = await this.read();
    const first = change(before);
    // Where there is nothing to write, no folder and no lock is made.
    if (first.store === before) return first;
    try {
      await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
      return await this.#whileLocked(async () => {
        const present = await this.read();
        const result = change(present);
        // A crash leaves a .new file that nothing reads.
        if (result.store !== present)
          await writeDurably(this.path, formatTrustStore(result.store), `${this.path}.${randomUUID()}.new`);
        return result;
      });
    } catch (error) {
      throw systemCode(error) === null ? error : unreachable(this.path, 'written', error);
    }
  }

  async #whileLocked<T>(act: () => Promise<T>): Promise<T> {
    const path = `${this.path}.lock`;
    // For the user alone, as the store is: whoever may open the file may hold it.
    await writeFile(path, '', { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
      if (systemCode(error) !== 'EEXIST') throw error;
    });
    const until = performance.now() + LOCK_WAIT_MS;
    let lock = lockFile(path);
    while (lock === null) {
      if (performance.now() > until) {
        throw new TrustError(
          'STORE_UNREACHABLE',
          `another program has been changing the trust store ${this.path} for 10 s`,
        );
      }
      await sleep(LOCK_LOOK_MS);
      lock = lockFile(path);
    }
    try {
      return await act();
    } finally {
      lock.release();
    }
  }
}
