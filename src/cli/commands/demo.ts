import { readFile, writeFile } from 'node:fs/promises';
import { AgentError } from '../../agent/index.ts';
import { nodeCrypto } from '../../node/index.ts';
import {
  decodeUtf8,
  fingerprintDigits,
  ProtocolError,
  utf8,
  type VerificationReport,
  verifyBundle,
} from '../../protocol/index.ts';
import { StartError } from '../../service/index.ts';
import { type Command, EXIT, FileProblem, type ParsedArgs, UsageError } from '../command.ts';
import { type DemoAction, parseActions } from '../demo/action.ts';
import { runLedger } from '../demo/run-ledger.ts';
import { scenario } from '../demo/scenario.ts';
import { inTemporaryFolder } from '../interruptible.ts';
import { renderReport } from '../render-report.ts';
import { systemProblem } from '../system-problem.ts';
import type { Terminal } from '../terminal.ts';

/** A bundle with one byte changed, and what was done. */
interface Alteration {
  readonly bundle: Uint8Array;
  /** Line of the file, from 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/**
 * What may be changed, the first that there is: a text that is the value of a payload's member, a number that is one, the
 * type of an operation. Members of a salted payload stand as `"name":[salt,value]`.
 */
const PLACES = [
  /("disclosures":\{.*?:\["[\w-]{22}",")([A-Za-z0-9])/,
  /("disclosures":\{.*?:\["[\w-]{22}",)([0-9])/,
  /("operation_type":")([A-Za-z0-9_-])/,
] as const;

function isRecord(line: string): boolean {
  return line.startsWith('{"eor":');
}

/**
 * Changes one character of a record in the middle of a bundle, as somebody might who wants it to say something else. The
 * file stays well-formed JSON.
 */
function alterOneByte(bundle: Uint8Array): Alteration {
  const lines = decodeUtf8(bundle).split('\n');
  for (const place of PLACES) {
    const candidates = lines.flatMap((line, index) => (isRecord(line) && place.test(line) ? [index] : []));
    const index = candidates[Math.floor(candidates.length / 2)];
    if (index === undefined) continue;
    const line = lines[index] ?? '';
    const match = place.exec(line);
    const [, lead = '', before = ''] = match ?? [];
    const at = (match?.index ?? 0) + lead.length;
    const after = before === '7' ? '8' : /[0-9]/.test(before) ? '7' : before === 'x' ? 'y' : 'x';
    lines[index] = line.slice(0, at) + after + line.slice(at + 1);
    return { bundle: utf8(lines.join('\n')), line: index + 1, before, after };
  }
  throw new Error('the bundle has no record');
}

async function readActions(path: string | undefined): Promise<DemoAction[]> {
  if (path === undefined) return scenario();
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const problem = systemProblem(error, path);
    throw problem === null ? error : new FileProblem(problem);
  }
  return parseActions(text, path);
}

/** Writes the bundle before anything else is shown: a name that cannot be written is the user's to know at once. */
async function writeOut(path: string, bundle: Uint8Array): Promise<void> {
  try {
    await writeFile(path, bundle);
  } catch (error) {
    const problem = systemProblem(error, path);
    throw problem === null ? error : new FileProblem(problem);
  }
}

async function run(args: ParsedArgs, terminal: Terminal): Promise<number> {
  if (args.positionals.length > 0) throw new UsageError('demo takes no arguments');
  const actions = await readActions(args.text('from'));
  try {
    return await inTemporaryFolder('countersign-demo-', terminal, (folder) =>
      demonstrate(folder, actions, args.text('out'), terminal),
    );
  } catch (error) {
    if (error instanceof ProtocolError) throw new UsageError(`an action cannot be recorded: ${error.message}`);
    throw error;
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
    submitted: (done, total) => terminal.progress('submitting', done, total, 'operations'),
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

/** An operation's whole life, from signing to a verified bundle, on one's own machine. */
export const demo: Command = {
  name: 'demo',
  synopsis: ['[--from FILE.jsonl] [--out BUNDLE]'],
  options: [
    {
      flag: 'from',
      value: 'FILE.jsonl',
      help: 'actions to submit, one JSON object per line; without it a small scenario',
    },
    { flag: 'out', value: 'BUNDLE', help: 'keep the bundle in this file' },
  ],
  notes: [
    'A line has agent, session, step, tool, arguments and result (a logged tool call), or agent_id, operation_type, subject, action and payload.',
    'Everything else is done in a temporary folder, which is removed at the end.',
  ],
  examples: [
    { what: 'Run the scenario:', args: '' },
    { what: 'Keep the bundle, to look at it or to verify it again:', args: '--out demo.csbundle' },
  ],
  exitCodes: [
    ['0', 'the bundle was verified, and the altered copy of it was found out'],
    ['1', 'one of both was not as it has to be'],
    ['2', 'a file cannot be read or written, or wrong usage'],
  ],
  expected: [StartError, AgentError],
  run,
};
