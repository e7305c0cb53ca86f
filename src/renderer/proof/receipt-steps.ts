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

/** That the receipt is of this record. */
export function receiptStep({ eor, ear }: StoredOperation): Step {
  const members = ['operation_id', 'org_id', 'agent_id'] as const;
  const wrong = members.filter((member) => eor[member] !== ear[member]);
  return {
    id: 'receipt',
    title: 'Receipt of this record',
    rule: 'protocol §5',
    outcome: wrong.length === 0 ? 'pass' : 'fail',
    sentence:
      wrong.length === 0
        ? 'The receipt names this operation, organization and agent.'
        : `The receipt names another ${wrong.join(', ')}.`,
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
  if (key === undefined)
    return withoutWork(about, 'cannot_check', `The service does not publish the key ${statement.kid}.`);
  const publicKey = fromBase64Url(key.x, 32);
  const signature = fromBase64Url(statement.signature, 64);
  const isNamed = thumbprint(publicKey) === statement.kid;
  const holds = verifyEd25519({ publicKey, message: statement.bytes, signature });
  return {
    ...about,
    outcome: isNamed && holds ? 'pass' : 'fail',
    sentence: isNamed && holds ? 'Signed by the service key of this fingerprint.' : 'The signature does not hold.',
    operands: [
      { label: 'JCS(statement)', value: decodeUtf8(statement.bytes) },
      { label: 'Signed bytes', value: hexOf(statement.bytes) },
      { label: 'Service key', value: hexOf(publicKey) },
      { label: 'Its thumbprint', value: thumbprint(publicKey), bad: !isNamed },
      { label: 'Signature', value: hexOf(signature), bad: !holds },
    ],
  };
}

export function receiptSignatureStep({ ear }: StoredOperation, keys: ServiceKeys | undefined): Step {
  const about = { id: 'countersignature', title: "Service's countersignature", rule: 'protocol §2 and §5' };
  const statement = { bytes: receiptSignedBytes(ear), kid: ear.service_kid, signature: ear.service_signature };
  return serviceSignatureStep(about, statement, keys);
}

/** The leaf that the receipt makes in its epoch's tree. */
export function leafOf({ ear }: Pick<StoredOperation, 'ear'>): Uint8Array {
  return receiptLeafHash(receiptSignedBytes(ear));
}
