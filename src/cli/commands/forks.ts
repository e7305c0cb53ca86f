import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { cryptoPool, keepHeapSmall } from '../../node/index.ts';
import {
  describeFork,
  describeHeldProblem,
  equivocationProofBytes,
  type Fork,
  type ForksReport,
  findForks,
  fingerprintDigits,
  type HostCrypto,
  type LedgerForks,
  type NamedSource,
  summarizeForks,
} from '../../protocol/index.ts';
import { CaseFileRefused } from '../../reports/case-file/light.ts';
import { extractEvidence } from '../../service/light.ts';
import { isCaseFile, openBundleFile, readingBar, UnreadableFile } from '../bundle-file.ts';
import { openProofOfReport } from '../chosen-report.ts';
import { type Command, EXIT, type ParsedArgs, UsageError } from '../command.ts';
import { inTemporaryFolder } from '../interruptible.ts';
import { writeNewFile } from '../new-file.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { EffectiveTrust, TRUST_OPTIONS } from '../trust.ts';
import { readingProblem } from '../verification.ts';

const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

function showLedger(ledger: LedgerForks, written: ReadonlyMap<Fork, string>, terminal: Terminal): void {
  const { org_id, issuer, branches, shared, forks, apart, names } = ledger;
  const [kid = ''] = issuer.kids;
  terminal.line(terminal.style('bold', printable(org_id)));
  terminal.line(
    `  signed by  ${fingerprintDigits(kid).join(' ')}${issuer.trusted ? '  (trusted)' : '  (not trusted)'}`,
  );
  if (branches.length === 1 && shared.length === 0) {
    const [only] = branches;
    const reach = (only?.reach ?? 0).toLocaleString('en');
    terminal.line(
      `  ${plural(only?.files.length ?? 0, 'file')}, one line up to No. ${reach}: none contradicts another`,
    );
  } else {
    for (const { branch, files, reach } of branches) {
      terminal.line(`  line ${branch}, up to No. ${reach.toLocaleString('en')}`);
      for (const { name } of files) terminal.line(`      ${printable(name)}`);
    }
    for (const { name, branches: fits } of shared) {
      terminal.line(`  in ${fits.length === branches.length ? 'all' : `lines ${fits.join(', ')}`}: ${printable(name)}`);
    }
  }
  for (const fork of forks) {
    const [a, b] = fork.branches;
    terminal.line(`  ${terminal.style('red', `✗ lines ${a} and ${b}`)}: ${describeFork(fork)}`);
    const path = written.get(fork);
    if (fork.proof === null)
      terminal.line('      no two statements alone prove it: verify one file --against the other');
    else
      terminal.line(
        path === undefined
          ? '      two signed statements prove it: -o DIR writes them'
          : `      proof: ${printable(path)}`,
      );
  }
  for (const [a, b] of apart) terminal.line(`  ? lines ${a} and ${b} have nothing in common: they were not compared`);
  for (const { files, agent_id, names: called } of names) {
    const who = agent_id === null ? 'the organization' : `agent ${printable(agent_id)}`;
    terminal.line(
      `  ${terminal.style('red', '✗')} ${files.map((name) => printable(name)).join(' and ')} call ${who} differently`,
    );
    terminal.line(`      ${called.map((name) => JSON.stringify(printable(name))).join(' and ')}`);
  }
}

const COLOUR = { verified: 'green', incomplete: 'yellow', failed: 'red' } as const;

function show(report: ForksReport, written: ReadonlyMap<Fork, string>, terminal: Terminal): void {
  for (const ledger of report.ledgers) {
    showLedger(ledger, written, terminal);
    terminal.line();
  }
  for (const problem of report.problems)
    terminal.line(`  ? ${printable(problem.file)}: ${describeHeldProblem(problem)}`);
  if (report.problems.length > 0) terminal.line();
  terminal.line(`  ${terminal.badge(['bold', COLOUR[report.verdict]], `Forks: ${report.verdict}`)}`);
  terminal.wrapped(`  ${summarizeForks(report)}`, 2);
}

/** Everything that is compared: files, and the evidence in case files, which is copied to a folder for that. */
async function opened(
  paths: readonly string[],
  folder: string,
  crypto: HostCrypto,
  terminal: Terminal,
): Promise<NamedSource[]> {
  const files: NamedSource[] = [];
  const add = async (name: string, path: string): Promise<void> => {
    const bar = readingBar('reading', terminal);
    files.push({ name, source: (await openProofOfReport(path)) ?? (await openBundleFile(path, bar)).source });
  };
  for (const [n, path] of paths.entries()) {
    if (!(await isCaseFile(path))) {
      await add(path, path);
      continue;
    }
    const own = join(folder, String(n));
    await mkdir(own);
    const signal = new AbortController().signal;
    for (const item of await extractEvidence(path, own, { crypto, signal }))
      await add(`${path}: ${item.name}`, item.path);
  }
  return files;
}

async function writeProofs(report: ForksReport, folder: string, overwrite: boolean): Promise<Map<Fork, string>> {
  const written = new Map<Fork, string>();
  await mkdir(folder, { recursive: true });
  for (const [n, { forks }] of report.ledgers.entries()) {
    for (const fork of forks) {
      const { proof, branches } = fork;
      if (proof === null) continue;
      const path = join(folder, `fork-${n + 1}-${branches.join('-')}.json`);
      await writeNewFile(path, { overwrite }, async (out) => void out.end(equivocationProofBytes(proof)));
      written.set(fork, path);
    }
  }
  return written;
}

async function run(args: ParsedArgs, terminal: Terminal): Promise<number> {
  const paths = [...new Set(args.positionals)];
  if (paths.length === 0) throw new UsageError('name the files to compare');
  keepHeapSmall();
  const trust = await EffectiveTrust.of(args);
  const crypto = cryptoPool();
  try {
    const report = await inTemporaryFolder('countersign-forks-', terminal, async (copies) => {
      const files = await opened(paths, copies, crypto, terminal);
      return findForks(files, { crypto, trustedKids: trust.entries });
    });
    terminal.endProgress();
    const folder = args.text('out');
    const written =
      folder === undefined ? new Map<Fork, string>() : await writeProofs(report, folder, args.on('force'));
    if (args.on('json')) terminal.line(JSON.stringify(report, null, 2));
    else show(report, written, terminal);
    return EXIT[report.verdict];
  } catch (error) {
    const isRefused = error instanceof UnreadableFile || error instanceof CaseFileRefused;
    const problem = isRefused ? error.message : readingProblem('forks', error);
    if (problem === null) throw error;
    terminal.note(`countersign forks: ${problem}`);
    return EXIT.unusable;
  } finally {
    await crypto.close();
  }
}

/** Compares any number of files of one or several ledgers with each other (protocol V170 to V176). */
export const forks: Command = {
  name: 'forks',
  synopsis: ['FILE… [--trust KEY[@ORG_ID]|JWKS-FILE]… [-o DIR] [--force] [--json]'],
  options: [
    ...TRUST_OPTIONS,
    { flag: 'out', short: 'o', value: 'DIR', help: 'write what proves each fork into this folder, a file each' },
    { flag: 'force', help: 'overwrite files there' },
    { flag: 'json', help: 'print the result as JSON, with the proofs in it' },
  ],
  notes: [
    'FILE is a bundle, plain, compressed with gzip or attached to a PDF report; a report of chosen records; a case file, of which each item is compared; a proof of records; receipts that agents kept, one per line; a checkpoint; a consistency proof; or a proof of equivocation. Receipts and checkpoints name no service: some other file has to have the key that signed them.',
    'Files that show the same belong to one line. Where a service signed different things for one place, lines part: the service was copied, set back or made to lie.',
    'Only what the service signed counts: a damaged file accuses nobody. Whether each file is sound by itself is what countersign verify says.',
  ],
  examples: [
    { what: 'Compare what ten people got:', args: 'exports/*.csbundle.json receipts/*.jsonl' },
    { what: 'Keep what proves a fork:', args: 'mine.csbundle.json theirs.csbundle.json -o proofs' },
  ],
  exitCodes: [
    ['0', 'no file contradicts another, all was compared, and a key that you trust signed it'],
    ['1', 'the service signed contradictions'],
    ['2', 'a file cannot be opened, or wrong usage'],
    ['3', 'no contradiction, but not all was compared, or no key is trusted'],
  ],
  run,
};
