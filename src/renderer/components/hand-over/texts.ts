import { plural } from '../../lib/plural.ts';

export const HAND_OVER = {
  open: 'Hand over…',
  openAll: 'Hand over all…',
  gathering: 'Loading the records to hand over',
  gathered: (records: string) => `${records} so far`,
  cancel: 'Cancel',
  tooMany: (most: string) => `More than ${most} records: narrow the search, or create an export of a time range.`,
  title: (records: number) => `Hand over ${plural(records, 'record')}`,
  as: 'As',
  forms: {
    proof: 'Proof',
    pdf: 'PDF report',
    html: 'HTML report',
    sealed: 'Sealed case',
    tlog: 'tlog-proof',
    lines: 'Raw JSON lines (no proof)',
  },
  what: {
    proof:
      'These records with their receipts and the path to a signed epoch, and no other record. For countersign verify. At most 1,000 records.',
    pdf: 'For paper: order and comment the records. The proof is attached. At most 1,000 records.',
    html: 'A page that verifies itself in a browser. At most 1,000 records.',
    sealed: 'A case as one file, with custody log and notes, to be opened under Cases elsewhere.',
    tlog: 'The receipt alone and its path in the whole log, signed now, for tools that read C2SP transparency logs.',
    lines: 'Records and receipts for other programs. The file proves nothing: countersign verify does not accept it.',
  },
  save: {
    proof: 'Save proof',
    pdf: 'Save report',
    html: 'Save report',
    sealed: 'Save case',
    tlog: 'Save tlog-proof',
    lines: 'Save JSON lines',
  },
  sealedLive: (records: string, all: string) =>
    `The case holds a bundle of all ${all} records received between the first and the last of the ${records} selected, and the proof of the selected as an item. Export and case stay in their lists.`,
  sealedCase: 'The case is saved whole, not only the selected records.',
  sealedSaved: (isSigned: boolean) => `The case was saved, ${isSigned ? 'signed with your key' : 'unsigned'}.`,
  countingBundle: 'Counting the records of the bundle…',
  custodyDamaged: 'The custody log of the case is damaged. Save the case on its page, which shows where.',
  exportFailed: 'The export failed.',
  importFailed: 'The case could not be imported.',
  steps: {
    exporting: 'Step 1 of 4: creating the export',
    importing: 'Step 2 of 4: importing the export as a case',
    proving: 'Step 3 of 4: adding the proof of the selected records',
    sealing: 'Last step: saving the case',
  },
  making: 'Working…',
  seconds: (seconds: number) => plural(seconds, 'second'),
  atMost: (most: string, chosen: string) => `At most ${most} records fit in this file; ${chosen} are chosen.`,
  proofSaved: (records: number) => `The proof of ${plural(records, 'record')} was saved.`,
  linesSaved: (records: number) => `${plural(records, 'record')} saved as JSON lines, without a proof.`,
  linesSoFar: (done: string, all: string) => `${done} of ${all}`,
  fingerprint: 'Fingerprint of this service',
  fingerprintOfCase: 'Fingerprint of the key in this file',
} as const;

export const REPORT_SIGNING = {
  looking: 'Looking for your signing key…',
  sign: 'Sign the report with your key',
  signs:
    'Signs everything in the report: title, question, comments, order and records. Readers compare this fingerprint, which the report names, with what you tell them through a separate channel:',
  leftUnsigned: 'Title, question, comments and order are then unsigned, and the report says so.',
  unsigned: 'The report will not be signed',
  nobody: 'Only a member of an organization who is signed in has a signing key.',
  noKey: 'This browser has no key of yours.',
  makeKey: 'Create signing key',
  fingerprint: 'fingerprint of your key',
  saved: (isSigned: boolean, records: number) =>
    `${isSigned ? 'A signed report' : 'A report'} of ${plural(records, 'record')} was saved.`,
  keyMade: 'Signing key created in this browser.',
} as const;

export const REPORT_DIALOG = {
  withSums: 'Add a table of groups and sums',
  sumsHint: 'With the numbers of the records that were added up in each group.',
  title: 'Title',
  question: 'What was asked',
  madeBy: 'Made by',
  printAll: 'Print every record with all of its contents',
  printAllHint:
    'Otherwise large contents are shortened, and beyond 200 records the report only lists them. The attached data hold everything.',
  noteComments: (notes: number) => `Use ${plural(notes, 'note as comment', 'notes as comments')}`,
  notesHint: 'A report contains notes only where you add them.',
  movedTo: (seqNo: number, place: number, count: number) => `No. ${seqNo} is now ${place} of ${count}.`,
  removed: (seqNo: number) => `No. ${seqNo} is no longer in the report.`,
  order: 'Records, in the order of the report',
  number: (seqNo: string) => `No. ${seqNo}`,
  moveUp: (seqNo: number) => `Move No. ${seqNo} up`,
  moveDown: (seqNo: number) => `Move No. ${seqNo} down`,
  commentOn: (seqNo: number) => `Comment on No. ${seqNo}`,
  comment: 'Comment',
  commentWritten: 'Comment ✓',
  leaveOutNumber: (seqNo: number) => `Leave out No. ${seqNo}`,
  leaveOut: 'Leave out',
} as const;
