import { canonicalBytes } from '../canonical.ts';
import { formatDigest, type Sha256, sha256 as sha256Here } from '../digest.ts';
import type { SignatureCheck } from '../ed25519.ts';
import { fromBase64Url, toBase64Url } from '../encoding.ts';
import { thumbprint } from '../fingerprint.ts';
import { unlessRefused } from '../protocol-error.ts';
import * as shape from '../shape.ts';
import type { JsonObject } from './disclosures.ts';

/** A signature that an examiner's own key made about a case (protocol R64). */
export interface CaseSignature {
  readonly algorithm: 'ed25519';
  /** RFC 7638 thumbprint of the key. */
  readonly kid: string;
  readonly public_key: string;
  /** Address of who signed. It is signed as well, and the signer's word all the same. */
  readonly signer: string;
  /** RFC 3339, by the signer's clock. */
  readonly signed_at: string;
  readonly value: string;
}

export const CUSTODY_ENTRY = 'countersign.custody-entry.v1';

/** One thing that an examiner did with a case, as it is hashed: canonical JSON of exactly these members (protocol R63). */
export interface CustodyEntry {
  readonly type: typeof CUSTODY_ENTRY;
  /** Digest of the file that the case was made of: a log belongs to its case. */
  readonly case_sha256: string;
  /** From 1, without gaps. */
  readonly entry_no: number;
  /** RFC 3339, by the clock of the machine. */
  readonly at: string;
  /** Address of who was signed in; null at a workstation without an account. */
  readonly by: string | null;
  /** Where an API token did it in that person's name: a token is copied, and a person is not. */
  readonly via?: 'token' | undefined;
  readonly action: string;
  readonly details: JsonObject;
  /** Hash of the entry before; null of the first. */
  readonly prev_hash: string | null;
  /**
   * The case whose log this is, from this entry on: in the first entry, and in each that opens the case on another machine. Two
   * cases of one file have the same `case_sha256`, and this tells their logs apart. Older logs name none.
   */
  readonly log_id?: string | undefined;
}

/** An entry as it is hashed: a member that is not there is not written. */
export function custodyBytes({ via, log_id, ...rest }: CustodyEntry): Uint8Array {
  return canonicalBytes({
    ...rest,
    ...(via === undefined ? {} : { via }),
    ...(log_id === undefined ? {} : { log_id }),
  });
}

/** `sha256:` of the entry's canonical JSON (RFC 8785). */
export function custodyHash(entry: CustodyEntry, hash: Sha256 = sha256Here): string {
  return formatDigest(hash(custodyBytes(entry)));
}

/** What is signed: an entry of the custody log, or the manifest of a case file. Each has its own type. */
export type CaseSubject =
  | {
      readonly type: 'countersign.custody-signature.v1';
      readonly case_sha256: string;
      readonly entry_no: number;
      readonly entry_hash: string;
      /** The case that the log names at this entry; missing where it names none. */
      readonly log_id?: string;
    }
  | {
      readonly type: 'countersign.case-signature.v1';
      readonly case_sha256: string;
      /** Of the manifest's bytes. */
      readonly manifest_sha256: string;
    };

const SHAPE: shape.Shape<CaseSignature> = {
  algorithm: shape.constant('ed25519'),
  kid: shape.text(43, 43),
  public_key: shape.text(43, 43),
  signer: shape.text(1, 256),
  signed_at: shape.time,
  value: shape.signature,
};

/** @throws ProtocolError SHAPE_INVALID */
export function parseCaseSignature(value: unknown): CaseSignature {
  return shape.parseShape<CaseSignature>(value, SHAPE, 'signature');
}

/** Who signs, and when. */
export type CaseSigner = Pick<CaseSignature, 'signer' | 'signed_at'>;

/**
 * The bytes that are signed: canonical JSON of the subject, the key, the signer and the time. No record, receipt or report is
 * canonical JSON with one of these types, so none of them can be taken for such a signature, nor the other way around.
 */
export function caseSignedBytes(subject: CaseSubject, kid: string, { signer, signed_at }: CaseSigner): Uint8Array {
  return canonicalBytes({ ...subject, kid, signer, signed_at });
}

/** A signature to check; null where key and kid do not belong together or cannot be read. */
export function caseSignatureCheck(subject: CaseSubject, signature: CaseSignature): SignatureCheck | null {
  return unlessRefused(() => {
    const publicKey = fromBase64Url(signature.public_key, 32);
    if (thumbprint(publicKey) !== signature.kid) return null;
    return {
      publicKey,
      message: caseSignedBytes(subject, signature.kid, signature),
      signature: fromBase64Url(signature.value, 64),
    };
  }, null);
}

/** Puts a signature together. @param publicKey 32 bytes @param value 64 bytes */
export function caseSignature(publicKey: Uint8Array, by: CaseSigner, value: Uint8Array): CaseSignature {
  const { signer, signed_at } = by;
  return {
    algorithm: 'ed25519',
    kid: thumbprint(publicKey),
    public_key: toBase64Url(publicKey),
    signer,
    signed_at,
    value: toBase64Url(value),
  };
}
