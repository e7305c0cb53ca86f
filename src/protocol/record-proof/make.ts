import type { BundleRecord } from '../bundle/bundle-record.ts';
import { type BundleContent, readContents } from '../bundle/contents.ts';
import type { BundleOrg, BundleSource } from '../bundle/document.ts';
import { formatDigest, type Sha256, sha256 } from '../digest.ts';
import { TreeLevels } from '../merkle/audit-path.ts';
import type { BundleAgent } from '../statements/agent-key.ts';
import type { Epoch } from '../statements/epoch.ts';
import { receiptLeafHash, receiptSignedBytes } from '../statements/receipt.ts';
import type { ServiceKey } from '../statements/service-key.ts';
import {
  MAX_PROVEN_RECORDS,
  MAX_RECORD_PROOF_BYTES,
  type ProvenRecord,
  RECORD_PROOF_TYPE,
  type RecordProof,
} from './record-proof.ts';
import { RecordProofError } from './record-proof-error.ts';

/** Whose records they are: all that may stand in a proof besides them. */
export interface ProofDirectory {
  readonly org: BundleOrg;
  /** At least those that seal the records. */
  readonly epochs: readonly Epoch[];
  /** At least those of the records. */
  readonly agents: readonly BundleAgent[];
  /** All there are. */
  readonly serviceKeys: readonly ServiceKey[];
}

function byCodeUnits<T>(name: (one: T) => string): (a: T, b: T) => number {
  return (a, b) => (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : 0);
}

/** Numbers in a sentence, a few of them. */
function listed(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 10).join(', ');
  return numbers.length > 10 ? `${shown} and ${numbers.length - 10} more` : shown;
}

/** The numbers that are wanted, each once, ascending. @throws RecordProofError COUNT_INVALID */
export function wantedNumbers(seqNos: Iterable<number>): number[] {
  const numbers = [...new Set(seqNos)].sort((a, b) => a - b);
  if (numbers.length >= 1 && numbers.length <= MAX_PROVEN_RECORDS) return numbers;
  throw new RecordProofError(
    'COUNT_INVALID',
    `a proof shows 1 to ${MAX_PROVEN_RECORDS} records, and ${numbers.length} are wanted`,
  );
}

function agentsOf(records: readonly ProvenRecord[], agents: readonly BundleAgent[]): BundleAgent[] {
  const used = new Map<string, Set<string>>();
  for (const { eor } of records) {
    used.set(eor.agent_id, (used.get(eor.agent_id) ?? new Set()).add(eor.agent_pubkey_kid));
  }
  return [...used].sort(byCodeUnits(([agentId]) => agentId)).map(([agentId, kids]) => {
    const agent = agents.find(({ agent_id }) => agent_id === agentId);
    const keys = (agent?.keys ?? []).filter(({ kid }) => kids.has(kid)).sort(byCodeUnits(({ kid }) => kid));
    if (agent === undefined || keys.length < kids.size) {
      throw new RecordProofError('KEY_MISSING', `the key that agent ${agentId} signed with is not there`);
    }
    return { ...agent, keys };
  });
}

/**
 * Puts a proof together from records and the directory around them, of which it takes what the records need.
 * @param records 1 to 1000, each number once, in any order
 * @throws RecordProofError COUNT_INVALID, NOT_PROVABLE, KEY_MISSING
 */
export function assembleRecordProof(directory: ProofDirectory, records: readonly ProvenRecord[]): RecordProof {
  wantedNumbers(records.map(({ ear }) => ear.seq_no));
  const ordered = records.toSorted((a, b) => a.ear.seq_no - b.ear.seq_no);
  const epochIds = new Set(ordered.map(({ inclusion }) => inclusion.epoch_id));
  const epochs = directory.epochs
    .filter(({ epoch_id }) => epochIds.delete(epoch_id))
    .sort((a, b) => a.epoch_no - b.epoch_no);
  if (epochIds.size > 0) throw new RecordProofError('NOT_PROVABLE', 'the epoch that seals a record is not there');
  return {
    type: RECORD_PROOF_TYPE,
    org: directory.org,
    records: ordered,
    epochs,
    agents: agentsOf(ordered, directory.agents),
    service_keys: directory.serviceKeys,
  };
}

/** Everything of a bundle but its records. */
async function readDirectory(source: BundleSource): Promise<ProofDirectory> {
  let org: BundleOrg | null = null;
  const [epochs, agents, serviceKeys]: [Epoch[], BundleAgent[], ServiceKey[]] = [[], [], []];
  const take = (content: BundleContent): void => {
    if (content.kind === 'org') org = content.value;
    else if (content.kind === 'epoch') epochs.push(content.value);
    else if (content.kind === 'agent') agents.push(content.value);
    else if (content.kind === 'service_key') serviceKeys.push(content.value);
    else if (content.kind === 'broken') throw new RecordProofError('BUNDLE_BROKEN', content.message);
  };
  for await (const contents of readContents(source, { withoutRecords: true })) contents.forEach(take);
  if (org === null) throw new RecordProofError('BUNDLE_BROKEN', 'the organization of the bundle cannot be read');
  return { org, epochs, agents, serviceKeys };
}

/** An epoch of which a record is wanted, with the leaves of it that the bundle shows, by their place. */
class WantedEpoch {
  readonly epoch: Epoch;
  readonly #leaves = new Map<number, Uint8Array>();
  #levels: TreeLevels | null = null;

  constructor(epoch: Epoch) {
    this.epoch = epoch;
  }

  add(seqNo: number, leaf: Uint8Array): void {
    this.#leaves.set(seqNo - this.epoch.first_seq_no, leaf);
  }

  /** The audit path of a leaf; null where not all leaves are there. */
  path(index: number, hash: Sha256): readonly string[] | null {
    if (this.#leaves.size !== this.epoch.leaf_count || !this.#leaves.has(index)) return null;
    this.#levels ??= new TreeLevels(
      [...this.#leaves].sort(([a], [b]) => a - b).map(([, leaf]) => leaf),
      hash,
    );
    return this.#levels.path(index).map(formatDigest);
  }
}

/** The records of a bundle that are wanted, and the leaves of the epochs in which they lie. */
class Gathering {
  readonly #wanted: ReadonlySet<number>;
  readonly #epochs: readonly WantedEpoch[];
  readonly #hash: Sha256;
  readonly #records = new Map<number, BundleRecord>();
  #bytes = 0;

  constructor(wanted: readonly number[], epochs: readonly Epoch[], hash: Sha256) {
    this.#wanted = new Set(wanted);
    this.#hash = hash;
    this.#epochs = epochs
      .filter(({ first_seq_no: first, last_seq_no: last }) => wanted.some((seqNo) => seqNo >= first && seqNo <= last))
      .map((epoch) => new WantedEpoch(epoch));
  }

  #epochOf(seqNo: number): WantedEpoch | undefined {
    return this.#epochs.find(({ epoch }) => seqNo >= epoch.first_seq_no && seqNo <= epoch.last_seq_no);
  }

  take(record: BundleRecord, size: number): void {
    const { ear } = record;
    this.#epochOf(ear.seq_no)?.add(ear.seq_no, receiptLeafHash(receiptSignedBytes(ear), this.#hash));
    if (!this.#wanted.has(ear.seq_no)) return;
    this.#bytes += size;
    if (this.#bytes > MAX_RECORD_PROOF_BYTES) {
      throw new RecordProofError('TOO_LARGE', `the records have more than ${MAX_RECORD_PROOF_BYTES} bytes together`);
    }
    this.#records.set(ear.seq_no, record);
  }

  proven(seqNo: number): ProvenRecord {
    const record = this.#records.get(seqNo);
    if (record === undefined) throw new RangeError(`there is no record ${seqNo}`);
    if (record.inclusion !== undefined) return { ...record, inclusion: record.inclusion };
    const wanted = this.#epochOf(seqNo);
    const index = seqNo - (wanted?.epoch.first_seq_no ?? 0);
    const path = wanted?.path(index, this.#hash) ?? null;
    if (wanted === undefined || path === null) {
      const message = `the bundle does not lead from record ${seqNo} to an epoch: verify it to see what is missing`;
      throw new RecordProofError('NOT_PROVABLE', message);
    }
    return { ...record, inclusion: { epoch_id: wanted.epoch.epoch_id, leaf_index: index, path } };
  }

  get missing(): number[] {
    return [...this.#wanted].filter((seqNo) => !this.#records.has(seqNo));
  }
}

/**
 * Makes the proof of some records of a bundle (protocol §13). Nothing is verified: what is damaged in the bundle is damaged
 * in the proof.
 * @param source is read twice: whoever made the file chose the order of its members
 * @param seqNos 1 to 1000 sequence numbers, in any order
 * @throws RecordProofError; and what reading the source fails with
 */
export async function makeRecordProof(
  source: BundleSource,
  seqNos: Iterable<number>,
  hash: Sha256 = sha256,
): Promise<RecordProof> {
  const wanted = wantedNumbers(seqNos);
  const directory = await readDirectory(source);
  const gathering = new Gathering(wanted, directory.epochs, hash);
  for await (const contents of readContents(source)) {
    for (const content of contents) {
      if (content.kind === 'record') gathering.take(content.value, content.text.length);
    }
  }
  const { missing } = gathering;
  if (missing.length > 0) {
    const what = missing.length === 1 ? 'record' : 'records';
    throw new RecordProofError('NO_SUCH_RECORD', `the bundle has no readable ${what} ${listed(missing)}`);
  }
  return assembleRecordProof(
    directory,
    wanted.map((seqNo) => gathering.proven(seqNo)),
  );
}
