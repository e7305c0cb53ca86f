import {
  type ChosenReport,
  type ChosenReportJudgement,
  type ExaminerSignatureState,
  fingerprintGroups,
  orgFingerprint,
  type RecordProof,
  type ReportSums,
  type Summed,
} from '../../protocol/index.ts';
import { type Outline, type OutlineBounds, outlineOf } from './outline.ts';
import type { RecordView } from './record-view.ts';
import { checkCommands, makersWord, statedExaminer, whatItDoesNotProve, whatItProves, writtenBy } from './words.ts';

/** A name and its value; `code` is for programs, and set so. */
export interface Fact {
  readonly name: string;
  readonly value: string;
  readonly code?: boolean;
}

interface TableHead {
  readonly text: string;
  /** Share of the width on paper; those of a table add up to 1. */
  readonly share: number;
  readonly isNumber?: boolean;
}

/** What a section is made of; each form of the report, on paper and in a browser, lays out each kind in its way. */
export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | { readonly kind: 'commands'; readonly commands: readonly string[] }
  /** Rows under their heads; cells of columns that are `isNumber` end at the right. */
  | { readonly kind: 'table'; readonly heads: readonly TableHead[]; readonly rows: readonly (readonly string[])[] }
  /** What somebody wrote, set apart from what is evidence. */
  | { readonly kind: 'words'; readonly label: string; readonly text: string };

export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

const many = (count: number): string => count.toLocaleString('en-US');

/** Names and values of which those that have none are left out. */
function factsOf(
  ...rows: readonly (readonly [name: string, value: string | null | undefined, code?: boolean])[]
): Fact[] {
  return rows.flatMap(([name, value, code = false]) =>
    value === null || value === undefined ? [] : [{ name, value, code }],
  );
}

/** Who made the report, as far as it says so. */
function madeBy(report: ChosenReport, { signature, examiner_kid: kid }: ChosenReportJudgement['report']): string {
  const name = statedExaminer(report);
  if (signature === 'none') return `${name}; not signed`;
  const key = `the key ${fingerprintGroups(kid ?? '').join(' ')}`;
  return signature === 'valid' ? `${name}; signed with ${key}` : `${name}; the signature of ${key} does not hold`;
}

/** What was asked; null where nothing was. */
export function askedSection({ question }: ChosenReport, signature: ExaminerSignatureState): Section | null {
  if (question === '') return null;
  return {
    title: 'What was asked',
    blocks: [{ kind: 'words', label: writtenBy('Question', signature), text: question }],
  };
}

/** @param proof null where it cannot be read */
export function aboutSection(
  report: ChosenReport,
  judgement: ChosenReportJudgement,
  proof: Pick<RecordProof, 'org_id'> | null,
): Section {
  const { taken_from: bundle, entries } = report;
  const seqNos = entries.map(({ seq_no }) => seq_no);
  const facts = factsOf(
    ['Made', report.made_at],
    ['By', madeBy(report, judgement.report)],
    ['Organization', proof?.org_id],
    ['Its fingerprint', proof && orgFingerprint(proof.org_id)],
    ['Records', `${many(seqNos.length)}, numbers ${many(Math.min(...seqNos))} to ${many(Math.max(...seqNos))}`],
    ['Taken from', bundle && `a bundle of ${many(bundle.size)} bytes`],
    ['Its digest', bundle?.sha256, true],
    ['Digest of this report', report.digest, true],
  );
  return { title: 'About this report', blocks: [{ kind: 'facts', facts }] };
}

const MEASURES: Readonly<Record<ReportSums['measure'], string>> = {
  count: 'Number',
  sum: 'Sum',
  min: 'Least',
  max: 'Most',
  median: 'Median',
};

function amountsOf({ amounts, without }: Summed): string {
  const values = amounts.map(({ value, currency }) => (currency === null ? value : `${value} ${currency}`));
  return [values.length === 0 ? '–' : values.join('; '), ...(without === 0 ? [] : [`${many(without)} without`])].join(
    '; ',
  );
}

/** Numbers in order, of which those that follow one another are written as a range. */
function rangesOf(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && number <= last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? many(from) : `${many(from)}–${many(to)}`)).join(', ');
}

/** What the records come to; null where that was not asked. */
export function sumsSection({ sums }: ChosenReport, signature: ExaminerSignatureState): Section | null {
  if (sums === undefined) return null;
  const { unit, measure, of, by, zone, groups, all } = sums;
  const head = of === null ? `${MEASURES[measure]} of ${unit}` : `${MEASURES[measure]} of ${of}`;
  const first = by.length === 0 ? ['Group'] : by;
  const share = 0.44 / first.length;
  const heads: TableHead[] = [
    ...first.map((text) => ({ text, share })),
    { text: head, share: 0.24, isNumber: true },
    { text: 'Records that were counted', share: 0.32 },
  ];
  const rows = groups.map((group) => [
    ...(by.length === 0 ? ['all'] : group.keys.map((key) => key ?? 'without a value')),
    amountsOf(group),
    rangesOf(group.records),
  ]);
  const total = by.length === 0 ? [] : [['All', ...by.slice(1).map(() => ''), amountsOf(all), '']];
  return {
    title: 'What the records come to',
    blocks: [
      {
        kind: 'paragraph',
        text:
          `${writtenBy('Sums', signature)}. The program that made this report read them out of the records that it shows, and of no others: ` +
          `each row names those that were counted, so that anybody can add them up again. ` +
          `${unit === 'actions' ? 'An action is a call with all its records. ' : ''}` +
          `Amounts of different currencies are not added. Times are of the zone ${zone}.`,
      },
      { kind: 'table', heads, rows: [...rows, ...total] },
    ],
  };
}

/** What stands before the records. */
export const RECORDS_SECTION: Section = {
  title: 'The records',
  blocks: [
    {
      kind: 'paragraph',
      text:
        'In the order that the maker of this report chose. Contents are laid out for reading; headings and outcomes are read out of ' +
        'them. Byte for byte they are in the data inside this file.',
    },
  ],
};

/** A record as it is read. */
export interface RecordContent {
  readonly number: string;
  readonly summary: string;
  /** The comment on it, and the facts. */
  readonly blocks: readonly Block[];
  /** For those who check it. */
  readonly hashes: readonly Fact[];
}

export function recordContent(view: RecordView, signature: ExaminerSignatureState): RecordContent {
  const { eor, ear } = view.record;
  const facts = factsOf(
    ['Issued', view.issuedAt],
    ['Received', view.receivedAt],
    ['Clock', view.clockNote],
    ['Agent', view.agentId],
    ['On behalf of', view.person],
    ['Action', `${view.action} (${view.operationType}), subject ${view.subject}`],
    ['Outcome', view.error === null ? view.outcome : `${view.outcome}: ${view.error}`],
    ['Session', view.session],
  );
  const { comment } = view;
  const words: Block[] =
    comment === null ? [] : [{ kind: 'words', label: writtenBy('Comment', signature), text: comment }];
  return {
    number: `No. ${view.seqNo}`,
    summary: view.summary,
    blocks: [...words, { kind: 'facts', facts }],
    hashes: factsOf(
      ['Operation', view.operationId],
      ['Payload hash', eor.payload_hash, true],
      ['Chain hash', ear.chain_hash, true],
      ['Signed with', eor.agent_pubkey_kid],
      ['Signature', eor.signature, true],
      ['Countersigned', ear.service_signature, true],
    ),
  };
}

/** The contents of a record within bounds, and what is said of what is not shown. */
export interface ShownContents {
  /** Null where they are withheld. */
  readonly outline: Outline | null;
  readonly notes: readonly string[];
}

export function shownContents({ payload, withheldMembers, record }: RecordView, bounds: OutlineBounds): ShownContents {
  if (payload === null) {
    return { outline: null, notes: ['The contents are withheld: they are bound by their hash, and not shown.'] };
  }
  const outline = outlineOf(payload, bounds);
  const notes = [
    ...(outline.cut
      ? [
          `${many(outline.leftOut)} characters of the contents are left out here. The data inside this file have them whole: ` +
            `payload_hash ${record.eor.payload_hash}`,
        ]
      : []),
    ...(withheldMembers.length > 0
      ? [`Members of the contents withheld, each as a salted digest: ${withheldMembers.join(', ')}`]
      : []),
  ];
  return { outline, notes };
}

/**
 * For people who know nothing of signatures: what all this shows, and what it does not.
 * @param file how the commands call the file
 */
export function provesSection(judgement: ChosenReportJudgement, file: string): Section {
  const { signature, examiner_kid: kid, records } = judgement.report;
  const signed = signature === 'valid' ? [makersWord(signature, fingerprintGroups(kid ?? '').join(' '))] : [];
  return {
    title: 'What this report proves, and what it does not',
    blocks: [
      {
        kind: 'paragraph',
        text: 'This part is for readers who have to rely on this report, or to doubt it. It is the same in every such report.',
      },
      { kind: 'heading', text: 'It proves, where the check of the data says “verified”' },
      { kind: 'list', items: [...whatItProves(records), ...signed] },
      { kind: 'heading', text: 'It does not prove' },
      { kind: 'list', items: whatItDoesNotProve(signature) },
      { kind: 'heading', text: 'Do not take these pages for the proof' },
      {
        kind: 'paragraph',
        text:
          'Anybody can make pages like these, on paper and on a screen. The proof is in the data inside this file. Have a program check ' +
          'the file that you got from somebody you trust, not from whoever handed you this report, and give it the issuer’s ' +
          'fingerprint as the issuer told it to you: by telephone, in person, on paper.',
      },
      { kind: 'commands', commands: checkCommands(file) },
      {
        kind: 'paragraph',
        text:
          'The first command also makes these pages again from the data, and says where one character of them was changed. It ends with 0 ' +
          'where everything is verified, with 1 where something fails, and with 3 where the issuer is not confirmed.',
      },
    ],
  };
}
