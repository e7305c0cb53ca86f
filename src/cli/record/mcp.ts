import { once } from 'node:events';
import { resolve } from 'node:path';
import { codeOf } from '../../protocol/text/light.ts';
import { proxyToken, RecordError, recordHttpServer, recordStdioServer } from '../../recorder/index.ts';
import { type Command, EXIT, type ParsedArgs, UsageError } from '../command.ts';
import type { Terminal } from '../terminal.ts';
import { FEED_OPTION, haveRecorder, PROGRAM_EXIT_CODES, proxyNames, runBetween, sayer } from './proxied.ts';

const MOST_PORT = 65_535;

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
  const socket = args.text('socket');
  if (socket !== undefined && (args.text('listen') !== undefined || args.on('no-token')))
    throw new UsageError('--socket takes the place of --listen and --no-token: give one or the other');
  const port = portOf(args.text('listen'));
  const say = sayer('record mcp', terminal);
  const names = proxyNames(args, say);
  const onPort = () => ({ port, token: args.on('no-token') ? null : proxyToken(names.home) });
  const at = socket === undefined ? onPort() : { socket: resolve(socket) };
  await haveRecorder(say);
  const proxy = await recordHttpServer(names, { upstream, at, say }).catch((error: unknown) => {
    if (codeOf(error) === 'EADDRINUSE')
      throw new UsageError(`--listen ${port}: this port is in use; leave --listen out for a free one`);
    throw error;
  });
  terminal.line(proxy.url);
  await Promise.race(['SIGTERM', 'SIGINT', 'SIGHUP'].map((signal) => once(process, signal)));
  await proxy.close();
  return EXIT.ok;
}

function runStdio(args: ParsedArgs, terminal: Terminal): Promise<number> {
  if (args.positionals.length === 0)
    throw new UsageError('name the command of the server after "--", or its address with --http');
  for (const flag of ['listen', 'socket'])
    if (args.text(flag) !== undefined) throw new UsageError(`--${flag} goes with --http`);
  if (args.on('no-token')) throw new UsageError('--no-token goes with --http');
  const say = sayer('record mcp', terminal);
  const names = proxyNames(args, say);
  return runBetween(args.positionals, say, (between) => recordStdioServer(names, between));
}

/** A recording proxy between an MCP client and a server. */
export const recordMcp: Command = {
  name: 'record mcp',
  synopsis: [
    '[--feed FEED] [--name SERVER] -- COMMAND ARGS…',
    '[--feed FEED] [--name SERVER] --http URL [--listen PORT] [--no-token]',
    '[--feed FEED] [--name SERVER] --http URL --socket PATH',
  ],
  options: [
    FEED_OPTION,
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
    {
      flag: 'socket',
      value: 'PATH',
      help: 'a Unix socket to listen on in place of a port, which your user alone can open; the address has no token then',
    },
    {
      flag: 'no-token',
      help: 'let every program on this machine call; default: the address that is printed has a token',
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
    ['2', 'the port or the socket is in use, the folder of the recorder cannot be used, or wrong usage'],
    ...PROGRAM_EXIT_CODES,
    ['', "Any other is the server's own."],
  ],
  expected: [RecordError],
  run: (args, terminal) => {
    const url = args.text('http');
    return url === undefined ? runStdio(args, terminal) : runHttp(args, url, terminal);
  },
};
