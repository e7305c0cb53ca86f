import { nodeCrypto } from '../../host/index.ts';
import { type NamedSource, type VerificationReport, verifyBundle } from '../../protocol/index.ts';
import { openBundleFile, UnreadableFile } from '../bundle-file.ts';
import { type Command, EXIT, type ParsedArgs, UsageError } from '../command.ts';
import { renderReport } from '../render-report.ts';
import type { Terminal } from '../terminal.ts';
import { readTrust } from '../trust.ts';
import { ReportFile } from '../verification-artifact/report-file.ts';

/** What came of one file: a report, or why there is none. */
type Outcome =
  | { readonly file: string; readonly report: VerificationReport }
  | { readonly file: string; readonly error: string };

/** Files to compare with; findings call them by their paths. @throws UnreadableFile */
export async function named(paths: readonly string[]): Promise<NamedSource[]> {
  return Promise.all(paths.map(async (name) => ({ name, source: (await openBundleFile(name)).source })));
}

/** The same, which must look like bundles. @throws UnreadableFile */
export async function namedBundles(paths: readonly string[]): Promise<NamedSource[]> {
  return Promise.all(
    paths.map(async (name) => {
      const { source, mayBeBundle } = await openBundleFile(name);
      if (!mayBeBundle) throw new UnreadableFile(`${name}: is not a bundle to compare with`);
      return { name, source };
    }),
  );
}

async function verifyFile(file: string, args: ParsedArgs, trustedKids: string[], terminal: Terminal): Promise<Outcome> {
  try {
    const { source, size } = await openBundleFile(file);
    const report = await verifyBundle(source, {
      crypto: nodeCrypto,
      trustedKids,
      receipts: await named(args.list('receipts')),
      against: await namedBundles(args.list('against')),
      onProgress: ({ bytes }) => terminal.progress('verifying', Math.min(bytes, size), size),
    });
    return { file, report };
  } catch (error) {
    if (error instanceof UnreadableFile) return { file, error: error.message };
    // What the operating system says of a disk that fails in the middle is the reader's to know.
    if (error instanceof Error && 'syscall' in error)
      return { file, error: `${file}: cannot be read (${error.message})` };
    throw error;
  }
}

function exitCode(outcome: Outcome): number {
  if ('error' in outcome || !outcome.report.recognised) return EXIT.unusable;
  return EXIT[outcome.report.verdict];
}

/** The gravest first: a file that could not be judged, a failed one, an incomplete one. */
const GRAVITY = [EXIT.unusable, EXIT.failed, EXIT.incomplete, EXIT.verified];

async function run(args: ParsedArgs, terminal: Terminal): Promise<number> {
  if (args.positionals.length === 0) throw new UsageError('name the bundle to verify');
  const trustedKids = await readTrust(args.list('trust'));
  const kept = await ReportFile.prepare(args);
  const outcomes: Outcome[] = [];
  for (const file of args.positionals) {
    const outcome = await verifyFile(file, args, trustedKids, terminal);
    outcomes.push(outcome);
    if ('report' in outcome && outcome.report.recognised) await kept?.write(outcome.report, trustedKids);
    if (args.on('json')) continue;
    if (outcomes.length > 1) terminal.line();
    if ('error' in outcome) terminal.note(`countersign verify: ${outcome.error}`);
    else if (!outcome.report.recognised)
      terminal.note(`countersign verify: ${file}: is not a bundle. ${outcome.report.summary}`);
    else renderReport(file, outcome.report, terminal);
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
  usage: 'FILE… [--trust KID|JWKS-FILE]… [--receipts FILE]… [--against BUNDLE]… [--json] [--report FILE [--sign KEY]]',
  summary: 'Verify exported bundles offline, trusting only the issuer keys that you name.',
  options: [
    {
      flag: 'trust',
      value: 'KID|JWKS-FILE',
      multiple: true,
      help: 'a service key you trust: its kid, or a key set file',
    },
    {
      flag: 'receipts',
      value: 'FILE',
      multiple: true,
      help: 'receipts that agents kept, one a line: is any of them missing?',
    },
    {
      flag: 'against',
      value: 'BUNDLE',
      multiple: true,
      help: 'another bundle of the organization: do they contradict?',
    },
    { flag: 'json', help: 'print the report as JSON (an array where several files are named)' },
    { flag: 'report', value: 'FILE', help: 'keep the report as a file, canonical and the same each time' },
    { flag: 'sign', value: 'KEY', help: 'sign the kept report with your own private key, as keygen writes it' },
  ],
  notes: [
    'FILE is a bundle, plain or compressed with gzip.',
    'Exit code: 0 verified, 1 failed, 3 incomplete, 2 not readable or wrong usage.',
    'Without --trust no bundle is ever verified: anyone can make one that is sound in itself.',
  ],
  run,
};
