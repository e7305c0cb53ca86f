import type { VerificationReport } from '../../protocol/index.ts';
import { openBundleFile } from '../bundle-file.ts';
import { type Command, EXIT, type ParsedArgs, UsageError } from '../command.ts';
import { renderReport } from '../render-report.ts';
import type { Terminal } from '../terminal.ts';
import { readTrust } from '../trust.ts';
import { exitCodeOf, readingProblem, VERIFY_OPTIONS, verifyOpened } from '../verification.ts';

/** What came of one file: a report, or why there is none. */
type Outcome =
  | { readonly file: string; readonly report: VerificationReport; readonly attached: boolean }
  | { readonly file: string; readonly error: string };

async function verifyFile(file: string, args: ParsedArgs, trustedKids: string[], terminal: Terminal): Promise<Outcome> {
  try {
    const opened = await openBundleFile(file);
    const report = await verifyOpened(opened, args, trustedKids, terminal);
    return { file, report, attached: opened.attached };
  } catch (error) {
    const sentence = readingProblem(file, error);
    if (sentence === null) throw error;
    return { file, error: sentence };
  }
}

function exitCode(outcome: Outcome): number {
  return 'error' in outcome ? EXIT.unusable : exitCodeOf(outcome.report);
}

/** The gravest first: a file that could not be judged, a failed one, an incomplete one. */
const GRAVITY = [EXIT.unusable, EXIT.failed, EXIT.incomplete, EXIT.verified];

async function run(args: ParsedArgs, terminal: Terminal): Promise<number> {
  if (args.positionals.length === 0) throw new UsageError('name the bundle to verify');
  const trustedKids = await readTrust(args.list('trust'));
  const outcomes: Outcome[] = [];
  for (const file of args.positionals) {
    const outcome = await verifyFile(file, args, trustedKids, terminal);
    outcomes.push(outcome);
    if (args.on('json')) continue;
    if (outcomes.length > 1) terminal.line();
    if ('error' in outcome) terminal.note(`countersign verify: ${outcome.error}`);
    else if (!outcome.report.recognised)
      terminal.note(`countersign verify: ${file}: is not a bundle. ${outcome.report.summary}`);
    else {
      renderReport(file, outcome.report, terminal);
      if (outcome.attached)
        terminal.line('  This is about the bundle attached to the PDF. Its pages are not verified.');
    }
  }
  if (args.on('json')) {
    const results = outcomes.map((outcome) => ('report' in outcome ? outcome.report : { error: outcome.error }));
    terminal.line(JSON.stringify(results.length === 1 ? results[0] : results, null, 2));
  }
  const codes = outcomes.map(exitCode);
  return GRAVITY.find((code) => codes.includes(code)) ?? EXIT.unusable;
}

/** Verifies bundles offline (protocol §9). */
export const verify: Command = {
  name: 'verify',
  usage: 'FILE… [--trust KID|JWKS-FILE]… [--receipts FILE]… [--against BUNDLE]… [--json]',
  summary: 'Verify exported bundles offline, trusting only the issuer keys that you name.',
  options: [
    ...VERIFY_OPTIONS,
    { flag: 'json', help: 'print the report as JSON (an array where several files are named)' },
  ],
  notes: [
    'FILE is a bundle, plain, compressed with gzip, or attached to a PDF report.',
    'Exit code: 0 verified, 1 failed, 3 incomplete, 2 not readable or wrong usage.',
    'Without --trust no bundle is ever verified: anyone can make one that is sound in itself.',
  ],
  run,
};
