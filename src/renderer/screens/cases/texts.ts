import type {
  CaseItem,
  CaseItemKind,
  CustodyAction,
  CustodyAnswer,
  CustodySignatureState,
} from '../../../contract/index.ts';
import type { Outcome } from '../../proof/outcome.ts';

export const ITEM_KINDS: Readonly<Record<CaseItemKind, string>> = {
  bundle: 'Bundle',
  'bundle-gzip': 'Bundle, compressed',
  'report-pdf': 'PDF report with its bundle',
  'record-report': 'Report of chosen records',
  'record-proof': 'Proof of records',
  'contradiction-proof': 'Proof of a contradiction',
  receipts: 'Receipts',
  checkpoint: 'Checkpoint of the log',
  pdf: 'PDF',
  attachment: 'Attachment',
};

export const ITEM_VERDICTS: Readonly<Record<NonNullable<CaseItem['verdict']>, readonly [Outcome, string]>> = {
  verified: ['pass', 'Verified'],
  failed: ['fail', 'Failed'],
  incomplete: ['cannot_check', 'Incomplete'],
  not_verified: ['not_applicable', 'Not verified: attachment'],
};

export const ACTION_NAMES: Readonly<Record<CustodyAction, string>> = {
  'annotation.set': 'Tags and note set',
  'annotation.remove': 'Tags and note removed',
  'case.rename': 'Case renamed',
  'case.verify': 'Verified again',
  'report.make': 'Report saved',
  'rules.change': 'Reading rules changed',
  'search.save': 'Search saved',
  'search.delete': 'Search deleted',
  'item.add': 'Item added',
  'item.remove': 'Item removed',
  'item.save': 'Item downloaded',
  'items.compare': 'Reports compared',
  'certificate.make': 'Certificate drafted',
  'case.save': 'Case saved as a file',
  'case.open': 'Case opened from a file',
};

export const DAMAGE_NAMES: Readonly<Record<CustodyAnswer['damage'][number]['code'], string>> = {
  ENTRY_MISSING: 'is missing',
  ENTRY_CHANGED: 'was changed',
  LINK_BROKEN: 'does not follow the entry before it',
  OTHER_CASE: 'is about another file',
  SIGNATURE_INVALID: 'has a signature that does not verify',
  ITEM_CHANGED: 'says something else than the item is now',
  NOTE_CHANGED: 'says something else than the note does now',
};

export const SIGNATURE_STATES: Readonly<Record<CustodySignatureState, readonly [Outcome, string]>> = {
  signed: ['pass', 'Signed'],
  unsigned: ['not_checked', 'Not signed'],
  invalid: ['fail', 'Signature not valid'],
};

export const TEXTS = {
  items: 'Evidence items',
  addLabel: 'Add a file to this case',
  addHint:
    'Bundles, reports, proofs, receipts and checkpoints are verified. Any other file is kept as an attachment and never opened here.',
  add: 'Add item',
  checking: 'Verifying…',
  download: 'Download',
  remove: 'Remove…',
  removeTitle: 'Remove item',
  removeText:
    'The copy of the file and its verdict go for good. The custody log keeps the name and the digest, and no other item gets this number.',
  compareTitle: 'Compare two examiners’ reports',
  compare: 'Compare reports',
  one: 'First report',
  other: 'Second report',
  certificate: 'Draft certificate',
  save: 'Save case',
  open: 'Open case',
  openText: 'The file is checked first. Then each item is verified here, and compared with the verdict in the file.',
  savedSigned: 'The case is saved. You signed its manifest.',
  savedUnsigned: 'The case is saved. Nobody signed its manifest: this browser has no key of yours.',
  nothingYet:
    'Nothing yet. Items, tags, notes, saved searches, reading rules, reports and verifications are written here as they happen, each entry with the hash of the one before it.',
  headHint: 'Write down the newest hash: it shows later whether entries were cut off.',
  registered: 'registered here',
  notRegistered: 'not registered here: compare the fingerprint with the person',
  revoked: 'registered here and revoked: ask the person when it stopped being theirs',
  linkedAndSigned: 'linked, and each signed by who did it',
  linkedUnknownKeys: 'linked and signed, but not by registered keys alone',
  signedUnknownKey: 'Signed, key not registered',
  byToken: 'by API token',
  workstation: 'this workstation',
} as const;
