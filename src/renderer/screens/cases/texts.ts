import {
  type CaseItem,
  type CaseItemKind,
  type CustodyAction,
  type CustodyAnswer,
  type CustodySignatureState,
  RUN_REFUSALS,
} from '../../../api/index.ts';
import { nounFor, plural } from '../../lib/plural.ts';
import type { Outcome } from '../../proof/outcome.ts';

export const ITEM_KINDS: Readonly<Record<CaseItemKind, string>> = {
  bundle: 'Bundle',
  'bundle-gzip': 'Bundle, compressed',
  'report-pdf': 'PDF report with its bundle',
  'record-report': 'Report of chosen records',
  'record-proof': 'Proof of records',
  'contradiction-proof': 'Proof of a contradiction',
  'retention-certificate': 'Certificate of retention',
  receipts: 'Receipts',
  checkpoint: 'Checkpoint of the log',
  'time-stamps': 'Time stamps',
  collection: 'Collection of found files',
  found: 'Transcript or log, as found',
  pdf: 'PDF',
  attachment: 'Attachment',
};

export const ITEM_VERDICTS: Readonly<Record<NonNullable<CaseItem['verdict']>, readonly [Outcome, string]>> = {
  verified: ['pass', 'Verified'],
  failed: ['fail', 'Failed'],
  incomplete: ['cannot_check', 'Incomplete'],
  not_verified: ['not_applicable', 'Not verified: attachment'],
};

/** Of an item of which nothing was signed: there is nothing to verify. */
export const ITEM_NOT_SIGNED: (typeof ITEM_VERDICTS)['not_verified'] = ['not_applicable', 'Not signed'];

export const ACTION_NAMES: Readonly<Record<CustodyAction, string>> = {
  'annotation.set': 'Tags and note set',
  'annotation.remove': 'Tags and note removed',
  'look.mark': 'Looked at',
  'case.rename': 'Case renamed',
  'case.verify': 'Verified again',
  'report.make': 'Report saved',
  'rules.change': 'Reading rules changed',
  'search.save': 'Search saved',
  'search.delete': 'Search deleted',
  'files.collect': 'Files collected',
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
  KEY_SHARED: 'is signed by a key that also signed for another person',
  ITEM_CHANGED: 'does not match the item',
  NOTE_CHANGED: 'does not match the note',
};

export const SIGNATURE_STATES: Readonly<Record<CustodySignatureState, readonly [Outcome, string]>> = {
  signed: ['pass', 'Signed'],
  unsigned: ['not_checked', 'Not signed'],
  invalid: ['fail', 'Signature not valid'],
};

export const DETAILED_REPORT = {
  save: (records: string, from: string, to: string) =>
    `PDF with all ${records} records, roughly ${from} to ${to} pages`,
} as const;

export const TEXTS = {
  items: 'Evidence items',
  addLabel: 'Add a file to this case',
  addFolderLabel: 'Or a folder: transcripts and logs in it are added as one item',
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
  revoked: 'registered here and revoked: ask the person when they stopped using it',
  ofAnother: 'registered here for another person',
  linkedAndSigned: 'linked, and each signed by who did it',
  linkedUnknownKeys: 'linked and signed, but not by registered keys alone',
  signedUnknownKey: 'Signed, key not registered',
  byToken: 'by API token',
  workstation: 'this workstation',
} as const;

export const CASE_COHERENCE = {
  notCheckedThen:
    'An earlier version verified this case and did not check whether the recorded actions of agents fit together. Select {verify} to check them.',
  verifyAgain: 'Verify again',
  verdictFailed: 'The verdict is failed: the records may not be what the agents signed.',
} as const;

export const ARCHIVE_CASE = {
  title: 'Archive',
  accepted: (runs: number, ledgers: number) =>
    `${plural(runs, 'run')} of ${plural(ledgers, 'ledger')} accepted. Each was verified against the run before, when it was accepted.`,
  none: 'No run is accepted yet.',
  growing: (waiting: number, records: string, all: string) =>
    `${waiting === 0 ? '' : `${plural(waiting, 'accepted run')} not searchable yet. `}Searches find ${records} of ${all} records so far.`,
  searchable: (records: number) => `${plural(records, 'record')} searchable.`,
  lookedAt: 'The folder was last looked at {time}.',
  neverLooked: 'The folder was not looked at since this archive began.',
  ENGINE: {
    ready: 'Counts, charts and sums come from the search engine.',
    behind: 'The search engine does not have all records yet. Until then counts come from the index of this node.',
    away: 'The search engine cannot be reached. Counts come from the index of this node.',
  },
  ledgers: 'Ledgers',
  what: 'the ledgers of the archive',
  organization: 'Organization',
  issuer: 'Issuer',
  runs: 'Runs',
  records: 'Records',
  lastEpoch: 'Last epoch',
  lastReceived: 'Last record received (UTC)',
  search: 'Search this ledger',
  refused: 'Refused or missing',
  refusedIntro: 'Nothing of these files is searched. What is accepted of other ledgers does not depend on them.',
  nothingRefused: 'No file is refused, and no accepted run is missing or changed.',
  file: 'File',
  code: 'Code',
  meaning: 'What was found',
  RUN_REFUSALS,
} as const;

export const CASE_FRAME = {
  case: 'Case',
  nameless: 'Case',
  what: 'the case',
  verdict: 'Verdict',
  search: 'Search',
  sessions: 'Sessions',
  entities: 'Entities',
  agents: 'Agents',
  epochs: 'Epochs',
  compare: 'Compare',
  importedReadOnly: 'Imported case – read-only',
  archiveReadOnly: 'Accepted runs of many hosts – read-only',
  actions: 'Actions',
  inThisCase: 'In this case',
} as const;

function beingChecked(items: number): string {
  return `${plural(items, 'item')} being checked`;
}

export const CASE_MARKS = {
  beingImported: 'Being imported',
  importFailed: 'Import failed',
  cancelled: 'Cancelled',
  beingVerified: 'Being verified',
  itemsUnchecked: beingChecked,
} as const;

export const CASE_SCREEN = {
  case: 'Case',
  what: 'the case',
  reportWhat: 'the report',
  verifyAgain: 'Verify again',
  saveReport: 'Save report',
  pdf: 'PDF, for people, with the bundle attached',
  json: 'JSON, for programs',
  contradicted: 'failed – contradicted by an item',
  contradictedBy: (items: readonly number[]) =>
    `${items.length === 1 ? `Item ${items[0]} contradicts` : `Items ${items.join(', ')} contradict`} the bundle: the issuer signed statements that cannot both be true. Read what was found under Evidence items.`,
  unchecked: (items: number) => `no verdict yet – ${beingChecked(items)}`,
  uncheckedText: 'An item may contradict the bundle: the case has its verdict once every item is checked.',
  byItself: 'The bundle by itself:',
  eachHasNotes: 'Each has your tags and notes, marked as yours.',
  importedFile: 'Imported file',
  file: 'File',
  digest: 'Digest',
  digestOfFile: 'digest of the file',
  imported: 'Imported',
  verified: 'Verified',
  seenBy: 'Seen by',
  thisWorkstation: 'this workstation',
  yourOrganization: 'your organization',
  openedFrom: 'Opened from',
  savedFile: 'a case file that {person} saved {madeAt} {digest}',
  nobody: 'nobody who was signed in',
  digestOfCaseFile: 'digest of the case file',
  caseFile: 'Case file',
  notSigned: 'Not signed',
  signedCompare: 'Signed: compare the fingerprint with the person',
  damaged: (damage: number) => `${damage} in its log and notes did not hold`,
  firstItem: 'Item 1',
  beingCompared: 'Being compared with what the file states',
  asStated: 'As stated in the case file, byte for byte',
  notAsStated: 'Not what the case file states',
  keptReceipts: 'Kept receipts',
  digestOfReceipts: 'digest of the receipts',
} as const;

export const CASE_TITLE = {
  cases: 'Cases',
} as const;

export const CASES_SCREEN = {
  cases: 'Cases',
  what: 'the cases',
  filter: 'Filter by name, file or organization',
  importCase: 'Import as a case',
  noCase: 'No case yet',
  explained:
    'A case is a bundle that somebody gave you, or a PDF report with the bundle inside. The case room verifies it record by record. You can search a case, follow its chains and prove single records as in a live ledger, without changing a byte of the file.',
  stepDrop: 'Drop the file anywhere on this page, or choose it.',
  stepLook: 'See what the file claims, before any of it is verified.',
  stepImport: 'Import the file: every signature, chain and epoch is checked.',
  stepCompare:
    'Compare the fingerprint of its issuer with one that you got through a separate channel, and decide whom to trust.',
  case: 'Case',
  verdict: 'Verdict',
  organization: 'Organization',
  records: 'Records',
  file: 'File',
  importedUtc: 'Imported (UTC)',
  counted: (cases: number) => plural(cases, 'case'),
  shownOf: (cases: string, total: number) => `${cases} of ${plural(total, 'case')}`,
} as const;

export const COMPARE_REPORTS = {
  nobody: 'nobody',
  signatureNotValid: 'Signature not valid',
  sameOrganization: 'Same organization',
  differentOrganizations: 'Different organizations',
  sameRecords: 'Same records, with the same content',
  otherRecords: 'Not the same records',
  sameVerdict: 'Same verdict',
  differentVerdicts: 'Different verdicts',
  sameComments: 'Same comments',
  commentsDiffer: (records: number) => `Comments differ on ${plural(records, 'record')}`,
  clocksDiffer: 'Different notes on the clock',
  item: (itemNo: number) => `Item ${itemNo}`,
  title: 'Title',
  examiner: 'Examiner',
  made: 'Made',
  signedBy: 'Signed by',
  verdict: 'Verdict',
  onlyHere: 'Only here',
  differentContent: 'Different content',
  commentOn: (seq_no: number) => `Comment on No. ${seq_no}`,
} as const;

export const COMPARE_SCREEN = {
  titleOf: (name: string) => `Compare ${name}`,
  title: 'Compare',
  what: 'the case',
  explained:
    'Two bundles of one issuer must contain the same history: the same receipt and the same content for each sequence number, one continuing where the other ends. Two different signed receipts prove that the issuer contradicted itself; different content under one receipt shows which record of a file was altered.',
  compareWith: 'Compare this case with',
  liveLedger: 'The live ledger of your organization',
  noOtherCase: 'There is no other case yet: import another bundle.',
  resultWhat: 'the comparison',
  progress: 'Progress',
  comparing: 'Comparing',
} as const;

export const CHANGED_RECORD = {
  byLive: 'Record {seqNo} {changed}. The live ledger of your organization has what was signed.',
} as const;

export const COMPARISON_MEANING = {
  same: 'The same',
  sameText: 'Both have the same receipt for every sequence number, and the same content in every record.',
  continues: 'This case continues where the other ends',
  continuesText: 'Every record that both have is the same, and this case has more.',
  otherContinues: 'The other continues where this case ends',
  otherContinuesText: 'Every record that both have is the same, and the other has more.',
  overlap: 'They agree where they meet',
  overlapText: 'Each has records that the other lacks; what both have is the same.',
  nothingInCommon: 'They have nothing in common',
  nothingInCommonText: 'No sequence number is in both, so they cannot be compared.',
  contradict: 'They contradict each other',
  contradictText:
    'There are different receipts for one sequence number: the issuer signed two statements that cannot both be true.',
  unrelated: 'They are of different organizations',
  unrelatedText: 'There is nothing to compare.',
  differInPayload: (records: number) =>
    `Receipts agree, ${plural(records, 'record differs in its payload', 'records differ in their payloads')}`,
  differInContent: (records: number) =>
    `Receipts agree, ${plural(records, 'record differs', 'records differ')} in content`,
  changed: (seqNo: number, changed: string, where: string) => `Record ${seqNo} ${changed}, ${where}.`,
  inThis: 'in this case',
  inOther: 'in the other',
  alteredAfter:
    'A file was altered after its records were countersigned: receipts do not cover what was changed in it.',
  sameReceipts: 'The same receipts',
  notCompared: (payloads: number) =>
    `Nothing differs, but ${plural(payloads, 'payload was', 'payloads were')} not compared: only one of the two has ${nounFor(payloads, 'it', 'them')}.`,
} as const;

export const COMPARISON_RESULT = {
  verdictOn: 'This compares the two with each other. The verdict on {case} is: {verdict}.',
  noneYet: 'none yet',
  saveProof: 'Save proof',
  thisCase: 'This case',
  theOther: 'The other',
  records: 'Records',
  inBoth: 'In both',
  receiptsDiffer: 'Receipts that differ',
  contentDiffers: 'Content that differs',
  payloadsNotCompared: 'Payloads not compared',
  withheldInOne: (payloadsUncompared: string) => `${payloadsUncompared}: withheld in one of the two`,
  onlyHere: 'Only in this case',
  onlyThere: 'Only in the other',
  moreRunsLeftOut: (runs: string) => `${runs} more runs are not listed.`,
  findings: (count: string) => `Findings (${count})`,
  moreRuns: (runs: string) => `and ${runs} more runs`,
  name: 'Name',
  organization: 'Organization',
} as const;

export const CUSTODY_PANEL = {
  title: 'Custody log',
  what: 'the custody log',
  number: 'No.',
  when: 'When (UTC)',
  who: 'Who',
  action: 'What',
  details: 'Details',
  signature: 'Signature',
  entryDamaged: (entryNo: number, damage: string) => `Entry ${entryNo} ${damage}`,
  itemDiffers: (item: number, entryNo: number) => `Item ${item} is not what the log says: entry ${entryNo}`,
  newest: 'Newest hash {hash} {hint}',
  hashOfNewest: 'hash of the newest entry',
  entries: (count: number) => plural(count, 'entry', 'entries'),
  linkedUnsigned: (unsigned: number) => `linked, and ${unsigned} not signed`,
  signedBy: (entries: number) => `{signer} signed ${plural(entries, 'entry', 'entries')}, key` as const,
  cannotRead: 'Cannot be read',
  namesNoCase: 'An older log, which does not name its case: it could be that of another case of the same file',
} as const;

export const SAVE_DAMAGED = {
  title: 'Save a case whose log is damaged',
  verb: 'Save case as it is',
  changed: 'The log was damaged further meanwhile. Look at the list once more.',
  explained:
    'The file takes log, items and notes as they are now, and whoever opens it sees the same. Your signature would cover them too. To save an undamaged case, open the last file that you saved of it.',
} as const;

export const DELETE_CASE = {
  deleted: (name: string) => `${name} is deleted.`,
  delete: 'Delete…',
  titleOf: (name: string) => `Delete ${name}`,
  explained:
    'The case goes for good: the copy of the file, what was verified of it, and your tags and notes. Save its report first if you need those.',
  whatStays: '{stays} the file where you got it from, the live ledger, other cases, and which issuers you trust.',
  stays: 'What stays:',
  keep: 'Keep it',
  deleteCase: 'Delete the case',
} as const;

export const DIFFERING_RECORDS = {
  partRecord: 'other members of the record',
  partReceipt: 'signature of the receipt',
  titleCounted: (total: string) => `Records that differ (${total})`,
  title: 'Records that differ',
  moreLeftOut: (left: string) => `… ${left} more are not listed.`,
  record: (seqNo: number) => `Record ${seqNo}`,
  differsIn: (parts: string) => `differs in: ${parts}`,
  loading: 'Loading both records…',
  here: 'In this case',
  inOtherCase: 'In the other case',
  inLiveLedger: 'In the live ledger',
  openRecord: 'Open the record of this case',
  digestHere: 'Digest of this payload',
  digestHereWhat: 'digest of this payload',
  digestOther: 'Digest of the other',
  digestOtherWhat: 'digest of the other payload',
} as const;

export const FINGERPRINT_FIELD = {
  unfinished: (missing: number) => `The same so far; ${plural(missing, 'character is', 'characters are')} missing.`,
  differs: (group: number) => `Not the same: group ${group} differs. Do not trust this file.`,
  matches: 'The same, character for character.',
} as const;

export const IMPORT_SCREEN = {
  cases: 'Cases',
  files: 'Files',
  explained:
    'Drop a bundle, a PDF report or a folder anywhere on this page, or choose one. {copied} to {place}, and is kept there as a case until you delete the case.',
  copied: 'The file is copied',
  thisWorkstation: 'this workstation',
  theService: 'the service that you are signed in to',
  fileLabel: 'Bundle or report, or a saved case',
  folderLabel: 'Or a folder with transcripts and logs',
  receiptsLabel: 'Receipts that agents kept (optional)',
  import: 'Import',
  nameLabel: 'Name of the case (optional)',
  submit: 'Verify and open as a case',
} as const;

export const IMPORT_STATE = {
  nothingKept: 'Only this note was kept.',
  chooseAnotherFile: 'Choose another file',
  cancelled: 'The import was cancelled',
  notWhole: 'The file is not whole',
  failed: 'The file could not be imported',
  waiting: 'Waiting to begin',
  verifying: 'Verifying every record',
  indexing: 'Indexing the records',
  checkingCoherence: 'Checking whether actions fit together',
  storing: 'Writing the case to disk',
  bytesOf: (bytes: string, totalBytes: string) => `${bytes} of ${totalBytes}`,
  record: (count: number) => plural(count, 'record'),
  perSecond: (records: string) => `${records} a second`,
  progress: 'Progress',
  beginning: 'Beginning',
  cancel: 'Cancel',
  bytesRead: 'Bytes read',
} as const;

export const ITEMS_PANEL = {
  what: 'the items of the case',
  number: 'No.',
  item: 'Item',
  sha256: 'SHA-256',
  addedUtc: 'Added (UTC)',
  verdict: 'Verdict',
  digestOf: (itemNo: number) => `digest of item ${itemNo}`,
  actOnItem: (act: string, itemNo: number, name: string) => `${act} item ${itemNo}, ${name}`,
  removeItem: (itemNo: number, name: string) => `Remove item ${itemNo}, ${name}`,
  asStated: 'As stated in the case file, byte for byte.',
  signedFor: 'Signed in the name of {examiner}, key',
  signedByNobodyNamed: 'Signed, key',
  notAsStated: 'Not what the case file states',
  added: (itemNo: number) => `Item ${itemNo} added.`,
  sentOf: (sent: string, total: string) => `${sent} of ${total}`,
} as const;

export const LIVE_ORIGINAL = {
  title: 'Live original',
  notFound: 'Not found',
  noneThere: 'The live ledger of your organization has no operation with this ID.',
  liveOriginal: 'Live original',
  differs: 'Differs from this record',
  here: 'In this case',
  live: 'In the live ledger',
  payloadNotCompared: 'Payload not compared',
  same: 'Same',
  sameButPayload: 'Everything but the payload is the same in the live ledger. Only one of the two has the payload.',
  sameText: 'The live ledger of your organization has the same record and receipt, payload included.',
} as const;

export const RECORD_IN_CASE = {
  titleCounted: (findings: string) => `Findings that name this record (${findings})`,
} as const;

export const RENAME_CASE = {
  ask: 'Rename…',
  renameCase: 'Rename the case',
  name: 'Name',
  submit: 'Rename',
} as const;

export const SIGN_ENTRIES = {
  sign: (entries: number) => `Sign ${plural(entries, 'entry', 'entries')} of yours`,
} as const;

export const TRUST_BASIS = {
  byOlderVersion: 'by an earlier version, which did not note by whom',
  byCommand: 'on the command line',
  inWorkstation: 'in a workstation session',
  overHttp: 'over HTTP',
  byUser: 'by {user}',
  ownKey: 'This workstation’s own key.',
  forThisCase: 'The key was named for this case alone, for whatever organization the file names: {organization}',
  trustedSince: 'Key trusted for {organization} since {addedAt}, confirmed {confirmedBy}.',
  alsoSignsFor: 'This key also signs for:',
} as const;

export const TRUST_ISSUER = {
  noStore: 'There is no trust store here that you have a part in. You can trust the key for this case only.',
  trusted: 'The issuer is trusted; the case is verified again.',
  verifiedWithKey: 'The case is verified with this key.',
  askOrganization:
    'You trust this key for other organizations. Anybody who has an account on that service can make bundles under it, with any name. Ask the issuer for the fingerprint of the organization through a separate channel – a call to a number that you know, a printed page – and enter it here.',
  askBoth:
    'Anybody can make a consistent bundle with a key of their own. Ask the issuer for both fingerprints through a separate channel – a call to a number that you know, a printed page – and enter them here.',
  keyInFile: 'Key in the file',
  organizationInFile: 'Organization in the file',
  keyLabel: 'Fingerprint of the key, as the issuer told you',
  keyHint: '60 digits in groups of five; spaces are ignored. The kid is accepted too.',
  organizationLabel: 'Fingerprint of the organization, as the issuer told you',
  organizationHint: '15 digits.',
  onlyAdmin:
    'Only a security admin of the home organization, or whoever sits at this machine, changes whom it trusts. You can trust the key for this case only.',
  trustIssuer: 'Trust this issuer',
  trustForCase: 'Trust the key for this case only',
  organizationQuestion: 'Is this the organization that you mean?',
  keyQuestion: 'Is this the issuer’s key?',
  issuerChanged: 'The issuer of this organization has changed',
  knownKey: 'known: {fingerprint} {lastSeen}',
  lastSeen: 'last seen {time}',
} as const;

export const TRUSTED_ISSUERS = {
  removed: 'No longer trusted. Verdicts of cases stay until they are verified again.',
  trustedIssuers: 'Trusted issuers',
  what: 'the trust store',
  intro: 'Keys that the user of this machine trusts, here and on the command line.',
  noStore: 'There is no trust store here that you have a part in: keys can be trusted for single cases.',
  none: 'None yet. The verdict on a case leads to the decision.',
  withoutName: 'Without a name',
  forOrganization: 'for {organization}',
  trustedSince: 'trusted since {addedAt}, pinned {confirmedBy}',
  removeNamed: (name: string) => `Trust ${name} no longer`,
  remove: 'Remove',
  close: 'Close',
} as const;

export const UPLOAD_STATE = {
  tryAgain: 'Try again',
  sentOf: (sent: string, total: string) => `${sent} of ${total}`,
  perSecond: (bytes: string) => `${bytes} a second`,
  readingFile: (name: string) => `Reading ${name}`,
  reading: 'Reading {name}',
  cancel: 'Cancel',
  bytesOf: (name: string) => `Bytes of ${name}`,
  filesOf: (name: string) => `Files of ${name}`,
  collecting: 'Looking for transcripts and logs in {name}',
  lookedAt: (looked: string, all: string) => `${looked} of ${all} files looked at`,
  taken: (files: string, bytes: string) => `${files} taken, ${bytes} read`,
  NOT_COLLECTED: {
    NOTHING_FOUND: 'No transcript or log that is known was found in {name}.',
    LIST_TOO_LONG:
      'The list of files in {name} is longer than a collection takes. Nothing was sent: choose fewer folders at a time.',
  },
  bundle: 'Bundle',
  bundleCompressed: 'Bundle, compressed',
  pdfReport: 'PDF report, with the bundle in it',
  receipts: 'Receipts that an agent kept',
  proof: 'Proof of records',
  savedCase: 'Saved case',
  collection: 'Collection of found files: nothing in it was signed when it happened',
  foundFile: 'Transcript or log, as found: nothing in it was signed when it happened',
  unknown: 'Neither bundle, report, receipts, transcript nor log',
  keptReceipts: 'Kept receipts',
  claimed: 'What the file claims',
  nothingVerified: 'Nothing is verified yet',
  file: 'File',
  kind: 'Kind',
  digest: 'Digest',
  digestOfFile: 'digest of the file',
  noReceipts: 'This file has no receipts: they are lines of JSON, as the agent library keeps them.',
  receiptsHere: 'These are kept receipts: choose them in the second field, next to the bundle.',
  proofHere: (label: string) => `A proof of records needs no case: verify it under “${label}”.`,
  cannotImport:
    'This file cannot be imported: it is neither a bundle nor a report of this product, nor a transcript or log that is known.',
  trusted: 'You trust this key for this organization. The import tells whether the key signed this file',
  trustedForOthers: 'You trust this key for other organizations, not for this one',
  ownKey: 'This workstation’s own key: no cause for alarm, and no proof to others',
  seenNotTrusted: 'Seen before, not trusted',
  neverSeenBefore: 'Never seen before',
  changedKey: 'Another key than this organization had before',
  organization: 'Organization',
  issuer: 'Issuer',
  knownHere: 'Known here',
  records: 'Records',
  notSaid: 'it does not say',
  made: 'Made',
} as const;
