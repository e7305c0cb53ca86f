import { z } from 'zod';
import { type CustodyAction, custodyAction } from '../../../contract/index.ts';
import {
  canonicalBytes,
  DIGEST_PATTERN,
  formatDigest,
  type JsonObject,
  ProtocolError,
  parseJson,
} from '../../../protocol/index.ts';
import { nodeCrypto } from '../../../runtime/index.ts';

export const CUSTODY_ENTRY = 'countersign.custody-entry.v1';

const digest = z.string().regex(DIGEST_PATTERN);

const entryShape = z.strictObject({
  type: z.literal(CUSTODY_ENTRY),
  case_sha256: digest,
  entry_no: z.int().min(1),
  at: z.string(),
  by: z.string().nullable(),
  via: z.literal('token').optional(),
  action: custodyAction,
  details: z.record(z.string(), z.unknown()) as z.ZodType<JsonObject>,
  prev_hash: digest.nullable(),
});

/** One thing that an examiner did with a case, as it is hashed: canonical JSON of exactly these members. */
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
  readonly action: CustodyAction;
  readonly details: JsonObject;
  /** Hash of the entry before; null of the first. */
  readonly prev_hash: string | null;
}

/** A row of the log: the text that was hashed, and the hash. */
export interface StoredEntry {
  readonly entry_no: number;
  readonly entry: string;
  readonly entry_hash: string;
  /** Canonical JSON of a CaseSignature; null where nobody signed the entry. */
  readonly signature: string | null;
}

/** An entry as it is hashed: a member that is not there is not written. */
export function custodyBytes({ via, ...rest }: CustodyEntry): Uint8Array {
  return canonicalBytes(via === undefined ? rest : { ...rest, via });
}

/** `sha256:` of the entry's canonical JSON (RFC 8785). */
export function custodyHash(entry: CustodyEntry): string {
  return formatDigest(nodeCrypto.sha256(custodyBytes(entry)));
}

/** An entry from its text, or null where somebody made something else of it. */
export function readEntry(text: string): CustodyEntry | null {
  try {
    const read = entryShape.safeParse(parseJson(text));
    return read.success ? read.data : null;
  } catch (error) {
    if (error instanceof ProtocolError) return null;
    throw error;
  }
}
