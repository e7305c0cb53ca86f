import {
  type ChosenReport,
  type ChosenReportJudgement,
  type ExaminerSignatureState,
  fingerprintGroups,
  orgFingerprint,
  type RecordProof,
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

/** What a section is made of; each form of the report, on paper and in a browser, lays out each kind in its way. */
export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  | { readonly kind: 'commands'; readonly commands: readonly string[] }
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
    number: `No. ${many(view.seqNo)}`,
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
