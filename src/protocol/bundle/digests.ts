import { sha256 as streaming } from '@noble/hashes/sha2.js';
import { canonicalBytes } from '../canonical.ts';
import { formatDigest, parseDigest, type Sha256, sha256 } from '../digest.ts';
import type { BundleAgent } from '../statements/agent-key.ts';
import type { ServiceKey } from '../statements/service-key.ts';
import type { BundleOrg } from './document.ts';

/**
 * Digest of hashes, concatenated in order: records_digest over leaf hashes, epochs_digest over epoch_hash,
 * admin_events_digest over event_hash (protocol F140).
 */
export class HashListDigest {
  readonly #state = streaming.create();

  /** @param hash 32 bytes, or a digest in its JSON form */
  add(hash: Uint8Array | string): void {
    this.#state.update(typeof hash === 'string' ? parseDigest(hash) : hash);
  }

  digest(): string {
    return formatDigest(this.#state.digest());
  }
}

/** directory_digest: organization, agents and service keys exactly as they stand in the bundle (protocol F140). */
export function directoryDigest(
  directory: {
    readonly org: BundleOrg;
    readonly agents: readonly BundleAgent[];
    readonly service_keys: readonly ServiceKey[];
  },
  hash: Sha256 = sha256,
): string {
  return formatDigest(
    hash(canonicalBytes({ agents: directory.agents, org: directory.org, service_keys: directory.service_keys })),
  );
}
