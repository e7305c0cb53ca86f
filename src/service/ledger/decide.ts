import { formatDigest, MAX_CLOCK_LEAD_MS } from '../../protocol/index.ts';
import { ServiceError } from '../store/base/service-error.ts';
import type { OperationRow } from '../store/schema.ts';
import type { CheckedRecord } from './check-record.ts';
import type { SubmissionView } from './ledger-store.ts';

/** What all records of a commit are held to. Times are in milliseconds. */
export interface CommitBounds {
  /** What the machine's clock says. */
  readonly now: number;
  /** What the receipts would state, later than now where the clock stepped back; or why nothing is signed now. */
  readonly stamp: number | ServiceError;
  /** Why there is no room for a record. Asked of what is accepted but for that, which then has its room. */
  readonly noRoom: (record: CheckedRecord) => ServiceError | null;
}

/** How soon a record is tried again that the ledger's times hold back, in seconds. */
const RETRY_SECONDS = 30;

/** What becomes of a submission. */
export type Decision =
  | { readonly kind: 'accept' }
  /** The same record was accepted before: its receipt is given again. */
  | { readonly kind: 'repeat'; readonly row: OperationRow }
  /** The same record stands earlier in this batch, at this index. */
  | { readonly kind: 'repeat-of'; readonly index: number }
  | { readonly kind: 'reject'; readonly error: ServiceError };

function reject(...args: ConstructorParameters<typeof ServiceError>): Decision {
  return { kind: 'reject', error: new ServiceError(...args) };
}

/**
 * Steps 8 to 13 of protocol F50 for a batch, in order, each record seeing those accepted before it. Pure but for the room that it
 * asks for: what the ledger knew before the batch comes in as views.
 */
export function decide(
  batch: readonly CheckedRecord[],
  views: readonly SubmissionView[],
  { now, stamp, noRoom }: CommitBounds,
): Decision[] {
  const accepted = new Map<string, number>();
  const nonces = new Set<string>();
  const heads = new Map<string, string>();

  return batch.map((checked, index): Decision => {
    const { record, issuedAt, chainHash } = checked;
    const view = views[index];
    // NUL occurs in none of these: the joined names are unambiguous.
    const agentName = `${record.org_id}\0${record.agent_id}`;
    const operationName = `${record.org_id}\0${record.operation_id.toLowerCase()}`;
    const nonceName = `${agentName}\0${record.nonce}`;
    if (view === undefined || view.agent === null) {
      return reject('UNKNOWN_AGENT', `agent_id: no agent "${record.agent_id}" is registered in the organization`);
    }
    // The chain hash covers the signed bytes and the signature: the same hash is the same record.
    const earlier = accepted.get(operationName);
    const knownHash =
      earlier !== undefined
        ? batch[earlier]?.chainHash
        : view.sameOperation && formatDigest(view.sameOperation.chainHash);
    if (knownHash) {
      if (knownHash !== chainHash) {
        return reject('REPLAY_DETECTED', 'operation_id: was used by another operation already');
      }
      return earlier !== undefined
        ? { kind: 'repeat-of', index: earlier }
        : { kind: 'repeat', row: view.sameOperation as OperationRow };
    }
    if (view.agent.status === 'frozen') return reject('AGENT_FROZEN', 'agent_id: the agent is frozen');
    if (view.keyStatus !== 'active') return reject('KEY_REVOKED', 'agent_pubkey_kid: the key is revoked');
    if (typeof stamp !== 'number') return { kind: 'reject', error: stamp };
    if (issuedAt + record.ttl_ms < now) {
      return reject('TTL_EXPIRED', `issued_at, ttl_ms: the record expired ${now - issuedAt - record.ttl_ms} ms ago`);
    }
    if (issuedAt > stamp + MAX_CLOCK_LEAD_MS) {
      return reject('VALIDATION_ERROR', "issued_at: is more than five minutes ahead of the service's clock");
    }
    // A verifier would find the record late, although it is not: it is the ledger that has to be led back.
    if (issuedAt + record.ttl_ms < stamp) {
      const ahead = `${Math.ceil((stamp - now) / 1000)} s`;
      const message = `the times of the ledger are ${ahead} ahead of the service's clock: an owner of the home organization has to correct them. Try again later`;
      return reject('CLOCK_IN_DOUBT', message, {}, RETRY_SECONDS);
    }
    if (view.nonceUsed || nonces.has(nonceName)) {
      return reject('REPLAY_DETECTED', 'nonce: the agent used it before');
    }
    const head = heads.get(agentName) ?? view.agent.headChainHash;
    if (record.prev_chain_hash !== head) {
      return reject('PREV_HASH_MISMATCH', "prev_chain_hash: is not the chain hash of the agent's newest operation", {
        expected_prev_chain_hash: head,
      });
    }
    const full = noRoom(checked);
    if (full !== null) return { kind: 'reject', error: full };
    accepted.set(operationName, index);
    nonces.add(nonceName);
    heads.set(agentName, chainHash);
    return { kind: 'accept' };
  });
}
