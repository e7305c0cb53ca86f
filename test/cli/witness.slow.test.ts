// countersign checkpoint and countersign witness: three witnesses that share a folder with a log, and nothing else (protocol F93 to F95, F118 to F120).
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  cosignatureOf,
  nobleCrypto,
  parseCheckpoint,
  parseEquivocationProof,
  parseWitnessKey,
  StrictVerifier,
} from '../../src/protocol/index.ts';
import { isMlDsaSignature } from '../../src/protocol/ml-dsa/index.ts';
import { type Output, run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { CommandProcess, SOURCES } from '../support/processes.ts';
import { registerAgent, submitNext, TestService } from '../support/service.ts';

const LENGTH = 100;
const folder = temporaryFolder();
const shared = join(folder, 'shared');
mkdirSync(shared);
const at = (name: string): string => join(shared, name);
const NAMES = ['w1', 'w2', 'w3'] as const;
const dirOf = (name: string): string => join(folder, name);
const verifiers = { ed25519: new StrictVerifier(nobleCrypto), mlDsa44: isMlDsaSignature };

const service = await TestService.start();
const owner = await service.signUp();
/** The same account at the address of the present start. */
const here = () => ({ ...owner, client: service.client(owner.client.token) });
const signer = await registerAgent(owner);
const trust = ['--trust', `${service.kid}@${owner.orgId}`, '--no-trust-store'];
const log = ['--data-dir', service.dataDir];
const copy = join(folder, 'copy');

const sign = (name: string, request: string, answer: string, ...more: readonly string[]) =>
  run('witness', 'sign', at(request), '--dir', dirOf(name), ...trust, '-o', at(answer), '--force', ...more);

for (const name of NAMES) {
  const { stdout } = await run('witness', 'keys', '--dir', dirOf(name), '--name', `${name}.example.org`);
  writeFileSync(at(`${name}.vkeys`), stdout);
}

describe('a log of 100 checkpoints and three witnesses', () => {
  it('has each of them cosigned by each, next to the running service', async () => {
    const refused: string[] = [];
    const did = ({ code, stderr }: Output): void => {
      if (code !== 0) refused.push(stderr);
    };
    for (let size = 1; size <= LENGTH; size++) {
      if (size === LENGTH) {
        // What a backup, a snapshot or an attacker keeps of the log.
        await service.stop();
        cpSync(service.dataDir, copy, { recursive: true });
        await service.restart();
      }
      await submitNext(here(), signer);
      await here().client.ok('closeEpoch');
      did(await run('checkpoint', ...log, '-o', at('newest'), '--keys', at('keys'), '--force'));
      did(await run('witness', 'request', ...log, '--from', String(size - 1), '-o', at('request'), '--force'));
      for (const name of NAMES) {
        const keys = size === 1 ? ['--keys', at('keys')] : [];
        did(await sign(name, 'request', `answer-${name}`, ...keys));
      }
    }
    expect(refused).toEqual([]);
  }, 600_000);

  it('is imported with all cosignatures, of both algorithms', async () => {
    for (const name of NAMES) {
      const args = ['--checkpoint', at('newest'), '--witness', at(`${name}.vkeys`), '-o', at('newest'), '--force'];
      expect(await run('witness', 'import', at(`answer-${name}`), ...args)).toMatchObject({ code: 0 });
    }
    const cosigned = parseCheckpoint(readFileSync(at('newest')));
    expect(cosigned.size).toBe(LENGTH);
    const vkeys = NAMES.flatMap((name) =>
      readFileSync(at(`${name}.vkeys`), 'utf8')
        .trim()
        .split('\n'),
    );
    expect(vkeys).toHaveLength(6);
    for (const vkey of vkeys) {
      expect(await cosignatureOf(cosigned, parseWitnessKey(vkey), verifiers)).toMatchObject({
        timestamp: expect.any(Number),
      });
    }
    expect(cosigned.signatures).toHaveLength(7);
  });

  it('takes no answer of one witness for that of another', async () => {
    const args = ['--checkpoint', at('request'), '--witness', at('w2.vkeys'), '-o', at('other')];
    expect(await run('witness', 'import', at('answer-w1'), ...args)).toMatchObject({ code: 3 });
    expect(() => readFileSync(at('other'))).toThrow();
  });

  it('answers a repeated request of the same size, and refuses one from a size that was passed', async () => {
    await run('witness', 'request', ...log, '--from', String(LENGTH), '-o', at('again'));
    expect(await sign('w1', 'again', 'again-answer')).toMatchObject({ code: 0 });
    const { code, stderr } = await sign('w1', 'request', 'passed-answer');
    expect([code, stderr]).toEqual([3, expect.stringContaining('refused (409)')]);
  });

  it('gets no cosignature from a witness that does not trust its key', async () => {
    const args = ['--dir', dirOf('w1'), '--no-trust-store', '-o', at('untrusted')];
    const { code, stderr } = await run('witness', 'sign', at('again'), ...args);
    expect([code, stderr]).toEqual([3, expect.stringContaining('refused (404)')]);
  });

  it('gets no second cosignature from any once a record is another, and each refusal is a proof to a fourth', async () => {
    await service.restart({ dataDir: copy });
    const other = await registerAgent(here());
    for (let more = 0; more < 2; more++) await submitNext(here(), other);
    await here().client.ok('closeEpoch');
    const rewritten = ['--data-dir', copy];
    expect(
      await run('witness', 'request', ...rewritten, '--from', String(LENGTH), '-o', at('rewritten')),
    ).toMatchObject({
      code: 0,
    });
    for (const name of NAMES) {
      const { code, stderr } = await sign(name, 'rewritten', `refusal-${name}`);
      expect([code, stderr]).toEqual([1, expect.stringContaining('refused (422)')]);
      const proof = parseEquivocationProof(readFileSync(at(`refusal-${name}`)));
      expect(proof).toMatchObject({ kind: 'checkpoint', number: LENGTH, org_id: owner.orgId });
      const judged = await run('verify', at(`refusal-${name}`), ...trust);
      expect([judged.code, judged.stdout]).toEqual([0, expect.stringContaining('Proof: verified')]);
      const imported = await run(
        'witness',
        'import',
        at(`refusal-${name}`),
        '--checkpoint',
        at('rewritten'),
        '--witness',
        at(`${name}.vkeys`),
        '-o',
        at('never'),
      );
      expect(imported.code).toBe(1);
    }
    // Whoever changes the proof by a sign has none.
    const text = readFileSync(at('refusal-w1'), 'utf8');
    writeFileSync(at('changed'), text.replace('"number":100', '"number":99'));
    expect((await run('verify', at('changed'), ...trust)).code).toBe(1);
  });

  it('still cosigns the log that was there first', async () => {
    await service.restart({ dataDir: service.dataDir });
    await submitNext(here(), signer);
    await here().client.ok('closeEpoch');
    await run('witness', 'request', ...log, '--from', String(LENGTH), '-o', at('honest'));
    for (const name of NAMES) expect(await sign(name, 'honest', `honest-${name}`)).toMatchObject({ code: 0 });
  });

  it('has one of two futures cosigned where two programs are asked at once', async () => {
    await run('witness', 'request', ...log, '-o', at('one-future'));
    await run('witness', 'request', '--data-dir', copy, '-o', at('other-future'));
    await run('witness', 'keys', '--dir', dirOf('w4'), '--name', 'w4.example.org');
    const ask = (future: string) => {
      const args = ['witness', 'sign', at(future), '--dir', dirOf('w4'), '--keys', at('keys'), ...trust];
      return new CommandProcess([...args, '-o', at(`${future}-answer`)], {}, undefined, SOURCES).ended;
    };
    const codes = (await Promise.all([ask('one-future'), ask('other-future')])).map(({ code }) => code);
    expect(codes.sort()).toEqual([0, 1]);
  });
});
