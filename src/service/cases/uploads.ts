import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Upload } from '../../contract/index.ts';
import { ServiceError } from '../errors.ts';
import { isStorageFull } from '../store/sqlite-errors.ts';
import type { TrustKeeper } from '../trust/trust-keeper.ts';
import { readClaims, standingOf } from './claims.ts';
import { bytesToSpare } from './disk-space.ts';
import { kindOfFile } from './file-kind.ts';
import { type Asker, maySee, type Owner, ownerFor } from './scope.ts';

/** What is not used within an hour goes. */
const LIFETIME_MS = 3_600_000;

const SWEEP_MS = 60_000;

/** Uploads of one owner that wait to be used: more would fill the disk for nothing. */
const MAX_WAITING = 100;

interface Kept {
  readonly upload: Upload;
  readonly owner: Owner;
  readonly path: string;
  readonly endsAt: number;
}

/** A file that becomes part of a case. */
export type TakenUpload = Pick<Kept, 'upload' | 'path'>;

/** Files on their way into cases: on the disk, never in memory, and forgotten with the service. */
export class Uploads {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #trust: TrustKeeper;
  readonly #now: () => number;
  readonly #kept = new Map<string, Kept>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(folder: string, maxBytes: number, trust: TrustKeeper, now: () => number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#trust = trust;
    this.#now = now;
    // What an earlier run left: nobody knows its ids any more.
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  /**
   * Takes a file from the wire.
   * @throws ServiceError PAYLOAD_TOO_LARGE, STORAGE_FULL, OVERLOADED, VALIDATION_ERROR where it did not arrive whole
   */
  async take(asker: Asker, name: string, request: IncomingMessage): Promise<Upload> {
    const owner = ownerFor(asker);
    const waiting = [...this.#kept.values()].filter((one) => maySee(asker, one.owner));
    if (waiting.length >= MAX_WAITING) {
      throw new ServiceError('OVERLOADED', `there are ${MAX_WAITING} uploads that wait to be used: use or drop some`);
    }
    const room = await bytesToSpare(this.#folder);
    const limit = Math.min(this.#maxBytes, room);
    const tooLarge = (): ServiceError =>
      limit < this.#maxBytes
        ? new ServiceError('STORAGE_FULL', 'the disk of the data folder has no room for a file of this size')
        : new ServiceError('PAYLOAD_TOO_LARGE', `the file has more than ${this.#maxBytes} bytes`);
    if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
    const id = randomUUID();
    const path = join(this.#folder, id);
    try {
      const { bytes, sha256 } = await receive(request, path, limit, tooLarge);
      const kind = await kindOfFile(path);
      const claims = await readClaims(path, kind);
      const issuer = standingOf(claims, await this.#trust.read());
      const upload: Upload = { upload_id: id, name, bytes, sha256, kind, claims, issuer };
      this.#kept.set(id, { upload, owner, path, endsAt: this.#now() + LIFETIME_MS });
      return upload;
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  /** @throws ServiceError NOT_FOUND where it is not there, or another's, or too old */
  find(asker: Asker, id: string, member = 'upload_id'): TakenUpload {
    const kept = this.#kept.get(id);
    if (kept === undefined || kept.endsAt <= this.#now() || !maySee(asker, kept.owner)) {
      throw new ServiceError('NOT_FOUND', `${member}: there is no such upload`);
    }
    return kept;
  }

  /** Leaves the file to whoever has taken it. */
  forget(id: string): void {
    this.#kept.delete(id);
  }

  /** @throws ServiceError NOT_FOUND */
  async drop(asker: Asker, id: string): Promise<void> {
    const { path } = this.find(asker, id);
    this.forget(id);
    await rm(path, { force: true });
  }

  #sweep(): void {
    const now = this.#now();
    for (const [id, { path, endsAt }] of this.#kept) {
      if (endsAt > now) continue;
      this.#kept.delete(id);
      rmSync(path, { force: true });
    }
  }

  close(): void {
    clearInterval(this.#sweeper);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function receive(
  request: IncomingMessage,
  path: string,
  limit: number,
  tooLarge: () => ServiceError,
): Promise<Pick<Upload, 'bytes' | 'sha256'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* measured(): AsyncGenerator<Buffer> {
    // Not destroyed where it is too large: its sender is still to get the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > limit) throw tooLarge();
      hash.update(chunk);
      yield chunk;
    }
  }
  try {
    await pipeline(measured, createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true }));
  } catch (error) {
    if (error instanceof ServiceError || isStorageFull(error)) throw error;
    throw new ServiceError('VALIDATION_ERROR', 'the file did not arrive whole');
  }
  return { bytes, sha256: `sha256:${hash.digest('hex')}` };
}
