import { nodeCrypto } from '../../node/index.ts';
import {
  type ChosenReport,
  chosenReportBytes,
  chosenReportDigest,
  fromBase64Url,
  type JsonObject,
  makeChosenReport,
  type RecordProof,
  type ReportSums,
  type Summed,
  type SummedGroup,
} from '../../protocol/index.ts';
import { forgersKey } from './forge.ts';
import type { Expectation, Mutation } from './mutation.ts';
import { EMPTY, proofOf } from './proofs-of-records.ts';

const { sha256 } = nodeCrypto;
const EXAMINER = forgersKey('an examiner');

/** A signed report of the records of a proof, each with a comment. */
function reportOf(proof: RecordProof, madeAt: string): ChosenReport {
  const content = {
    title: 'Records of the bundle',
    question: 'What was done?',
    examiner: 'Ada Lovelace',
    made_at: madeAt,
    taken_from: null,
    trusted_keys: [],
    proof: proof as unknown as JsonObject,
    entries: proof.records.map(({ ear }) => ({ seq_no: ear.seq_no, comment: `No. ${ear.seq_no}` })),
    sums: sumsOf(proof),
  };
  const examiner = {
    publicKey: fromBase64Url(EXAMINER.publicKey, 32),
    sign: (message: Uint8Array) => fromBase64Url(EXAMINER.sign(message), 64),
  };
  return makeChosenReport(content, { examiner, hash: sha256 });
}

/** How many records each agent has among those of a proof. */
function sumsOf({ records }: RecordProof): ReportSums {
  const counted = (count: number): Summed => ({ amounts: [{ value: String(count), currency: null }], without: 0 });
  const agents = [...new Set(records.map(({ eor }) => eor.agent_id))];
  const groups = agents.map((agent) => {
    const own = records.filter(({ eor }) => eor.agent_id === agent).map(({ ear }) => ear.seq_no);
    return { keys: [agent], records: own, ...counted(own.length) };
  });
  return {
    unit: 'records',
    measure: 'count',
    of: null,
    by: ['agent'],
    zone: 'UTC',
    groups,
    all: counted(records.length),
  };
}

/** A report as whoever changed it writes it: its digest fits again, and nobody signs it. */
function unsigned({ signature: _, ...report }: ChosenReport): ChosenReport {
  return { ...report, digest: chosenReportDigest(report, sha256) };
}

function reportMutation(
  [id, title, attack]: readonly [string, string, string],
  change: (report: ChosenReport) => ChosenReport,
  finding?: string,
  expected: Expectation = 'failed',
): Mutation {
  return {
    id: `report-${id}`,
    title: `a report of chosen records: ${title}`,
    attack,
    expected,
    ...(finding === undefined ? {} : { finding }),
    copies: ({ bundle }) => {
      const proof = proofOf(bundle);
      if (proof === null) return EMPTY;
      const make = (): Uint8Array => chosenReportBytes(change(reportOf(proof, bundle.manifest.created_at)));
      return [{ at: 'the file', make }];
    },
  };
}

const withStranger = (group: SummedGroup): SummedGroup => ({
  ...group,
  records: [...group.records, Number.MAX_SAFE_INTEGER],
});

/** Reports of records of the bundle, changed as somebody does who was handed one. */
export const REPORTS: readonly Mutation[] = [
  reportMutation(['control', 'as it is written', 'none: a control'], (report) => report, undefined, 'verified'),
  reportMutation(
    ['title', 'its title edited', 'have the examiner say something else'],
    (report) => ({ ...report, title: 'Nothing was done' }),
    'REPORT_DIGEST_MISMATCH',
  ),
  reportMutation(
    ['comment', 'a comment edited, with the digest', 'have the examiner say something else'],
    ({ entries: [first, ...others], ...report }) => {
      const entries = [{ seq_no: first?.seq_no ?? 1, comment: 'Of no importance' }, ...others];
      return { ...report, entries, digest: chosenReportDigest({ ...report, entries }, sha256) };
    },
    'REPORT_SIGNATURE_INVALID',
  ),
  reportMutation(
    ['entry', 'a record shown that is not proven', 'have a record pass for proven'],
    (report) => unsigned({ ...report, entries: [...report.entries, { seq_no: Number.MAX_SAFE_INTEGER }] }),
    'REPORT_ENTRY_UNKNOWN',
  ),
  reportMutation(
    ['sums', 'a sum edited, with the digest', 'have the examiner say something else'],
    ({ sums, ...report }) => {
      const changed = {
        ...report,
        ...(sums === undefined ? {} : { sums: { ...sums, all: { ...sums.all, without: 7 } } }),
      };
      return { ...changed, digest: chosenReportDigest(changed, sha256) };
    },
    'REPORT_SIGNATURE_INVALID',
  ),
  reportMutation(
    ['counted', 'a record counted that is not shown', 'have sums seem to be of the records'],
    ({ sums, ...report }) =>
      unsigned({
        ...report,
        ...(sums === undefined ? {} : { sums: { ...sums, groups: sums.groups.map(withStranger) } }),
      }),
    'REPORT_ENTRY_UNKNOWN',
  ),
  reportMutation(
    ['not-shown', 'the one record replaced by another number', 'prove one record and show another'],
    (report) => unsigned({ ...report, entries: [{ seq_no: Number.MAX_SAFE_INTEGER }] }),
    'REPORT_RECORD_NOT_SHOWN',
  ),
  reportMutation(
    ['service-keys', 'the service keys of its proof removed', 'hide who signed'],
    (report) => unsigned({ ...report, proof: { ...report.proof, service_keys: [] } }),
    'RECEIPT_SIGNATURE_INVALID',
  ),
];
