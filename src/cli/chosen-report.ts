import packageJson from '../../package.json' with { type: 'json' };
import {
  type BundleSource,
  type ChosenReportJudgement,
  clockNote,
  describeReportPages,
  type ExaminerKey,
  fingerprintGroups,
  type HostCrypto,
  judgeChosenReport,
  type PagesCheck,
  ProtocolError,
  parseChosenReport,
  reportProofBytes,
  withPages,
} from '../protocol/index.ts';
import { headOf, type ReadingProgress, UnreadableFile } from './bundle-file.ts';
import { printable } from './printable.ts';
import { renderReport } from './render-report.ts';
import type { Terminal } from './terminal.ts';

type JudgeOptions = NonNullable<Parameters<typeof judgeChosenReport>[1]>;

export interface ChosenMeans extends Pick<JudgeOptions, 'witnesses' | 'verifyProof'> {
  readonly trustedKids: readonly string[];
  readonly agentKeys: readonly string[];
  readonly examiners: readonly ExaminerKey[];
  readonly crypto: HostCrypto;
  /** Is told how far the pages are compared. */
  readonly onCompared: ReadingProgress;
}

/** What came of a report of chosen records: the verdict on the file, and what was found of the pages around its data. */
export interface JudgedReport {
  readonly chosen: ChosenReportJudgement;
  /** Null where the data stand by themselves. */
  readonly pages: PagesCheck | null;
}

type PdfReports = typeof import('../reports/pdf/index.ts');
interface ReadReport {
  readonly file: NonNullable<Awaited<ReturnType<PdfReports['readChosenFile']>>>;
  readonly report: ReturnType<typeof parseChosenReport>;
  readonly comparePages: PdfReports['compareChosenPages'];
}

/**
 * Reads a report of chosen records: a PDF, HTML, or its data by themselves.
 * @param make takes what was read
 * @returns null where the file is something else
 * @throws UnreadableFile where it says that it is one and cannot be read
 */
async function ofReportFile<T>(path: string, make: (read: ReadReport) => T | Promise<T>): Promise<T | null> {
  const head = await headOf(path);
  // Bundles begin otherwise, and are verified without the library that makes reports.
  if (!/^(?:%PDF-|\{"digest|\s*<|\xef\xbb\xbf)/.test(head.toString('latin1'))) return null;
  const {
    compareChosenPages: comparePages,
    ExtractError,
    mayBeChosenReport,
    readChosenFile,
  } = await import('../reports/pdf/index.ts');
  if (!mayBeChosenReport(head)) return null;
  try {
    const file = await readChosenFile(path, head);
    return file === null ? null : await make({ file, report: parseChosenReport(file.data), comparePages });
  } catch (error) {
    if (error instanceof ExtractError) throw new UnreadableFile(`${path}: ${error.message}`);
    if (error instanceof ProtocolError) throw new UnreadableFile(`${path}: is not a sound report: ${error.message}`);
    throw error;
  }
}

/** Judges a report of chosen records; null where the file is something else. @throws UnreadableFile */
export async function judgeReportFile(path: string, means: ChosenMeans): Promise<JudgedReport | null> {
  return ofReportFile(path, async ({ file, report, comparePages }) => {
    const chosen = await judgeChosenReport(report, means);
    const { crypto, onCompared } = means;
    const { version } = packageJson;
    const pages = await comparePages(path, file, report, { crypto, version, onCompared });
    return { chosen: withPages(chosen, pages), pages };
  });
}

/** The proof of records inside a report of chosen records, by itself; null where the file is something else. @throws UnreadableFile */
export async function openProofOfReport(path: string): Promise<BundleSource | null> {
  return ofReportFile(path, ({ report }) => {
    const bytes = reportProofBytes(report);
    return () => [bytes];
  });
}

/** Which records have a time of receipt that may be wrong, by the word of a report's maker (protocol R45). */
export function renderClockNotes(marked: ChosenReportJudgement['report']['corrected_times'], terminal: Terminal): void {
  for (const { seq_no, clock_corrected_at } of marked) {
    terminal.wrapped(`  clock         No. ${seq_no}: ${clockNote(clock_corrected_at)}`, 16);
  }
}

/** A report of chosen records for a person: its records as any proof of them, then the report itself. */
export function renderChosen(file: string, { chosen, pages }: JudgedReport, terminal: Terminal): void {
  const { report, problems, proof } = chosen;
  renderReport(file, withPages(proof, pages), terminal);
  terminal.line();
  terminal.line(`  a report of ${report.records === 1 ? 'one chosen record' : `${report.records} chosen records`}`);
  terminal.line(`  title         ${printable(report.title)}`);
  const maker = report.examiner === null ? 'nobody named' : `${printable(report.examiner)}, as the report says`;
  terminal.line(`  made          ${printable(report.made_at)} by ${maker}`);
  const key = report.examiner_kid === null ? '' : fingerprintGroups(report.examiner_kid).join(' ');
  const signed = {
    none: 'nobody: no one vouches for title, question, comments and order',
    valid: `the key ${printable(key)}${report.examiner_state === 'named' ? ', which you named for them' : ''}`,
    invalid: `NOT VALID, by the key ${printable(key)}`,
  };
  terminal.line(`  signed by     ${signed[report.signature]}`);
  terminal.line(`  digest        ${report.digest}`);
  renderClockNotes(report.corrected_times, terminal);
  for (const { code, message } of problems) {
    terminal.line(`  ${terminal.style('red', code)}  ${printable(message)}`);
  }
  if (pages !== null) {
    const { title, text } = describeReportPages(pages);
    terminal.line(`  ${pages.status === 'match' ? '✓' : pages.status === 'differ' ? '✗' : '?'} ${title}.`);
    terminal.wrapped(`  ${text}`, 2);
  }
  const colour = { verified: 'green', incomplete: 'yellow', failed: 'red' } as const;
  const { verdict, summary } = chosen;
  terminal.line();
  terminal.line(`  ${terminal.badge(['bold', colour[verdict]], `Report: ${verdict}`)}`);
  terminal.wrapped(`  ${printable(summary)}`, 2);
}
