import { nodeCrypto, nodeSigner } from '../node/light.ts';
import {
  canonicalize,
  chainHash,
  type Disclosures,
  disclosuresFit,
  draftRecord,
  fromBase64Url,
  isSalted,
  type Json,
  type OperationRecord,
  payloadHash,
  recordSignedBytes,
  SALT_BYTES,
  type SignedDraft,
  shownPayload,
  toBase64Url,
  verifyEd25519,
} from '../protocol/light.ts';
import { drawnBytes } from './drawn-bytes.ts';
import { readSeed } from './private-key.ts';

/** What an agent did (docs/interface.md, Operations). */
export interface Operation {
  /** Dotted name, such as invoice.create */
  readonly operationType: string;
  readonly subject: string;
  readonly action: string;
  readonly payload: { readonly [member: string]: Json };
  /** UUID v4; made where it is left out. With the same one the same operation is recorded once, whatever happens. */
  readonly operationId?: string;
}

/** Who signs, and with which key. */
export interface SignerOptions {
  readonly orgId: string;
  readonly agentId: string;
  /** The kid under which the public key was registered. */
  readonly kid: string;
  /** Ed25519: 32 bytes, base64url, hexadecimal, or PKCS #8 PEM. Used to sign, sent nowhere. */
  readonly privateKey: Uint8Array | string;
  /** Time to live of a record, in milliseconds; 300,000 by default. */
  readonly ttlMs?: number;
  /**
   * Whether payloads are salted (protocol F40), so that a short one cannot be found from its hash by trial and
   * single members can be withheld; their names stay readable. True by default. A payload that has no salted form, an empty one say, is signed as it is.
   */
  readonly salted?: boolean;
}

/**
 * An operation in one of the forms that it was signed in: the body of `POST /v1/operations`, and its chain hash, which the
 * next record of the agent names, and so does the receipt.
 */
export type SignedRecord = SignedDraft;

/** An operation with the two things that its caller may have left open. */
export interface PlacedOperation extends Operation {
  readonly operationId: string;
  /** Chain hash of the agent's record before this one; null for its first. */
  readonly prevChainHash: string | null;
}

/** Whether a stored record has the payload of an operation, as far as the record's own hashes say so. */
function isPayloadOf(
  { payload, payload_hash: hash }: OperationRecord,
  disclosures: Disclosures,
  operation: Operation,
): boolean {
  if (!isSalted(payload)) return hash === payloadHash(operation.payload, nodeCrypto.sha256);
  const isShown = hash === payloadHash(payload, nodeCrypto.sha256) && disclosuresFit(payload, disclosures);
  return isShown && canonicalize(shownPayload(payload, disclosures)) === canonicalize(operation.payload);
}

const DEFAULT_TTL_MS = 300_000;
const NONCE_BYTES = 16;

/** Signs the operations of one agent (protocol F31). Sends nothing and remembers nothing. */
export class RecordSigner {
  readonly #options: SignerOptions;
  readonly #seed: Uint8Array;
  #made: ReturnType<typeof nodeSigner> | null = null;

  /** @throws AgentError KEY_INVALID */
  constructor(options: SignerOptions) {
    this.#options = options;
    this.#seed = readSeed(options.privateKey);
  }

  /** Made with the first signature: the library takes some 5 MB, and a recorder may have nothing to sign for days. */
  get #signer(): ReturnType<typeof nodeSigner> {
    this.#made ??= nodeSigner(this.#seed);
    return this.#made;
  }

  /** Time to live of the records that it signs, in milliseconds. */
  get ttlMs(): number {
    return this.#options.ttlMs ?? DEFAULT_TTL_MS;
  }

  /**
   * Signs an operation as of now, with a new nonce.
   * @throws ProtocolError NOT_CANONICAL, SHAPE_INVALID for an operation that has no valid form
   */
  sign(operation: PlacedOperation): SignedRecord {
    const { orgId, agentId, kid, salted } = this.#options;
    const { signedBytes, signed } = draftRecord(
      {
        ...operation,
        orgId,
        agentId,
        kid,
        ttlMs: this.ttlMs,
        issuedAt: Date.now(),
        nonce: toBase64Url(drawnBytes(NONCE_BYTES)),
        drawSalt: salted === false ? null : () => drawnBytes(SALT_BYTES),
      },
      nodeCrypto.sha256,
    );
    return signed(this.#signer.sign(signedBytes));
  }

  /**
   * The chain hash of a stored record, if the record is this very operation, signed with this key; else null.
   * @param disclosures what the service has next to it
   * @throws ProtocolError NOT_CANONICAL
   */
  recognise(record: OperationRecord, disclosures: Disclosures, operation: Operation): string | null {
    const signedBytes = recordSignedBytes(record);
    const signature = fromBase64Url(record.signature, 64);
    const isSame =
      record.operation_type === operation.operationType &&
      record.subject === operation.subject &&
      record.action === operation.action &&
      isPayloadOf(record, disclosures, operation) &&
      verifyEd25519({ publicKey: this.#signer.publicKey, message: signedBytes, signature });
    return isSame ? chainHash(signedBytes, signature, nodeCrypto.sha256) : null;
  }
}
