import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentError } from '../../agent/index.ts';
import { fingerprintDigits, ProtocolError, type VerificationReport, verifyBundle } from '../../protocol/index.ts';
import { nodeCrypto } from '../../runtime/index.ts';
import { StartError } from '../../service/index.ts';
import { type Command, EXIT, type ParsedArgs, UsageError } from '../command.ts';
import { type DemoAction, parseActions } from '../demo/action.ts';
import { alterOneByte } from '../demo/alter.ts';
import { runLedger } from '../demo/run-ledger.ts';
import { scenario } from '../demo/scenario.ts';
import { renderReport } from '../render-report.ts';
import type { Terminal } from '../terminal.ts';

async function readActions(path: string | undefined): Promise<DemoAction[]> {
  if (path === undefined) return scenario();
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch {
    throw new UsageError(`${path}: cannot be read`);
  }
  return parseActions(text, path);
}

/** Writes the bundle before anything else is shown: a name that cannot be written is the user's to know at once. */
async function writeOut(path: string, bundle: Uint8Array): Promise<void> {
  try {
    await writeFile(path, bundle);
  } catch {
    throw new UsageError(`${path}: cannot be written`);
  }
}

async function run(args: ParsedArgs, terminal: Terminal): Promise<number> {
  if (args.positionals.length > 0) throw new UsageError('demo takes no arguments');
  const actions = await readActions(args.text('from'));
  const folder = await mkdtemp(join(tmpdir(), 'countersign-demo-'));
  try {
    return await demonstrate(folder, actions, args.text('out'), terminal);
  } catch (error) {
    if (error instanceof ProtocolError) throw new UsageError(`an action cannot be recorded: ${error.message}`);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function demonstrate(
  folder: string,
  actions: DemoAction[],
  out: string | undefined,
  terminal: Terminal,
): Promise<number> {
  const step = (title: string): void => terminal.line(terminal.style('bold', title));

  step('1. Record');
  const { bundle, kid, receiptsFile, agents } = await runLedger(folder, actions, {
    started: (url, serviceKid) => {
      terminal.line(`  service      ${url}, on a temporary folder`);
      terminal.line(`  service key  ${fingerprintDigits(serviceKid).join(' ')}`);
      terminal.line(`    kid        ${serviceKid}`);
    },
    submitted: (done, total) => terminal.progress('  submitting', done, total),
    exported: (bytes) => terminal.line(`  exported     ${bytes} bytes; service stopped`),
  });
  terminal.line(`  submitted    ${actions.length} signed operations of ${agents} agents, each answered with a receipt`);
  if (out !== undefined) {
    await writeOut(out, bundle);
    terminal.line(`  written      ${out}`);
  }

  terminal.line();
  step('2. Verify offline, trusting only the pinned service key');
  const receipts = [
    {
      name: 'receipts.jsonl',
      source: async function* () {
        yield await readFile(receiptsFile);
      },
    },
  ];
  const check = (bytes: Uint8Array): Promise<VerificationReport> =>
    verifyBundle(() => [bytes], { crypto: nodeCrypto, trustedKids: [kid], receipts });
  const report = await check(bundle);
  renderReport(out ?? 'bundle', report, terminal);

  terminal.line();
  const altered = alterOneByte(bundle);
  step(`3. Verify a copy with one byte altered: "${altered.before}" became "${altered.after}" in line ${altered.line}`);
  const alteredReport = await check(altered.bundle);
  renderReport('altered copy', alteredReport, terminal);

  terminal.line();
  const asExpected = report.verdict === 'verified' && alteredReport.verdict === 'failed';
  terminal.line(
    asExpected
      ? `Done: the bundle is ${report.verdict}, the altered copy ${alteredReport.verdict}.`
      : `Not as it should be: the bundle is ${report.verdict}, the altered copy ${alteredReport.verdict}.`,
  );
  if (out !== undefined) terminal.line(`Verify it again: countersign verify ${out} --trust ${kid}`);
  return asExpected ? EXIT.ok : EXIT.failed;
}

/** The whole way of an operation, from signing to a verified bundle, on one's own machine. */
export const demo: Command = {
  name: 'demo',
  usage: '[--from FILE.jsonl] [--out BUNDLE]',
  summary:
    'Show the whole way: agents sign, the service countersigns, an export is verified offline, a forgery is found.',
  options: [
    {
      flag: 'from',
      value: 'FILE.jsonl',
      help: 'actions to submit, one JSON object a line; without it a small scenario',
    },
    { flag: 'out', value: 'BUNDLE', help: 'keep the bundle there' },
  ],
  notes: [
    'A line has agent, session, step, tool, arguments and result (a logged tool call), or agent_id, operation_type,',
    'subject, action and payload. Everything happens on a temporary folder and is removed at the end.',
  ],
  expected: [StartError, AgentError],
  run,
};
