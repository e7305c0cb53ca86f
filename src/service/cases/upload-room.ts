import { type DiskRefusal, throwRefusal } from '../store/base/disk-room.ts';
import { needRoom } from '../store/base/quotas.ts';
import { ServiceError } from '../store/base/service-error.ts';
import { bytesToSpare } from './disk-space.ts';
import { keyOf, type Owner, orgOf } from './scope.ts';

/** What one owner's uploads may take. */
export interface UploadLimits {
  /** The largest file. */
  readonly maxBytes: number;
  /** Uploads of an owner that arrive or wait to be used: more would fill the disk for nothing. */
  readonly maxWaiting: number;
}

/** An upload whose length nobody announced is given room in such steps, in bytes. */
const STEP_BYTES = 16 * 1024 * 1024;

/**
 * Uploads of one owner that are received at the same time; others wait for their turn, unread. Each is written to the disk that
 * the ledger waits for as well.
 */
const AT_ONCE = 2;

/** Room for one upload, taken before any of it arrives. */
export interface Reservation {
  /** To be called with how much has arrived so far. @throws ServiceError PAYLOAD_TOO_LARGE, STORAGE_FULL */
  arrived(bytes: number): Promise<void>;
  /** Gives back what was not used; `kept` where the upload stays and still counts for its owner. */
  end(kept: boolean): void;
}

/**
 * Counts what uploads take before they take it. Many that begin at once would each find the room that is there for one: so
 * each has its room promised, and the next finds what is left.
 */
export class UploadRoom {
  readonly #folder: string;
  readonly #limits: UploadLimits;
  readonly #refuseDisk: DiskRefusal;
  readonly #counts = new Map<string, number>();
  readonly #receiving = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Promised to uploads that have not all arrived, beyond what of them lies on the disk. */
  #promised = 0;

  constructor(folder: string, limits: UploadLimits, refuseDisk: DiskRefusal) {
    this.#folder = folder;
    this.#limits = limits;
    this.#refuseDisk = refuseDisk;
  }

  /**
   * @param announced bytes; null where nobody says
   * @throws ServiceError QUOTA_EXCEEDED, PAYLOAD_TOO_LARGE, STORAGE_FULL
   */
  async reserve(of: Owner, announced: number | null): Promise<Reservation> {
    const { maxBytes, maxWaiting } = this.#limits;
    const owner = keyOf(of);
    const used = this.#counts.get(owner) ?? 0;
    const remedy = 'use some, or delete them with DELETE /v1/cases/uploads/:upload_id';
    needRoom({ what: 'uploads that wait to be used', used, most: maxWaiting, remedy });
    if (announced !== null && announced > maxBytes) throw this.#tooLarge();
    // Before anything is waited for.
    this.#counts.set(owner, used + 1);
    let promised = 0;
    let seen = 0;
    const promise = async (bytes: number): Promise<void> => {
      promised += bytes;
      this.#promised += bytes;
      if ((await bytesToSpare(this.#folder)) < this.#promised) {
        throw new ServiceError('STORAGE_FULL', 'the disk of the data folder has no room for a file of this size');
      }
      throwRefusal(this.#refuseDisk(orgOf(of), this.#promised));
    };
    const end = (kept: boolean): void => {
      this.#promised -= promised;
      promised = 0;
      if (!kept) this.release(owner);
    };
    try {
      await promise(announced ?? STEP_BYTES);
    } catch (error) {
      end(false);
      throw error;
    }
    return {
      arrived: async (bytes) => {
        if (bytes > maxBytes) throw this.#tooLarge();
        const more = bytes - seen;
        seen = bytes;
        if (more > promised) await promise(STEP_BYTES);
        // What lies on the disk is not free any more.
        promised -= more;
        this.#promised -= more;
      },
      end,
    };
  }

  /** Does the work when it is this owner's turn to receive. As many wait as may be reserved, at most. */
  async inTurn<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const receiving = this.#receiving.get(owner) ?? 0;
    if (receiving < AT_ONCE) this.#receiving.set(owner, receiving + 1);
    else {
      const waiting = this.#waiting.get(owner) ?? [];
      this.#waiting.set(owner, waiting);
      // Whoever ends hands their place over.
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      this.#handOver(owner);
    }
  }

  #handOver(owner: string): void {
    const waiting = this.#waiting.get(owner) ?? [];
    const next = waiting.shift();
    if (waiting.length === 0) this.#waiting.delete(owner);
    if (next !== undefined) {
      next();
      return;
    }
    const left = (this.#receiving.get(owner) ?? 1) - 1;
    if (left > 0) this.#receiving.set(owner, left);
    else this.#receiving.delete(owner);
  }

  #tooLarge(): ServiceError {
    return new ServiceError('PAYLOAD_TOO_LARGE', `the file has more than ${this.#limits.maxBytes} bytes`);
  }

  /** Says that an upload that was kept is there no more. */
  release(owner: string): void {
    const left = (this.#counts.get(owner) ?? 1) - 1;
    if (left > 0) this.#counts.set(owner, left);
    else this.#counts.delete(owner);
  }
}
