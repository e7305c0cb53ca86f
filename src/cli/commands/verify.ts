import { AgentError } from '../../agent/index.ts';
import { cryptoPool, keepYoungGenerationSmall } from '../../host/index.ts';
import { openBundleFile } from '../bundle-file.ts';
import { type Command, EXIT, type ParsedArgs, UsageError } from '../command.ts';
import { Interrupted, interruptible } from '../interruptible.ts';
import { gravestCode, type Outcome, outcomesAsJson, renderOutcome } from '../outcome.ts';
import type { Terminal } from '../terminal.ts';
import { readTrust } from '../trust.ts';
import { type Means, readingProblem, VERIFY_OPTIONS, verifyOpened } from '../verification.ts';
import { ReportFile } from '../verification-artifact/report-file.ts';

async function verifyFile(name: string, args: ParsedArgs, means: Means, terminal: Terminal): Promise<Outcome> {
  try {
    const opened = await openBundleFile(name);
    const report = await verifyOpened(opened, args, means, terminal);
    return { name, report, attached: opened.attached };
  } catch (error) {
    const sentence = readingProblem(name, error);
    if (sentence === null) throw error;
    return { name, error: sentence };
  }
}

async function verifyFiles(args: ParsedArgs, terminal: Terminal, signal: AbortSignal): Promise<number> {
  if (args.positionals.length === 0) throw new UsageError('name the bundle to verify');
  const trustedKids = await readTrust(args.list('trust'));
  const kept = await ReportFile.prepare(args);
  const crypto = cryptoPool();
  const outcomes: Outcome[] = [];
  try {
    for (const file of args.positionals) {
      const outcome = await verifyFile(file, args, { trustedKids, crypto, signal }, terminal);
      outcomes.push(outcome);
      if ('report' in outcome && outcome.report.recognised) await kept?.write(outcome.report, trustedKids);
      if (args.on('json')) continue;
      if (outcomes.length > 1) terminal.line();
      renderOutcome(outcome, terminal);
    }
  } finally {
    await crypto.close();
  }
  if (args.on('json')) terminal.line(outcomesAsJson(outcomes));
  return gravestCode(outcomes);
}

/** The whole stored ledger instead of a bundle; only then is the service loaded. */
async function verifyStored(dataDir: string, args: ParsedArgs, terminal: Terminal): Promise<number> {
  for (const flag of ['receipts', 'against']) {
    if (args.list(flag).length > 0) throw new UsageError(`--${flag} goes with a bundle, not with --data-dir`);
  }
  for (const flag of ['report', 'sign']) {
    if (args.text(flag) !== undefined) throw new UsageError(`--${flag} goes with a bundle, not with --data-dir`);
  }
  if (args.positionals.length > 0) throw new UsageError('name a bundle or a data folder, not both');
  const trustedKids = await readTrust(args.list('trust'));
  const { verifyLedgers } = await import('../verify-ledgers.ts');
  const outcomes = await interruptible((signal) => verifyLedgers(dataDir, trustedKids, terminal, signal));
  if (args.on('json')) terminal.line(outcomesAsJson(outcomes));
  else {
    outcomes.forEach((outcome, index) => {
      if (index > 0) terminal.line();
      renderOutcome(outcome, terminal);
    });
  }
  return gravestCode(outcomes);
}

async function run(args: ParsedArgs, terminal: Terminal): Promise<number> {
  const dataDir = args.text('data-dir');
  try {
    if (dataDir !== undefined) return await verifyStored(dataDir, args, terminal);
    keepYoungGenerationSmall();
    return await interruptible((signal) => verifyFiles(args, terminal, signal));
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    terminal.note(`countersign verify: ${error.message}`);
    return EXIT.interrupted;
  }
}

/** Verifies bundles offline (protocol §9). */
export const verify: Command = {
  name: 'verify',
  usage:
    'FILE…|--data-dir DIR [--trust KID|JWKS-FILE]… [--receipts FILE]… [--against BUNDLE]… [--json] [--report FILE [--sign KEY]]',
  summary: 'Verify exported bundles offline, or a whole stored ledger, trusting only the issuer keys that you name.',
  expected: [AgentError],
  options: [
    ...VERIFY_OPTIONS,
    { flag: 'data-dir', value: 'DIR', help: 'verify the ledgers stored there instead, beside a running service too' },
    { flag: 'json', help: 'print the report as JSON (an array where there are several)' },
    { flag: 'report', value: 'FILE', help: 'keep the report as a file, canonical and the same each time' },
    { flag: 'sign', value: 'KEY', help: 'sign the kept report with your own private key, as keygen writes it' },
  ],
  notes: [
    'FILE is a bundle, plain, compressed with gzip, or attached to a PDF report.',
    'Exit code: 0 verified, 1 failed, 3 incomplete, 2 not readable or wrong usage, 130 interrupted.',
    'Without --trust nothing is ever verified: anyone can make a bundle or a ledger that is sound in itself.',
    'With --data-dir each organization has a report of its own. No key is needed there, and no evidence is changed.',
  ],
  run,
};
