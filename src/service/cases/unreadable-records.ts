import { CaseRefused } from './case-source.ts';

/** This many elements that are not records end an import, if they outnumber the records: no damage does this. */
const MAX_UNREADABLE = 10_000;

/** @throws CaseRefused FILE_DAMAGED */
export function refuseUnreadable(records: number, unreadable: number): void {
  if (unreadable <= MAX_UNREADABLE || unreadable <= records) return;
  throw new CaseRefused(
    'FILE_DAMAGED',
    `more than ${MAX_UNREADABLE} of its records cannot be read, which is most of those so far: nothing is imported`,
  );
}
