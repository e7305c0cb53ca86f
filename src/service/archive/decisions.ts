import { z } from 'zod';
import { nodeCrypto } from '../../node/index.ts';
import {
  decodeUtf8,
  mergeRuns,
  type NumberRun,
  ProtocolError,
  parseJson,
  parseRuns,
  recordProofOf,
  verifyRecordProof,
} from '../../protocol/index.ts';
import { hasCode } from '../../protocol/light.ts';
import type { Erasure } from './erasures.ts';
import { ARCHIVE_AGENT, type ArchivedLedger, DECISION, orderedBy, type RunSpan } from './run-name.ts';
import type { RunStore } from './run-store.ts';

const count = z.int().min(1);

/** What a central node decided: that payloads of a run are to leave the archive. A record of its ledger, the tombstone. */
const decision = z.strictObject({
  kid: z.string(),
  org_id: z.string(),
  /** A later one has a higher number, of another central node too: it is the time, in milliseconds, or the number after the one before. */
  decision_no: count,
  first_epoch_no: count,
  last_epoch_no: count,
  /** Of the run as it was then. */
  sha256: z.string(),
  /** Of which records, such as `3-5,9`, by their numbers in the host's ledger. */
  seq_no: z.string(),
  records: count,
  sweep_id: z.string(),
  /** The user who began the sweep, and the digest of the rules that it went by. */
  begun_by: z.string(),
  rules_digest: z.string(),
});
export type Decision = z.infer<typeof decision>;

/** A decision with where it is in the central ledger, and whether a hold called it back. */
export interface LedgerDecision extends Decision {
  readonly operation_id: string;
  readonly isRecalled: boolean;
}

/** Of a decision that was called back: whose it was, because of which holds, how many of its records they keep, and how many had left already. */
const recall = z.strictObject({
  kid: z.string(),
  org_id: z.string(),
  decision_no: count,
  holds: z.array(z.string()).min(1),
  records: count,
  left: z.int().min(0),
});
export type Recall = z.infer<typeof recall>;

/** @throws ZodError for a payload that no central node wrote */
export function parseDecision(payload: string): Decision {
  return decision.parse(JSON.parse(payload));
}

/** @throws ZodError for a payload that no central node wrote */
export function parseRecall(payload: string): Recall {
  return recall.parse(JSON.parse(payload));
}

/** What was decided about some epochs of a ledger, as far as one decision. */
export function decisionsOn<Some extends Decision>(
  decisions: readonly Some[],
  { kid, orgId, first, last }: ArchivedLedger & RunSpan,
  upTo = Number.POSITIVE_INFINITY,
): Some[] {
  return decisions.filter((one) => {
    const isOf = one.first_epoch_no <= last && one.last_epoch_no >= first;
    return isOf && one.kid === kid && one.org_id === orgId && one.decision_no <= upTo;
  });
}

/** The records that decisions name. */
export function decidedBy(decisions: readonly Decision[]): NumberRun[] {
  return mergeRuns(decisions.flatMap(({ seq_no: runs }) => parseRuns(runs)));
}

/** Whether a decision counts for an accepted run: one that was called back does where the host had followed it all the same. */
export function isInForce(one: LedgerDecision, run: { readonly recalled?: readonly number[] }): boolean {
  return !one.isRecalled || run.recalled?.includes(one.decision_no) === true;
}

/** A proof of one record takes a few thousand bytes, and what it names of records 256 KiB at most. */
const MOST_BYTES = 4 * 1024 * 1024;

/** @returns null for a longer file */
async function bytesOf(store: RunStore, path: string): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of store.bytes(path)) {
    bytes += part.length;
    if (bytes > MOST_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * The decision that a file proves.
 * @param trusted whose decisions count, each as `KEY@ORG_ID`: anybody may be an agent of another organization there
 * @returns null where it proves none
 * @throws an error with the code ENOENT where it is not there
 */
export async function readOrder(store: RunStore, path: string, trusted: readonly string[]): Promise<Decision | null> {
  const bytes = await bytesOf(store, path);
  if (bytes === null || trusted.length === 0) return null;
  const source = async function* (): AsyncGenerator<Uint8Array> {
    yield bytes;
  };
  const { verdict } = await verifyRecordProof(source, { crypto: nodeCrypto, trustedKids: trusted });
  if (verdict !== 'verified') return null;
  try {
    const [record] = recordProofOf(parseJson(decodeUtf8(bytes))).records;
    if (record?.eor.agent_id !== ARCHIVE_AGENT || record.eor.operation_type !== DECISION) return null;
    const { success, data } = decision.safeParse(record.eor.payload);
    return success && parseRuns(data.seq_no).length > 0 ? data : null;
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return null;
  }
}

/** What an archive asks of the host of a ledger. */
export interface Orders {
  /** Each as an erasure is: a number, and the records that it names. */
  readonly heeded: readonly Erasure[];
  /** Files that say nothing by a key that counts. */
  readonly unheeded: readonly string[];
}

/** @param paths of everything that lies in the place of the ledger */
export async function readOrders(
  store: RunStore,
  { kid, orgId }: ArchivedLedger,
  paths: readonly string[],
  trusted: readonly string[],
): Promise<Orders> {
  const heeded: Erasure[] = [];
  const unheeded: string[] = [];
  for (const path of paths) {
    const no = orderedBy(path);
    if (no === null) continue;
    const order = await readOrder(store, path, trusted).catch((error: unknown) => {
      // Called back since it was listed.
      if (hasCode(error, 'ENOENT')) return undefined;
      throw error;
    });
    if (order === undefined) continue;
    const isOwn = order?.kid === kid && order.org_id === orgId && order.decision_no === no;
    if (isOwn) heeded.push({ eventNo: no, runs: parseRuns(order.seq_no) });
    else unheeded.push(path);
  }
  return { heeded: heeded.sort((a, b) => a.eventNo - b.eventNo), unheeded };
}
