// What a user can cause ends with a sentence and an exit code of the documented table, never with the inside of the program.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { systemProblem } from '../../src/cli/system-problem.ts';
import { makeBundle } from '../support/bundle-maker.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { CommandProcess, PATIENCE_MS } from '../support/processes.ts';
import { until } from '../support/until.ts';

const BIN = fileURLToPath(new URL('../../bin/countersign.js', import.meta.url));
const folder = temporaryFolder();
const sub = join(folder, 'sub');
mkdirSync(sub);
const bundle = join(folder, 'a.csbundle');
writeFileSync(bundle, makeBundle({ agents: 1, epochs: [2] }).text);
const notUtf8 = join(folder, 'bad.csbundle');
writeFileSync(notUtf8, Buffer.from([0xff, 0xfe, 0x7b, 0x7d]));
const missing = join(folder, 'missing');
const kid = 'A'.repeat(43);

function expectSentence(stderr: string): void {
  expect(stderr).toMatch(/^countersign [a-z -]+: \S/);
  expect(stderr).not.toMatch(/\n\s+at |Error:|ERR_|E[A-Z]{4,}/);
}

describe('a file that cannot be used', () => {
  it.each<[string, string[]]>([
    ['verify, no file', ['verify', missing]],
    ['verify, a folder', ['verify', sub]],
    ['verify, not UTF-8', ['verify', notUtf8]],
    ['verify, a report into no folder', ['verify', bundle, '--report', join(missing, 'r.json')]],
    ['verify, a report into a folder', ['verify', bundle, '--report', sub]],
    ['verify, receipts that are not there', ['verify', bundle, '--receipts', missing]],
    ['verify, a trust store that is a folder', ['verify', bundle, '--trust-store', sub]],
    ['verify, a data folder that is not there', ['verify', '--data-dir', missing]],
    ['report, into no folder', ['report', bundle, '-o', join(missing, 'r.pdf')]],
    ['report, into a folder', ['report', bundle, '-o', sub, '--force']],
    ['proof, into no folder', ['proof', bundle, '--records', '1', '-o', join(missing, 'p.json')]],
    ['proof, of a folder', ['proof', sub, '--records', '1']],
    ['qualify, no file', ['qualify', missing, '--trust', kid]],
    ['keygen, into no folder', ['keygen', '--out', join(missing, 'k.pem')]],
    ['keygen, over a file', ['keygen', '--out', bundle]],
    ['demo, from a folder', ['demo', '--from', sub]],
    ['demo, not UTF-8', ['demo', '--from', notUtf8]],
    ['backup, of no data folder', ['backup', '--data-dir', missing, join(folder, 'b')]],
    ['backup, verify no backup', ['backup', '--verify', missing]],
    ['restore, no backup', ['restore', missing, '--data-dir', join(folder, 'new')]],
    ['trust, a store that is a folder', ['trust', 'add', kid, '--trust-store', sub]],
    ['serve, a configuration that is a folder', ['serve', '--config', sub]],
    ['serve, a data folder that is a file', ['serve', '--data-dir', bundle, '--port', '0']],
  ])('%s', async (_, argv) => {
    const { code, stderr } = await run(...argv);
    expect(code).toBe(2);
    expectSentence(stderr);
    // What is wrong is the file: how the command is written would not help.
    if (/no such file|is a folder|exists already/.test(stderr)) expect(stderr).not.toContain('--help');
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('one that this user may not read', async () => {
    const secret = join(folder, 'secret.csbundle');
    writeFileSync(secret, 'x');
    chmodSync(secret, 0);
    const { code, stderr } = await run('verify', secret);
    expect(code).toBe(2);
    expectSentence(stderr);
    expect(stderr).toContain('you may not read');
  });

  it('a port that is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    try {
      const { code, stderr } = await run('serve', '--data-dir', join(folder, 'data'), '--port', String(port));
      expect(code).toBe(2);
      expectSentence(stderr);
      expect(stderr).toContain('--port 0');
    } finally {
      server.close();
    }
  });

  it('says nothing of errors that the system did not raise: they are defects', () => {
    expect(systemProblem(new TypeError('x'))).toBeNull();
    expect(systemProblem(Object.assign(new Error('x'), { code: 'SQLITE_BUSY' }))).toBeNull();
    expect(
      systemProblem(Object.assign(new Error('EWHATEVER: x'), { code: 'EWHATEVER', syscall: 'open', path: 'f' })),
    ).toBe('f: EWHATEVER: x');
  });
});

describe.skipIf(!existsSync('/dev/full'))('a full disk', { timeout: PATIENCE_MS }, () => {
  it('ends with 2 and a sentence where the output, and without a word where the complaint is lost', () => {
    const program = `
      '${process.execPath}' '${BIN}' keygen > /dev/full; echo "code $?"
      '${process.execPath}' '${BIN}' verify '${bundle}' > /dev/full; echo "code $?"
      '${process.execPath}' '${BIN}' verify '${missing}' 2> /dev/full; echo "code $?"`;
    const { stdout, stderr } = spawnSync('sh', ['-c', program], {
      encoding: 'utf8',
      env: { ...process.env, COUNTERSIGN_TRUST_STORE: '' },
    });
    expect(stdout).toBe('code 2\ncode 2\ncode 2\n');
    expect(stderr).toBe('countersign: the output cannot be written: the disk is full\n'.repeat(2));
  });

  it('is reported for a file, and a device is never replaced by one', async () => {
    for (const argv of [
      ['verify', bundle, '--report', '/dev/full'],
      ['proof', bundle, '--records', '1', '-o', '/dev/full', '--force'],
      ['report', bundle, '-o', '/dev/full', '--force'],
    ]) {
      const { code, stderr } = await run(...argv);
      expect(code).toBe(2);
      expectSentence(stderr);
    }
    expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
  });
});

describe.skipIf(process.platform === 'win32')('Ctrl-C', { timeout: PATIENCE_MS }, () => {
  it('ends a demonstration at once, without a word, and leaves no folder behind', async () => {
    const temporary = temporaryFolder();
    const actions = join(folder, 'actions.jsonl');
    const action = JSON.stringify({ agent_id: 'a', operation_type: 't', subject: 's', action: 'x', payload: {} });
    writeFileSync(actions, `${action}\n`.repeat(20_000));
    const process = new CommandProcess(['demo', '--from', actions], { TMPDIR: temporary });
    await until('the service to run', () => process.stdout.includes('service key') || undefined);
    const { signal, stderr } = await process.kill('SIGINT');
    expect({ signal, stderr }).toEqual({ signal: 'SIGINT', stderr: '' });
    expect(readdirSync(temporary)).toEqual([]);
    expect(readFileSync(actions, 'utf8')).toContain(action);
  });
});
