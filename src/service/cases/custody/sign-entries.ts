import type Database from 'better-sqlite3';
import { type CaseSignature, canonicalize, caseSignatureCheck, type Json } from '../../../protocol/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { entrySubject } from './check-custody.ts';
import type { CustodyChecks } from './custody-checks.ts';
import { type CustodyEntry, custodyHash, type LogOf, readEntry, type StoredEntry } from './custody-entry.ts';
import { insertSignature, ROWS } from './custody-log.ts';

/** A signature for an entry, as a window made it. */
export interface SignedEntry {
  readonly entry_no: number;
  readonly entry_hash: string;
  readonly signature: CaseSignature;
}

/** Whether an entry was written here, and is still what was: only such a one is anybody's to sign. */
export function maySign({ entry_no, entry_hash }: StoredEntry, entry: CustodyEntry, after: number): boolean {
  return entry_no >= after && entry.entry_no === entry_no && custodyHash(entry) === entry_hash;
}

/**
 * Keeps signatures of entries by who did what they say. One that is signed already stays as it is.
 * @param signer the address of who is signed in
 * @returns how many were kept
 * @throws ServiceError VALIDATION_ERROR where one is not a signature of such an entry: then none is kept
 */
export async function signEntries(
  sqlite: Database.Database,
  checks: CustodyChecks,
  of: LogOf,
  signer: string,
  signed: readonly SignedEntry[],
): Promise<number> {
  const { openedAt, logId } = await checks.known(of);
  if (logId !== null && logId !== of.caseId) {
    throw new ServiceError('VALIDATION_ERROR', 'signatures: the custody log says that it is of another case');
  }
  const rows = signed.map(({ entry_no, entry_hash, signature }) => {
    const row = sqlite.prepare(`${ROWS} WHERE entry_no = ?`).get(entry_no) as StoredEntry | undefined;
    const entry = row === undefined ? null : readEntry(row.entry);
    if (row === undefined || entry === null || row.entry_hash !== entry_hash) {
      throw new ServiceError('VALIDATION_ERROR', `signatures: entry ${entry_no} has another hash, or there is none`);
    }
    if (!maySign(row, entry, openedAt)) {
      throw new ServiceError(
        'VALIDATION_ERROR',
        `signatures: entry ${entry_no} came with a case file, or is not what its hash is of`,
      );
    }
    if (entry.by !== signer || signature.signer !== signer) {
      throw new ServiceError('VALIDATION_ERROR', `signatures: entry ${entry_no} is by somebody else`);
    }
    return { row, entry };
  });
  const texts = signed.map(({ signature }) => canonicalize({ ...signature } as unknown as Json));
  const holds = await checks.signatures.verify(
    rows.map(({ row, entry }, index) => {
      const { signature } = signed[index] ?? {};
      const subject = entrySubject({ ...entry, entry_hash: row.entry_hash }, logId);
      return signature === undefined ? null : caseSignatureCheck(subject, signature);
    }),
  );
  const wrong = rows.find((_, index) => holds[index] !== true);
  if (wrong !== undefined) {
    throw new ServiceError('VALIDATION_ERROR', `signatures: that of entry ${wrong.row.entry_no} does not verify`);
  }
  return sqlite.transaction(() => {
    let kept = 0;
    rows.forEach(({ row }, index) => {
      // Looked at again: another window of the same person may have come in between.
      const found = sqlite.prepare('SELECT 1 FROM custody_signatures WHERE entry_no = ?').get(row.entry_no);
      if (found !== undefined) return;
      insertSignature(sqlite, row.entry_no, texts[index] ?? '');
      kept += 1;
    });
    return kept;
  })();
}
