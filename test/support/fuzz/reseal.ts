/** Hashes and signs again what was changed in a bundle, as a dishonest service would, as deep as is wanted. */

import { type Contents, countsOf, nodesOf, withGaps } from '../../../src/cli/qualify/bundle.ts';
import {
  adminEventHash,
  CompactRange,
  canonicalBytes,
  chainHash,
  formatDigest,
  fromBase64Url,
  type Json,
  merkleRoot,
  ProtocolError,
  payloadHash,
  type ReadNode,
  receiptLeafHash,
  sha256,
} from '../../../src/protocol/index.ts';
import { shownCounts } from './disclosures.ts';
import { signedBy } from './keys.ts';
import { type Branch, branchesOf, isBranch, type Tree } from './tree.ts';

/** What can be made to fit again, in the order in which one follows from the other. */
export const LEVELS = [
  'service_keys',
  'attestations',
  'events',
  'records',
  'receipts',
  'edges',
  'epochs',
  'counts',
  'manifest',
] as const;
export type Level = (typeof LEVELS)[number];

/** What was changed may have any shape: what cannot be hashed or signed stays as it is. */
export function whereItCan(step: () => void): void {
  try {
    step();
  } catch (error) {
    if (!(error instanceof ProtocolError || error instanceof TypeError || error instanceof RangeError)) throw error;
  }
}

function statementOf(object: Branch, without: string, type?: string): Uint8Array {
  const { [without]: _, ...rest } = object;
  return canonicalBytes((type === undefined ? rest : { ...rest, type }) as Json);
}

const receiptBytes = (ear: Branch): Uint8Array => statementOf(ear, 'service_signature', 'countersign.receipt.v1');
const epochBytes = (epoch: Branch): Uint8Array => statementOf(epoch, 'signature_by_service', 'countersign.epoch.v1');

/** Signs a receipt with the service key that it names, if that one is known. */
export function signAsReceipt(ear: Branch): void {
  whereItCan(() => {
    ear['service_signature'] = signedBy(ear['service_kid'], receiptBytes(ear)) ?? ear['service_signature'] ?? null;
  });
}

function signAsEpoch(epoch: Branch): void {
  whereItCan(() => {
    epoch['signature_by_service'] =
      signedBy(epoch['service_kid'], epochBytes(epoch)) ?? epoch['signature_by_service'] ?? null;
  });
}

/** Signs a service key with itself and the one before it. */
export function signAsServiceKey(key: Branch): void {
  whereItCan(() => {
    const { kid, public_key, created_at, prev_kid } = key as Record<string, Json>;
    const message = canonicalBytes({
      kid,
      public_key,
      created_at,
      prev_kid,
      type: 'countersign.service-key.v1',
    } as Json);
    key['self_signature'] = signedBy(public_key, message) ?? key['self_signature'] ?? null;
    if (prev_kid !== null) key['prev_signature'] = signedBy(prev_kid, message) ?? key['prev_signature'] ?? null;
  });
}

class Resealing {
  readonly #bundle: Branch;
  /** Hashes that are no more, and what stands in their place. */
  readonly #renamed = new Map<Tree | undefined, string>();

  constructor(bundle: Branch) {
    this.#bundle = bundle;
  }

  run(level: Level): void {
    this.#steps[level]();
  }

  readonly #steps: Readonly<Record<Level, () => void>> = {
    service_keys: () => this.#list('service_keys').forEach(signAsServiceKey),
    attestations: () => this.#attestations(),
    events: () => this.#events(),
    records: () => this.#records(),
    receipts: () => this.#receipts(),
    epochs: () => this.#epochs(),
    edges: () => this.#edges(),
    counts: () => this.#counts(),
    manifest: () => this.#manifest(),
  };

  #list(name: string): Branch[] {
    return branchesOf(this.#bundle[name]);
  }

  #neighbours(): Branch[] {
    const { edges } = this.#bundle;
    return isBranch(edges) ? [edges['before'], edges['after']].filter((one) => isBranch(one)) : [];
  }

  #pairs(): { eor: Branch | undefined; ear: Branch }[] {
    return [...this.#list('records'), ...this.#neighbours()].flatMap(({ eor, ear }) =>
      isBranch(ear) ? [{ eor: isBranch(eor) ? eor : undefined, ear }] : [],
    );
  }

  #rename(object: Branch, member: string, hash: string): void {
    if (object[member] !== hash) this.#renamed.set(object[member], hash);
    object[member] = hash;
  }

  #follow(object: Branch | undefined, member: string): void {
    const hash = this.#renamed.get(object?.[member]);
    if (object !== undefined && hash !== undefined) object[member] = hash;
  }

  #attestations(): void {
    for (const agent of this.#list('agents')) {
      for (const key of branchesOf(agent['keys'])) {
        whereItCan(() => {
          const { attestation, ...rest } = key;
          const statement = { ...rest, org_id: agent['org_id'], type: 'countersign.agent-key.v1' };
          key['attestation'] = signedBy(key['service_kid'], canonicalBytes(statement as Json)) ?? attestation ?? null;
        });
      }
    }
  }

  #events(): void {
    let last: Tree = null;
    for (const event of this.#list('admin_events')) {
      event['prev_event_hash'] = last;
      whereItCan(() => {
        if ('action' in event) this.#rename(event, 'event_hash', adminEventHash(event as never));
      });
      last = event['event_hash'] ?? null;
    }
  }

  #records(): void {
    const keys = this.#list('agents').flatMap((agent) => branchesOf(agent['keys']));
    const heads = new Map<Tree | undefined, Tree>();
    for (const { eor, ear } of this.#pairs()) {
      if (eor === undefined) continue;
      whereItCan(() => {
        if (isBranch(eor['payload'])) eor['payload_hash'] = payloadHash(eor['payload'] as never);
        const head = heads.get(eor['agent_id']);
        if (head === undefined) this.#follow(eor, 'prev_chain_hash');
        else eor['prev_chain_hash'] = head;
        const { payload: _, signature: before, ...core } = eor;
        const isOwn = ({ kid, agent_id: agent }: Branch): boolean =>
          kid === eor['agent_pubkey_kid'] && agent === eor['agent_id'];
        const bytes = canonicalBytes(core as Json);
        const signature = signedBy(keys.find(isOwn)?.['public_key'], bytes) ?? before;
        eor['signature'] = signature ?? null;
        this.#rename(ear, 'chain_hash', chainHash(bytes, fromBase64Url(String(signature), 64)));
      });
      heads.set(eor['agent_id'], ear['chain_hash'] ?? null);
    }
  }

  #receipts(): void {
    for (const { ear } of this.#pairs()) {
      this.#follow(ear, 'chain_hash');
      signAsReceipt(ear);
    }
  }

  #epochs(): void {
    const leaves = new Map<unknown, Uint8Array>();
    for (const { ear } of this.#pairs()) {
      whereItCan(() => {
        leaves.set(ear['seq_no'], receiptLeafHash(receiptBytes(ear)));
      });
    }
    const log = this.#log();
    let last: Tree | undefined;
    const seal = (epoch: Branch): void => {
      if (last !== undefined) epoch['prev_epoch_hash'] = last;
      this.#follow(epoch, 'admin_head_hash');
      whereItCan(() => rebuildRoots(epoch, leaves, log));
      signAsEpoch(epoch);
      last = undefined;
      whereItCan(() => {
        last = formatDigest(sha256(epochBytes(epoch)));
      });
    };
    const epochs = this.#list('epochs');
    epochs.forEach(seal);
    const { edges } = this.#bundle;
    if (!isBranch(edges) || !isBranch(edges['head'])) return;
    const head = edges['head'];
    const own = epochs.find(({ epoch_no: number }) => number === head['epoch_no']);
    if (own !== undefined) edges['head'] = structuredClone(own);
    else {
      if (head['epoch_no'] !== Number(epochs.at(-1)?.['epoch_no']) + 1) last = undefined;
      seal(head);
    }
  }

  /** The roots of the log at the sizes that the bundle leads to. */
  #log(): (size: number) => string | null {
    let node: ReadNode = () => {
      throw new RangeError('the bundle leads nowhere');
    };
    whereItCan(() => {
      node = nodesOf(this.#bundle as unknown as Contents);
    });
    return (size) => {
      let root: string | null = null;
      whereItCan(() => {
        root = formatDigest(CompactRange.of(size, node).root());
      });
      return root;
    };
  }

  /** Lays the way through the log anew, as far as the bundle leads. */
  #edges(): void {
    whereItCan(() => {
      const contents = this.#bundle as unknown as Contents;
      const { records, edges } = withGaps(contents, nodesOf(contents));
      Object.assign(this.#bundle, structuredClone({ records, edges }));
    });
  }

  #counts(): void {
    const { manifest } = this.#bundle;
    if (!isBranch(manifest)) return;
    whereItCan(() => {
      delete manifest['withheld_events_digest'];
      delete manifest['disclosures_digest'];
      delete manifest['clock_corrections'];
      Object.assign(manifest, countsOf(this.#bundle as unknown as Contents), shownCounts(this.#bundle));
      const { agent_head: head } = manifest;
      if (isBranch(head)) this.#follow(head, 'chain_hash');
    });
  }

  #manifest(): void {
    const { manifest } = this.#bundle;
    whereItCan(() => {
      if (!isBranch(manifest)) return;
      const signature = signedBy(manifest['service_kid'], canonicalBytes(manifest as Json));
      if (signature !== undefined) this.#bundle['manifest_signature'] = signature;
    });
  }
}

/** Gives an epoch the root of its leaves, where all of them are known, and that of the log at its end, where the bundle leads there. */
function rebuildRoots(
  epoch: Branch,
  leaves: ReadonlyMap<unknown, Uint8Array>,
  rootAt: (size: number) => string | null,
): void {
  const { first_seq_no: first, last_seq_no: last } = epoch;
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last)) return;
  if (typeof first !== 'number' || typeof last !== 'number') return;
  epoch['log_root'] = rootAt(last) ?? epoch['log_root'] ?? null;
  // Counting on from 2^53 never ends.
  if (last - first >= leaves.size) return;
  const own: Uint8Array[] = [];
  for (let number = first; number <= last; number++) {
    const leaf = leaves.get(number);
    if (leaf !== undefined) own.push(leaf);
  }
  if (own.length > 0 && own.length === last - first + 1) epoch['root_hash'] = formatDigest(merkleRoot(own));
}

/** Makes the named levels of a bundle fit what it holds now, in place. */
export function reseal(bundle: Tree, levels: readonly Level[]): void {
  if (!isBranch(bundle)) return;
  const resealing = new Resealing(bundle);
  for (const level of LEVELS) if (levels.includes(level)) resealing.run(level);
}

/** The same for a proof of records: keys, records, receipts, and the epoch that seals them, as it stands there. */
export function resealProof(proof: Tree): void {
  reseal(proof, ['service_keys', 'attestations', 'records', 'receipts']);
  const seal = isBranch(proof) ? proof['seal'] : null;
  const epoch = isBranch(seal) ? seal['epoch'] : null;
  if (isBranch(epoch)) signAsEpoch(epoch);
}
