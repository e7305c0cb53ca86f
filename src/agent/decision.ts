import { nodeCrypto } from '../node/light.ts';
import {
  chainHash,
  type Disclosures,
  disclosuresFit,
  fromBase64Url,
  isMembers,
  type JsonObject,
  type OperationRecord,
  ProtocolError,
  parseLeftDisclosures,
  parseReceipt,
  parseStoredRecord,
  payloadHash,
  type Receipt,
  recordSignedBytes,
  StrictVerifier,
  shownPayload,
  thumbprint,
} from '../protocol/light.ts';
import { digestOf } from './actions/contents.ts';
import { PROFILE } from './actions/operations.ts';
import type { Question } from './actions/session-options.ts';
import { AgentError } from './agent-error.ts';

/** A person's decision whose record and receipt were checked. */
export interface CheckedDecision {
  readonly outcome: string;
  /** Who decided, by the record itself: the address of an account. */
  readonly by: string;
  readonly justification: string | null;
  /** The record of the decision, for the `cause` of what is done upon it. */
  readonly operationId: string;
  /** The name of the key that signed it (RFC 7638): of a person's browser. */
  readonly keyThumbprint: string;
  readonly record: OperationRecord;
  readonly disclosures: Disclosures;
  readonly receipt: Receipt;
}

/** A decision was made, and it does not let the action be carried out. */
export class DecisionError extends AgentError {
  readonly decision: CheckedDecision;

  constructor(code: 'DECISION_REFUSED' | 'DECIDED_ON_OTHER_THAN_ASKED', message: string, decision: CheckedDecision) {
    super(code, message);
    this.decision = decision;
  }
}

/** Who asked, and whose decisions count. */
export interface DecisionTerms {
  readonly orgId: string;
  readonly agentId: string;
  /** Thumbprints of keys; where they are given, a decision by any other key does not count. */
  readonly deciders: readonly string[] | undefined;
  /** Checks the service's signature. @throws AgentError RECEIPT_INVALID */
  readonly checkReceipt: (receipt: Receipt) => Promise<void>;
}

const unproven = (why: string, cause?: unknown): AgentError =>
  new AgentError('DECISION_UNPROVEN', `the decision is not proven: ${why}`, cause === undefined ? {} : { cause });

const verifier = new StrictVerifier(nodeCrypto);

/** What is looked at of a member that may be anything. */
function membersOf(value: unknown): { readonly [member: string]: unknown } {
  return isMembers(value) ? value : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** What the service answers, in its forms; none of it is known to be so. @throws AgentError ANSWER_INVALID */
function parseAnswer(value: unknown) {
  const { operation, decider } = membersOf(value);
  const { eor, ear, disclosures } = membersOf(operation);
  try {
    return {
      record: parseStoredRecord(eor),
      receipt: parseReceipt(ear),
      disclosures: parseLeftDisclosures(disclosures ?? {}),
      publicKey: fromBase64Url(textOf(membersOf(membersOf(decider)['key'])['public_key']) ?? '', 32),
    };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new AgentError('ANSWER_INVALID', `the service's answer is not a decision: ${error.message}`);
  }
}

/** The payload as its reader sees it. @throws AgentError DECISION_UNPROVEN where it is not the one that was signed */
function payloadOf({ payload, payload_hash }: OperationRecord, disclosures: Disclosures): JsonObject {
  if (payload === undefined || payloadHash(payload, nodeCrypto.sha256) !== payload_hash) {
    throw unproven('its payload is not the one that was signed');
  }
  if (!disclosuresFit(payload, disclosures))
    throw unproven('the members of its payload are not those that were signed');
  return shownPayload(payload, disclosures);
}

/**
 * Checks what a service answers as the decision on a question. What is signed is the record, by the person's key, and by the service that
 * it took this record from the person's own agent; whose key it is, is the service's word unless `deciders` says so.
 * @throws AgentError ANSWER_INVALID, DECISION_UNPROVEN; DecisionError DECISION_REFUSED, DECIDED_ON_OTHER_THAN_ASKED
 */
export async function checkDecision(
  answer: unknown,
  question: Question,
  { orgId, agentId, deciders, checkReceipt }: DecisionTerms,
): Promise<CheckedDecision> {
  const { record, receipt, disclosures, publicKey } = parseAnswer(answer);
  const message = recordSignedBytes(record);
  const signature = fromBase64Url(record.signature, 64);
  const isSigned = await verifier.holds({ publicKey, message, signature });
  if (!isSigned) throw unproven('its signature does not verify');
  const isReceiptOf =
    receipt.chain_hash === chainHash(message, signature, nodeCrypto.sha256) &&
    receipt.operation_id === record.operation_id &&
    receipt.agent_id === record.agent_id &&
    receipt.org_id === record.org_id;
  if (!isReceiptOf) throw unproven('its receipt is for another record');
  try {
    await checkReceipt(receipt);
  } catch (error) {
    if (!(error instanceof AgentError && error.code === 'RECEIPT_INVALID')) throw error;
    throw unproven(error.message, error);
  }
  if (record.org_id !== orgId) throw unproven('it was made in another organization');
  if (record.agent_id === agentId) throw unproven('the agent that asked signed it itself');
  const keyThumbprint = thumbprint(publicKey);
  if (deciders !== undefined && !deciders.includes(keyThumbprint)) {
    throw unproven(`the key ${keyThumbprint} is not one of those that may decide`);
  }
  const payload = payloadOf(record, disclosures);
  const decision = membersOf(payload['decision']);
  const checked: CheckedDecision = {
    outcome: textOf(decision['outcome']) ?? '',
    by: textOf(membersOf(decision['by'])['id']) ?? '',
    justification: textOf(decision['justification']),
    operationId: record.operation_id,
    keyThumbprint,
    record,
    disclosures,
    receipt,
  };
  needPermission(payload, question, checked);
  return checked;
}

/** @throws DecisionError unless exactly what was asked is permitted */
function needPermission(payload: JsonObject, question: Question, checked: CheckedDecision): void {
  const { action, operationId, presentedDigest } = question;
  const decision = membersOf(payload['decision']);
  const other = (what: string): DecisionError =>
    new DecisionError('DECIDED_ON_OTHER_THAN_ASKED', `the decision is about ${what}`, checked);
  const isDecision = payload['profile'] === PROFILE && payload['phase'] === 'decided';
  if (!isDecision || payload['action_id'] !== action.actionId || decision['of'] !== operationId) {
    throw other('another question');
  }
  const { outcome, by, justification } = checked;
  if (outcome === 'denied' || outcome === 'expired') {
    const why = justification === null ? '' : `: ${justification}`;
    throw new DecisionError('DECISION_REFUSED', `${outcome} by ${by}${why}`, checked);
  }
  if (presentedDigest !== null && decision['presented_digest'] !== presentedDigest) {
    throw other('something else than was presented');
  }
  const isUnchanged = outcome === 'approved' || outcome === 'overridden';
  if (!isUnchanged || decision['input_digest'] !== digestOf(action.salt, action.input)) throw other('another input');
}
