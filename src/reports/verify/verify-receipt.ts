import {
  chainHash,
  type Epoch,
  epochSignedBytes,
  fromBase64Url,
  type Inclusion,
  isSealedIn,
  type OperationRecord,
  publicKeyFromInput,
  type Receipt,
  receiptLeafHash,
  receiptSignedBytes,
  recordSignedBytes,
  thumbprint,
  verifyEd25519,
} from '../../protocol/index.ts';

/** Whether something holds, and if not, why: a sentence each. */
export interface Judgement {
  readonly valid: boolean;
  readonly problems: readonly string[];
}

/** A receipt, the epoch that seals its record, and its place in the log, as the service tells of an operation. */
export interface ReceiptProof {
  readonly receipt: Receipt;
  readonly epoch: Epoch;
  readonly inclusion: Inclusion;
}

function judged(problems: readonly (string | false)[]): Judgement {
  const found = problems.filter((problem) => problem !== false);
  return { valid: found.length === 0, problems: found };
}

interface Signed {
  readonly what: string;
  readonly kid: string;
  readonly message: Uint8Array;
  readonly signature: string;
}

function signatureProblem({ what, kid, message, signature }: Signed, serviceKeys: readonly string[]): string | false {
  // A kid is computed, not taken: it is the thumbprint of the key that the caller trusts.
  const publicKey = serviceKeys.map(publicKeyFromInput).find((key) => thumbprint(key) === kid);
  if (publicKey === undefined)
    return `The ${what} is signed by the service key ${kid}, which is not among those given.`;
  const holds = verifyEd25519({ publicKey, message, signature: fromBase64Url(signature, 64) });
  return !holds && `The signature on the ${what} does not verify.`;
}

function receiptProblem(receipt: Receipt, serviceKeys: readonly string[]): string | false {
  const { service_kid: kid, service_signature: signature } = receipt;
  return signatureProblem({ what: 'receipt', kid, message: receiptSignedBytes(receipt), signature }, serviceKeys);
}

/**
 * Whether a receipt is signed by a trusted service key: the service then cannot deny the record.
 * @param serviceKeys public keys that the reader trusts, such as `x` in the service's key set, or PEM
 * @throws ProtocolError ENCODING_INVALID, KEY_WEAK for an invalid key; ENCODING_INVALID for an invalid signature
 */
export function verifyReceipt(receipt: Receipt, serviceKeys: readonly string[]): Judgement {
  return judged([receiptProblem(receipt, serviceKeys)]);
}

/**
 * Whether a receipt is for a record, byte for byte. It says nothing of signatures.
 * @throws ProtocolError ENCODING_INVALID
 */
export function verifyReceiptOf(record: OperationRecord, receipt: Receipt): Judgement {
  const members = ['operation_id', 'org_id', 'agent_id'] as const;
  const hash = chainHash(recordSignedBytes(record), fromBase64Url(record.signature, 64));
  return judged([
    ...members.map((member) => record[member] !== receipt[member] && `The receipt names another ${member}.`),
    hash !== receipt.chain_hash && 'The receipt is for another form of the record: its chain_hash differs.',
  ]);
}

/**
 * Whether a single record's receipt and the epoch that seals it are signed by trusted service keys, and the receipt is a
 * leaf of the log that the epoch sealed (protocol F83).
 * @param serviceKeys as for verifyReceipt
 * @throws ProtocolError ENCODING_INVALID, KEY_WEAK
 */
export function verifyReceiptProof(proof: ReceiptProof, serviceKeys: readonly string[]): Judgement {
  const { receipt, epoch, inclusion } = proof;
  const { service_kid: kid, signature_by_service: signature } = epoch;
  const leafHash = receiptLeafHash(receiptSignedBytes(receipt));
  const leads = isSealedIn(epoch, { seqNo: receipt.seq_no, leafHash }, inclusion);
  return judged([
    receiptProblem(receipt, serviceKeys),
    signatureProblem({ what: 'epoch', kid, message: epochSignedBytes(epoch), signature }, serviceKeys),
    epoch.org_id !== receipt.org_id && 'The epoch is of another organization.',
    inclusion.leaf_index !== receipt.seq_no - 1 && 'The proof is for another place in the log.',
    !leads && 'The path does not lead from the receipt to the root of the log that the epoch sealed.',
  ]);
}
