import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import { codeOf } from '../../protocol/text/light.ts';
import {
  type FeedId,
  isFeedId,
  RecordError,
  recorderHome,
  recordHttpServer,
  recordStdioServer,
  wakeIfInstalled,
} from '../../recorder/index.ts';
import { type Command, EXIT, type ParsedArgs, UsageError } from '../command.ts';
import type { Terminal } from '../terminal.ts';

/** What a shell exits with where it cannot run a program. */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;

const STANDARD_OUTPUT = 1;
const MOST_PORT = 65_535;

function feedOf(args: ParsedArgs): FeedId | null {
  const feed = args.text('feed') ?? null;
  if (feed !== null && !isFeedId(feed)) throw new UsageError(`--feed: there is no type of agent "${feed}"`);
  return feed;
}

function upstreamOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw new UsageError('--http takes a URL with http or https');
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('--http takes a URL without user and password: let the client send them in a header');
  }
  return url;
}

function portOf(text: string | undefined): number {
  const port = Number(text ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > MOST_PORT)
    throw new UsageError('--listen takes a port from 0 to 65535');
  return port;
}

async function runHttp(args: ParsedArgs, url: string, terminal: Terminal): Promise<number> {
  if (args.positionals.length > 0) throw new UsageError('--http takes no command: give one or the other');
  const upstream = upstreamOf(url);
  const port = portOf(args.text('listen'));
  const say = sayer(terminal);
  await haveRecorder(say);
  const proxy = await recordHttpServer(names(args, say), { upstream, port, say }).catch((error: unknown) => {
    if (codeOf(error) === 'EADDRINUSE')
      throw new UsageError(`--listen ${port}: this port is in use; leave --listen out for a free one`);
    throw error;
  });
  terminal.line(proxy.url);
  await Promise.race(['SIGTERM', 'SIGINT', 'SIGHUP'].map((signal) => once(process, signal)));
  await proxy.close();
  return EXIT.ok;
}

async function runStdio(args: ParsedArgs, terminal: Terminal): Promise<number> {
  const [command, ...rest] = args.positionals;
  if (command === undefined)
    throw new UsageError('name the command of the server after "--", or its address with --http');
  if (args.text('listen') !== undefined) throw new UsageError('--listen goes with --http');
  const say = sayer(terminal);
  await haveRecorder(say);
  try {
    const { code, signal } = await recordStdioServer(names(args, say), {
      command,
      args: rest,
      input: process.stdin,
      output: process.stdout,
      closeOutput: () => closeSync(STANDARD_OUTPUT),
      signals: process,
    });
    // Whoever waits for this process is to see what the server's own end was.
    if (signal !== null) process.kill(process.pid, signal);
    return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') say(`there is no program "${command}"`);
    else if (codeOf(error) === 'EACCES') say(`"${command}" cannot be run`);
    else throw error;
    return codeOf(error) === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE;
  }
}

/** Has a recorder run before the first call, as a hook has. Where none can, the policy of the agent decides about each call. */
async function haveRecorder(say: (text: string) => void): Promise<void> {
  try {
    await wakeIfInstalled(recorderHome(process.env), process.env);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    say(error.message);
  }
}

function names(args: ParsedArgs, say: (text: string) => void) {
  return { feed: feedOf(args), server: args.text('name') ?? null, home: recorderHome(process.env), say };
}

/** Standard output is the server's. */
function sayer(terminal: Terminal): (text: string) => void {
  return (text) => terminal.note(`countersign record mcp: ${text}`);
}

/** A recording proxy between an MCP client and a server. */
export const recordMcp: Command = {
  name: 'record mcp',
  synopsis: [
    '[--feed FEED] [--name SERVER] -- COMMAND ARGS…',
    '[--feed FEED] [--name SERVER] --http URL [--listen PORT]',
  ],
  options: [
    {
      flag: 'feed',
      value: 'FEED',
      help: 'the agent whose calls these are, such as claudecode or gui; default: by the name of the client',
    },
    {
      flag: 'name',
      value: 'SERVER',
      help: 'the name of the server in your configuration; default: the name it gives itself',
    },
    { flag: 'http', value: 'URL', help: 'the address of a server that speaks HTTP' },
    {
      flag: 'listen',
      value: 'PORT',
      help: 'the port to listen on at 127.0.0.1; default: a free one, and the address is printed',
    },
  ],
  notes: [
    'What client and server send each other is not changed. The recorder of this user does the recording, and is started where none runs; while it does not answer, the policy of the agent decides whether tools may be called.',
  ],
  examples: [
    { what: 'Record the calls to a server that a client starts:', args: '--feed claudecode -- npx some-mcp-server' },
    { what: 'Record the calls to a server on the network:', args: '--http https://mcp.example.org/mcp' },
  ],
  exitCodes: [
    ['0', 'the proxy was stopped (--http)'],
    ['2', 'the port is in use, or wrong usage'],
    ['126', 'COMMAND cannot be run'],
    ['127', 'there is no such COMMAND'],
    ['', "Any other is the server's own."],
  ],
  run: (args, terminal) => {
    const url = args.text('http');
    return url === undefined ? runStdio(args, terminal) : runHttp(args, url, terminal);
  },
};
