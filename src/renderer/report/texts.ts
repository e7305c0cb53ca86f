import { plural } from '../lib/plural.ts';
import type { Outcome } from '../proof/outcome.ts';

/** Texts of the verdict. */
export const VERDICT = {
  word: 'Verdict:',
  showFindings: 'Show findings',
  showOpen: 'Show what was not checked',
  save: 'Save report',
  ring: (passed: number, failed: number, open: number, off: number) =>
    [
      `${passed} ${passed === 1 ? 'check' : 'checks'} passed`,
      `${failed} failed`,
      `${open} not checked`,
      ...(off === 0 ? [] : [`${off} not applicable`]),
    ].join(', '),
  part: {
    pass: 'passed',
    fail: 'failed',
    not_checked: 'not checked',
    cannot_check: 'cannot be checked',
    not_applicable: 'not applicable',
  } satisfies Readonly<Record<Outcome, string>>,
} as const;

export const CHECK_RING = {
  passed: 'passed',
} as const;

export const CHOSEN_REPORT_PANEL = {
  signedByNobody: 'Nobody: title, question, comments and order are nobody’s signed word',
  signedByKey: 'The key with the fingerprint',
  signatureInvalid: 'Not valid, by the key with the fingerprint',
  title: 'Report of chosen records',
  verdictOf: (verdict: string) => `Report ${verdict}`,
  reportTitle: 'Title',
  made: 'Made',
  shows: 'Shows',
  record: (count: number) => plural(count, 'record'),
  signedBy: 'Signed by',
  clock: 'Clock',
  noted: (seqNo: number, note: string) => `Record ${seqNo}: ${note}`,
  digest: 'Digest',
} as const;

export const COHERENCE_FINDINGS = {
  title: 'Findings of coherence',
  showMore: (findings: string) => `Show ${findings} more`,
  notListed: (findings: string) => `${findings} more were counted and are not listed.`,
  contradiction: 'Contradiction',
  openQuestion: 'Open question',
  note: 'Note',
  place: 'Record {record} (operation {operation}){compared}{pointer}',
  comparedWith: (otherSeqNo: number) => `, compared with record ${otherSeqNo}`,
  inPayload: ', in its payload at {pointer}',
} as const;

export const COHERENCE_PANEL = {
  title: 'Coherence of agent actions',
  basis: (records: number, calls: number, sessions: number) =>
    `{found} in ${plural(records, 'record')} (${plural(calls, 'action')}, ${plural(sessions, 'session')})` as const,
  contradiction: (count: number) => plural(count, 'contradiction'),
  openQuestion: (count: number) => plural(count, 'open question'),
  note: (count: number) => (count === 0 ? '' : `, ${plural(count, 'note')}`),
  explained: 'Coherence says whether the actions in these records fit together. Coherence does not change the verdict.',
  what: 'the findings of coherence',
  notChecked: (gaps: string) => `Not checked: ${gaps}.`,
  live: (judgedTo: number, pending: string) =>
    `Up to record ${judgedTo}${pending === '' ? '' : `, ${pending} to go`}. Later records can answer open questions, and end what has no result yet.`,
  judging: (judgedTo: number, pending: string) =>
    `Being checked: up to record ${judgedTo}, ${pending} to go. Until then nothing is said about them.`,
} as const;

export const COHERENCE_WORDS = {
  notChecked: 'Not checked',
  incoherent: 'Incoherent',
  partlyChecked: 'Not fully checked',
  openQuestions: 'Coherent, with open questions',
  coherent: 'Coherent',
  record: (count: number) => plural(count, 'record'),
  withheld: 'with withheld members or payload',
  decision: (count: number) => plural(count, 'decision'),
  notComparable: 'without a value or digest to compare',
  item: (count: number) => plural(count, 'item'),
  forgotten: 'dropped because memory is bounded',
  unreadable: 'unreadable or out of order',
} as const;

export const DAMAGE_PANEL = {
  proven: 'Proven',
  provenText: 'signatures hold, and an intact epoch seals them',
  notProven: 'Not proven',
  notProvenText: 'nothing against them, but what would prove them is broken or not there',
  missing: 'Missing',
  missingText: 'no readable record',
  damaged: 'Damaged',
  damagedText: 'see the findings below',
  consistent: 'Consistent',
  consistentText: 'not proven until you trust the issuer',
  title: 'Damage map',
  bySequence: 'by sequence number',
  bar: (first: number, last: number, words: string) => `Records ${first} to ${last}: ${words}`,
  legend: 'What the colours mean',
  rangesNot: (ranges: string, proven: string) => `${ranges} not ${proven}`,
  oneRange: '1 range',
  manyRanges: (hurt: string) => `${hurt} ranges`,
  provenWord: 'proven',
  consistentWord: 'consistent',
  moreInReport: (hurt: string) => `… ${hurt} more are in the saved report`,
  joined: (joined: string) => `The last one stands for ${joined} that were too many to tell apart`,
  record: (first: number) => `record ${first}`,
  records: (first: number, last: number) => `records ${first} – ${last}`,
} as const;

export const FINDING_WAYS = {
  record: 'Record {seqNo}',
  recordOf: (seqNo: number) => `Record ${seqNo}`,
  chain: 'Chain',
  agent: 'Agent',
  epoch: 'Epoch {epochNo}',
} as const;

export const FINDINGS = {
  findings: 'Findings',
  oneFollows: '1 finding only follows from this',
  manyFollow: (consequences: string) => `${consequences} findings only follow from this`,
  moreInReport: (consequences: string) => `… ${consequences} more are in the saved report`,
  showOthers: (groups: string) => `Show more of the ${groups} others`,
  error: 'Error',
  notChecked: 'Not checked',
} as const;

export const PAGES_BANNER = {
  match: 'PDF pages match',
  differ: 'PDF pages differ',
  notVerified: 'PDF pages not verified',
  pages: 'Pages of the PDF',
} as const;

export const REPORT = {
  checks: 'Checks',
  notReached: 'Not reached.',
  saidTimes: 'Times, as others say',
  completeness: 'Completeness',
  /** @param why as the verifier says it */
  findings: (findings: string) => `Findings (${findings})`,
  proofRecords: 'Proof of records',
  bundle: 'Bundle',
  organization: 'Organization',
  issuer: 'Issuer',
  records: 'Records',
  counted: '{records}{firstSeqNo}; {redacted} not shown whole',
  made: 'Made',
} as const;
