import { and, asc, desc, eq, gt, lt, or, sql } from 'drizzle-orm';
import type { OperationVerification } from '../../contract/index.ts';
import { nodeCrypto } from '../../host/index.ts';
import {
  chainHash,
  epochSignedBytes,
  equalBytes,
  formatDigest,
  fromBase64Url,
  ProtocolError,
  parseDigest,
  parseJson,
  payloadHash,
  receiptLeafHash,
  receiptSignedBytes,
  recordSignedBytes,
  StrictVerifier,
  verifyInclusion,
} from '../../protocol/index.ts';
import { epochOf, inclusionIn, leavesOf } from '../epochs/queries.ts';
import { operationRecord, receipt } from '../ledger/views.ts';
import type { Store } from '../store/open.ts';
import { agentKeys, agents, type OperationRow, operations, serviceKeys } from '../store/schema.ts';

const verifier = new StrictVerifier(nodeCrypto);

async function signedBy(publicKey: string | undefined, message: Uint8Array, signature: Uint8Array): Promise<boolean> {
  if (publicKey === undefined) return false;
  return (await verifier.verify([{ publicKey: fromBase64Url(publicKey, 32), message, signature }]))[0] === true;
}

/** Whether the stored chain hash follows from the record and links to the agent's records before and after it. */
function chainIsValid({ db }: Store, row: OperationRow, signedBytes: Uint8Array): boolean {
  const ofAgent = and(eq(operations.orgId, row.orgId), eq(operations.agentId, row.agentId));
  const neighbour = { chainHash: operations.chainHash, prevChainHash: operations.prevChainHash };
  const before = db
    .select(neighbour)
    .from(operations)
    .where(and(ofAgent, lt(operations.seqNo, row.seqNo)))
    .orderBy(desc(operations.seqNo))
    .get();
  const after = db
    .select(neighbour)
    .from(operations)
    .where(and(ofAgent, gt(operations.seqNo, row.seqNo)))
    .orderBy(asc(operations.seqNo))
    .get();
  const same = (a: Uint8Array | null | undefined, b: Uint8Array | null | undefined): boolean =>
    a == null || b == null ? (a ?? null) === (b ?? null) : equalBytes(a, b);
  return (
    row.signature.length === 64 &&
    chainHash(signedBytes, row.signature, nodeCrypto.sha256) === formatDigest(row.chainHash) &&
    same(row.prevChainHash, before?.chainHash) &&
    (after === undefined || same(after.prevChainHash, row.chainHash))
  );
}

function payloadIsValid(payload: string, expected: string): boolean {
  try {
    return payloadHash(parseJson(payload), nodeCrypto.sha256) === expected;
  } catch (error) {
    if (error instanceof ProtocolError) return false;
    throw error;
  }
}

/** Whether neither the nonce nor the operation_id stands twice: the indexes say so, and are not taken at their word. */
function isUnique({ db }: Store, row: OperationRow): boolean {
  const sameNonce = and(eq(operations.agentId, row.agentId), eq(operations.nonce, row.nonce));
  const others = db
    .select({ count: sql<number>`count(*)` })
    .from(operations)
    .where(and(eq(operations.orgId, row.orgId), or(eq(operations.operationId, row.operationId), sameNonce)))
    .get();
  return others?.count === 1;
}

async function epochIsValid(store: Store, row: OperationRow, leaf: Uint8Array): Promise<boolean | null> {
  const epoch = epochOf(store, row.orgId, row.seqNo);
  if (epoch === null) return null;
  const key = store.db.select().from(serviceKeys).where(eq(serviceKeys.kid, epoch.service_kid)).get();
  const leaves = leavesOf(store, epoch);
  // Without all of its records there is no proof of any.
  if (leaves.length !== epoch.leaf_count) return false;
  const inclusion = inclusionIn(epoch, leaves, row.seqNo);
  return (
    (await signedBy(key?.publicKey, epochSignedBytes(epoch), fromBase64Url(epoch.signature_by_service, 64))) &&
    verifyInclusion(
      {
        leafHash: leaf,
        leafIndex: inclusion.leaf_index,
        treeSize: epoch.leaf_count,
        path: inclusion.path.map(parseDigest),
        root: parseDigest(epoch.root_hash),
      },
      nodeCrypto.sha256,
    )
  );
}

/** Verifies one stored operation anew, from its stored bytes (docs/interface.md, Operations). */
export async function verifyStoredOperation(store: Store, row: OperationRow): Promise<OperationVerification> {
  const { db } = store;
  // Without the payload, which somebody may have made into something that is not JSON.
  const record = operationRecord({ ...row, payload: null });
  const ear = receipt(row);
  const signedBytes = recordSignedBytes(record);
  const receiptBytes = receiptSignedBytes(ear);
  const leaf = receiptLeafHash(receiptBytes, nodeCrypto.sha256);
  const ofAgent = and(eq(agents.orgId, row.orgId), eq(agents.agentId, row.agentId));
  const agent = db.select().from(agents).where(ofAgent).get();
  const key = db
    .select()
    .from(agentKeys)
    .where(
      and(eq(agentKeys.orgId, row.orgId), eq(agentKeys.agentId, row.agentId), eq(agentKeys.kid, row.agentPubkeyKid)),
    )
    .get();
  const serviceKey = db.select().from(serviceKeys).where(eq(serviceKeys.kid, row.serviceKid)).get();
  const checks = {
    signature_valid: await signedBy(key?.publicKey, signedBytes, row.signature),
    chain_hash_valid: chainIsValid(store, row, signedBytes),
    ttl_valid: row.receivedAt <= row.issuedAtMs + row.ttlMs,
    replay_check: isUnique(store, row),
    agent_status: agent === undefined ? 'unknown' : agent.deletedAt !== null ? 'deleted' : agent.status,
    payload_hash_valid: row.payload === null || payloadIsValid(row.payload, record.payload_hash),
    receipt_valid:
      equalBytes(leaf, row.leafHash) && (await signedBy(serviceKey?.publicKey, receiptBytes, row.serviceSignature)),
    epoch_valid: await epochIsValid(store, row, leaf),
  };
  const { agent_status: _, epoch_valid: epochValid, ...answers } = checks;
  return { valid: Object.values(answers).every(Boolean) && epochValid !== false, checks };
}
