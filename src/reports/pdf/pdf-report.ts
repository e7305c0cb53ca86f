import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { type BundleSource, type PagesCheck, parseTime, type VerificationReport } from '../../protocol/index.ts';
import { ATTACHED_BUNDLE, ATTACHED_OPTIONS, MAX_BUNDLE_BYTES } from '../reading/index.ts';
import { attachFile } from './document/attachment.ts';
import type { GivenFont } from './document/given-font.ts';
import { newDocument, plain } from './document/new-document.ts';
import { Output } from './document/output.ts';
import { asIssuersWord } from './issuers-word.ts';
import { Flow, type Furniture } from './layout/flow.ts';
import { runningHeads } from './layout/running-heads.ts';
import { loadStyles, type Styles } from './layout/styles.ts';
import { deflateName, keysThatMatter, type MadeWith, recipeBytes } from './made-with.ts';
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
import { type CaseStanding, headlineOf } from './standing.ts';
import type { ReportAnnotation, ReportMaker, Subject } from './subject.ts';
import { surveyBundle } from './survey.ts';
import { Witness } from './witness.ts';

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
  /** Who speaks: `issuer` where the service makes the report about an export it wrote itself; then it never says `verified`. */
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
  /**
   * Whether all operations are shown, and the tables whole. Where it is left out: of up to `DETAILED_RECORDS` records. The
   * attached bundle holds everything in any case.
   */
  readonly details?: boolean;
  /** What was found about the pages of the file that was verified, where that was itself a report. */
  readonly pages?: PagesCheck | null;
  /** What is known of the case that the bundle is in: whoever made the report says it, and the bundle does not. */
  readonly standing?: CaseStanding | null;
  /** What an investigator wrote about records: set apart from the evidence, before the last pages. */
  readonly annotations?: readonly ReportAnnotation[];
  /** Font files of whoever makes the report, for scripts that the fonts here lack; as `checkFont` takes them. */
  readonly fonts?: readonly GivenFont[];
}

/** What became of a report. */
export interface WrittenReport {
  readonly pages: number;
  /** Scripts whose letters no font at hand has: they are named by numbers. */
  readonly missingScripts: readonly string[];
  /** Of the bundle that is in it: 64 hexadecimal digits. */
  readonly bundleSha256: string;
}

/** Reports of more records than this are summaries, unless details are asked for. */
export const DETAILED_RECORDS = 200;

/** Bundles whose manifest cannot be read have no time of their own; a clock would make two reports of one bundle differ. */
const NO_TIME = '1970-01-01T00:00:00.000Z';

/** Header and footer: what the loose page belongs to. */
function furniture(styles: Styles, { report, digests, maker, standing }: Subject): Furniture {
  const own = maker === 'issuer' ? ', the issuer’s own word' : '';
  return runningHeads(styles, {
    left: `Verification report: ${headlineOf(report, standing).word}${own}`,
    right: `Export ${report.bundle.export_id ?? 'unknown export'}`,
    foot: `Bundle sha256 ${digests.sha256.slice(0, 16)}…`,
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
  const details = options.details ?? survey.records <= DETAILED_RECORDS;
  const digests = await witness.digests();
  if (digests.size > MAX_BUNDLE_BYTES) {
    throw new ReportError('TOO_LARGE', `the bundle has more than the ${MAX_BUNDLE_BYTES} bytes that a report carries`);
  }
  const subject: Subject = {
    source: witness.source,
    digests,
    report,
    survey,
    details,
    maker,
    version,
    attachedAs: ATTACHED_BUNDLE,
    furtherAttachments: attachments,
    pages: options.pages ?? null,
    standing: options.standing ?? null,
  };
  const made = new Date(parseTime(report.bundle.created_at ?? NO_TIME));
  const document = await newDocument({
    title: `Verification report of export ${report.bundle.export_id ?? 'unknown'}: ${headlineOf(report, subject.standing).word}`,
    subject: `Bundle sha256 ${digests.sha256}`,
    version,
    made,
  });
  output.take(document);
  const styles = loadStyles(
    document,
    options.fonts?.map(({ path }) => path),
  );
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
      version,
      maker,
      details,
      deflate: deflateName(),
      pages: options.pages ?? null,
      standing: options.standing ?? null,
      annotations: options.annotations ?? [],
      attachments: attachments.map(({ name }) => name),
      fonts: (options.fonts ?? []).map(({ sha256 }) => sha256),
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
  return { pages: flow.pages, missingScripts: styles.further.missingScripts, bundleSha256: digests.sha256 };
}
