import module from 'node:module';
import { messageOf, visibleText } from '../../protocol/text/light.ts';
import { inheritedSocket, loadForEvents, loadRecorder, RecordError, recorderHome } from '../../recorder/light.ts';
import { type Command, EXIT, type ParsedArgs, UsageError } from '../command.ts';
import type { Terminal } from '../terminal.ts';
import { untilStopped } from '../until-stopped.ts';

/** Set for the second start: where nothing can be kept, there is no third one. */
const STARTED_AGAIN = 'COUNTERSIGN_COMPILED';

/**
 * What Node translates TypeScript with takes some 25 MB and is never given back. Where it was needed, because this version runs for the
 * first time, the rest is loaded as well, all of it is kept compiled, and the process replaces itself by one that needs no translation.
 * Its id stays the same. To be called before anything is opened; does not return where it replaces the process.
 */
async function startCompiled(): Promise<void> {
  const { execve, execPath, execArgv, argv, env } = process;
  if (execve === undefined || env[STARTED_AGAIN] !== undefined || module.getCompileCacheDir() === undefined) return;
  if (!hasTranslated()) return;
  await loadForEvents();
  module.flushCompileCache();
  execve.call(process, execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, [STARTED_AGAIN]: '1' });
}

/** Whether Node's translator of TypeScript is in memory. */
function hasTranslated(): boolean {
  const loaded: unknown = Reflect.get(process, 'moduleLoadList');
  return Array.isArray(loaded) && loaded.some((name) => String(name).includes('amaro'));
}

async function runRecorder(args: ParsedArgs, terminal: Terminal): Promise<number> {
  if (args.positionals.length > 0)
    throw new UsageError(`record run takes no argument, and got ${JSON.stringify(args.positionals[0])}`);
  const { startRecorder } = await loadRecorder();
  const socket = inheritedSocket(process.env);
  // A process that replaces itself hands on no socket.
  if (socket === null) await startCompiled();
  // Files that SQLite makes say nothing of their mode.
  process.umask(0o077);
  const stopped = untilStopped();
  const recorder = await startRecorder(recorderHome(process.env), {
    socket,
    onError: (error) => terminal.note(visibleText(messageOf(error))),
  });
  if (!args.on('quiet')) {
    terminal.line(`recorder listening on ${recorder.url ?? 'the socket that it was given'}`);
    terminal.line(`folder  ${recorder.folder}`);
    const agents = recorder.status().agents.map(({ feed, agent_id }) => `${feed} (${agent_id})`);
    terminal.line(`agents  ${agents.length === 0 ? 'none: countersign record install PROGRAM' : agents.join(', ')}`);
  }
  await stopped;
  await recorder.close();
  return EXIT.ok;
}

/** Runs the recorder until it is told to stop. */
export const run: Command = {
  name: 'record run',
  synopsis: ['[--quiet]'],
  options: [{ flag: 'quiet', help: 'print errors only' }],
  notes: [
    'Hooks start a recorder by themselves. Its data is in the folder COUNTERSIGN_RECORDER, or in countersign/recorder in your data folder.',
    'Started by systemd with a socket (sd_listen_fds), it listens on that socket alone.',
  ],
  examples: [{ what: 'Run the recorder in this terminal:', args: '' }],
  exitCodes: [
    ['0', 'stopped by Ctrl-C or SIGTERM'],
    ['2', 'another recorder of this user is running, its folder cannot be used, or wrong usage'],
  ],
  expected: [RecordError],
  run: runRecorder,
};
