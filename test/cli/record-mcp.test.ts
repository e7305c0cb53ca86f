import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BUILT_COMMAND } from '../support/built-command.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'record-mcp-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function run(args: readonly string[]) {
  const child = spawn(process.execPath, [BUILT_COMMAND, 'record', 'mcp', ...args], {
    env: { ...process.env, COUNTERSIGN_RECORDER: folder },
  });
  const texts = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    texts.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    texts.err += chunk;
  });
  return { child, texts, ended: once(child, 'close') };
}

const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}\n';

describe('countersign record mcp', () => {
  it('hands calls to the recorder, forwards everything, and exits as the server does', async () => {
    const bodies: string[] = [];
    const recorder = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        if (request.method === 'POST') bodies.push(`${request.url} ${body}`);
        response.end('{"allowed":true,"reason":null,"operation_ids":[]}');
      });
    }).listen(join(folder, 'recorder.sock'));
    await once(recorder, 'listening');
    const script =
      'process.stdin.on("data", (d) => { process.stderr.write("note"); process.stdout.write(d, () => process.exit(9)) })';
    const { child, texts, ended } = run(['--feed', 'gui', '--name', 'files', '--', process.execPath, '-e', script]);
    child.stdin.write(call);
    expect(await ended).toEqual([9, null]);
    recorder.close();
    expect(texts.out).toBe(call);
    expect(texts.err).toBe('note');
    expect(bodies[0]).toMatch(/^\/v1\/seen\/gui \{"seen":\[\{.*"witness":"files".*"stage":"started"/);
    expect(bodies.join()).toContain('connection_closed');
  });

  it('gives the server the environment that the client gave, and nothing else', async () => {
    const given = { PATH: process.env['PATH'], HOME: folder, COUNTERSIGN_RECORDER: folder, NOTE: 'a b' };
    const script = 'process.stdout.write(JSON.stringify(process.env))';
    const child = spawn(process.execPath, [BUILT_COMMAND, 'record', 'mcp', '--', process.execPath, '-e', script], {
      env: given,
    });
    const [out] = await Promise.all([text(child.stdout), once(child, 'close')]);
    expect(JSON.parse(out)).toEqual(given);
  });

  it('ends by the signal that it passed on', async () => {
    const { child, texts, ended } = run([
      '--',
      process.execPath,
      '-e',
      'console.log("up"); setInterval(() => {}, 1000)',
    ]);
    await expect.poll(() => texts.out).toBe('up\n');
    child.kill('SIGTERM');
    expect(await ended).toEqual([null, 'SIGTERM']);
  });

  it('forwards where nothing is installed, and says so', async () => {
    const { child, texts, ended } = run(['--', process.execPath, '-e', 'process.stdin.pipe(process.stdout)']);
    child.stdin.end(call);
    expect(await ended).toEqual([0, null]);
    expect(texts.out).toBe(call);
    expect(texts.err).toBe('countersign record mcp: nothing is recorded: no agent is installed for other\n');
  });

  it.each([
    [['--', '/nowhere/server'], 127, 'there is no program "/nowhere/server"'],
    [[], 2, 'name the command of the server after "--"'],
    [['--feed', 'nobody', '--', 'x'], 2, 'there is no type of agent "nobody"'],
    [['--no-token', '--', 'x'], 2, '--no-token goes with --http'],
    [['--socket', 's', '--', 'x'], 2, '--socket goes with --http'],
    [['--http', 'http://localhost', '--socket', 's', '--listen', '1'], 2, '--socket takes the place of --listen'],
    [['--http', 'http://localhost', '--socket', '/nowhere/s'], 2, 'no socket can be made at /nowhere/s'],
    [['--http', 'ftp://example.com'], 2, '--http takes a URL with http or https'],
  ])('exits for %j with %d', async (args, code, text) => {
    const { child, texts, ended } = run(args);
    child.stdin.end();
    expect(await ended).toEqual([code, null]);
    expect(texts.err).toContain(text);
  });

  it('prints the URL of a proxy of HTTP, and ends when it is told to', async () => {
    const upstream = createServer((_, response) => response.end('there')).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const address = upstream.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { child, texts, ended } = run(['--http', `http://127.0.0.1:${port}/mcp`]);
    await expect.poll(() => texts.out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/mcp\n$/);
    expect(await (await fetch(texts.out.trim())).text()).toBe('there');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    upstream.close();
  });
});
