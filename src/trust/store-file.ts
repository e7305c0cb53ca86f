import { randomUUID } from 'node:crypto';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeDurably } from '../runtime/index.ts';
import { EMPTY_STORE, formatTrustStore, parseTrustStore, type TrustStore } from './store-shape.ts';
import { TrustError } from './trust-error.ts';

/** A store of ten thousand organizations takes a tenth. */
const MAX_STORE_BYTES = 64 * 1024 * 1024;

function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && 'syscall' in error ? String(error.code) : null;
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
   * Replaces the store by what `change` makes of it. Two programs at once do not tear the file; of two changes made in the
   * same instant the later one counts.
   * @throws TrustError, and what `change` throws
   */
  async update<T extends { readonly store: TrustStore }>(change: (store: TrustStore) => T): Promise<T> {
    const before = await this.read();
    const result = change(before);
    if (result.store !== before) await this.#write(result.store);
    return result;
  }

  async #write(store: TrustStore): Promise<void> {
    try {
      await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
      // Other programs of the user may write it at the same moment. A crash leaves a .new file that nothing reads.
      await writeDurably(this.path, formatTrustStore(store), `${this.path}.${randomUUID()}.new`);
    } catch (error) {
      throw unreachable(this.path, 'written', error);
    }
  }
}
