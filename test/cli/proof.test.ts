// countersign proof, and countersign verify of what it writes (protocol R1).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readRecordRanges } from '../../src/cli/record-ranges.ts';
import { parseJsonBytes, recordProofOf, type VerificationReport } from '../../src/protocol/index.ts';
import { serviceKid } from '../support/bundle-maker.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { TestLedger } from '../support/ledger.ts';
import { bundleTexts, checkpointVectors, recordProofVectors, serviceKids } from '../support/vectors.ts';

const folder = temporaryFolder();
function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const [kid = ''] = serviceKids;
const whole = file('whole.csbundle', bundleTexts['bundle-whole.json']);
const some = file('some.csproof', recordProofVectors.files['proof-some.json']);

describe('countersign proof', () => {
  it('writes a proof that countersign verify accepts, from a bundle plain or compressed', async () => {
    const packed = file('whole.gz', gzipSync(bundleTexts['bundle-whole.json']));
    for (const [bundle, name] of [
      [whole, 'plain.csproof'],
      [packed, 'packed.csproof'],
    ] as const) {
      const path = join(folder, name);
      expect(await run('proof', bundle, '--records', '3, 17,20-22', '-o', path)).toMatchObject({ code: 0, stdout: '' });
      const { code, stdout } = await run('verify', path, '--trust', kid);
      expect(code).toBe(0);
      expect(stdout).toContain('a proof of records');
      expect(stdout).toContain('The proof shows nothing about records before');
      expect(recordProofOf(parseJsonBytes(readFileSync(path))).records.map(({ ear }) => ear.seq_no)).toEqual([
        3, 17, 20, 21, 22,
      ]);
    }
  });

  it('prints the same bytes where no file is named', async () => {
    const { stdout } = await run('proof', whole, '--records', '17');
    const path = join(folder, '17.csproof');
    await run('proof', whole, '--records', '17', '-o', path);
    expect(stdout).toBe(readFileSync(path, 'utf8'));
  });

  it('refuses to overwrite a file unless it is told to', async () => {
    const path = file('there.csproof', 'mine');
    expect(await run('proof', whole, '--records', '1', '-o', path)).toMatchObject({ code: 2 });
    expect(readFileSync(path, 'utf8')).toBe('mine');
    expect(await run('proof', whole, '--records', '1', '-o', path, '--force')).toMatchObject({ code: 0 });
    expect(recordProofOf(parseJsonBytes(readFileSync(path))).records).toHaveLength(1);
  });

  it.each([
    [['--records', '3,99,77'], 'the bundle has no readable records 77, 99'],
    [['--records', '0'], '"0" is no sequence number'],
    [['--records', '1,,2'], 'has an empty part'],
    [['--records', '1-2-3'], '"1-2-3" is no range'],
    [['--records', '5-4'], '"5-4" ends before it begins'],
    [['--records', '1-1001'], 'more than 1000 records'],
    [['--records', '1-9007199254740991'], 'more than 1000 records'],
    [['--records', '01'], '"01" is no sequence number'],
    [[], 'name the records'],
    [['--records', '1,2', '--tlog', '--checkpoint', 'x'], '--tlog is of one record'],
    [['--records', '1', '--tlog'], '--tlog needs the checkpoint'],
    [['--records', '1', '--checkpoint', 'x'], '--checkpoint goes with --tlog'],
  ])('refuses %j and says why', async (args, why) => {
    const { code, stdout, stderr } = await run('proof', whole, ...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(why);
  });

  it('refuses a bundle whose records do not verify, one that is damaged, and a proof', async () => {
    const altered = file(
      'altered.csbundle',
      bundleTexts['bundle-whole.json'].replace('"action":"write"', '"action":"wrote"'),
    );
    const refused = async (path: string, records = '1'): Promise<string> => {
      const { code, stderr } = await run('proof', path, '--records', records);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refused(altered)).toContain('these records do not verify (SIGNATURE_INVALID)');
    expect(await refused(file('cut.csbundle', bundleTexts['bundle-whole.json'].slice(0, -9)))).toContain(
      'cut.csbundle',
    );
    expect(await refused(some, '3')).toContain('is a proof of records already');
    expect(await refused(join(folder, 'nothing'))).toContain('there is no such file');
    expect(await refused(file('text', 'no bundle'))).toContain('text');
  });

  it('writes a tlog-proof against a checkpoint that was kept', async () => {
    const checkpoint = file('checkpoint.txt', checkpointVectors.files['checkpoint.txt'] ?? '');
    const given = ['--tlog', '--checkpoint', checkpoint];
    const { stdout } = await run('proof', whole, '--records', '16', ...given);
    expect(stdout).toBe(recordProofVectors.tlogProof);
    const range = file('range.csbundle', bundleTexts['bundle-range.json']);
    const refused = await run('proof', range, '--records', '16', ...given);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('does not hold the log from record 1');
    const other = file('other.txt', checkpointVectors.files['checkpoint-wrong.txt'] ?? '');
    const wrong = await run('proof', whole, '--records', '16', '--tlog', '--checkpoint', other);
    expect(wrong.stderr).toContain('do not give the root of the checkpoint');
  });

  it('takes 1,000 records of a ledger, which verify, and no more', async () => {
    const ledger = await TestLedger.open();
    const signer = await ledger.agent('busy');
    for (let from = 0; from < 1001; from += 143) {
      await Promise.all(Array.from({ length: 143 }, () => ledger.submit(signer.next())));
    }
    expect((await ledger.verify([])).bundle.records).toBe(1001);
    const bundle = join(ledger.folder, 'bundle.json');
    const path = join(folder, 'thousand.csproof');
    expect(await run('proof', bundle, '--records', '2-1001', '-o', path)).toMatchObject({ code: 0 });
    const { code, stdout } = await run('verify', path, '--trust', ledger.key.kid, '--json');
    const report = JSON.parse(stdout) as VerificationReport;
    expect([code, report.verdict, report.bundle.records]).toEqual([0, 'verified', 1000]);
    expect(await run('proof', bundle, '--records', '1-1001', '-o', path, '--force')).toMatchObject({ code: 2 });
  });
});

describe('countersign verify of a proof of records', () => {
  it('tells it apart by content, compressed too, and ends as with a bundle', async () => {
    const packed = file('some.gz', gzipSync(recordProofVectors.files['proof-some.json']));
    const cases: readonly (readonly [string, readonly string[], number])[] = [
      [some, ['--trust', kid], 0],
      [packed, ['--trust', kid], 0],
      [some, [], 3],
      [
        file('altered', recordProofVectors.files['proof-some.json'].replace('"ttl_ms":', '"ttl_ms":1')),
        ['--trust', kid],
        1,
      ],
      [file('other-type', '{"type":"countersign.something.v1"}'), ['--trust', kid], 2],
    ];
    for (const [path, args, wanted] of cases)
      expect([path, (await run('verify', path, ...args)).code]).toEqual([path, wanted]);
  });

  it.each(['--receipts', '--against', '--checkpoint', '--made-not-before', '--proof', '--report'])(
    'refuses %s, which goes with a bundle',
    async (flag) => {
      const value = flag === '--made-not-before' ? '2026-01-01T00:00:00Z' : whole;
      const { code, stderr } = await run('verify', some, '--trust', kid, flag, value);
      expect(code).toBe(2);
      expect(stderr).toContain(`is a proof of records; ${flag} goes with a bundle`);
    },
  );

  it('holds it against the keys that the reader knows to be an agent’s', async () => {
    const stranger = serviceKid(0);
    const { code, stdout } = await run('verify', some, '--trust', kid, '--trust-agent', `billing.bot=${stranger}`);
    expect(code).toBe(1);
    expect(stdout).toContain('AGENT_KEY_NOT_TRUSTED');
  });
});

describe('numbers as people write them', () => {
  it('are each taken once, in the order in which they are first named', () => {
    expect(readRecordRanges(' 20 - 22,3, 21,3')).toEqual([20, 21, 22, 3]);
    expect(readRecordRanges('1-1000')).toHaveLength(1000);
  });

  it('are refused beyond 1,000, without going through them', () => {
    expect(() => readRecordRanges('1-1000,1001')).toThrow('more than 1000');
    expect(() => readRecordRanges(Array.from({ length: 5000 }, (_, n) => n + 1).join())).toThrow('more than 1000');
  });
});
