import { hash } from 'node:crypto';
import { formatTime } from '../../../src/protocol/index.ts';
import { nonceKey, operationIdKey } from '../../../src/service/ledger/operation-index/record-keys.ts';
import type { OperationRow } from '../../../src/service/store/schema.ts';
import { auditRecord } from '../audit-records.ts';

/** What can tell whether an operation id or a nonce is known, beside the ledger that it is derived from. */
export interface NameEngine {
  /** The newest sequence number whose names are known. */
  readonly last: number;
  /** Adds random names, one id and one nonce for each sequence number, as fast as possible, and closes the engine. */
  fill(first: number, last: number): Promise<void>;
  /** How many of the records have an id or a nonce that is known. */
  known(rows: readonly OperationRow[]): number;
  /** Commits records to the ledger as the service does; their names are known when it returns. */
  commit(rows: readonly OperationRow[]): Promise<void>;
  /** Waits until nothing is left to do in the background. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export const ORG = 'org-1';

const [HASH, SIGNATURE] = [Buffer.alloc(32, 5), Buffer.alloc(64, 6)];

/** About as long as what an agent's action typically has to say. */
const PAYLOAD = JSON.stringify({ text: 'x'.repeat(380) });

/** A record of that sequence number, the same in each run and for each engine. */
export function rowOf(seqNo: number): OperationRow {
  const { agent, operationType, subject } = auditRecord(seqNo);
  const digest = hash('sha256', `${seqNo}`, 'hex');
  const uuid = (at: number): string =>
    `${digest.slice(at, at + 8)}-${digest.slice(at + 8, at + 12)}-4${digest.slice(at + 13, at + 16)}-8${digest.slice(at + 17, at + 20)}-${digest.slice(at + 20, at + 32)}`;
  const receivedAt = 1_700_000_000_000 + seqNo;
  return {
    orgId: ORG,
    seqNo,
    operationId: uuid(0),
    agentId: `agent-${agent}`,
    issuedAt: formatTime(receivedAt - 20),
    issuedAtMs: receivedAt - 20,
    ttlMs: 60_000,
    nonce: digest.slice(32, 56),
    operationType,
    subject,
    action: 'write',
    payload: PAYLOAD,
    payloadHash: HASH,
    prevChainHash: HASH,
    agentPubkeyKid: 'key-1',
    signature: SIGNATURE,
    receiptId: uuid(32),
    chainHash: HASH,
    receivedAt,
    serviceKid: 'service-key',
    serviceSignature: SIGNATURE,
    leafHash: HASH,
    disclosuresNo: null,
  };
}

export function rowsOf(first: number, last: number): OperationRow[] {
  return Array.from({ length: last - first + 1 }, (_, at) => rowOf(first + at));
}

/** The keys of a record's id and nonce, as the index makes them. */
export function keysOf({ operationId, agentId, nonce }: OperationRow): [number, number] {
  return [operationIdKey(ORG, operationId), nonceKey(ORG, agentId, nonce)];
}

/** The names of records, in the order of their keys. */
export function namesInOrder(rows: readonly OperationRow[]): [key: number, seqNo: number][] {
  return rows.flatMap((row) => keysOf(row).map((key): [number, number] => [key, row.seqNo])).sort(([a], [b]) => a - b);
}
