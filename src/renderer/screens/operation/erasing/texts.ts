import { nounFor, plural } from '../../../lib/plural.ts';

/** What the dialog that erases a payload says. */
export const TEXTS = {
  whereNamed: 'Where else is this person named?',
  person: 'Name or address',
  showPlaces: 'Show places',
  open: 'Erase payload…',
  title: (seqNo: number) => `Erase the payload of record ${seqNo}`,
  erase: 'Erase for good',
  all: 'The whole payload',
  some: 'Single members',
  scope: 'What to erase',
  members: 'Members to erase',
  noMember: 'Select at least one member.',
  erased: (seqNo: number, members: number | null) =>
    members === null
      ? `The payload of record ${seqNo} is erased.`
      : `${plural(members, 'member')} of record ${seqNo} ${nounFor(members, 'is', 'are')} erased.`,
  gone: 'The text leaves every file of this ledger and cannot be brought back. Exports that hold the record are deleted.',
  stays: 'Hash, signatures, chain and proofs stay, so the record verifies as before, without the erased text.',
  copies: 'Cases, downloads and backups that were made before keep their copy.',
  logged: 'The administrative log keeps who erased the payload, when, and the reason.',
  held: 'A legal hold covers this record. Release the hold on the Retention screen first.',
} as const;
