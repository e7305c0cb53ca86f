import { CaseRefused } from './case-source.ts';

/** So many elements that are no records end an import, where they are more than those that are: no damage does this. */
const MAX_UNREADABLE = 10_000;

/** @throws CaseRefused FILE_DAMAGED */
export function refuseUnreadable(records: number, unreadable: number): void {
  if (unreadable <= MAX_UNREADABLE || unreadable <= records) return;
  throw new CaseRefused(
    'FILE_DAMAGED',
    `more than ${MAX_UNREADABLE} of its records cannot be read, which is most of those so far: nothing is imported`,
  );
}
