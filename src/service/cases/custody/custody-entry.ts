import { z } from 'zod';
import { type CustodyAction, type CustodyDamage, custodyAction } from '../../../contract/index.ts';
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
}

/** `sha256:` of the entry's canonical JSON (RFC 8785). */
export function custodyHash(entry: CustodyEntry): string {
  return formatDigest(nodeCrypto.sha256(canonicalBytes({ ...entry })));
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

/** This many places of damage are named. */
const MAX_DAMAGE = 100;

/**
 * Checks a log from its first entry: numbers, hashes, links, and that it is the log of this case. What somebody with access to
 * the file cuts off its end is not seen: compare the newest hash with one that was written down before.
 */
export function checkCustody(rows: Iterable<StoredEntry>, caseSha256: string): CustodyDamage[] {
  const damage: CustodyDamage[] = [];
  const say = (entry_no: number, code: CustodyDamage['code']): void => {
    if (damage.length < MAX_DAMAGE) damage.push({ entry_no, code });
  };
  let [next, before]: [number, string | null] = [1, null];
  for (const row of rows) {
    const entry = readEntry(row.entry);
    if (row.entry_no !== next) say(next, 'ENTRY_MISSING');
    if (entry === null || custodyHash(entry) !== row.entry_hash || entry.entry_no !== row.entry_no) {
      say(row.entry_no, 'ENTRY_CHANGED');
    } else if (entry.case_sha256 !== caseSha256) say(row.entry_no, 'OTHER_CASE');
    else if (row.entry_no === next && entry.prev_hash !== before) say(row.entry_no, 'LINK_BROKEN');
    [next, before] = [row.entry_no + 1, row.entry_hash];
  }
  return damage;
}
