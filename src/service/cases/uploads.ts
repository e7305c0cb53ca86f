import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { CaseClaims, Upload } from '../../api/index.ts';
import { RequestThread, workerUrl } from '../../node/index.ts';
import type { DiskRefusal } from '../store/base/disk-room.ts';
import { ServiceError } from '../store/base/service-error.ts';
import { isStorageFull } from '../store/sqlite-errors.ts';
import { standingOf } from './claims.ts';
import type { ClaimsRequest } from './claims-worker.ts';
import { kindOfFile } from './file-kind.ts';
import { type Asker, keyOf, maySee, type Owner, ownerFor } from './scope.ts';
import type { TrustKeeper } from './trust/trust-keeper.ts';
import { type Reservation, type UploadLimits, UploadRoom } from './upload-room.ts';

/** What is not used within an hour goes. */
const LIFETIME_MS = 3_600_000;

const SWEEP_MS = 60_000;

/** The thread that looks at a file holds a quarter of a megabyte of it at a time. */
const CLAIMS_LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 };

interface Kept {
  readonly upload: Upload;
  readonly owner: Owner;
  readonly path: string;
  readonly endsAt: number;
}

interface UploadsContext {
  readonly limits: UploadLimits;
  readonly trust: TrustKeeper;
  readonly refuseDisk: DiskRefusal;
  readonly now: () => number;
}

/** A file that becomes part of a case. */
export type TakenUpload = Pick<Kept, 'upload' | 'path'>;

/** Files on their way into cases: on the disk, never in memory, and forgotten with the service. */
export class Uploads {
  readonly #folder: string;
  readonly #room: UploadRoom;
  /** Says what a file claims; null of a file that says nothing of itself. */
  readonly #claims = new RequestThread<ClaimsRequest, CaseClaims | null>({
    url: workerUrl(import.meta.url, 'claims-worker'),
    resourceLimits: CLAIMS_LIMITS,
  });
  readonly #trust: TrustKeeper;
  readonly #now: () => number;
  readonly #kept = new Map<string, Kept>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(folder: string, { limits, trust, refuseDisk, now }: UploadsContext) {
    this.#folder = folder;
    this.#room = new UploadRoom(folder, limits, refuseDisk);
    this.#trust = trust;
    this.#now = now;
    // What an earlier run left: nobody knows its ids any more.
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MS).unref();
  }

  /**
   * Takes a file from the wire.
   * @throws ServiceError PAYLOAD_TOO_LARGE, STORAGE_FULL, QUOTA_EXCEEDED, VALIDATION_ERROR where it did not arrive whole
   */
  async take(asker: Asker, name: string, request: IncomingMessage): Promise<Upload> {
    const owner = ownerFor(asker);
    const announced = request.headers['content-length'];
    const reservation = await this.#room.reserve(owner, announced === undefined ? null : Number(announced));
    const id = randomUUID();
    const path = join(this.#folder, id);
    try {
      const { bytes, sha256 } = await this.#room.inTurn(keyOf(owner), () => receive(request, path, reservation));
      const kind = await kindOfFile(path);
      const claims = await this.#claims.ask({ path, kind });
      const issuer = standingOf(claims, await this.#trust.read(owner), this.#trust.ownKids());
      const isLikeHome = this.#trust.resemblesHome(owner, claims?.org_id ?? null, claims?.org_name ?? null);
      const upload: Upload = {
        upload_id: id,
        name,
        bytes,
        sha256,
        kind,
        claims,
        issuer,
        resembles_home: isLikeHome,
      };
      this.#kept.set(id, { upload, owner, path, endsAt: this.#now() + LIFETIME_MS });
      reservation.end(true);
      return upload;
    } catch (error) {
      await rm(path, { force: true });
      reservation.end(false);
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
    const kept = this.#kept.get(id);
    if (kept === undefined) return;
    this.#kept.delete(id);
    this.#room.release(keyOf(kept.owner));
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
      this.forget(id);
      rmSync(path, { force: true });
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await this.#claims.terminate();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

async function receive(
  request: IncomingMessage,
  path: string,
  reservation: Reservation,
): Promise<Pick<Upload, 'bytes' | 'sha256'>> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* measured(): AsyncGenerator<Buffer> {
    // Not destroyed where it is too large: its sender is still to get the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      await reservation.arrived(bytes);
      hash.update(chunk);
      yield chunk;
    }
  }
  try {
    // Not flushed: it is forgotten with the service, and the ledger's own writes would wait for it. A case flushes what it takes.
    await pipeline(measured, createWriteStream(path, { mode: 0o600, flags: 'wx' }));
  } catch (error) {
    if (error instanceof ServiceError || isStorageFull(error)) throw error;
    throw new ServiceError('VALIDATION_ERROR', 'the file did not arrive whole');
  }
  return { bytes, sha256: `sha256:${hash.digest('hex')}` };
}
