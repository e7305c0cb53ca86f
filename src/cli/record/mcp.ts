import { once } from 'node:events';
import { closeSync } from 'node:fs';
import { constants } from 'node:os';
import { type FeedId, isFeedId, recorderHome, recordHttpServer, recordStdioServer } from '../../record/index.ts';
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
  if (!Number.isInteger(port) || port < 0 || port > MOST_PORT) throw new UsageError('--listen takes a port');
  return port;
}

async function runHttp(args: ParsedArgs, url: string, terminal: Terminal): Promise<number> {
  if (args.positionals.length > 0) throw new UsageError('--http takes no command besides');
  const upstream = upstreamOf(url);
  const port = portOf(args.text('listen'));
  const say = sayer(terminal);
  const proxy = await recordHttpServer(names(args, say), { upstream, port, say }).catch((error: unknown) => {
    if (codeOf(error) === 'EADDRINUSE') throw new UsageError(`port ${port} is taken`);
    throw error;
  });
  terminal.line(proxy.url);
  await Promise.race(['SIGTERM', 'SIGINT', 'SIGHUP'].map((signal) => once(process, signal)));
  await proxy.close();
  return EXIT.ok;
}

async function runStdio(args: ParsedArgs, terminal: Terminal): Promise<number> {
  const [command, ...rest] = args.positionals;
  if (command === undefined) throw new UsageError('what follows "--" is the command of the server; or give --http');
  if (args.text('listen') !== undefined) throw new UsageError('--listen goes with --http');
  const say = sayer(terminal);
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

function names(args: ParsedArgs, say: (text: string) => void) {
  return { feed: feedOf(args), server: args.text('name') ?? null, home: recorderHome(process.env), say };
}

/** Standard output is the server's. */
function sayer(terminal: Terminal): (text: string) => void {
  return (text) => terminal.note(`countersign record mcp: ${text}`);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Stands between a client of MCP and a server, and records. */
export const recordMcp: Command = {
  name: 'record mcp',
  usage: '[--feed FEED] [--name SERVER] (-- COMMAND ARGS... | --http URL [--listen PORT])',
  summary: 'Record the calls that a program makes to an MCP server; what they send each other is not changed.',
  options: [
    {
      flag: 'feed',
      value: 'FEED',
      help: 'whose calls they are, such as claudecode or gui (default: by the name of the client)',
    },
    { flag: 'name', value: 'SERVER', help: 'what your configuration calls the server (default: what it calls itself)' },
    { flag: 'http', value: 'URL', help: 'of a server that speaks HTTP' },
    {
      flag: 'listen',
      value: 'PORT',
      help: 'where to listen on 127.0.0.1 for it (default: any port; the URL is printed)',
    },
  ],
  notes: [
    'With a command, the exit code is the one of the server: 126 if it cannot be run, 127 if there is none.',
    'Recording is done by "countersign record run"; without it the policy of the agent decides whether tools may be called.',
  ],
  run: (args, terminal) => {
    const url = args.text('http');
    return url === undefined ? runStdio(args, terminal) : runHttp(args, url, terminal);
  },
};
