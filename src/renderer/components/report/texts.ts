import { plural } from '../../lib/plural.ts';

export const REPORT_BUTTON = {
  report: 'Report…',
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
  pdf: 'PDF, for paper',
  html: 'HTML, a page that verifies itself',
  atMost: (most: string) => `A report shows at most ${most} records.`,
  reportOf: (records: number) => `Report of ${plural(records, 'record')}`,
  title: 'Title',
  question: 'What was asked',
  madeBy: 'Made by',
  file: 'File',
  fileHint: 'Either holds the proof of these records alone.',
  printAll: 'Print every record with all of its contents',
  printAllHint:
    'Otherwise large contents are shortened, and beyond 200 records the report only lists them. The attached data hold everything.',
  noteComments: (notes: number) => `Use ${plural(notes, 'note as comment', 'notes as comments')}`,
  notesHint: 'A report contains notes only where you add them.',
  making: 'Making the report…',
  save: 'Save report',
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
