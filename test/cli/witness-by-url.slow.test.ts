// countersign witness request --url: a log asks a witness over HTTP in one command (C2SP tlog-witness; protocol F118, F119).
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { parseCheckpoint } from '../../src/protocol/index.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { PATIENCE_MS } from '../support/processes.ts';
import { registerAgent, submitNext, TestService } from '../support/service.ts';
import { TestWitness } from '../support/witness.ts';

describe('a witness that is asked by its address', { timeout: PATIENCE_MS }, async () => {
  const folder = temporaryFolder();
  const at = (name: string): string => join(folder, name);
  const service = await TestService.start();
  const owner = await service.signUp();
  const signer = await registerAgent(owner);
  const seal = async (): Promise<void> => {
    await submitNext(owner, signer);
    await owner.client.ok('closeEpoch');
  };
  await seal();
  const witness = new TestWitness('w1.example.org');
  writeFileSync(at('w1.vkeys'), witness.keys);
  const url = await (await witness.serve(service, owner, null)).listening();
  const request = (out: string, ...more: readonly string[]) =>
    run('witness', 'request', '--data-dir', service.dataDir, '--url', url, '-o', at(out), ...more);
  const named = ['--witness', at('w1.vkeys')];
  const sizeIn = (name: string): number => parseCheckpoint(readFileSync(at(name))).size;

  it('cosigns the newest checkpoint, and the next from where it is, whatever size it is asked from', async () => {
    const first = await request('first', ...named);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout.match(/✓ w1\.example\.org/g)).toHaveLength(2);
    expect(sizeIn('first')).toBe(1);
    await seal();
    expect((await request('second', ...named, '--cosigned', at('first'))).code).toBe(0);
    await seal();
    // Asked as if for the first time: it names its size, and is asked again from there.
    expect((await request('third', ...named)).code).toBe(0);
    expect([sizeIn('second'), sizeIn('third')]).toEqual([2, 3]);
  });

  it('is told from one that remembers, once its folder was set back', async () => {
    const memory = new Database(join(witness.dir, 'witness.sqlite'));
    memory.exec('CREATE TABLE older AS SELECT * FROM log');
    await seal();
    expect((await request('fourth', ...named, '--cosigned', at('third'))).code).toBe(0);
    memory.exec('CREATE TABLE newer AS SELECT * FROM log; DELETE FROM log; INSERT INTO log SELECT * FROM older');
    await seal();
    const { code, stderr } = await request('forgotten', ...named, '--cosigned', at('fourth'));
    expect([code, existsSync(at('forgotten'))]).toEqual([3, false]);
    expect(stderr).toContain('the witness cosigned the size 4, and now says 3: it was set back');
    memory.exec('DELETE FROM log; INSERT INTO log SELECT * FROM newer');
    memory.close();
    await seal();
  });

  it('is not believed by other keys than those that were named', async () => {
    writeFileSync(at('other.vkeys'), new TestWitness('w1.example.org').keys);
    await seal();
    const given = await request('unbelieved', '--witness', at('other.vkeys'));
    expect([given.code, existsSync(at('unbelieved'))]).toEqual([3, false]);
    expect((await request('unbelieved')).code).toBe(2);
    expect((await request('unbelieved', ...named, '--url', 'ftp://w.example.org')).code).toBe(2);
  });

  it('ends where nothing answers, and where the address is no witness', async () => {
    const nobody = await run(
      'witness',
      'request',
      '--data-dir',
      service.dataDir,
      '--url',
      'http://127.0.0.1:1',
      '-o',
      at('x'),
      ...named,
    );
    expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringContaining('no answer')]);
    const elsewhere = await run(
      'witness',
      'request',
      '--data-dir',
      service.dataDir,
      '--url',
      `${url}/deeper`,
      '-o',
      at('x'),
      ...named,
    );
    expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining('HTTP 404')]);
  });

  it('refuses a log that was set back and continued, with a proof of it as a file', async () => {
    const copy = at('copy');
    await service.stop();
    cpSync(service.dataDir, copy, { recursive: true });
    await service.restart();
    const here = { ...owner, client: service.client(owner.client.token) };
    for (let more = 0; more < 2; more++) {
      await submitNext(here, signer);
      await here.client.ok('closeEpoch');
    }
    expect((await request('sixth', ...named)).code).toBe(0);
    const forked = await TestService.start({ dataDir: copy });
    const there = { ...owner, client: forked.client(owner.client.token) };
    const other = await registerAgent(there, 'other');
    for (let more = 0; more < 3; more++) {
      await submitNext(there, other);
      await there.client.ok('closeEpoch');
    }
    const args = ['--data-dir', copy, '--url', url, '-o', at('fork'), ...named];
    const refused = await run('witness', 'request', ...args);
    expect([refused.code, existsSync(at('fork'))]).toEqual([1, false]);
    const judged = await run('verify', at('fork.refusal'), '--trust', service.kid, '--no-trust-store');
    expect([judged.code, judged.stdout]).toEqual([0, expect.stringContaining('Proof: verified')]);
  });
});
