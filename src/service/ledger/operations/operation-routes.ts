import type { BatchResult, OperationVerification } from '../../../api/index.ts';
import { nodeCrypto } from '../../../node/index.ts';
import {
  chainHash,
  disclosuresFit,
  epochSignedBytes,
  equalBytes,
  formatDigest,
  fromBase64Url,
  parseJson,
  payloadHash,
  type Receipt,
  receiptLeafHash,
  receiptSignedBytes,
  recordSignedBytes,
  StrictVerifier,
  unlessRefused,
} from '../../../protocol/index.ts';
import type { Answer, Call, Handlers, Member } from '../../http/handler.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { and, eq } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { agentKeys, agents, type OperationRow, serviceKeys } from '../../store/schema.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import { claimsOf, type Refusals } from '../admin-log/refusals/refusals.ts';
import type { Submitter } from '../check-record.ts';
import { epochOf, proveInclusion } from '../epochs/epoch-queries.ts';
import type { Ledger } from '../ledger.ts';
import type { OperationIndex } from '../operation-index/operation-index.ts';
import type { Submission } from '../submission-queue.ts';
import { operationRecord, receipt } from '../views.ts';
import { storedDisclosures } from './disclosures-table.ts';
import { type ErasedOperation, type Erasure, erasePayload } from './erase-payload.ts';
import { findOperation, type OperationSource } from './operation-queries.ts';

const verifier = new StrictVerifier(nodeCrypto);

interface Link {
  readonly chainHash: Buffer;
  readonly prevChainHash: Buffer | null;
}

async function signedBy(publicKey: string | undefined, message: Uint8Array, signature: Uint8Array): Promise<boolean> {
  if (publicKey === undefined) return false;
  return verifier.holds({ publicKey: fromBase64Url(publicKey, 32), message, signature });
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
  return unlessRefused(() => {
    const value = payload === null ? null : parseJson(payload);
    const isPayload = payload === null || payloadHash(value, nodeCrypto.sha256) === expected;
    return isPayload && disclosuresFit(value, storedDisclosures(store, disclosuresNo), nodeCrypto.sha256);
  }, false);
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
async function verifyStoredOperation(source: OperationSource, row: OperationRow): Promise<OperationVerification> {
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

interface OperationDeps extends WriteAccess {
  readonly index: OperationIndex;
  readonly ledger: Ledger;
  /** Notes what is refused. */
  readonly refusals: Refusals;
  /** Throws where something holds a record, within the transaction that would erase. */
  readonly refuseHeld: Erasure['refuseHeld'];
  /** Called within the transaction of an erasure: deletes the rows of copies. @returns removes their files, after the commit */
  readonly onErased: (store: WritableStore, erased: ErasedOperation) => () => Promise<void>;
}

/** What became of one record of a batch. An error that is not the caller's fails the request as a whole. */
function batchResult(result: PromiseSettledResult<Submission>, requestId: string): BatchResult {
  if (result.status === 'fulfilled') {
    const { receipt, repeated } = result.value;
    return { status: repeated ? 200 : 201, receipt };
  }
  if (!(result.reason instanceof ServiceError)) throw result.reason;
  const { code, message, details, status } = result.reason;
  return { status, error: { code, message, ...details, request_id: requestId } };
}

/** Seconds after which the index of operations has come after, if it can. */
const RETRY_AFTER = 5;

/** @throws ServiceError OVERLOADED while the index can't keep up: records not yet in it are held in memory */
function checkRoom({ isBehind }: OperationIndex): void {
  if (isBehind) {
    throw new ServiceError('OVERLOADED', 'the index of operations is behind: try again', {}, RETRY_AFTER);
  }
}

/** Refused bodies beyond this are not read once more only to say whose they claim to be. */
const READ_BYTES = 64 * 1024;

function readSmall(bytes: Uint8Array): unknown {
  if (bytes.length > READ_BYTES) return undefined;
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Notes why a submission was refused, unless the service itself was in no state to take it. */
function noteRefused(
  refusals: Refusals,
  error: unknown,
  { orgId, address, record }: { readonly orgId: string; readonly address: string; readonly record: () => unknown },
): void {
  if (!(error instanceof ServiceError) || error.status >= 500) return;
  refusals.note({ orgId, kind: 'submission', code: error.code, userId: null, address, ...claimsOf(record()) });
}

function submitterOf({ orgId, submitsFor }: Member): Submitter {
  return { orgId, onlyAgent: submitsFor, person: null };
}

export function operationRoutes({ onErased, refuseHeld, store, index, ledger, writer, now, refusals }: OperationDeps) {
  const submitOne = async (
    submitter: Submitter,
    { body, address }: Pick<Call<'submitOperation'>, 'body' | 'address'>,
  ): Promise<Answer<Receipt>> => {
    checkRoom(index);
    const { receipt, repeated } = await ledger.submit(submitter, body).catch((error: unknown): never => {
      noteRefused(refusals, error, { orgId: submitter.orgId, address, record: () => readSmall(body.bytes) });
      throw error;
    });
    const logSize = ledger.sealed(submitter.orgId);
    return repeated ? { body: receipt, status: 200, logSize } : { body: receipt, logSize };
  };
  return {
    submitOperation: (call) => submitOne(submitterOf(call.caller), call),
    // The route wants a session with a fresh sign-in: whoever holds a token of whatever kind is no person who decides.
    submitDecision: (call) =>
      submitOne({ orgId: call.caller.orgId, onlyAgent: null, person: call.caller.userId }, call),
    submitBatch: async ({ body, caller, address, requestId }) => {
      checkRoom(index);
      const settled = await ledger.submitAll(submitterOf(caller), {
        bytes: body.bytes,
        parsed: () => body.parsed().records,
      });
      const refused = settled.some(({ status }) => status === 'rejected');
      const records = refused ? Object(readSmall(body.bytes))['records'] : undefined;
      settled.forEach((result, n) => {
        if (result.status === 'fulfilled') return;
        const record = (): unknown => (Array.isArray(records) ? records[n] : undefined);
        noteRefused(refusals, result.reason, { orgId: caller.orgId, address, record });
      });
      const results = settled.map((result) => batchResult(result, requestId));
      return { body: { results }, logSize: ledger.sealed(caller.orgId) };
    },
    eraseOperation: async ({ body: { reason, members }, caller, param }) => {
      const operationId = param('operation_id');
      const { orgId, userId: actor } = caller;
      const { erased, removeCopies } = await writer.transact((store) => {
        const asked = { orgId, actor, operationId, members, reason, now: now(), refuseHeld };
        const erased = erasePayload({ store, index }, asked);
        return { erased, removeCopies: onErased(store, erased) };
      });
      await removeCopies();
      // Overwritten in the database; the log that led there is emptied as well.
      await writer.emptyLog();
      return { body: { operation_id: operationId, seq_no: erased.seqNo, erased: true } };
    },
    verifyOperation: async ({ caller, param }) => ({
      body: await verifyStoredOperation(
        { store, index },
        findOperation({ store, index }, caller.orgId, param('operation_id')),
      ),
    }),
  } satisfies Partial<Handlers>;
}
