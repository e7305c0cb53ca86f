import type { ReportComparison } from '../../../api/index.ts';
import { firstBytes } from '../../../node/light.ts';
import {
  canonicalize,
  type Json,
  judgeChosenReport,
  parseChosenReport,
  proofOf,
  type RecordProof,
} from '../../../protocol/index.ts';
import { readChosenFile } from '../../../reports/pdf/index.ts';
import { CaseRefused } from '../case-source.ts';

/** A report of chosen records among the items of a case. */
export interface ComparedReport {
  readonly item_no: number;
  readonly name: string;
  readonly path: string;
}

const HEAD_BYTES = 4096;

interface Read {
  readonly side: ReportComparison['this'];
  /** By number, what is proven under it: record, disclosures and receipt. Empty where the proof cannot be read or does not hold. */
  readonly records: ReadonlyMap<number, string>;
  readonly comments: ReadonlyMap<number, string | null>;
  /** By number, what the report says of the clock; null where that is nothing. */
  readonly clocks: ReadonlyMap<number, string | null>;
  readonly orgId: string | null;
}

type Reader = Parameters<typeof judgeChosenReport>[1];

async function read(file: ComparedReport, reader: Reader): Promise<Read> {
  const data = await readChosenFile(file.path, await firstBytes(file.path, HEAD_BYTES));
  if (data === null) throw new CaseRefused('NOT_A_BUNDLE', `${file.name} is no report of chosen records`);
  const report = parseChosenReport(data.data);
  const { verdict, report: judged, proof: proofReport } = await judgeChosenReport(report, reader);
  const proof = proofOf(report);
  const holds = proof !== null && proofReport.verdict !== 'failed';
  return {
    side: {
      item_no: file.item_no,
      title: report.title,
      question: report.question,
      examiner: report.examiner,
      made_at: report.made_at,
      verdict,
      signature: judged.signature,
      examiner_kid: judged.examiner_kid,
      taken_from: report.taken_from?.sha256 ?? null,
      records: report.entries.length,
    },
    records: new Map((holds ? proof.records : []).map((record) => [record.ear.seq_no, contentOf(record)])),
    comments: new Map(report.entries.map(({ seq_no, comment }) => [seq_no, comment ?? null])),
    clocks: new Map(report.entries.map(({ seq_no, clock_corrected_at }) => [seq_no, clock_corrected_at ?? null])),
    orgId: proof?.org_id ?? null,
  };
}

/** What a record is and shows, without the proof that it is in a ledger: that may be made at different times. */
function contentOf({
  eor,
  ear,
  disclosures = {},
}: Pick<RecordProof['records'][number], 'eor' | 'ear' | 'disclosures'>): string {
  return canonicalize([eor, ear, disclosures] as unknown as Json);
}

/**
 * Holds two reports of chosen records against each other: which records, in which order, with which verdict and comments.
 * @throws CaseRefused; ProtocolError and ExtractError where one cannot be read
 */
export async function compareReports(
  one: ComparedReport,
  other: ComparedReport,
  reader: Reader,
): Promise<ReportComparison> {
  const [a, b] = [await read(one, reader), await read(other, reader)];
  const [mine, theirs] = [[...a.comments.keys()], [...b.comments.keys()]];
  const common = mine.filter((seqNo) => b.comments.has(seqNo));
  const onlyThis = mine.filter((seqNo) => !b.comments.has(seqNo));
  const onlyOther = theirs.filter((seqNo) => !a.comments.has(seqNo));
  // What one of them does not prove is not the same, whatever both say of it.
  const recordsDiffer = common.filter((seqNo) => {
    const proven = a.records.get(seqNo);
    return proven === undefined || proven !== b.records.get(seqNo);
  });
  return {
    this: a.side,
    other: b.side,
    same_organization: a.orgId !== null && a.orgId === b.orgId,
    same_verdict: a.side.verdict === b.side.verdict,
    same_records: onlyThis.length + onlyOther.length + recordsDiffer.length === 0,
    same_order: mine.length === theirs.length && mine.every((seqNo, index) => theirs[index] === seqNo),
    only_this: onlyThis,
    only_other: onlyOther,
    records_differ: recordsDiffer,
    comments_differ: common
      .filter((seqNo) => a.comments.get(seqNo) !== b.comments.get(seqNo))
      .map((seqNo) => ({ seq_no: seqNo, this: a.comments.get(seqNo) ?? null, other: b.comments.get(seqNo) ?? null })),
    clocks_differ: common.filter((seqNo) => a.clocks.get(seqNo) !== b.clocks.get(seqNo)),
  };
}
