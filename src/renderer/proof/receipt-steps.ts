import {
  decodeUtf8,
  fromBase64Url,
  receiptLeafHash,
  receiptSignedBytes,
  thumbprint,
  verifyEd25519,
} from '../../protocol/index.ts';
import type { ServiceKeys, StoredOperation } from '../api/answers.ts';
import { hexOf, type Step, withoutWork } from './step.ts';
import { RECEIPT_STEPS, RULES } from './texts.ts';

/** That the receipt is of this record. */
export function receiptStep({ eor, ear }: StoredOperation): Step {
  const members = ['operation_id', 'org_id', 'agent_id'] as const;
  const wrong = members.filter((member) => eor[member] !== ear[member]);
  return {
    id: 'receipt',
    title: RECEIPT_STEPS.receipt,
    rule: RULES.receipt,
    outcome: wrong.length === 0 ? 'pass' : 'fail',
    sentence: wrong.length === 0 ? RECEIPT_STEPS.namesThis : RECEIPT_STEPS.namesAnother(wrong.join(', ')),
    operands: members.map((member) => ({ label: member, value: ear[member], bad: wrong.includes(member) })),
  };
}

/** A signature by the service, over any of its statements. */
export function serviceSignatureStep(
  about: Pick<Step, 'id' | 'title' | 'rule'>,
  statement: { readonly bytes: Uint8Array; readonly kid: string; readonly signature: string },
  keys: ServiceKeys | undefined,
): Step {
  const key = keys?.keys.find(({ kid }) => kid === statement.kid);
  if (key === undefined) return withoutWork(about, 'cannot_check', RECEIPT_STEPS.keyNotPublished(statement.kid));
  const publicKey = fromBase64Url(key.x, 32);
  const signature = fromBase64Url(statement.signature, 64);
  const isNamed = thumbprint(publicKey) === statement.kid;
  const holds = verifyEd25519({ publicKey, message: statement.bytes, signature });
  return {
    ...about,
    outcome: isNamed && holds ? 'pass' : 'fail',
    sentence: isNamed && holds ? RECEIPT_STEPS.signed : RECEIPT_STEPS.invalid,
    operands: [
      { label: RECEIPT_STEPS.statement, value: decodeUtf8(statement.bytes) },
      { label: RECEIPT_STEPS.signedBytes, value: hexOf(statement.bytes) },
      { label: RECEIPT_STEPS.serviceKey, value: hexOf(publicKey) },
      { label: RECEIPT_STEPS.thumbprint, value: thumbprint(publicKey), bad: !isNamed },
      { label: RECEIPT_STEPS.signature, value: hexOf(signature), bad: !holds },
    ],
  };
}

export function receiptSignatureStep({ ear }: StoredOperation, keys: ServiceKeys | undefined): Step {
  const about = { id: 'countersignature', title: RECEIPT_STEPS.countersignature, rule: RULES.countersignature };
  const statement = { bytes: receiptSignedBytes(ear), kid: ear.service_kid, signature: ear.service_signature };
  return serviceSignatureStep(about, statement, keys);
}

/** The leaf that the receipt makes in its epoch's tree. */
export function leafOf({ ear }: Pick<StoredOperation, 'ear'>): Uint8Array {
  return receiptLeafHash(receiptSignedBytes(ear));
}
