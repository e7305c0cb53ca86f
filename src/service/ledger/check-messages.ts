import type { RecordCore } from '../../protocol/light.ts';
import type { CheckedRecord } from './check-record.ts';

/** What a thread is started with. */
export interface CheckWorkerData {
  readonly maxPayloadBytes: number;
  /** The most records that a batch may hold. */
  readonly maxRecords: number;
}

/** The body of a request, with one record or a batch of them. */
export interface RecordsBody {
  readonly bytes: Uint8Array;
  readonly isBatch: boolean;
}

/** A registered key, or that all keys are to be forgotten, as notices; bodies to check, packed, as a request. */
export type CheckRequest =
  | { readonly kind: 'key'; readonly name: string; readonly publicKey: Uint8Array }
  | { readonly kind: 'forget' }
  | { readonly kind: 'bodies'; readonly buffer: ArrayBuffer };

/** A sound record as a plain list, which costs least to hand to another thread: texts, numbers, and a null where there is no previous record. */
export type PackedRecord = readonly (string | number | null)[];

/** For each body its records in their order, null for one not found sound; null for a body that is not what it should be. */
export type CheckAnswer = readonly (readonly (PackedRecord | null)[] | null)[];

/** The name under which a key is known: the kid is the agent's own choice, and another agent may choose the same. */
export function keyName({ org_id, agent_id, agent_pubkey_kid }: RecordCore): string {
  // NUL occurs in none of these.
  return `${org_id}\0${agent_id}\0${agent_pubkey_kid}`;
}

/** Bodies in one buffer, which changes threads without being copied: how many, for each its length and kind, then the bytes. */
export function packBodies(bodies: readonly RecordsBody[]): ArrayBuffer {
  const head = 4 * (1 + 2 * bodies.length);
  const buffer = new ArrayBuffer(bodies.reduce((length, { bytes }) => length + bytes.length, head));
  const numbers = new Uint32Array(buffer, 0, head / 4);
  const all = new Uint8Array(buffer);
  numbers[0] = bodies.length;
  let at = head;
  for (const [index, { bytes, isBatch }] of bodies.entries()) {
    numbers[1 + 2 * index] = bytes.length;
    numbers[2 + 2 * index] = isBatch ? 1 : 0;
    all.set(bytes, at);
    at += bytes.length;
  }
  return buffer;
}

/** The bodies that packBodies put into a buffer, as views of it. */
export function unpackBodies(buffer: ArrayBuffer): RecordsBody[] {
  const [count = 0] = new Uint32Array(buffer, 0, 1);
  const numbers = new Uint32Array(buffer, 4, 2 * count);
  let at = 4 * (1 + 2 * count);
  return Array.from({ length: count }, (_, index) => {
    const length = numbers[2 * index] as number;
    const bytes = new Uint8Array(buffer, at, length);
    at += length;
    return { bytes, isBatch: numbers[2 * index + 1] === 1 };
  });
}

/** What a thread hands back of a record that it found sound. */
export function packRecord({
  record,
  issuedAt,
  payload,
  disclosures,
  signature,
  chainHash,
}: Omit<CheckedRecord, 'publicKey'>): PackedRecord {
  return [
    record.operation_id,
    record.org_id,
    record.agent_id,
    record.issued_at,
    record.ttl_ms,
    record.nonce,
    record.operation_type,
    record.subject,
    record.action,
    record.payload_hash,
    record.prev_chain_hash,
    record.agent_pubkey_kid,
    issuedAt,
    payload,
    // Small arrays of bytes cost more to hand over than texts.
    Buffer.from(signature).toString('latin1'),
    chainHash,
    disclosures,
  ];
}

/** The record that packRecord packed. */
export function unpackRecord(packed: PackedRecord): Omit<CheckedRecord, 'publicKey'> {
  return {
    record: {
      op_version: 1,
      operation_id: packed[0] as string,
      org_id: packed[1] as string,
      agent_id: packed[2] as string,
      issued_at: packed[3] as string,
      ttl_ms: packed[4] as number,
      nonce: packed[5] as string,
      operation_type: packed[6] as string,
      subject: packed[7] as string,
      action: packed[8] as string,
      payload_hash: packed[9] as string,
      prev_chain_hash: packed[10] as string | null,
      agent_pubkey_kid: packed[11] as string,
    },
    issuedAt: packed[12] as number,
    payload: packed[13] as string,
    signature: Buffer.from(packed[14] as string, 'latin1'),
    chainHash: packed[15] as string,
    disclosures: packed[16] as string | null,
  };
}
