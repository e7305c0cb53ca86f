import type { BundleRecord } from '../bundle/bundle-record.ts';
import { type BundleContent, readContents } from '../bundle/contents.ts';
import type { BundleSource } from '../bundle/document.ts';
import type { CarriedFiles, Edges } from '../bundle/edges.ts';
import { coverEnds, epochSealing } from '../bundle/gaps.ts';
import { HeldSizes, TooLarge } from '../bundle/sizes.ts';
import { utf8 } from '../bytes.ts';
import { formatDigest, parseDigest, type Sha256, sha256 } from '../digest.ts';
import { consistencyPath } from '../merkle/consistency.ts';
import { CompactRange, coverHashes, type ReadNode } from '../merkle/tree.ts';
import { unlessRefused } from '../protocol-error.ts';
import { isWholeEvent } from '../statements/admin-event.ts';
import type { AgentKey, ProvenAgent } from '../statements/agent-key.ts';
import { CLOCK_CORRECTED, type CorrectedTimes } from '../statements/clock-correction.ts';
import { formatConsistencyProof, parseKeptCheckpoint } from '../statements/consistency-proof.ts';
import type { Epoch } from '../statements/epoch.ts';
import { type Receipt, receiptLeafHash, receiptSignedBytes } from '../statements/receipt.ts';
import type { ServiceKey } from '../statements/service-key.ts';
import { isStampFile, readStampFile, type StampFile } from '../statements/stamp-file.ts';
import { parseTime } from '../time.ts';
import { LedgerOrder } from '../verify/ledger-order.ts';
import { type NotedEvent, noteEvent } from '../verify/noted-event.ts';
import {
  MAX_PROVEN_RECORDS,
  MAX_RECORD_PROOF_BYTES,
  type ProofSeal,
  RECORD_PROOF_TYPE,
  type RecordProof,
} from './record-proof.ts';
import { RecordProofError } from './record-proof-error.ts';

/** Whose records they are: all that may stand in a proof besides them. */
export interface ProofDirectory {
  readonly orgId: string;
  /** At least those of the records. */
  readonly agents: readonly ProvenAgent[];
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

function refuse(message: string): never {
  throw new RecordProofError('NOT_PROVABLE', message);
}

function agentsOf(records: readonly BundleRecord[], agents: readonly ProvenAgent[]): ProvenAgent[] {
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
    return { agent_id: agentId, keys };
  });
}

function proofOf(directory: ProofDirectory, records: readonly BundleRecord[], seal: ProofSeal): RecordProof {
  const agents = agentsOf(records, directory.agents);
  checkSizes(agents, directory.serviceKeys);
  return {
    type: RECORD_PROOF_TYPE,
    org_id: directory.orgId,
    records,
    seal,
    agents,
    service_keys: directory.serviceKeys,
  };
}

/**
 * Refuses a proof whose times run backwards, as those on two sides of a clock correction do: it has no log that would tell why, and
 * no reader could verify it (protocol R13).
 * @throws RecordProofError CLOCK_CORRECTED
 */
function needOneClock(proof: RecordProof): RecordProof {
  const services = new Map(proof.service_keys.map((key) => [key.kid, key]));
  const agents = new Map(proof.agents.map(({ agent_id, keys }) => [agent_id, keys]));
  let latest = Number.NEGATIVE_INFINITY;
  const take = (time: string, keys: readonly (AgentKey | ServiceKey | undefined)[]): void => {
    const at = parseTime(time);
    const isInTime = keys.every((key) => key === undefined || (key.created_at <= at && at <= (key.retired_at ?? at)));
    if (at < latest || !isInTime) {
      throw new RecordProofError(
        'CLOCK_CORRECTED',
        'the clock of the service was set back between these records, or after their keys were made: a proof carries no log that would show ' +
          'it. Prove the records on each side for themselves, or export a bundle',
      );
    }
    latest = at;
  };
  for (const { eor, ear } of proof.records) {
    const key = agents.get(eor.agent_id)?.find(({ kid }) => kid === eor.agent_pubkey_kid);
    take(ear.server_received_at, [key, services.get(ear.service_kid)]);
  }
  const { epoch } = proof.seal;
  take(epoch.end_time, [services.get(epoch.service_kid)]);
  return proof;
}

/** @throws RecordProofError TOO_LARGE where a verifier would stop at them */
function checkSizes(agents: readonly ProvenAgent[], serviceKeys: readonly ServiceKey[]): void {
  const sizes = new HeldSizes();
  const take = <T>(member: string, value: T): void => sizes.take(member, utf8(JSON.stringify(value)).length);
  try {
    for (const key of serviceKeys) take('service_keys', key);
    for (const agent of agents) {
      take('agents', agent);
      sizes.takeAgentKeys(agent.keys.length);
    }
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    throw new RecordProofError('TOO_LARGE', `the proof would have more than ${error.what}: prove fewer records`);
  }
}

function withGap({ gap: _, ...record }: BundleRecord, hashes: readonly Uint8Array[]): BundleRecord {
  return hashes.length === 0 ? record : { ...record, gap: hashes.map(formatDigest) };
}

/** A cosigned checkpoint, or that of a file of time stamps. Null of a consistency proof, and of anything else: whoever made the bundle wrote it. */
function carriedCheckpoint(text: string): Pick<StampFile, 'text' | 'checkpoint'> | null {
  return unlessRefused(() => {
    const bytes = utf8(text);
    if (isStampFile(bytes)) return readStampFile(bytes);
    const { checkpoint, link } = parseKeptCheckpoint(bytes);
    return link === null ? { text, checkpoint } : null;
  }, null);
}

/**
 * Of what others said of the log what they said of it at the end of an epoch or beyond it, tied to that end.
 * @param node null where no more of the log is known than leads to that end
 */
function carriedFrom(size: number, carried: CarriedFiles, node: ReadNode | null, hash: Sha256): CarriedFiles {
  const tied = (text: string, isStamp: boolean): string[] => {
    const found = carriedCheckpoint(text);
    if (found === null || found.checkpoint.size < size) return [];
    const { size: at } = found.checkpoint;
    if (at === size) return [text];
    if (node === null) return [];
    const link = { oldSize: size, path: consistencyPath(size, at, node, hash) };
    const proof = formatConsistencyProof(link, found.text);
    return isStamp ? [text, proof] : [proof];
  };
  const cosigned = carried.cosigned?.flatMap((text) => tied(text, false)) ?? [];
  const stamped = carried.stamped?.flatMap((text) => tied(text, true)) ?? [];
  return { ...(cosigned.length === 0 ? {} : { cosigned }), ...(stamped.length === 0 ? {} : { stamped }) };
}

/**
 * Puts a proof together from records and the log around them.
 * @param directory at least what the records need, which is taken of it
 * @param records 1 to 1000, each number once, in any order; what they have as gap is not looked at
 * @param epoch the one that seals the last of them
 * @param node the roots of complete subtrees of the log
 * @param said what others said of the log, which the proof carries as far as it is not of a smaller one
 * @throws RecordProofError COUNT_INVALID, KEY_MISSING, CLOCK_CORRECTED, TOO_LARGE
 */
export function assembleRecordProof(
  directory: ProofDirectory,
  records: readonly BundleRecord[],
  epoch: Epoch,
  node: ReadNode,
  said: CarriedFiles = {},
): RecordProof {
  wantedNumbers(records.map(({ ear }) => ear.seq_no));
  let end = 0;
  const ordered = records
    .toSorted((a, b) => a.ear.seq_no - b.ear.seq_no)
    .map((record) => {
      const gap = coverHashes(end, record.ear.seq_no - 1, node);
      end = record.ear.seq_no;
      return withGap(record, gap);
    });
  const rest = coverHashes(end, epoch.last_seq_no, node).map(formatDigest);
  const carried = carriedFrom(epoch.last_seq_no, said, node, sha256);
  return needOneClock(proofOf(directory, ordered, { epoch, rest, ...carried }));
}

/** The directory of a bundle, and what of it the way through its log needs. */
interface ReadHead extends ProofDirectory {
  readonly epochs: readonly Epoch[];
  readonly edges: Edges;
  /** Whether an administrative event says that the clock was set back. */
  readonly isCorrected: boolean;
  readonly correctedTimes: readonly CorrectedTimes[];
}

/** A proof, and what the log that it was made with says of the clock: no proof carries that (protocol R13). */
export interface ProvenRecords {
  readonly proof: RecordProof;
  readonly correctedTimes: readonly CorrectedTimes[];
}

/** Everything of a bundle but its records. */
async function readHead(source: BundleSource, hash: Sha256): Promise<ReadHead> {
  let orgId: string | null = null;
  let edges: Edges | null = null;
  let isCorrected = false;
  const events: NotedEvent[] = [];
  const [epochs, agents, serviceKeys]: [Epoch[], ProvenAgent[], ServiceKey[]] = [[], [], []];
  const take = (content: BundleContent): void => {
    if (content.kind === 'org') orgId = content.value.org_id;
    else if (content.kind === 'edges') edges = content.value;
    else if (content.kind === 'epoch') epochs.push(content.value);
    else if (content.kind === 'agent') agents.push(content.value);
    else if (content.kind === 'admin_event' || content.kind === 'withheld_event') {
      const { value } = content;
      const corrects = isWholeEvent(value) && value.action === CLOCK_CORRECTED;
      isCorrected ||= corrects;
      // Of the others only their places in the log are needed.
      const { created_at: createdAt, prev_event_hash: prevHash, event_hash } = value;
      events.push(corrects ? noteEvent(value, hash) : { createdAt, prevHash, hash: event_hash, whole: null });
    } else if (content.kind === 'service_key') serviceKeys.push(content.value);
    else if (content.kind === 'broken') throw new RecordProofError('BUNDLE_BROKEN', content.message);
  };
  for await (const contents of readContents(source, { withoutRecords: true })) contents.forEach(take);
  if (orgId === null || edges === null) {
    throw new RecordProofError('BUNDLE_BROKEN', 'the organization or the edges of the bundle cannot be read');
  }
  const correctedTimes = new LedgerOrder().load(events).correctedTimes ?? [];
  return { orgId, edges, epochs, agents, serviceKeys, isCorrected, correctedTimes };
}

/**
 * The way through the log that a bundle shows, receipt by receipt: the gaps between the ones that are wanted come of it, and
 * the rest. Where the bundle is damaged it ends, and nothing behind that can be proven.
 */
class LogWalk {
  readonly #hash: Sha256;
  readonly #epochs: readonly Epoch[];
  /** Size of the log where the way ends. */
  readonly #to: number;
  /** From the last receipt that was wanted on. */
  #range: CompactRange;
  #open: Epoch | undefined;
  #broken = false;
  /** The cover from the last wanted receipt to the end; null as long as that is not reached. */
  rest: readonly Uint8Array[] | null = null;

  constructor(epochs: readonly Epoch[], to: number, hash: Sha256) {
    this.#hash = hash;
    this.#epochs = epochs;
    this.#to = to;
    this.#range = new CompactRange(0, hash);
  }

  #reach(): void {
    if (this.#range.end === this.#to) this.rest = [...this.#range.hashes];
  }

  /** Takes the leaves up to a size, of which the bundle has the covers. */
  pass(to: number, gap: readonly string[] = []): void {
    if (this.#broken || this.rest !== null) return;
    const ends = coverEnds(this.#range.end, to, this.#open);
    this.#broken = to < this.#range.end || !this.#range.fill(ends, gap.map(parseDigest), () => this.#reach());
  }

  /**
   * Takes the next receipt.
   * @returns the cover of the leaves between the last wanted one and this, where it is wanted; null where the way does not
   *   lead there
   */
  take(
    { ear, gap }: { readonly ear: Receipt; readonly gap?: readonly string[] },
    wanted: boolean,
  ): readonly Uint8Array[] | null {
    this.pass(ear.seq_no - 1, gap);
    if (this.#broken || this.rest !== null) return null;
    const between = [...this.#range.hashes];
    if (wanted) this.#range = new CompactRange(ear.seq_no, this.#hash);
    else this.#range.push(receiptLeafHash(receiptSignedBytes(ear), this.#hash));
    this.#open = epochSealing(this.#epochs, ear.seq_no);
    this.#reach();
    return between;
  }
}

/** The proof that `proveRecords` makes, by itself. */
export async function makeRecordProof(
  source: BundleSource,
  seqNos: Iterable<number>,
  hash: Sha256 = sha256,
): Promise<RecordProof> {
  return (await proveRecords(source, seqNos, hash)).proof;
}

/**
 * Makes the proof of some records of a bundle (protocol R3). Nothing is verified: what is damaged in the bundle is damaged
 * in the proof.
 * @param source is read twice: whoever made the file chose the order of its members
 * @param seqNos 1 to 1000 sequence numbers, in any order
 * @throws RecordProofError; and what reading the source fails with
 */
export async function proveRecords(
  source: BundleSource,
  seqNos: Iterable<number>,
  hash: Sha256,
): Promise<ProvenRecords> {
  const wanted = new Set(wantedNumbers(seqNos));
  const directory = await readHead(source, hash);
  const { edges, epochs } = directory;
  const last = Math.max(...wanted);
  const epoch = epochSealing(epochs, last);
  const walk = new LogWalk(epochs, epoch?.last_seq_no ?? 0, hash);
  const records = new Map<number, BundleRecord>();
  let bytes = 0;
  let notReached: number | null = null;
  if (edges.before !== null) walk.take(edges.before, false);
  for await (const contents of readContents(source)) {
    for (const content of contents) {
      if (content.kind !== 'record') continue;
      const { seq_no } = content.value.ear;
      const isWanted = wanted.has(seq_no) && !records.has(seq_no);
      const gap = walk.take(content.value, isWanted);
      if (!isWanted) continue;
      bytes += content.text.length;
      if (bytes > MAX_RECORD_PROOF_BYTES) {
        throw new RecordProofError('TOO_LARGE', `the records have more than ${MAX_RECORD_PROOF_BYTES} bytes together`);
      }
      if (gap === null) notReached ??= seq_no;
      records.set(seq_no, withGap(content.value, gap ?? []));
    }
  }
  const missing = [...wanted].filter((seqNo) => !records.has(seqNo));
  if (missing.length > 0) {
    const what = missing.length === 1 ? 'record' : 'records';
    throw new RecordProofError('NO_SUCH_RECORD', `the bundle has no readable ${what} ${listed(missing)}`);
  }
  if (epoch === undefined) refuse(`the bundle holds no epoch that seals record ${last}`);
  if (notReached !== null) refuse(`the bundle does not lead to record ${notReached}: verify it to see what is missing`);
  if (edges.after !== null) walk.take(edges.after, false);
  walk.pass(edges.head?.last_seq_no ?? 0, edges.rest);
  const rest = walk.rest ?? refuse(`the bundle does not lead from record ${last} to the end of its epoch`);
  const carried = carriedFrom(epoch.last_seq_no, edges, null, hash);
  const proof = proofOf(directory, [...records.values()], { epoch, rest: rest.map(formatDigest), ...carried });
  const { isCorrected, correctedTimes } = directory;
  return { proof: isCorrected ? needOneClock(proof) : proof, correctedTimes };
}
