import { open, readFile } from 'node:fs/promises';
import {
  type BundleSource,
  type CancelSignal,
  type ChosenReport,
  concatBytes,
  equalBytes,
  type FileChange,
  type HostCrypto,
  MAX_CHOSEN_REPORT_BYTES,
  type PagesCheck,
  type PagesReason,
  utf8,
} from '../../../protocol/index.ts';
import { ExtractError, looksLikeHtml, MAX_HTML_BYTES, readHtmlReport } from '../../reading/index.ts';
import { AgainstFile, type ComparisonProgress, Differs } from '../against-file.ts';
import { openAttachedData, openWholeBundle, readAttachedRecipe } from '../attached-bundle.ts';
import { deflateName } from '../made-with.ts';
import { ReportError } from '../report-error.ts';
import { VERIFIER_FILE_NAME, verifierAttachment } from '../verifier-file.ts';
import { parseChosenOptions } from './chosen-options.ts';
import { chosenHtml } from './html-report.ts';
import { writeChosenPdf } from './write-chosen-pdf.ts';

/** The data of a report of chosen records, as they were found in a file. */
export interface ChosenFile {
  readonly form: 'pdf' | 'html' | 'json';
  readonly data: Uint8Array;
  /** The version that an HTML report says it was made by; null for other forms. */
  readonly version: string | null;
  /** What another program did to the file around the data; null where it is as it was written. */
  readonly change: FileChange | null;
}

/** What the data by themselves begin with, as they are written. No bundle and no proof does. */
const DATA_HEAD = '{"digest":"sha256:';

/** Whether a file may be a report of chosen records, by its first bytes. */
export function mayBeChosenReport(head: Uint8Array): boolean {
  const text = Buffer.from(head).toString('latin1');
  return text.startsWith('%PDF-') || text.startsWith(DATA_HEAD) || looksLikeHtml(head);
}

async function readBounded(path: string, most: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size > most) throw new ExtractError('NOT_A_REPORT', `is larger than the ${most} bytes that a report has`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

async function collected(source: BundleSource): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source()) chunks.push(chunk);
  return concatBytes(...chunks);
}

/**
 * Takes the data out of a report of chosen records, a PDF or HTML, or reads them by themselves.
 * @param head the first bytes of the file
 * @returns null where the file is something else, such as a report with a bundle
 * @throws ExtractError where it is HTML or a PDF, and no report that can be read; and what reading the file fails with
 */
export async function readChosenFile(path: string, head: Uint8Array): Promise<ChosenFile | null> {
  if (looksLikeHtml(head)) {
    return { form: 'html', ...readHtmlReport(await readBounded(path, MAX_HTML_BYTES)) };
  }
  const start = Buffer.from(head).toString('latin1');
  if (start.startsWith(DATA_HEAD)) {
    return { form: 'json', data: await readBounded(path, MAX_CHOSEN_REPORT_BYTES), version: null, change: null };
  }
  if (!start.startsWith('%PDF-')) return null;
  const { kind, source, change } = await openAttachedData(path);
  return kind === 'bundle' ? null : { form: 'pdf', data: await collected(source), version: null, change };
}

export interface ChosenPagesMeans {
  readonly crypto: HostCrypto;
  readonly signal?: CancelSignal;
  /** Of this product: only its own pages can be made again. */
  readonly version: string;
  readonly onCompared?: ComparisonProgress;
}

function notComparable(reason: PagesReason, version: string | null): PagesCheck {
  return { status: 'not_comparable', reason, version };
}

/**
 * Whether a report of chosen records is, byte for byte, the file that this version makes of the data in it.
 * @param report what `file` holds, as it was read
 * @returns null where the data stand by themselves, without pages
 * @throws ExtractError; what reading the file fails with; what `signal` throws
 */
export async function compareChosenPages(
  path: string,
  file: ChosenFile,
  report: ChosenReport,
  means: ChosenPagesMeans,
): Promise<PagesCheck | null> {
  if (file.form === 'json') return null;
  if (file.change !== null) return notComparable(file.change, file.version);
  if (file.form === 'pdf') return comparePdf(path, report, means);
  if (file.version !== means.version) return notComparable('other_version', file.version);
  const made = utf8(await chosenHtml(report, means.version));
  const status = equalBytes(made, await readFile(path)) ? 'match' : 'differ';
  return { status, reason: null, version: means.version };
}

async function comparePdf(
  path: string,
  report: ChosenReport,
  { crypto, signal, version, onCompared }: ChosenPagesMeans,
): Promise<PagesCheck> {
  const { bytes } = await readAttachedRecipe(path);
  const options = bytes === null ? null : parseChosenOptions(bytes);
  if (options === null) return notComparable('options_missing', null);
  if (options.version !== version) return notComparable('other_version', options.version);
  if (options.attachments.some((name) => name !== VERIFIER_FILE_NAME)) {
    return notComparable('other_options', options.version);
  }
  if (options.fonts.length > 0) return notComparable('other_files', options.version);
  const whole = options.wholeBundle ? await openWholeBundle(path) : null;
  if (options.wholeBundle && whole === null) return { status: 'differ', reason: null, version };
  const attachments = options.attachments.length === 0 ? [] : [await verifierAttachment()];
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    await writeChosenPdf({
      report,
      crypto,
      version,
      attachments,
      details: options.details,
      shortened: options.shortened,
      out: new AgainstFile(file, { signal, onCompared: (compared) => onCompared?.(compared, size) }),
      ...(whole === null ? {} : { wholeBundle: whole.source }),
    });
    return { status: 'match', reason: null, version };
  } catch (error) {
    // An exchanged whole bundle is one more thing that was changed.
    if (!(error instanceof Differs || error instanceof ReportError)) throw error;
    if (error instanceof Differs && options.deflate !== deflateName()) return notComparable('other_runtime', version);
    return { status: 'differ', reason: null, version };
  } finally {
    await file.close();
  }
}
