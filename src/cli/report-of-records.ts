import packageJson from '../../package.json' with { type: 'json' };
import { AgentError, readSeed } from '../agent/index.ts';
import { nodeSigner } from '../node/index.ts';
import { type ChosenEntry, type Examiner, formatTime, type HostCrypto, publicKeyOf } from '../protocol/index.ts';
import type { GivenFont } from '../reports/pdf/index.ts';
import { type OpenedFile, readSmallFile } from './bundle-file.ts';
import { renderClockNotes } from './chosen-report.ts';
import { EXIT, type Option, type ParsedArgs, UsageError } from './command.ts';
import { renderIssuerChange } from './issuer-change.ts';
import { writeNewFile } from './new-file.ts';
import { printable } from './printable.ts';
import { readRecordRanges } from './record-ranges.ts';
import type { Terminal } from './terminal.ts';
import type { EffectiveTrust } from './trust.ts';
import { renderTrustBasis } from './trust-basis.ts';

const MAX_KEY_BYTES = 16 * 1024;

/** What is said in a report of chosen records. */
export const RECORDS_OPTIONS: readonly Option[] = [
  {
    flag: 'records',
    value: 'NUMBERS',
    help: 'only these records, in this order: sequence numbers and ranges, up to 1,000',
  },
  { flag: 'title', value: 'TEXT', help: 'with --records: its title' },
  { flag: 'question', value: 'TEXT', help: 'with --records: what was asked' },
  { flag: 'comment', value: 'NUMBER=TEXT', multiple: true, help: 'with --records: a comment on one of them' },
  { flag: 'examiner', value: 'NAME', help: 'with --records: who made the report' },
  {
    flag: 'key',
    value: 'FILE',
    help: 'with --records: your own private key, as keygen writes it, to sign the report with',
  },
  { flag: 'attach-bundle', help: 'with --records, as PDF: attach the whole bundle too' },
];

export const FONT_OPTION: Option = {
  flag: 'font',
  value: 'FILE',
  multiple: true,
  help: 'a TrueType or OpenType font, for scripts that the fonts of this program lack; pages with one cannot be compared',
};

/** The fonts that were named. @throws ReportError FONT_UNUSABLE */
export async function givenFonts(args: ParsedArgs): Promise<GivenFont[]> {
  const { checkFont } = await import('../reports/pdf/index.ts');
  return Promise.all(args.list('font').map((path) => checkFont(path)));
}

/** Says which scripts a PDF names by numbers. */
export async function noteMissingScripts(scripts: readonly string[], terminal: Terminal): Promise<void> {
  if (scripts.length === 0) return;
  const { missingScriptsNote } = await import('../reports/pdf/index.ts');
  terminal.note(`countersign report: ${missingScriptsNote(scripts)}`);
}

/** A report as HTML by the name of its file; any other is a PDF. */
export function isHtmlPath(path: string): boolean {
  return /\.html?$/i.test(path);
}

/** What goes with --records alone. @throws UsageError */
export function refuseWithoutRecords(args: ParsedArgs): void {
  for (const { flag } of RECORDS_OPTIONS) {
    if (args.text(flag) !== undefined || args.list(flag).length > 0 || args.on(flag)) {
      throw new UsageError(`--${flag} goes with --records`);
    }
  }
}

/** The records in their order, each with its comment. @throws UsageError */
function entriesOf(args: ParsedArgs, ranges: string): ChosenEntry[] {
  const comments = new Map<number, string>();
  for (const text of args.list('comment')) {
    const [, number, comment] = /^\s*([1-9][0-9]{0,15})\s*=(.+)$/s.exec(text) ?? [];
    if (number === undefined || comment === undefined) {
      throw new UsageError(`--comment "${text.slice(0, 40)}": write NUMBER=TEXT`);
    }
    if (comments.has(Number(number))) throw new UsageError(`--comment: No. ${number} has two comments`);
    comments.set(Number(number), comment.trim());
  }
  const entries = readRecordRanges(ranges).map((seqNo): ChosenEntry => {
    const comment = comments.get(seqNo);
    comments.delete(seqNo);
    return comment === undefined || comment === '' ? { seq_no: seqNo } : { seq_no: seqNo, comment };
  });
  const [stranger] = comments.keys();
  if (stranger !== undefined)
    throw new UsageError(`--comment: No. ${stranger} is not among the records that --records names`);
  return entries;
}

async function examinersKey(path: string | undefined): Promise<Examiner | undefined> {
  if (path === undefined) return undefined;
  try {
    const seed = readSeed((await readSmallFile(path, MAX_KEY_BYTES)).toString('utf8'));
    const signer = nodeSigner(seed);
    return { publicKey: publicKeyOf(seed), sign: (message) => signer.sign(message) };
  } catch (error) {
    throw error instanceof AgentError ? new UsageError(`--key ${path}: ${error.message}`) : error;
  }
}

/**
 * Writes a report of chosen records of a bundle.
 * @param ranges what --records names
 * @returns the exit code: that of a verification of what was written
 * @throws UsageError; RecordProofError, ProtocolError where the records or the texts are refused; what reading fails with
 */
export async function writeReportOfRecords(
  opened: OpenedFile,
  {
    ranges,
    path,
    args,
    trust,
    crypto,
  }: {
    readonly ranges: string;
    readonly path: string;
    readonly args: ParsedArgs;
    readonly trust: EffectiveTrust;
    readonly crypto: HostCrypto;
  },
  terminal: Terminal,
): Promise<number> {
  const asHtml = isHtmlPath(path);
  for (const flag of ['receipts', 'against']) {
    if (args.list(flag).length > 0) throw new UsageError(`--${flag} goes with a report of the whole bundle`);
  }
  if (asHtml && args.list('font').length > 0)
    throw new UsageError('--font is of PDFs: a browser draws HTML with its own fonts');
  if (asHtml && (args.on('attach-bundle') || args.on('details'))) {
    throw new UsageError('--attach-bundle and --details are of PDFs: an HTML report shows every record whole');
  }
  const entries = entriesOf(args, ranges);
  const { chooseRecords, chosenHtml, verifierAttachment, writeChosenPdf } = await import('../reports/pdf/index.ts');
  const request = {
    title: args.text('title') ?? 'Report of chosen records',
    question: args.text('question') ?? '',
    examiner: args.text('examiner') ?? null,
    madeAt: formatTime(Date.now()),
    entries,
    trustedKids: trust.kids,
    signer: await examinersKey(args.text('key')),
  };
  const { report, judgement } = await chooseRecords(opened.source, request, crypto);
  const { version } = packageJson;
  const attachments = asHtml ? [] : [await verifierAttachment()];
  const said = await writeNewFile(path, { overwrite: args.on('force') }, async (out) => {
    if (asHtml) {
      const text = await chosenHtml(report, version);
      await new Promise<void>((resolve, reject) => out.once('error', reject).end(text, resolve));
      return 'one page that verifies itself';
    }
    const details = args.on('details') ? { details: true } : {};
    const whole = args.on('attach-bundle') ? { wholeBundle: opened.source } : {};
    const onRecords = (done: number, total: number): void =>
      terminal.progress('writing the report', done, total, 'records');
    const fonts = await givenFonts(args);
    const made = { report, crypto, version, attachments, fonts, ...details, ...whole };
    const { pages, missingScripts } = await writeChosenPdf({ ...made, out, onRecords });
    await noteMissingScripts(missingScripts, terminal);
    return `${pages} pages, the data attached`;
  });
  terminal.line(`${path}: ${entries.length === 1 ? '1 record' : `${entries.length} records`}, ${said}`);
  renderClockNotes(judgement.report.corrected_times, terminal);
  terminal.line(`Verdict on these records: ${judgement.verdict}. ${printable(judgement.summary)}`);
  renderTrustBasis(judgement.proof, trust.basisOf(judgement.proof), terminal);
  const { change, problem } = await trust.notice(judgement.proof, report.digest);
  if (problem !== null) terminal.note(`countersign report: nothing was remembered: ${problem}`);
  if (change !== null) renderIssuerChange(change, terminal);
  return EXIT[judgement.verdict];
}
