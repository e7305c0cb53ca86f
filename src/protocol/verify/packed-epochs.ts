import { concatBytes, decodeUtf8, utf8 } from '../bytes.ts';
import { formatDigest, parseDigest } from '../digest.ts';
import { fromBase64Url, toBase64Url } from '../encoding.ts';
import type { Epoch } from '../statements/epoch.ts';

/** Values in their order, made when they are asked for. An array is one. */
export interface Listed<T> extends Iterable<T> {
  readonly length: number;
  /** @param index from the end where it is negative */
  at(index: number): T | undefined;
}

/** A list of which each value is made when it is asked for. @param at takes a place from 0 to below the length */
export function listed<T>(length: number, at: (index: number) => T | undefined): Listed<T> {
  return {
    length,
    at: (index) => at(index < 0 ? length + index : index),
    *[Symbol.iterator]() {
      for (let index = 0; index < length; index++) yield at(index) as T;
    },
  };
}

/** Small enough that a bundle of a few epochs costs little. */
const BLOCK_BYTES = 64 * 1024;
/** Where an epoch has no hash: bits of its first byte. */
const NO_PREVIOUS = 1;
const NO_EVENT = 2;

function numbered(write: (view: DataView) => void, bytes: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(bytes));
  write(view);
  return new Uint8Array(view.buffer);
}

/** An epoch as bytes: what has a fixed length, then its texts, each behind its length. */
function packed(epoch: Epoch): Uint8Array {
  const { prev_epoch_hash: previous, admin_head_hash: event } = epoch;
  const flags = (previous === null ? NO_PREVIOUS : 0) | (event === null ? NO_EVENT : 0);
  const numbers = [epoch.epoch_no, epoch.first_seq_no, epoch.last_seq_no, epoch.leaf_count];
  const digests = [epoch.root_hash, epoch.log_root, previous, event].filter((digest) => digest !== null);
  const texts = [epoch.epoch_id, epoch.org_id, epoch.start_time, epoch.end_time, epoch.service_kid].map(utf8);
  return concatBytes(
    Uint8Array.of(flags),
    ...numbers.map((number) => numbered((view) => view.setFloat64(0, number), 8)),
    fromBase64Url(epoch.signature_by_service, 64),
    ...digests.map(parseDigest),
    ...texts.flatMap((text) => [numbered((view) => view.setUint32(0, text.length), 4), text]),
  );
}

function unpacked(bytes: Uint8Array, from: number): Epoch {
  const view = new DataView(bytes.buffer);
  let at = from;
  const next = (length: number): Uint8Array => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const flags = next(1)[0] ?? 0;
  const number = (): number => view.getFloat64(next(8).byteOffset);
  const text = (): string => decodeUtf8(next(view.getUint32(next(4).byteOffset)));
  const digest = (): string => formatDigest(next(32));
  const [epoch_no, first_seq_no, last_seq_no, leaf_count] = [number(), number(), number(), number()];
  const signature_by_service = toBase64Url(next(64));
  const [root_hash, log_root] = [digest(), digest()];
  const prev_epoch_hash = (flags & NO_PREVIOUS) === 0 ? digest() : null;
  const admin_head_hash = (flags & NO_EVENT) === 0 ? digest() : null;
  const [epoch_id, org_id, start_time, end_time, service_kid] = [text(), text(), text(), text(), text()];
  return {
    epoch_id,
    epoch_no,
    org_id,
    start_time,
    end_time,
    first_seq_no,
    last_seq_no,
    leaf_count,
    root_hash,
    log_root,
    hash_alg: 'SHA-256',
    prev_epoch_hash,
    admin_head_hash,
    service_kid,
    signature_by_service,
  };
}

/**
 * Epochs as bytes, less than half of their text: objects with texts take a kilobyte each, and a bundle has as many epochs as whoever
 * made it likes.
 */
export class PackedEpochs implements Listed<Epoch> {
  readonly #blocks: Uint8Array[] = [];
  /** Where each begins: its block, and the place in that. */
  readonly #places: number[] = [];
  #used = BLOCK_BYTES;

  get length(): number {
    return this.#places.length / 2;
  }

  push(epoch: Epoch): void {
    const bytes = packed(epoch);
    if (this.#used + bytes.length > BLOCK_BYTES) {
      this.#blocks.push(new Uint8Array(Math.max(BLOCK_BYTES, bytes.length)));
      this.#used = 0;
    }
    this.#blocks.at(-1)?.set(bytes, this.#used);
    this.#places.push(this.#blocks.length - 1, this.#used);
    this.#used += bytes.length;
  }

  at(index: number): Epoch | undefined {
    const place = index < 0 ? this.length + index : index;
    const [block, from] = [this.#blocks[this.#places[2 * place] ?? -1], this.#places[2 * place + 1]];
    return block === undefined || from === undefined ? undefined : unpacked(block, from);
  }

  *[Symbol.iterator](): Generator<Epoch> {
    for (let index = 0; index < this.length; index++) yield this.at(index) as Epoch;
  }
}
