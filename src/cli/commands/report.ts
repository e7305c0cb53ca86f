import { statSync } from 'node:fs';
import packageJson from '../../../package.json' with { type: 'json' };
import { cryptoPool } from '../../node/index.ts';
import { demandedWitnesses } from '../../node/reader/index.ts';
import { describeVerdict, ProtocolError, RecordProofError, withStatedAnchors } from '../../protocol/index.ts';
import { openBundleFile } from '../bundle-file.ts';
import { type Command, EXIT, type ParsedArgs, UsageError } from '../command.ts';
import { renderIssuerChange } from '../issuer-change.ts';
import { writeNewFile } from '../new-file.ts';
import { exitCodeOf } from '../outcome.ts';
import { printable } from '../printable.ts';
import { renderCorrectedTimes } from '../render-report.ts';
import {
  FONT_OPTION,
  givenFonts,
  isHtmlPath,
  noteMissingScripts,
  RECORDS_OPTIONS,
  refuseWithoutRecords,
  writeReportOfRecords,
} from '../report-of-records.ts';
import type { Terminal } from '../terminal.ts';
import { EffectiveTrust } from '../trust.ts';
import { renderTrustBasis } from '../trust-basis.ts';
import { CHECKPOINT_OPTION, named, readingProblem, VERIFY_OPTIONS, verifyOpened } from '../verification.ts';

/** The same file under two names: a report must not overwrite the bundle that it is about, even with --force. */
function isSameFile(a: string, b: string): boolean {
  const [first, second] = [a, b].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && first.ino !== 0 && first.ino === second?.ino && first.dev === second.dev;
}

async function run(args: ParsedArgs, terminal: Terminal): Promise<number> {
  const [file, ...others] = args.positionals;
  const path = args.text('out');
  if (file === undefined || others.length > 0) throw new UsageError('name one bundle');
  if (path === undefined) throw new UsageError('name the file to write: -o FILE.pdf');
  const ranges = args.text('records');
  const checkpoints = args.list('checkpoint');
  if (ranges === undefined) {
    refuseWithoutRecords(args);
    if (isHtmlPath(path))
      throw new UsageError('a report as HTML is of chosen records: name them with --records 3,17,20-24');
  }
  if (ranges !== undefined && checkpoints.length > 0)
    throw new UsageError('--checkpoint goes with a whole bundle: leave --records out');
  if (isSameFile(file, path)) throw new UsageError(`${path}: is the bundle itself`);
  const trust = await EffectiveTrust.of(args);
  const { ReportError, verifierAttachment, Witness, writePdfReport } = await import('../../reports/pdf/index.ts');
  const crypto = cryptoPool();
  try {
    let phase = 'verifying';
    const opened = await openBundleFile(file, (done, total) => terminal.progress(phase, done, total, 'bytes'));
    if (ranges !== undefined) {
      return await writeReportOfRecords(opened, { ranges, path, args, trust, crypto }, terminal);
    }
    // What is verified, shown and attached must be the same bytes, though they are read several times.
    const witness = new Witness(opened.source);
    const { source } = witness;
    const policy = trust.witnesses;
    const witnesses = policy === null ? {} : { witnesses: demandedWitnesses(policy) };
    const means = { trustedKids: trust.entries, crypto, checkpoints: await named(checkpoints, terminal), ...witnesses };
    const report = await verifyOpened(source, args, means, terminal);
    if (!report.recognised) {
      terminal.note(`countersign report: ${file}: is not a bundle. ${report.summary}`);
      return EXIT.unusable;
    }
    phase = 'writing the report';
    const attachments = [await verifierAttachment()];
    const overwrite = args.on('force');
    const madeWith = {
      trustedKeys: withStatedAnchors(trust.kids, { witnesses: policy, roots: [] }),
      receiptFiles: args.list('receipts').length,
      otherFiles: args.list('against').length + checkpoints.length,
    };
    const fonts = await givenFonts(args);
    const details = args.on('details') ? { details: true } : {};
    const { pages, missingScripts } = await writeNewFile(path, { overwrite }, (out) =>
      writePdfReport({
        source,
        report,
        maker: 'reader',
        version: packageJson.version,
        out,
        attachments,
        madeWith,
        fonts,
        ...details,
      }),
    );
    terminal.line(`${path}: ${pages} pages, the bundle attached`);
    await noteMissingScripts(missingScripts, terminal);
    renderCorrectedTimes(report, terminal);
    terminal.line(`Verdict: ${describeVerdict(report)}. ${printable(report.summary)}`);
    renderTrustBasis(report, trust.basisOf(report), terminal);
    const { change, problem } = await trust.notice(report, `sha256:${(await witness.digests()).sha256}`);
    if (problem !== null) terminal.note(`countersign report: nothing was remembered: ${problem}`);
    if (change !== null) renderIssuerChange(change, terminal);
    return exitCodeOf(report);
  } catch (error) {
    const isRefused =
      error instanceof ReportError || error instanceof RecordProofError || error instanceof ProtocolError;
    const problem = isRefused ? `${file}: ${error.message}` : readingProblem(file, error);
    if (problem === null) throw error;
    terminal.note(`countersign report: ${problem}`);
    return EXIT.unusable;
  } finally {
    await crypto.close();
  }
}

/** Verifies a bundle and writes a PDF about it, the bundle attached (docs/report.md). */
export const report: Command = {
  name: 'report',
  synopsis: [
    'BUNDLE -o FILE.pdf [--details] [--font FILE]… [--trust KEY[@ORG_ID]|JWKS-FILE]… [--receipts FILE]… [--against BUNDLE]… [--checkpoint FILE]… [--force]',
    'BUNDLE --records NUMBERS -o FILE.pdf|FILE.html [--title TEXT] [--question TEXT] [--comment NUMBER=TEXT]… [--trust KEY[@ORG_ID]|JWKS-FILE]… [--force]',
  ],
  options: [
    {
      flag: 'out',
      short: 'o',
      value: 'FILE',
      help: 'write the report to this file: HTML if the name ends in .html, else a PDF',
    },
    ...RECORDS_OPTIONS,
    FONT_OPTION,
    { flag: 'details', help: 'show every record whole; without it a PDF of more than 200 records is a summary' },
    ...VERIFY_OPTIONS,
    CHECKPOINT_OPTION,
    { flag: 'force', help: 'overwrite FILE if it exists' },
  ],
  notes: [
    'BUNDLE is plain, compressed with gzip, or attached to another report.',
    'A report is written whatever the verdict is. "countersign verify FILE" verifies a report again, and compares its pages with the bundle attached to it.',
    'With --records the report carries the proof of those records alone, and says nothing about others.',
  ],
  examples: [
    { what: 'Write a report with the bundle attached:', args: 'export.csbundle -o report.pdf' },
    {
      what: 'Report on three records, as one page for a browser:',
      args: 'export.csbundle --records 3,17-18 --title "Refund of order 4711" -o refund.html',
    },
  ],
  exitCodes: [
    ['0', 'verified'],
    ['1', 'failed'],
    ['3', 'incomplete'],
    ['2', 'no report: the bundle cannot be read, FILE cannot be written, or wrong usage'],
    ['130', 'interrupted'],
  ],
  run,
};
