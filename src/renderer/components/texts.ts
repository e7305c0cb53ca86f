import { plural } from '../lib/plural.ts';

export const EARLIER_ENTRIES = {
  show: 'Show earlier entries',
} as const;

export const REPORT_SIGNING = {
  looking: 'Looking for your signing key…',
  sign: 'Sign the report with your key',
  signs:
    'Signs everything in the report: title, question, comments, order and records. Readers compare this fingerprint, which the report names, with what you tell them through a separate channel:',
  leftUnsigned: 'Nobody vouches for title, question, comments and order, and the report says so.',
  unsigned: 'The report will not be signed',
  nobody: 'Only a member of an organization who is signed in has a signing key.',
  noKey: 'This browser has no key of yours.',
  makeKey: 'Create signing key',
  fingerprint: 'fingerprint of your key',
  saved: (isSigned: boolean, records: number) =>
    `${isSigned ? 'A signed report' : 'A report'} of ${plural(records, 'record')} was saved.`,
  keyMade: 'Signing key created in this browser.',
} as const;
