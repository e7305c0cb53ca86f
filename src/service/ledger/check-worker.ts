import { workerData } from 'node:worker_threads';
import { nodeCrypto, serveRequests } from '../../node/index.ts';
import { type Json, parseJsonBytes, type SignatureCheck, StrictVerifier } from '../../protocol/light.ts';
import {
  type CheckAnswer,
  type CheckRequest,
  type CheckWorkerData,
  keyName,
  type PackedRecord,
  packRecord,
  unpackBodies,
} from './check-messages.ts';
import { hasItsPayload, prepareRecord, readSubmission } from './check-record.ts';

/*
 * A thread beside the ledger's own: reads the bodies of requests, and checks what can be said of a record without the
 * database. It only ever says that a record is sound. Whatever it does not say so of, the ledger's own thread looks at
 * itself, by the one code that words errors: so nothing is refused here, and nobody waits for a thread that has ended.
 */
const { maxPayloadBytes, maxRecords } = workerData as CheckWorkerData;
const keys = new Map<string, Uint8Array>();
const verifier = new StrictVerifier(nodeCrypto);

/** A record that is sound if its signature is. */
interface Read {
  readonly packed: PackedRecord;
  readonly check: SignatureCheck;
}

function readRecord(value: unknown): Read | null {
  try {
    const submitted = readSubmission(value, maxPayloadBytes);
    const publicKey = keys.get(keyName(submitted.record));
    if (publicKey === undefined) return null;
    const prepared = prepareRecord(submitted);
    if (!hasItsPayload(prepared)) return null;
    const { signedBytes: message, signature } = prepared;
    return { packed: packRecord(prepared), check: { publicKey, message, signature } };
  } catch {
    // The ledger's own thread comes to the same error, and tells the caller of it.
    return null;
  }
}

function recordsOf(value: Json): readonly Json[] | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { records, ...others } = value as { readonly [member: string]: Json };
  const isBatch = Array.isArray(records) && records.length > 0 && records.length <= maxRecords;
  return isBatch && Object.keys(others).length === 0 ? records : null;
}

function readBody(bytes: Uint8Array, isBatch: boolean): (Read | null)[] | null {
  try {
    const value = parseJsonBytes(bytes, { printed: true });
    return isBatch ? (recordsOf(value)?.map(readRecord) ?? null) : [readRecord(value)];
  } catch {
    // As above.
    return null;
  }
}

async function check(buffer: ArrayBuffer): Promise<CheckAnswer> {
  const bodies = unpackBodies(buffer).map(({ bytes, isBatch }) => readBody(bytes, isBatch));
  const found = bodies.flatMap((body) => body ?? []).filter((read) => read !== null);
  const answers = await verifier.verify(found.map((read) => read.check));
  const sound = new Set(found.filter((_, index) => answers[index] === true));
  return bodies.map((body) => body?.map((read) => (read !== null && sound.has(read) ? read.packed : null)) ?? null);
}

serveRequests<CheckRequest, CheckAnswer>((request) => {
  if (request.kind === 'bodies') return check(request.buffer);
  if (request.kind === 'key') keys.set(request.name, request.publicKey);
  else keys.clear();
  return [];
});
