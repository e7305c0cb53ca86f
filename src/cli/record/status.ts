import {
  askStatus,
  lossText,
  RecordError,
  type RunningStatus,
  recorderHome,
  standingOf,
} from '../../recorder/index.ts';
import { type Command, EXIT, type ParsedArgs, UsageError } from '../command.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';

function plural(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}

function describe({ pid, url, agents, problems }: RunningStatus, terminal: Terminal): void {
  const where = url ?? 'reached over the socket of the system alone';
  terminal.line(`The recorder is running (process ${pid}, ${where}).`);
  if (agents.length === 0) terminal.line('No agent is installed: countersign record install PROGRAM');
  for (const agent of agents) {
    terminal.line();
    terminal.line(`${terminal.style('bold', agent.feed)}${standingOf(agent.feed)}  ${printable(agent.agent_id)}`);
    const oldest = agent.oldest === null ? '' : `, the oldest signed at ${agent.oldest}`;
    terminal.line(`  waiting for the service  ${plural(agent.waiting, 'record')}${oldest}`);
    terminal.line(`  newest receipt           ${agent.last_receipt_at ?? 'none yet'}`);
    if (agent.lost > 0) terminal.line(`  lost, not yet recorded   ${plural(agent.lost, 'event')}`);
    for (const loss of agent.losses) terminal.line(`  lost in the last 7 days  ${printable(lossText(loss))}`);
    if (agent.stopped === null) continue;
    const { code, message, since } = agent.stopped;
    terminal.line(`  not sending since ${since}: ${code}, ${printable(message)}`);
  }
  for (const problem of problems) terminal.line(`\nnot usable: ${printable(problem)}`);
}

async function showStatus(args: ParsedArgs, terminal: Terminal): Promise<number> {
  if (args.positionals.length > 0)
    throw new UsageError(`record status takes no argument, and got ${JSON.stringify(args.positionals[0])}`);
  const home = recorderHome(process.env);
  try {
    const status = await askStatus(home);
    if (args.on('json')) terminal.line(JSON.stringify({ running: true, ...status }, null, 2));
    else describe(status, terminal);
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof RecordError) || error.code !== 'RECORDER_AWAY') throw error;
  }
  if (args.on('json')) terminal.line(JSON.stringify({ running: false }, null, 2));
  else {
    terminal.line(`No recorder is running for this user (${printable(home.folder)}).`);
    terminal.line(
      home.isSystem
        ? "The system keeps it: systemctl status 'countersign-recorder@*'"
        : 'The next hook of an installed program starts one, or: countersign record run',
    );
  }
  return EXIT.failed;
}

/** What the running recorder has, and what has become of it. */
export const status: Command = {
  name: 'record status',
  synopsis: ['[--json]'],
  options: [{ flag: 'json', help: 'print the status as JSON' }],
  examples: [{ what: 'Look at the recorder:', args: '' }],
  exitCodes: [
    ['0', 'a recorder is running'],
    ['1', 'no recorder is running'],
    ['2', 'its folder cannot be read, or wrong usage'],
  ],
  expected: [RecordError],
  run: showStatus,
};
