import type { OperationVerification } from '../../../api/index.ts';
import { nodeCrypto } from '../../../node/index.ts';
import {
  chainHash,
  disclosuresFit,
  epochSignedBytes,
  equalBytes,
  formatDigest,
  fromBase64Url,
  ProtocolError,
  parseJson,
  payloadHash,
  receiptLeafHash,
  receiptSignedBytes,
  recordSignedBytes,
  StrictVerifier,
} from '../../../protocol/index.ts';
import { and, eq } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { agentKeys, agents, type OperationRow, serviceKeys } from '../../store/schema.ts';
import { epochOf, proveInclusion } from '../epochs/epoch-queries.ts';
import { operationRecord, receipt } from '../views.ts';
import { storedDisclosures } from './disclosures-table.ts';
import type { OperationSource } from './operation-queries.ts';

const verifier = new StrictVerifier(nodeCrypto);

interface Link {
  readonly chainHash: Buffer;
  readonly prevChainHash: Buffer | null;
}

async function signedBy(publicKey: string | undefined, message: Uint8Array, signature: Uint8Array): Promise<boolean> {
  if (publicKey === undefined) return false;
  return (await verifier.verify([{ publicKey: fromBase64Url(publicKey, 32), message, signature }]))[0] === true;
}

/** Whether the stored chain hash follows from the record and links to the agent's records before and after it. */
function chainIsValid({ store, index }: OperationSource, row: OperationRow, signedBytes: Uint8Array): boolean {
  const { orgId, agentId, seqNo } = row;
  const link = store.sqlite.prepare(
    'SELECT chain_hash AS chainHash, prev_chain_hash AS prevChainHash FROM operations WHERE org_id = ? AND seq_no = ?',
  );
  const linkOf = (no: number | undefined): Link | undefined =>
    no === undefined ? undefined : (link.get(orgId, no) as Link | undefined);
  const before = linkOf(index.ofAgent(orgId, agentId, { before: seqNo }, 1)[0]);
  const after = linkOf(index.ofAgent(orgId, agentId, { after: seqNo }, 1)[0]);
  const same = (a: Uint8Array | null | undefined, b: Uint8Array | null | undefined): boolean =>
    a == null || b == null ? (a ?? null) === (b ?? null) : equalBytes(a, b);
  return (
    row.signature.length === 64 &&
    chainHash(signedBytes, row.signature, nodeCrypto.sha256) === formatDigest(row.chainHash) &&
    same(row.prevChainHash, before?.chainHash) &&
    (after === undefined || same(after.prevChainHash, row.chainHash))
  );
}

/** Whether payload and disclosures are what the record names. */
function payloadIsValid(store: Store, { payload, disclosuresNo }: OperationRow, expected: string): boolean {
  try {
    const value = payload === null ? null : parseJson(payload);
    const isPayload = payload === null || payloadHash(value, nodeCrypto.sha256) === expected;
    return isPayload && disclosuresFit(value, storedDisclosures(store, disclosuresNo), nodeCrypto.sha256);
  } catch (error) {
    if (error instanceof ProtocolError) return false;
    throw error;
  }
}

async function epochIsValid({ store }: OperationSource, row: OperationRow, leaf: Uint8Array): Promise<boolean | null> {
  const epoch = epochOf(store, row.orgId, row.seqNo);
  if (epoch === null) return null;
  const key = store.db.select().from(serviceKeys).where(eq(serviceKeys.kid, epoch.service_kid)).get();
  return (
    (await signedBy(key?.publicKey, epochSignedBytes(epoch), fromBase64Url(epoch.signature_by_service, 64))) &&
    proveInclusion(store, epoch, row.seqNo, leaf) !== null
  );
}

/** Verifies one stored operation again, from its stored bytes (docs/interface.md, Operations). */
export async function verifyStoredOperation(
  source: OperationSource,
  row: OperationRow,
): Promise<OperationVerification> {
  const { db } = source.store;
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
    chain_hash_valid: chainIsValid(source, row, signedBytes),
    ttl_valid: row.receivedAt <= row.issuedAtMs + row.ttlMs,
    replay_check: source.index.isUnique(row.orgId, row),
    agent_status: agent === undefined ? 'unknown' : agent.deletedAt !== null ? 'deleted' : agent.status,
    payload_hash_valid: payloadIsValid(source.store, row, record.payload_hash),
    receipt_valid:
      equalBytes(leaf, row.leafHash) && (await signedBy(serviceKey?.publicKey, receiptBytes, row.serviceSignature)),
    epoch_valid: await epochIsValid(source, row, leaf),
  };
  const { agent_status: _, epoch_valid: epochValid, ...answers } = checks;
  return { valid: Object.values(answers).every(Boolean) && epochValid !== false, checks };
}
