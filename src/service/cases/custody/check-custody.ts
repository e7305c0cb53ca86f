import type { CustodyDamage, CustodySignatureState } from '../../../api/index.ts';
import {
  type CaseSignature,
  type CaseSubject,
  caseSignatureCheck,
  KeyHolders,
  parseCaseSignature,
  parseJson,
  type SignatureCheck,
  unlessRefused,
} from '../../../protocol/index.ts';
import { damageAt, isSound } from '../../ledger/hash-log.ts';
import { type CustodyEntry, custodyHash, type LogOf, readEntry, type StoredEntry } from './custody-entry.ts';
import type { KnownSignatures } from './known-signatures.ts';

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
    /** The numbers of the first and the last of them. */
    readonly first: number;
    readonly last: number;
  }[];
  readonly head: { readonly entry_no: number; readonly entry_hash: string } | null;
  /** The case that the log says it is of; null where it names none. */
  readonly logId: string | null;
  /** Whom each key of the log signed for, seals of the files that it came in among them. */
  readonly holders: KeyHolders;
}

export function readSignature(text: string): CaseSignature | null {
  return signatureOf(() => parseJson(text));
}

function signatureOf(read: () => unknown): CaseSignature | null {
  return unlessRefused(() => parseCaseSignature(read()), null);
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

/** The seal of the file that a case was opened from, as the entry about it repeats it (protocol R65); null where there is none. */
function sealIn(entry: CustodyEntry | null): { readonly seal: CaseSignature; readonly check: SignatureCheck } | null {
  if (entry?.action !== 'case.open') return null;
  const { manifest_sha256, seal: stated } = entry.details;
  if (typeof manifest_sha256 !== 'string') return null;
  const seal = signatureOf(() => stated);
  if (seal === null) return null;
  const { case_sha256 } = entry;
  const check = caseSignatureCheck({ type: 'countersign.case-signature.v1', case_sha256, manifest_sha256 }, seal);
  return check && { seal, check };
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

/** An entry on its way through a check. */
interface Taken {
  readonly row: StoredEntry;
  readonly entry: CustodyEntry | null;
  readonly isSound: boolean;
  /** The case that the log named last up to here. */
  readonly logId: string | null;
}

/**
 * Checks a log entry by entry, and can be given those that come later: numbers, hashes, links, signatures, and that it is the log of this
 * case. Whoever has access to the file can cut entries off its end, and of entries that nobody signed write others: compare the newest
 * hash with one that was written down.
 */
export class LogChecker {
  readonly #of: LogOf;
  readonly #signatures: KnownSignatures;
  readonly #damage: CustodyDamage[] = [];
  readonly #counts = { signed: 0, unsigned: 0, invalid: 0 };
  readonly #examiners = new Map<
    string,
    { signer: string; kid: string; publicKey: string; entries: number; first: number; last: number }
  >();
  readonly #holders = new KeyHolders();
  /** Where the log names a case, oldest first. */
  readonly #named: { readonly logId: string; readonly entry_no: number }[] = [];
  #last = 0;
  #hash: string | null = null;

  constructor(of: LogOf, signatures: KnownSignatures) {
    this.#of = of;
    this.#signatures = signatures;
  }

  /** The number of the newest entry that was looked at; 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /**
   * Takes the next entries of the log.
   * @param onEntry is called with each in turn
   */
  async take(
    rows: Iterable<StoredEntry> | AsyncIterable<StoredEntry>,
    onEntry: (checked: CheckedEntry) => void = () => undefined,
  ): Promise<void> {
    let batch: Taken[] = [];
    let held = 0;
    for await (const row of rows) {
      batch.push(this.#read(row));
      held += row.entry.length;
      if (batch.length < BATCH && held < BATCH_TEXT) continue;
      await this.#settle(batch, onEntry);
      [batch, held] = [[], 0];
    }
    await this.#settle(batch, onEntry);
  }

  /** Takes signatures of entries that were taken without one. */
  async sign(rows: readonly StoredEntry[], onEntry: (checked: CheckedEntry) => void): Promise<void> {
    const taken = rows.map((row) => {
      const entry = readEntry(row.entry);
      const logId = this.#named.findLast(({ entry_no }) => entry_no <= row.entry_no)?.logId ?? null;
      return { row, entry, isSound: isSound(row, entry, custodyHash), logId };
    });
    this.#counts.unsigned -= rows.length;
    await this.#settle(taken, onEntry);
  }

  result(): CustodyCheck {
    const damage = [...this.#damage];
    const named = this.#named.at(-1);
    // Between two cases of one file whole logs can be exchanged: each says at its beginning which case it is of.
    if (named !== undefined && this.#of.caseId !== null && named.logId !== this.#of.caseId) {
      if (damage.length < MAX_DAMAGE) damage.push({ entry_no: named.entry_no, code: 'OTHER_CASE' });
    }
    return {
      damage,
      logId: named?.logId ?? null,
      signatures: { ...this.#counts },
      examiners: [...this.#examiners.values()].sort((a, b) => a.first - b.first),
      head: this.#hash === null ? null : { entry_no: this.#last, entry_hash: this.#hash },
      holders: this.#holders,
    };
  }

  #say(entry_no: number, code: CustodyDamage['code']): void {
    if (this.#damage.length < MAX_DAMAGE) this.#damage.push({ entry_no, code });
  }

  #read(row: StoredEntry): Taken {
    const entry = readEntry(row.entry);
    const sound = isSound(row, entry, custodyHash);
    const before = { entry_no: this.#last, entry_hash: this.#hash };
    const elsewhere = entry?.case_sha256 === this.#of.caseSha256 ? null : 'OTHER_CASE';
    for (const { entry_no, code } of damageAt(row, sound ? entry : null, before, elsewhere)) this.#say(entry_no, code);
    [this.#last, this.#hash] = [row.entry_no, row.entry_hash];
    if (entry?.log_id !== undefined) this.#named.push({ logId: entry.log_id, entry_no: row.entry_no });
    return { row, entry, isSound: sound, logId: this.#named.at(-1)?.logId ?? null };
  }

  async #settle(batch: readonly Taken[], onEntry: (checked: CheckedEntry) => void): Promise<void> {
    const read = batch.map(({ row }) => (row.signature === null ? null : readSignature(row.signature)));
    const holds = await this.#signatures.verify(
      batch.map(({ row, entry, logId }, index) => checkOf(row, entry, logId, read[index] ?? null)),
    );
    const seals = batch.map(({ entry, isSound }) => (isSound ? sealIn(entry) : null));
    const sealed = await this.#signatures.verify(seals.map((one) => one?.check ?? null));
    batch.forEach(({ row, entry, isSound }, index) => {
      // A signature is over the hash: it says nothing about another text that stands above it, nor about another case.
      const isItself = isSound && entry?.case_sha256 === this.#of.caseSha256;
      const signature: CustodySignatureState =
        row.signature === null ? 'unsigned' : isItself && holds[index] === true ? 'signed' : 'invalid';
      const signedBy = read[index] ?? null;
      this.#counts[signature] += 1;
      if (signature === 'invalid' && isItself) this.#say(row.entry_no, 'SIGNATURE_INVALID');
      const seal = isItself && sealed[index] === true ? seals[index]?.seal : undefined;
      if (seal !== undefined) this.#hold(seal, row.entry_no);
      if (signature === 'signed' && signedBy !== null) this.#count(signedBy, row.entry_no);
      onEntry({ entry_no: row.entry_no, entry, isSound, signature, signedBy });
    });
  }

  #hold({ signer, kid }: CaseSignature, entryNo: number): void {
    // The service keeps no signature by a key that is not the signer's: somebody wrote this past it, or elsewhere.
    if (this.#holders.take(kid, signer, entryNo) !== null) this.#say(entryNo, 'KEY_SHARED');
  }

  #count(signature: CaseSignature, entryNo: number): void {
    const { signer, kid, public_key: publicKey } = signature;
    this.#hold(signature, entryNo);
    const name = `${kid} ${signer}`;
    const { entries = 0, first = entryNo, last = entryNo } = this.#examiners.get(name) ?? {};
    const span = { first: Math.min(first, entryNo), last: Math.max(last, entryNo) };
    this.#examiners.set(name, { signer, kid, publicKey, entries: entries + 1, ...span });
  }
}

/**
 * Checks a log from its first entry to its last.
 * @param onEntry is called with each entry in turn
 */
export async function checkCustody(
  rows: Iterable<StoredEntry> | AsyncIterable<StoredEntry>,
  of: LogOf,
  signatures: KnownSignatures,
  onEntry?: (checked: CheckedEntry) => void,
): Promise<CustodyCheck> {
  const checker = new LogChecker(of, signatures);
  await checker.take(rows, onEntry);
  return checker.result();
}
