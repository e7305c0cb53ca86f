import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { ATTACHED_BUNDLE, ATTACHED_OPTIONS, MAX_BUNDLE_BYTES } from '../extract/index.ts';
import { type BundleSource, type PagesCheck, parseTime, type VerificationReport } from '../protocol/index.ts';
import { asIssuersWord } from './issuers-word.ts';
import { Flow, type Furniture } from './layout/flow.ts';
import { breakLines, widthOf } from './layout/lines.ts';
import { loadStyles, type Styles } from './layout/styles.ts';
import { COLOURS, PAGE } from './layout/theme.ts';
import { deflateName, keysThatMatter, type MadeWith, recipeBytes } from './made-with.ts';
import { attachFile } from './pdf/attachment.ts';
import { Output } from './pdf/output.ts';
import type { PDFDocument } from './pdf/pdfkit.ts';
import { ReportError } from './report-error.ts';
import { writeAdminEvents } from './sections/admin-events.ts';
import { writeAgents } from './sections/agents.ts';
import { writeAnnotations } from './sections/annotations.ts';
import { writeAppendix } from './sections/appendix.ts';
import { writeChecks } from './sections/checks.ts';
import { writeCover } from './sections/cover.ts';
import { writeEpochs } from './sections/epochs.ts';
import { writeFindings } from './sections/findings.ts';
import { writeOperations } from './sections/operations.ts';
import { writeSummary } from './sections/summary.ts';
import type { ReportAnnotation, ReportMaker, Subject } from './subject.ts';
import { surveyBundle } from './survey.ts';
import { Witness } from './witness.ts';
import { VERDICT_WORDS } from './wording.ts';

/** A file that goes with a report besides the bundle, such as a verifier. */
export interface ReportAttachment {
  /** File name: letters, digits and . _ - only. */
  readonly name: string;
  /** MIME type. */
  readonly type: string;
  readonly description: string;
  readonly bytes: Uint8Array;
}

export interface ReportOptions {
  /** The bundle as plain JSON. It is read three times, and must be the same each time. */
  readonly source: BundleSource;
  /** What `verifyBundle` made of that bundle. */
  readonly report: VerificationReport;
  /** Who speaks: `issuer` where the service makes the report of its own export; then it never says `verified`. */
  readonly maker: ReportMaker;
  /** Version of the product, for the last page. */
  readonly version: string;
  /** Where the PDF goes; ended by this. Of a report that fails, what was written is of no use. */
  readonly out: Writable;
  readonly attachments?: readonly ReportAttachment[];
  /**
   * What `report` was made with. Attached, it lets others make these pages again and compare; without it they cannot.
   * Whoever has the PDF reads it.
   */
  readonly madeWith?: MadeWith;
  /** What was found about the pages of the file that was verified, where that was itself a report. */
  readonly pages?: PagesCheck | null;
  /** What an investigator wrote about records: set apart from the evidence, before the last pages. */
  readonly annotations?: readonly ReportAnnotation[];
  /** Where the fonts are, if not in resources/fonts. */
  readonly fontFolder?: string;
}

/** What became of a report. */
export interface WrittenReport {
  readonly pages: number;
  /** Of the bundle that is in it: 64 hexadecimal digits. */
  readonly bundleSha256: string;
}

/** Bundles whose manifest cannot be read have no time of their own; a clock would make two reports of one bundle differ. */
const NO_TIME = '1970-01-01T00:00:00.000Z';

/** What may stand in metadata: pdfkit writes it into XML as it is. */
function plain(text: string): string {
  return text.replace(/[^A-Za-z0-9 ._:@-]/g, '_').slice(0, 200);
}

/** Header and footer: what the loose page belongs to. */
function furniture(styles: Styles, subject: Subject): Furniture {
  const { muted } = styles;
  const { report, digests, maker } = subject;
  const own = maker === 'issuer' ? ', the issuer’s own word' : '';
  const name = report.bundle.export_id ?? 'unknown export';
  return (sheet, pageNumber) => {
    const put = (text: string, baseline: number, side: 'left' | 'right'): void => {
      const [line] = breakLines(text, muted, 300);
      if (line === undefined) return;
      const x = side === 'left' ? PAGE.left : PAGE.width - PAGE.right - widthOf(line.glyphs, muted.size);
      sheet.text(line, x, baseline);
    };
    put(`Verification report: ${VERDICT_WORDS[report.verdict].toLowerCase()}${own}`, 38, 'left');
    put(`Export ${name}`, 38, 'right');
    sheet.rectangle(PAGE.left, 46, PAGE.width - PAGE.left - PAGE.right, 0.5, COLOURS.rule);
    put(`Bundle sha256 ${digests.sha256.slice(0, 16)}…`, PAGE.height - 30, 'left');
    put(`Page ${pageNumber}`, PAGE.height - 30, 'right');
  };
}

async function openDocument(subject: Subject, made: Date): Promise<PDFDocument> {
  // Loaded where a report is made: a service has this module for other things, and starts without the library.
  const { PDFDocument } = await import('./pdf/pdfkit.ts');
  const { report } = subject;
  return new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    pdfVersion: '1.7',
    subset: 'PDF/A-3a',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    autoFirstPage: false,
    font: null,
    info: {
      Title: `Verification report of export ${plain(report.bundle.export_id ?? 'unknown')}: ${report.verdict}`,
      Subject: plain(`Bundle sha256 ${subject.digests.sha256}`),
      Creator: plain(`Countersign ${subject.version}`),
      Producer: 'pdfkit',
      CreationDate: made,
    },
  });
}

/**
 * Writes the PDF report of a bundle: PDF/A-3, tagged, fonts embedded, the bundle attached. The same bundle, report and
 * options give the same bytes. It says nothing that the verification report does not say.
 * @throws ReportError; and what source or output fail with
 */
export async function writePdfReport(options: ReportOptions): Promise<WrittenReport> {
  const { maker, version, attachments = [] } = options;
  const output = new Output(options.out);
  const report = maker === 'issuer' ? asIssuersWord(options.report) : options.report;
  const witness = new Witness(options.source);
  const survey = await surveyBundle(witness.source, report);
  const digests = await witness.digests();
  if (digests.size > MAX_BUNDLE_BYTES) {
    throw new ReportError('TOO_LARGE', `the bundle has more than the ${MAX_BUNDLE_BYTES} bytes that a report carries`);
  }
  const subject: Subject = {
    source: witness.source,
    digests,
    report,
    survey,
    maker,
    version,
    attachedAs: ATTACHED_BUNDLE,
    furtherAttachments: attachments,
    pages: options.pages ?? null,
  };
  const made = new Date(parseTime(report.bundle.created_at ?? NO_TIME));
  const document = await openDocument(subject, made);
  output.take(document);
  const styles = loadStyles(document, options.fontFolder);
  const flow = new Flow(document, styles, furniture(styles, subject), output.breathe);
  writeCover(flow, subject);
  writeChecks(flow, subject);
  await writeFindings(flow, subject);
  writeSummary(flow, subject);
  await writeAgents(flow, subject);
  await writeEpochs(flow, subject);
  await writeAdminEvents(flow, subject);
  await writeOperations(flow, subject);
  await writeAnnotations(flow, options.annotations ?? []);
  writeAppendix(flow, subject);
  flow.finish();
  const common = { modified: made };
  await attachFile(
    document,
    {
      ...common,
      ...digests,
      name: ATTACHED_BUNDLE,
      type: 'application/json',
      description: 'The bundle that this report is of, byte for byte',
      relationship: 'Source',
      read: witness.source,
    },
    output.breathe,
  );
  for (const { name, type, description, bytes } of attachments) {
    const md5 = createHash('md5').update(bytes).digest();
    const file = { ...common, name: plain(name), type, description: plain(description), size: bytes.length, md5 };
    await attachFile(document, { ...file, relationship: 'Supplement', read: () => [bytes] }, output.breathe);
  }
  if (options.madeWith !== undefined) {
    const bytes = recipeBytes({
      ...{ version, maker, deflate: deflateName(), pages: options.pages ?? null },
      annotations: options.annotations ?? [],
      attachments: attachments.map(({ name }) => name),
      ...options.madeWith,
      trustedKeys: keysThatMatter(options.report, options.madeWith.trustedKeys),
    });
    const md5 = createHash('md5').update(bytes).digest();
    const file = { ...common, name: ATTACHED_OPTIONS, type: 'application/json', size: bytes.length, md5 };
    const description = 'What this report was made with, to make its pages again';
    await attachFile(
      document,
      { ...file, description, relationship: 'Supplement', read: () => [bytes] },
      output.breathe,
    );
  }
  await output.finish(document);
  return { pages: flow.pages, bundleSha256: digests.sha256 };
}
