import { z } from 'zod';
import { type CustodyAction, custodyAction, LIMITS } from '../../../api/index.ts';
import { nodeCrypto } from '../../../node/index.ts';
import {
  CUSTODY_ENTRY,
  DIGEST_PATTERN,
  type CustodyEntry as HashedEntry,
  custodyHash as hashOf,
  type JsonObject,
} from '../../../protocol/index.ts';
import { type LogRow, readEntryOf } from '../../ledger/hash-log.ts';

const digest = z.string().regex(DIGEST_PATTERN);

const entryShape = z.strictObject({
  type: z.literal(CUSTODY_ENTRY),
  case_sha256: digest,
  entry_no: z.int().min(1),
  at: z.string().max(64),
  by: z.string().max(LIMITS.email).nullable(),
  via: z.literal('token').optional(),
  action: custodyAction,
  details: z.record(z.string(), z.unknown()) as z.ZodType<JsonObject>,
  prev_hash: digest.nullable(),
  log_id: z.uuid().optional(),
});

/** Of the text of an entry. Those that are written here have half of it at most: reading rules in escapes. */
export const MAX_ENTRY_CHARACTERS = 128 * 1024;
/** Of the text of a signature. */
export const MAX_SIGNATURE_CHARACTERS = 4096;
/** Entries of a log. */
export const MAX_ENTRIES = 100_000;

/** Whose log it is: that of a case, and of the file which the case was made of. */
export interface LogOf {
  readonly caseSha256: string;
  /** null where a case file does not say it, as older ones do not. */
  readonly caseId: string | null;
}

/** An entry of the log, of something that this version knows. */
export interface CustodyEntry extends HashedEntry {
  readonly action: CustodyAction;
}

/** A row of the log. */
export interface StoredEntry extends LogRow {
  /** Canonical JSON of a CaseSignature; null where nobody signed the entry. */
  readonly signature: string | null;
}

/** `sha256:` of the entry's canonical JSON (RFC 8785). */
export function custodyHash(entry: CustodyEntry): string {
  return hashOf(entry, nodeCrypto.sha256);
}

/** An entry from its text, or null where somebody made something else of it. */
export function readEntry(text: string): CustodyEntry | null {
  return readEntryOf(entryShape, text);
}
