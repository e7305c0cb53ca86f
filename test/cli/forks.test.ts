// countersign forks (protocol V170 to V176): who was shown which ledger, by real services of which two run on raw copies of the first.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ForksReport, LedgerForks } from '../../src/protocol/index.ts';
import { at as nth } from '../support/bytes.ts';
import { addItem, saveCase } from '../support/case-items.ts';
import { importCase } from '../support/cases.ts';
import { run } from '../support/command-line.ts';
import { copyOfRunning, temporaryFolder } from '../support/folders.ts';
import { type Account, bundleOf, registerAgent, signInAt, submitNext, TestService } from '../support/service.ts';
import type { Signer } from '../support/signer.ts';

const folder = temporaryFolder();
const settings = { epochIntervalSeconds: 3600 };
let kid: string;

interface Line {
  readonly service: TestService;
  readonly account: Account;
  readonly signer: Signer;
}

const lines: Line[] = [];
/** Exports of each line, ten each, in the order in which they were made. */
const files: string[][] = [[], [], []];
/** What the agent of each line kept. */
const receipts: string[] = [];

const write = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const sealed = async ({ account, signer }: Line, records: number): Promise<string[]> => {
  const kept: string[] = [];
  for (let n = 0; n < records; n++) kept.push(JSON.stringify(await submitNext(account, signer)));
  await account.client.ok('closeEpoch');
  return kept;
};

/** A raw copy of the data folder, as an operator makes one, with a service on it that knows nothing of the first. */
async function copyOf({ service, account, signer }: Line): Promise<Line> {
  const dataDir = join(temporaryFolder(), 'copy');
  copyOfRunning(service.dataDir, dataDir);
  const copy = await TestService.start({ ...settings, dataDir });
  const own = Object.assign(Object.create(Object.getPrototypeOf(signer)), signer) as Signer;
  return { service: copy, account: await signInAt(copy.url, account), signer: own };
}

async function judged(...args: string[]): Promise<{ code: number; report: ForksReport; ledger: LedgerForks }> {
  const { code, stdout } = await run('forks', ...args, '--json', '--no-trust-store');
  const report = JSON.parse(stdout) as ForksReport;
  return { code, report, ledger: nth(report.ledgers, 0) };
}

beforeAll(async () => {
  const service = await TestService.start(settings);
  ({ kid } = service);
  const account = await service.signUp();
  const first = { service, account, signer: await registerAgent(account, 'agent') };
  const common = await sealed(first, 4);
  lines.push(first, await copyOf(first));
  const [a, b] = [nth(lines, 0), nth(lines, 1)];
  // The second line goes from No. 5, the third from No. 8, which is the second's until then.
  const own = [await sealed(a, 3), await sealed(b, 3), []];
  lines.push(await copyOf(b));
  for (const [n, line] of lines.entries()) {
    for (let m = 0; m < 10; m++) {
      nth(own, n).push(...(await sealed(line, 1)));
      nth(files, n).push(write(`line-${n}-${m}.json`, await bundleOf(line.account)));
    }
    receipts.push(
      write(`receipts-${n}.jsonl`, [...common, ...(n === 2 ? nth(own, 1).slice(0, 3) : []), ...nth(own, n)].join('\n')),
    );
  }
});

describe('countersign forks', () => {
  it('finds three lines in thirty exports, where each two part, and a proof for each', async () => {
    const mixed = nth(files, 0).flatMap((_, m) => files.map((of) => nth(of, m)));
    const { code, report, ledger } = await judged(...mixed, '--trust', kid);
    expect([code, report.verdict, report.files, report.problems]).toEqual([1, 'failed', 30, []]);
    expect(ledger.branches.map(({ files: of, reach }) => [of.map(({ name }) => name).toSorted(), reach])).toEqual(
      files.map((of) => [of.toSorted(), 17]),
    );
    expect(
      ledger.forks.map(({ branches, last_common, first_different, kind }) => [
        branches,
        last_common,
        first_different,
        kind,
      ]),
    ).toEqual([
      [[1, 2], 4, 5, 'receipt'],
      [[1, 3], 4, 5, 'receipt'],
      [[2, 3], 7, 8, 'receipt'],
    ]);
    expect(ledger.issuer).toEqual({ kids: [kid], trusted: true });
  });

  it('writes proofs that verify by themselves, as files of their own', async () => {
    const out = join(folder, 'proofs');
    const { code, stdout } = await run(
      'forks',
      ...files.map((of) => nth(of, 0)),
      '-o',
      out,
      '--trust',
      kid,
      '--no-trust-store',
    );
    expect(code).toBe(1);
    expect(stdout).toContain('the same up to No. 7, different from No. 8');
    expect(readdirSync(out).toSorted()).toEqual(['fork-1-1-2.json', 'fork-1-1-3.json', 'fork-1-2-3.json']);
    for (const name of readdirSync(out)) {
      expect((await run('verify', join(out, name), '--trust', kid, '--no-trust-store')).code).toBe(0);
    }
    // A second time nothing is overwritten.
    expect((await run('forks', ...files.map((of) => nth(of, 0)), '-o', out, '--no-trust-store')).code).toBe(2);
  });

  it('finds nothing in thirty honest files, and says so in one line', async () => {
    const { account } = nth(lines, 0);
    const more = [...nth(files, 0)];
    for (let n = 0; n < 18; n++) more.push(write(`again-${n}.json`, await bundleOf(account)));
    const size = JSON.parse(readFileSync(nth(receipts, 0), 'utf8').split('\n').at(-1) ?? '') as { seq_no: number };
    more.push(nth(receipts, 0));
    more.push(write('kept.txt', (await account.client.call('checkpoint', {})).bytes));
    expect(more).toHaveLength(30);
    const { code, report, ledger } = await judged(...more, '--trust', kid);
    expect([code, report.verdict, report.problems]).toEqual([0, 'verified', []]);
    expect(ledger.branches.map(({ files: of, reach }) => [of.length, reach])).toEqual([[30, size.seq_no]]);
    expect([ledger.forks, ledger.shared, ledger.apart, ledger.names]).toEqual([[], [], [], []]);
    const { stdout } = await run('forks', ...more, '--trust', kid, '--no-trust-store');
    expect(stdout).toContain('30 files, one line up to No. 17: none contradicts another');
    // The same without a key that is trusted is not green.
    expect((await judged(...more)).code).toBe(3);
  });

  it('compares receipts, checkpoints, consistency proofs and proofs of records with bundles', async () => {
    const { client } = nth(lines, 1).account;
    const bytes = async (name: 'checkpoint' | 'consistencyProof', query: Record<string, string>) =>
      (await client.call(name, { query })).bytes;
    const proof = join(folder, 'record.json');
    await run('proof', nth(nth(files, 1), 9), '--records', '6', '-o', proof);
    const others = {
      receipts: nth(receipts, 1),
      checkpoint: write('checkpoint-1.txt', await bytes('checkpoint', { size: '7' })),
      consistency_proof: write('consistency-1.txt', await bytes('consistencyProof', { from: '7', to: '8' })),
      record_proof: proof,
    };
    for (const [kind, other] of Object.entries(others)) {
      const { ledger, code, report } = await judged(nth(nth(files, 0), 9), other, '--trust', kid);
      expect([kind, code, report.problems]).toEqual([kind, 1, []]);
      expect(ledger.branches.map(({ files: of }) => of[0]?.kind)).toEqual(['bundle', kind]);
      expect(nth(ledger.forks, 0).proof).not.toBeNull();
      const same = await judged(nth(nth(files, 1), 9), other, '--trust', kid);
      expect([kind, same.code]).toEqual([kind, 0]);
    }
  });

  it('takes each item of a case, and none of its attachments', async () => {
    const { account } = nth(lines, 0);
    const first = { name: 'mine.json', bytes: readFileSync(nth(nth(files, 0), 9)) };
    const { case_id } = await importCase(account.client, first, { trusted_kids: [kid] });
    await addItem(account.client, case_id, { name: 'theirs.json', bytes: readFileSync(nth(nth(files, 1), 9)) });
    await addItem(account.client, case_id, { name: 'notes.txt', bytes: Buffer.from('notes') });
    const saved = write('a.cscase', await saveCase(account.client, case_id, null));
    const { code, ledger, report } = await judged(saved, nth(receipts, 0), '--trust', kid);
    expect([code, report.problems]).toEqual([1, []]);
    expect(ledger.branches.map(({ files: of }) => of.map(({ name }) => name))).toEqual([
      [`${saved}: mine.json`, nth(receipts, 0)],
      [`${saved}: theirs.json`],
    ]);
    const cut = write('cut.cscase', readFileSync(saved).subarray(0, 2000));
    expect((await run('forks', cut)).code).toBe(2);
  });

  it('finds both sides in one file of receipts, whose agent was answered by both', async () => {
    const both = readFileSync(nth(receipts, 0), 'utf8').split('\n').slice(0, 6);
    const other = readFileSync(nth(receipts, 1), 'utf8').split('\n').slice(4, 6);
    const path = write('both.jsonl', [...both, ...other].join('\n'));
    const { ledger, code } = await judged(path, nth(nth(files, 0), 0), '--trust', kid);
    expect(code).toBe(1);
    expect(nth(ledger.forks, 0)).toMatchObject({ first_different: 5, kind: 'receipt' });
  });

  it('files that end before the lines part are in each of them', async () => {
    const early = write('early.jsonl', readFileSync(nth(receipts, 0), 'utf8').split('\n').slice(0, 4).join('\n'));
    const { ledger } = await judged(...files.map((of) => nth(of, 0)), early, '--trust', kid);
    expect(ledger.branches.flatMap(({ files: of }) => of.map(({ name }) => name))).not.toContain(early);
    expect(ledger.shared).toEqual([{ name: early, branches: [1, 2, 3] }]);
  });

  it('is accused by no damaged file', async () => {
    const text = readFileSync(nth(nth(files, 0), 9), 'utf8');
    const records = [...text.matchAll(/"server_received_at":"([^"]+)"/g)].map(([found]) => found);
    const damaged = write(
      'damaged.json',
      text.replace(nth(records, 9), '"server_received_at":"2026-01-01T00:00:00.000Z"'),
    );
    const { code, report, ledger } = await judged(nth(nth(files, 0), 8), damaged, '--trust', kid);
    expect([code, report.verdict]).toEqual([3, 'incomplete']);
    expect(ledger.forks).toEqual([]);
    expect(report.problems).toContainEqual({ file: damaged, code: 'NOT_SIGNED', count: 1 });
  });

  it('keeps services apart that have nothing to do with each other', async () => {
    const other = await TestService.start(settings);
    const account = await other.signUp();
    await sealed({ service: other, account, signer: await registerAgent(account) }, 2);
    const foreign = write('foreign.json', await bundleOf(account));
    const { report } = await judged(nth(nth(files, 0), 0), foreign, '--trust', kid);
    expect(report.ledgers.map(({ issuer, forks }) => [issuer.trusted, forks])).toEqual([
      [true, []],
      [false, []],
    ]);
    const alone = await judged(nth(receipts, 0), foreign);
    expect(alone.report.problems).toEqual([{ file: nth(receipts, 0), code: 'KEY_UNKNOWN', count: 17 }]);
  });

  it.each([
    ['nothing', []],
    ['a folder', [folder]],
    ['a file that is not there', [join(folder, 'missing')]],
  ])('is wrong usage with %s', async (_, args) => {
    expect((await run('forks', ...args)).code).toBe(2);
  });

  it('says what it could not read', async () => {
    const files = [write('notes.txt', 'notes\n'), write('empty.json', '{}'), write('binary', Buffer.alloc(1000, 0xff))];
    const { code, stdout } = await run('forks', ...files, '--json', '--no-trust-store');
    const report = JSON.parse(stdout) as ForksReport;
    expect([code, report.verdict, report.ledgers]).toEqual([3, 'incomplete', []]);
    expect(report.problems.map(({ code: of }) => of)).toEqual(['UNREADABLE', 'UNREADABLE', 'UNREADABLE']);
  });
});
