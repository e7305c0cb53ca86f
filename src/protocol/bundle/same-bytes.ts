import { sha256 } from '@noble/hashes/sha2.js';
import { equalBytes } from '../bytes.ts';
import type { BundleSource } from './document.ts';

/** A source gave other bytes than when it was read first: nothing that was found in it counts. */
export class SourceChanged extends Error {
  override readonly name = 'SourceChanged';
}

/** A hash over bytes as they come. */
export interface RunningHash {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

/**
 * A bundle that is read several times, to be verified and then looked at: all of that must be of the same bytes. A reading that stops
 * before the end is not judged.
 * @param changed makes what is thrown at the end of a reading that differs from the first whole one
 * @param start makes the hash of one reading
 */
export function sameBytes(
  source: BundleSource,
  changed: () => Error,
  start: () => RunningHash = () => sha256.create(),
): BundleSource {
  let first: Uint8Array | null = null;
  return async function* () {
    const hash = start();
    for await (const chunk of source()) {
      hash.update(chunk);
      yield chunk;
    }
    const digest = hash.digest();
    first ??= digest;
    if (!equalBytes(first, digest)) throw changed();
  };
}
