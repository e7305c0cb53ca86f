import type { CustodyDamage, CustodySignatureState } from '../../../contract/index.ts';
import {
  type CaseSignature,
  type CaseSubject,
  caseSignatureCheck,
  type HostCrypto,
  ProtocolError,
  parseCaseSignature,
  parseJson,
  type SignatureCheck,
  StrictVerifier,
} from '../../../protocol/index.ts';
import { type CustodyEntry, custodyHash, type LogOf, readEntry, type StoredEntry } from './custody-entry.ts';

/** How many places of damage are named. */
export const MAX_DAMAGE = 100;

/** An entry that was looked at. */
export interface CheckedEntry {
  readonly entry_no: number;
  /** null where it cannot be read. */
  readonly entry: CustodyEntry | null;
  /** Whether it is what its hash is of. */
  readonly isSound: boolean;
  readonly signature: CustodySignatureState;
  readonly signedBy: CaseSignature | null;
}

/** What was found about a whole log. */
export interface CustodyCheck {
  readonly damage: CustodyDamage[];
  readonly signatures: { readonly signed: number; readonly unsigned: number; readonly invalid: number };
  /** By kid and signer, in the order of their first entries. */
  readonly examiners: readonly {
    readonly signer: string;
    readonly kid: string;
    readonly publicKey: string;
    readonly entries: number;
  }[];
  readonly head: { readonly entry_no: number; readonly entry_hash: string } | null;
  /** The case that the log says it is of; null where it names none. */
  readonly logId: string | null;
}

export function readSignature(text: string): CaseSignature | null {
  try {
    return parseCaseSignature(parseJson(text));
  } catch (error) {
    if (error instanceof ProtocolError) return null;
    throw error;
  }
}

/** Answers whether signatures verify, and remembers it: after each new entry its whole log is checked again. */
export class KnownSignatures {
  readonly #verifier: StrictVerifier;
  readonly #sha256: HostCrypto['sha256'];
  /** By the digest of what was checked: texts of signatures are longer, and whoever made a case file chose them. */
  readonly #known = new Map<string, boolean>();

  constructor(crypto: HostCrypto) {
    this.#verifier = new StrictVerifier(crypto);
    this.#sha256 = crypto.sha256;
  }

  async verify(checks: readonly (SignatureCheck | null)[]): Promise<boolean[]> {
    const names = checks.map((check) => (check === null ? '' : this.#nameOf(check)));
    const open = checks.flatMap((check, index) => {
      const name = names[index] ?? '';
      return check === null || this.#known.has(name) ? [] : [{ name, check }];
    });
    const holds = await this.#verifier.verify(open.map(({ check }) => check));
    open.forEach(({ name }, index) => void this.#known.set(name, holds[index] === true));
    return checks.map((check, index) => check !== null && this.#known.get(names[index] ?? '') === true);
  }

  #nameOf({ publicKey, signature, message }: SignatureCheck): string {
    // The first two have a fixed length: no two checks have the same bytes.
    return Buffer.from(this.#sha256(Buffer.concat([publicKey, signature, message]))).toString('latin1');
  }
}

/** Whether a signature is one of this entry by who did what it says. The equation is checked apart. */
function checkOf(
  { entry_hash }: StoredEntry,
  entry: CustodyEntry | null,
  logId: string | null,
  signature: CaseSignature | null,
): SignatureCheck | null {
  if (entry === null || signature === null || entry.by === null || signature.signer !== entry.by) return null;
  return caseSignatureCheck(entrySubject({ ...entry, entry_hash }, logId), signature);
}

/** What a signature of an entry is about. */
export function entrySubject(
  {
    case_sha256,
    entry_no,
    entry_hash,
  }: Pick<CustodyEntry, 'case_sha256' | 'entry_no'> & Pick<StoredEntry, 'entry_hash'>,
  logId: string | null,
): CaseSubject {
  const subject = { type: 'countersign.custody-signature.v1', case_sha256, entry_no, entry_hash } as const;
  return logId === null ? subject : { ...subject, log_id: logId };
}

/** Signatures that are checked with one call of the host. */
const BATCH = 512;
/** Of the entries that are held for that, in characters: parsed they take some fifty times as much. */
const BATCH_TEXT = 2 * 1024 * 1024;

/**
 * Checks a log from its first entry: numbers, hashes, links, signatures, and that it is the log of this case. Whoever has access
 * to the file can cut entries off its end, and of entries that nobody signed write others: compare the newest hash with one that
 * was written down.
 * @param onEntry is called with each entry in turn
 */
export async function checkCustody(
  rows: Iterable<StoredEntry> | AsyncIterable<StoredEntry>,
  { caseSha256, caseId }: LogOf,
  known: KnownSignatures,
  onEntry: (checked: CheckedEntry) => void = () => undefined,
): Promise<CustodyCheck> {
  const damage: CustodyDamage[] = [];
  const counts = { signed: 0, unsigned: 0, invalid: 0 };
  const examiners = new Map<string, { signer: string; kid: string; publicKey: string; entries: number }>();
  const say = (entry_no: number, code: CustodyDamage['code']): void => {
    if (damage.length < MAX_DAMAGE) damage.push({ entry_no, code });
  };
  let [next, before]: [number, string | null] = [1, null];
  let held = 0;
  let named: { readonly logId: string; readonly entry_no: number } | null = null;
  let batch: { row: StoredEntry; entry: CustodyEntry | null; isSound: boolean; logId: string | null }[] = [];
  const settle = async (): Promise<void> => {
    const read = batch.map(({ row }) => (row.signature === null ? null : readSignature(row.signature)));
    const holds = await known.verify(
      batch.map(({ row, entry, logId }, index) => checkOf(row, entry, logId, read[index] ?? null)),
    );
    batch.forEach(({ row, entry, isSound }, index) => {
      // A signature is over the hash: it says nothing about another text that stands above it, nor about another case.
      const isItself = isSound && entry?.case_sha256 === caseSha256;
      const signature: CustodySignatureState =
        row.signature === null ? 'unsigned' : isItself && holds[index] === true ? 'signed' : 'invalid';
      const signedBy = read[index] ?? null;
      counts[signature] += 1;
      if (signature === 'invalid' && isItself) say(row.entry_no, 'SIGNATURE_INVALID');
      if (signature === 'signed' && signedBy !== null) {
        const { signer, kid, public_key: publicKey } = signedBy;
        const name = `${kid} ${signer}`;
        const known = examiners.get(name) ?? { signer, kid, publicKey, entries: 0 };
        examiners.set(name, { ...known, entries: known.entries + 1 });
      }
      onEntry({ entry_no: row.entry_no, entry, isSound, signature, signedBy });
    });
    batch = [];
  };
  for await (const row of rows) {
    const entry = readEntry(row.entry);
    if (row.entry_no !== next) say(next, 'ENTRY_MISSING');
    const isSound = entry !== null && custodyHash(entry) === row.entry_hash && entry.entry_no === row.entry_no;
    if (!isSound) say(row.entry_no, 'ENTRY_CHANGED');
    else if (entry.case_sha256 !== caseSha256) say(row.entry_no, 'OTHER_CASE');
    else if (row.entry_no === next && entry.prev_hash !== before) say(row.entry_no, 'LINK_BROKEN');
    [next, before] = [row.entry_no + 1, row.entry_hash];
    if (entry?.log_id !== undefined) named = { logId: entry.log_id, entry_no: row.entry_no };
    batch.push({ row, entry, isSound, logId: named?.logId ?? null });
    held += row.entry.length;
    if (batch.length < BATCH && held < BATCH_TEXT) continue;
    await settle();
    held = 0;
  }
  await settle();
  // Between two cases of one file whole logs can be exchanged: each says at its beginning which case it is of.
  if (named !== null && caseId !== null && named.logId !== caseId) say(named.entry_no, 'OTHER_CASE');
  return {
    damage,
    logId: named?.logId ?? null,
    signatures: counts,
    examiners: [...examiners.values()],
    head: before === null ? null : { entry_no: next - 1, entry_hash: before },
  };
}
