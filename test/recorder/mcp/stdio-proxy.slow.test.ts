import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { proxyStdio } from '../../../src/recorder/mcp/stdio-proxy.ts';
import { Proxied } from './proxied.ts';
import { Collector, recordingSettings } from './support.ts';
import { answerServer, CLIENT_CAPABILITIES, everything, useEverything } from './use-everything.ts';

const SERVER = fileURLToPath(new URL('./sdk-stdio-server.ts', import.meta.url));

/** Answers each line with a result that repeats its id. */
const ECHO = `
  import { createInterface } from 'node:readline';
  createInterface({ input: process.stdin }).on('line', (line) => {
    let id = null;
    try { id = JSON.parse(line).id ?? null } catch {}
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [], length: line.length } }) + '\\n');
  });
`;

const call = (id: number, text = 'hi'): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: { text } } })}\n`;

/** Answers each message with what it was given, and what it cannot parse with that. */
const ANSWERING = `import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  let answer = { unparsable: true };
  try {
    const { id, params } = JSON.parse(line);
    answer = { jsonrpc: '2.0', id, result: params.arguments };
  } catch {}
  process.stdout.write(JSON.stringify(answer) + '\\n');
})`;

describe('a proxy between client and server of the official SDK', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mcp-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'forwards every byte of revision %s, and records what it means',
    async (revision) => {
      const [came, went] = [join(folder, 'came'), join(folder, 'went')];
      const proxied = new Proxied().start(SERVER, revision, came, went);
      const client = new Client({ name: 'claude-code', version: '2' }, { capabilities: CLIENT_CAPABILITIES });
      answerServer(client);
      // It reads the one stream and writes the other, whichever side it is on.
      await client.connect(new StdioServerTransport(proxied.output, proxied.input));
      await useEverything(client, true);
      proxied.input.end();
      expect(await proxied.end).toEqual({ code: 0, signal: null });
      expect(readFileSync(came)).toEqual(Buffer.concat(proxied.sent));
      expect(readFileSync(went)).toEqual(Buffer.concat(proxied.received));
      expect(proxied.recorder.lines).toEqual(everything(true));
      expect([...proxied.recorder.feeds]).toEqual(['claudecode']);
      expect(proxied.recorder.seen[0]).toMatchObject({ extra: { mcp_revision: revision } });
    },
  );
});

describe('a proxy of stdio', () => {
  it('answers a refused call itself, and the server never sees it', async () => {
    const proxied = new Proxied();
    proxied.recorder.block('not today');
    proxied.script(ECHO);
    proxied.input.write(call(7));
    proxied.input.end('{"jsonrpc":"2.0","id":8,"method":"ping"}\n');
    await proxied.end;
    const answers = proxied.answers
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers[0]).toEqual({ jsonrpc: '2.0', id: 7, error: { code: -32001, message: 'not today' } });
    expect(answers[1]).toMatchObject({ id: 8, result: { length: 40 } });
    expect(answers.length).toBe(2);
    expect(proxied.recorder.lines).toEqual(['started echo {"text":"hi"}', 'refused echo blocked']);
  });

  it('forwards a call only once the recorder has it', async () => {
    const proxied = new Proxied();
    const steps: string[] = [];
    let release: (() => void) | undefined;
    proxied.recorder.verdict = async () => {
      steps.push('asked');
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      steps.push('answered');
      return { allowed: true, reason: null, operation_ids: [] };
    };
    proxied.script(ECHO);
    proxied.output.on('data', () => steps.push('output'));
    proxied.input.write(`{"jsonrpc":"2.0","id":1,"method":"ping"}\n${call(2)}`);
    await expect.poll(() => steps).toEqual(expect.arrayContaining(['asked', 'output']));
    expect(steps.length).toBe(2);
    proxied.recorder.verdict = () => ({ allowed: true, reason: null, operation_ids: [] });
    release?.();
    await expect.poll(() => steps.length).toBe(4);
    expect(steps.slice(2)).toEqual(['answered', 'output']);
    proxied.input.end();
    await proxied.end;
  });

  it('forwards what it does not understand: garbage, other line ends, split and joined lines, a last line without its end', async () => {
    const proxied = new Proxied().script('process.stdin.pipe(process.stdout)');
    const bytes = Buffer.concat([
      Buffer.from('garbage {]\r\n\r\n\n"text"\n[]\n'),
      Buffer.from([0xff, 0xfe, 0x00, 0x0a]),
      Buffer.from('{"jsonrpc":"2.0","id":9,"result":{}}\r\n{"id":1}\n{"jsonrpc":"2.0","method":"x"}'),
    ]);
    for (let at = 0; at < bytes.length; at += 7) proxied.input.write(bytes.subarray(at, at + 7));
    proxied.input.end();
    await proxied.end;
    expect(Buffer.concat(proxied.received)).toEqual(bytes);
    expect(proxied.recorder.lines).toEqual([
      ...[11, 7, 4, 9].map((size) => `note mcp.not_understood: from the client, ${size} bytes`),
      'note mcp.not_understood: not understood: 4 from the client, 4 from the server; responses to no request: 2',
    ]);
  });

  it('forwards a long line that is no message, and notes its digest and size', async () => {
    const size = 17 << 20;
    const proxied = new Proxied().script('process.stdin.pipe(process.stdout)');
    const line = Buffer.alloc(size, 'x');
    line[size - 1] = 0x0a;
    proxied.input.write(line);
    proxied.input.end(call(1));
    await proxied.end;
    expect(Buffer.concat(proxied.received).equals(Buffer.concat([line, Buffer.from(call(1))]))).toBe(true);
    expect(proxied.recorder.lines.slice(0, 3).sort()).toEqual([
      'note mcp.message_too_long: from the server, 17825792 bytes',
      'note mcp.not_understood: from the client, 17825792 bytes',
      'started echo {"text":"hi"}',
    ]);
  });

  it('records a call that is longer than is kept, and its answer', async () => {
    const proxied = new Proxied().script(ANSWERING);
    const text = 'x'.repeat(17 << 20);
    const message = { jsonrpc: '2.0', method: 'tools/call', params: { arguments: { text }, name: 'write' }, id: 1 };
    proxied.input.end(`${JSON.stringify(message)}\n`);
    await proxied.end;
    expect(JSON.parse(proxied.answers)).toEqual({ jsonrpc: '2.0', id: 1, result: { text } });
    expect(proxied.recorder.lines.map((line) => line.slice(0, 40))).toEqual([
      expect.stringMatching(/^started write \{"text":"x+/),
      expect.stringMatching(/^completed write ok \{"text":"x+/),
    ]);
    const [started, ended] = proxied.recorder.seen;
    const leftOut = { whole: 17 << 20, sha256: createHash('sha256').update(text).digest('hex') };
    expect(started).toMatchObject({ shortened: { left_out: [leftOut] } });
    expect(ended).toMatchObject({ shortened: { left_out: [leftOut, leftOut] } });
  });

  it('gives the server no whole message of a long call that is blocked', async () => {
    const proxied = new Proxied().script(ANSWERING);
    proxied.recorder.block('frozen');
    const params = { name: 'echo', arguments: { text: 'x'.repeat(17 << 20) } };
    const line = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`;
    proxied.input.write(line.slice(0, -1));
    proxied.input.end('\n');
    await proxied.end;
    const answers = proxied.answers.match(/.+/g)?.map((line) => JSON.parse(line));
    const refused = { jsonrpc: '2.0', id: 1, error: { code: -32_001, message: 'frozen' } };
    // Whether the server has a beginning of the line depends on how it was cut.
    expect(answers?.filter((answer) => answer.unparsable !== true)).toEqual([refused]);
  });

  it.each([
    ['another character', 'x'],
    ['more white space than is withheld', ' '.repeat(18 << 20)],
  ])('gives the server no whole message where %s is behind it', async (_, behind) => {
    const proxied = new Proxied().script(ANSWERING);
    proxied.recorder.block('frozen');
    proxied.recorder.unrecorded = { allowed: false, reason: 'frozen', operation_ids: [] };
    const params = { name: 'echo', arguments: { text: 'x'.repeat(17 << 20) } };
    const line = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}${behind}`);
    // In pieces as a pipe gives them: of what ends with its line at once, nothing is forwarded before.
    for (let at = 0; at < line.length; at += 65_536) proxied.input.write(line.subarray(at, at + 65_536));
    proxied.input.end('\n');
    await proxied.end;
    const answers = proxied.answers.match(/.+/g)?.map((line) => JSON.parse(line));
    expect(answers?.filter((answer) => answer.result !== undefined)).toEqual([]);
    expect(answers?.some((answer) => answer.error?.message === 'frozen')).toBe(true);
  });

  it('ends a server that does not end by itself once the client has left', async () => {
    const proxied = new Proxied({ graceMs: 50 }).script(
      'process.on("SIGTERM", () => {}); process.stdout.write("{}\\n"); setInterval(() => {}, 1000)',
    );
    await expect.poll(() => proxied.answers).toBe('{}\n');
    proxied.input.end();
    expect(await proxied.end).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('ends as the server does, and says unknown of calls that it left', async () => {
    const proxied = new Proxied().script('process.stdin.once("data", () => process.exit(7))');
    proxied.input.write(call(1));
    expect(await proxied.end).toEqual({ code: 7, signal: null });
    expect(proxied.recorder.lines).toEqual(['started echo {"text":"hi"}', 'failed echo unknown connection_closed']);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'])(
    'passes on %s, and ends by the signal that ended the server',
    async (signal) => {
      const proxied = new Proxied().script('process.stdout.write("{}\\n"); setInterval(() => {}, 1000)');
      await expect.poll(() => proxied.answers).toBe('{}\n');
      proxied.signals.emit(signal);
      expect(await proxied.end).toEqual({ code: null, signal });
    },
  );

  it('closes its output once a client that reads slowly has all of it', async () => {
    const pending: (() => void)[] = [];
    const output = new Writable({ highWaterMark: 1024, write: (_chunk, _encoding, done) => pending.push(done) });
    let left: number | null = null;
    const closeOutput = (): void => {
      left = output.writableLength;
    };
    const streams = { input: new PassThrough(), output, closeOutput, signals: new EventEmitter() };
    const server = { command: process.execPath, args: ['-e', 'console.log("{}")'] };
    const end = proxyStdio({ ...server, ...streams }, recordingSettings(new Collector()));
    await end;
    expect(left).toBeNull();
    while (pending.length > 0) pending.shift()?.();
    await expect.poll(() => left).toBe(0);
  });

  it('throws what the system says of a server that is not there', async () => {
    const settings = { command: '/nowhere/server', args: [], input: new PassThrough(), output: new PassThrough() };
    const ends = { closeOutput: () => undefined, signals: new EventEmitter() };
    await expect(proxyStdio({ ...settings, ...ends }, recordingSettings(new Collector()))).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });
});
