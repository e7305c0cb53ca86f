import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import {
  type BundleSource,
  type ChosenReport,
  chosenReportBytes,
  type HostCrypto,
  judgeChosenReport,
  parseTime,
  proofOf,
} from '../../../protocol/index.ts';
import { provesSection, verdictTitle, viewRecords } from '../../chosen/index.ts';
import { ATTACHED_REPORT, ATTACHED_WHOLE_BUNDLE } from '../../reading/index.ts';
import { attachFile, type EmbeddedFile } from '../document/attachment.ts';
import type { GivenFont } from '../document/given-font.ts';
import { newDocument } from '../document/new-document.ts';
import { Output } from '../document/output.ts';
import { Flow } from '../layout/flow.ts';
import { runningHeads } from '../layout/running-heads.ts';
import { loadStyles } from '../layout/styles.ts';
import { DETAILED_RECORDS, type ReportAttachment } from '../pdf-report.ts';
import { ReportError } from '../report-error.ts';
import { Witness } from '../witness.ts';
import { writeBlocks } from './blocks.ts';
import { attachChosenOptions } from './chosen-options.ts';
import type { ChosenSubject } from './chosen-subject.ts';
import { writeChosenCover, writeRecordList, writeSums } from './cover.ts';
import { writeChosenRecords } from './records.ts';
import { writeTechnicalProof } from './technical.ts';

export interface ChosenPdfOptions {
  readonly report: ChosenReport;
  readonly crypto: HostCrypto;
  /** Version of the product. */
  readonly version: string;
  /** Where the PDF goes; ended by this. Of a report that fails, what was written is of no use. */
  readonly out: Writable;
  /** Whether each record is shown with its contents; where left out, of up to `DETAILED_RECORDS` records. */
  readonly details?: boolean;
  /** Whether large contents are shortened; where left out, unless details were asked for. */
  readonly shortened?: boolean;
  /** The whole bundle that the records were taken from, as plain JSON, where it is attached too. Read twice. */
  readonly wholeBundle?: BundleSource;
  readonly attachments?: readonly ReportAttachment[];
  /** Font files of whoever makes the report, for scripts that the fonts here lack. */
  readonly fonts?: readonly GivenFont[];
  /** Is told how many records are shown, and how many there are. */
  readonly onRecords?: (done: number, total: number) => void;
}

/** Up to this many records need no list of them. */
const FEW = 5;

/**
 * Writes a report of chosen records as PDF: PDF/A-3, tagged, its data attached. The same data and options give the same
 * bytes. Its verdict is that of the data with the keys that they name as trusted by their maker.
 * @throws ReportError PROOF_UNREADABLE, BUNDLE_CHANGED; and what the output fails with
 */
export async function writeChosenPdf(
  options: ChosenPdfOptions,
): Promise<{ readonly pages: number; readonly missingScripts: readonly string[] }> {
  const { report, crypto, version, attachments = [] } = options;
  const output = new Output(options.out);
  const proof = proofOf(report);
  if (proof === null) throw new ReportError('PROOF_UNREADABLE', 'the proof in the report cannot be read');
  const judgement = await judgeChosenReport(report, { crypto, trustedKids: report.trusted_keys });
  const details = options.details ?? report.entries.length <= DETAILED_RECORDS;
  const shortened = options.shortened ?? options.details === undefined;
  const whole = await wholeBundle(report, options.wholeBundle);
  const described = [
    {
      name: ATTACHED_REPORT,
      description: 'The data of this report: what was asked, the comments, and the proof of its records',
    },
    ...(whole === null ? [] : [{ name: whole.name, description: whole.description }]),
    ...attachments.map(({ name, description }) => ({ name, description })),
  ];
  const subject = {
    report,
    judgement,
    proof,
    details,
    shortened,
    version,
    attachments: described,
    records: viewRecords(report, proof),
  };
  const made = new Date(parseTime(report.made_at));
  const document = await newDocument({
    title: `Report of chosen records: ${report.title}`,
    subject: `Report ${report.digest}`,
    version,
    made,
  });
  output.take(document);
  const styles = loadStyles(
    document,
    options.fonts?.map(({ path }) => path),
  );
  const heads = {
    left: `Report of chosen records: ${verdictTitle(judgement).toLowerCase()}`,
    right: report.title,
    foot: `Report ${report.digest.slice(0, 23)}…`,
  };
  const flow = new Flow(document, styles, runningHeads(styles, heads), output.breathe);
  writeChosenCover(flow, subject);
  writeSums(flow, subject);
  // A list of a few records only repeats their headings.
  if (!details || report.entries.length > FEW) writeRecordList(flow, subject);
  if (details) await writeChosenRecords(flow, subject, options.onRecords);
  writeWhatItProves(flow, subject);
  await writeTechnicalProof(flow, subject);
  flow.finish();
  const data = chosenReportBytes(report);
  const attach = (file: Omit<EmbeddedFile, 'modified'>): Promise<void> =>
    attachFile(document, { ...file, modified: made }, output.breathe);
  const inMemory = (bytes: Uint8Array) => ({
    size: bytes.length,
    md5: createHash('md5').update(bytes).digest(),
    read: () => [bytes],
  });
  await attach({
    name: ATTACHED_REPORT,
    type: 'application/json',
    description: described[0]?.description ?? '',
    relationship: 'Source',
    ...inMemory(data),
  });
  if (whole !== null) await attach(whole);
  for (const { name, type, description, bytes } of attachments) {
    await attach({ name, type, description, relationship: 'Supplement', ...inMemory(bytes) });
  }
  const fonts = (options.fonts ?? []).map(({ sha256 }) => sha256);
  const names = attachments.map(({ name }) => name);
  await attach({
    ...attachChosenOptions({ version, details, shortened, wholeBundle: whole !== null, attachments: names, fonts }),
    relationship: 'Supplement',
  });
  await output.finish(document);
  return { pages: flow.pages, missingScripts: styles.further.missingScripts };
}

/** A page for people who know nothing of signatures, and what the file brings along. */
function writeWhatItProves(flow: Flow, { judgement, attachments }: ChosenSubject): void {
  const { title, blocks } = provesSection(judgement, 'report.pdf');
  flow.newPage();
  flow.open('Sect');
  flow.heading(2, title, { bookmark: 'section' });
  writeBlocks(flow, blocks);
  flow.paragraph('Attached to this PDF:', flow.styles.body, { after: 2 });
  flow.list(attachments.map(({ name, description }) => `${name}: ${description}`));
  flow.close();
}

/** The bundle as a file to attach, which must be the one that the report says its records are from. */
async function wholeBundle(
  { taken_from: takenFrom }: ChosenReport,
  source: BundleSource | undefined,
): Promise<Omit<EmbeddedFile, 'modified'> | null> {
  if (source === undefined) return null;
  const witness = new Witness(source);
  const { size, md5, sha256 } = await witness.digests();
  if (takenFrom === null || `sha256:${sha256}` !== takenFrom.sha256 || size !== takenFrom.size) {
    throw new ReportError('BUNDLE_CHANGED', 'the whole bundle is not the one that the report was made of');
  }
  return {
    name: ATTACHED_WHOLE_BUNDLE,
    type: 'application/json',
    relationship: 'Source' as const,
    size,
    md5,
    description: 'The whole bundle that the records were taken from, byte for byte',
    read: witness.source,
  };
}
