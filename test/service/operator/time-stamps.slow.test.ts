// Protocol F121, F122, F145, R1, V178 to V181, V189, V190: time stamps in the service go out with a ledger's files, and are judged from them alone.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HeldTimes, readRoots } from '../../../src/node/time-stamps/index.ts';
import { parseJsonBytes, verifyBundle, verifyRecordProof } from '../../../src/protocol/index.ts';
import { expectError } from '../../support/client.ts';
import { run } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { bundleOf, registerAgent, submitNext, TestService } from '../../support/service.ts';
import { StampingAuthority, stampOf } from '../../support/stamping.ts';
import { textOf } from '../../support/witness.ts';

interface Carrying {
  readonly edges?: { readonly stamped?: readonly string[] };
  readonly seal?: { readonly stamped?: readonly string[] };
}

const HOUR = 3_600_000;

describe('a ledger with time stamps', async () => {
  const service = await TestService.start();
  const owner = await service.signUp();
  const { client } = owner;
  const signer = await registerAgent(owner);
  const authority = new StampingAuthority('Good Time');
  const stranger = new StampingAuthority('Other Time');
  const roots = readRoots(authority.root, null);
  const trustedKids = [service.kid];

  const submit = async (): Promise<string> => (await submitNext(owner, signer)).operation_id;
  async function stamp(by = authority, query: Readonly<Record<string, string>> = {}) {
    return (await client.ok('addTimeStamp', { body: await stampOf(client, by, Date.now(), query) })).time_stamp;
  }
  async function judged(bytes: Uint8Array, by = roots, lines: { text: string; notBefore: number }[] = []) {
    const held = new HeldTimes([], by, lines);
    const source = () => [bytes];
    const isProof = (parseJsonBytes(bytes) as Carrying).seal !== undefined;
    const report = await held.verify(isProof ? verifyRecordProof : verifyBundle, source, { trustedKids });
    return { report, times: report.times ?? { stamps: [], not_before: [], not_noted: [] } };
  }
  const proofOf = async (operationId: string): Promise<Uint8Array> =>
    (await client.call('operationProof', { params: { operation_id: operationId } })).bytes;
  const carriedBy = (bytes: Uint8Array): readonly string[] => {
    const { edges, seal } = parseJsonBytes(bytes) as Carrying;
    return edges?.stamped ?? seal?.stamped ?? [];
  };
  const operations: string[] = [];

  it('carries none while there is none', async () => {
    operations.push(await submit());
    await client.ok('closeEpoch');
    const bytes = await bundleOf(owner);
    expect(carriedBy(bytes)).toEqual([]);
    expect(await judged(bytes)).toMatchObject({ report: { verdict: 'verified' }, times: { stamps: [] } });
    expect((await client.ok('listTimeStamps')).data).toEqual([]);
  });

  it('keeps an answer, and says in its files before when its records existed, and by whom', async () => {
    const kept = await stamp();
    expect(kept).toMatchObject({ size: 1, tokens: 1, authority: 'CN=Good Time', renewed: false });
    const bytes = await bundleOf(owner);
    expect(carriedBy(bytes)).toHaveLength(1);
    const { report, times } = await judged(bytes);
    expect(report).toMatchObject({ verdict: 'verified', bundle: { stamped: 1 } });
    expect(times.stamps).toMatchObject([{ file: 'edges.stamped[0]', reaches: 1, said_by: 'CN=Good Time', late: null }]);
    expect(times.stamps[0]?.existed_before).toBe(new Date(kept.existed_before).toISOString());
    const proof = await judged(await proofOf(operations[0] ?? ''));
    expect(proof.report.verdict).toBe('verified');
    expect(proof.times.stamps).toMatchObject([{ file: 'seal.stamped[0]', reaches: 1, late: null }]);
  });

  it('is green for nobody whom the reader does not trust, and says nothing where they trust nobody', async () => {
    const bytes = await bundleOf(owner);
    expect((await verifyBundle(() => [bytes], { trustedKids })).checks.reconciliation.status).toBe('not_applicable');
    const { report, times } = await judged(bytes, readRoots(stranger.root, null));
    expect(report.verdict).toBe('incomplete');
    expect(times.stamps).toMatchObject([{ verdict: 'incomplete', existed_before: null }]);
  });

  it('shows that what follows a noted stamp was sealed after it', async () => {
    operations.push(await submit());
    await client.ok('closeEpoch');
    const [{ existed_before: at = 0 } = {}] = (await client.ok('listTimeStamps')).data;
    const { times, report } = await judged(await bundleOf(owner));
    expect(report.verdict).toBe('verified');
    expect(times.not_before).toMatchObject([
      { not_before: new Date(at - 4000).toISOString(), said_by: 'CN=Good Time', from_seq_no: 2, early: null },
    ]);
    // The stamp of one record, and the way from there to two.
    expect(times.stamps).toMatchObject([{ size: 1, reaches: 1 }]);
  });

  it('leads from a record to a stamp over a longer log', async () => {
    await stamp();
    const { times } = await judged(await proofOf(operations[0] ?? ''));
    expect(times.stamps.map(({ size, reaches }) => [size, reaches])).toEqual([
      [1, 1],
      [2, 1],
    ]);
    operations.push(await submit());
    await client.ok('closeEpoch');
    await stamp();
    // The second record's epoch has a stamp over it; the third is stamped too.
    const { times: last } = await judged(await proofOf(operations[2] ?? ''));
    expect(last.stamps.map(({ size }) => size)).toEqual([3]);
  });

  it('renews a stamp, and carries the renewed one', async () => {
    const [newest] = (await client.ok('listTimeStamps')).data;
    const renewed = await stamp(stranger, { renews: newest?.digest ?? '' });
    expect(renewed).toMatchObject({ size: 3, tokens: 2, authority: 'CN=Other Time' });
    const { data } = await client.ok('listTimeStamps');
    expect(data.map(({ tokens, renewed: isRenewed }) => [tokens, isRenewed])).toEqual(
      expect.arrayContaining([
        [1, true],
        [2, false],
      ]),
    );
    const file = await textOf(client.call('timeStampFile', { params: { digest: renewed.digest } }));
    expect(carriedBy(await bundleOf(owner))).toContain(file);
  });

  it('notes a line, after which what is sealed was not there before the reader knew the line', async () => {
    const line = 'drand 1 8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce';
    await client.ok('noteLine', { body: { line, source: 'drand, League of Entropy' } });
    await submit();
    await client.ok('closeEpoch');
    const bytes = await bundleOf(owner);
    const ago = Date.now() - HOUR;
    const { report, times } = await judged(bytes, [], [{ text: line, notBefore: ago }]);
    expect(report.verdict).toBe('verified');
    expect(times.not_before).toMatchObject([{ said_by: null, from_seq_no: 4, early: null }]);
    // A reader who knows that nobody could know it before tomorrow.
    const early = await judged(bytes, [], [{ text: line, notBefore: Date.now() + 24 * HOUR }]);
    expect(early.report.verdict).toBe('failed');
    expect(early.times.not_before[0]?.early?.count).toBeGreaterThan(0);
    const other = await judged(bytes, [], [{ text: 'another line', notBefore: ago }]);
    expect(other).toMatchObject({ report: { verdict: 'incomplete' }, times: { not_noted: ['another line'] } });
  });

  it('says by the command line what the routes keep', async () => {
    const folder = temporaryFolder();
    const at = (name: string): string => join(folder, name);
    writeFileSync(at('bundle'), await bundleOf(owner));
    writeFileSync(at('root.der'), authority.root);
    writeFileSync(at('proof'), await proofOf(operations[0] ?? ''));
    const trust = ['--no-trust-store', '--trust', service.kid, '--tsa', at('root.der')];
    const bundle = await run('verify', at('bundle'), ...trust);
    expect(bundle.stdout).toMatch(/existed before [^,]+, said by CN=Good\s+Time/);
    expect(bundle.stdout).toMatch(/Records from No\. 2 on were sealed not before \S+, said by CN=Good Time/);
    const proof = await run('verify', at('proof'), ...trust);
    expect([proof.code, proof.stdout]).toEqual([0, expect.stringContaining('said by CN=Good Time')]);
  });

  it('refuses what does not hold, is of another log, or answers nothing that it has', async () => {
    const refused = async (body: object) =>
      expectError(await client.call('addTimeStamp', { body }), 'VALIDATION_ERROR');
    const { request, answer } = await stampOf(client, authority);
    const damaged = Buffer.from(answer, 'base64');
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;
    await refused({ request, answer: damaged.toString('base64') });
    await refused({ request, answer: request });
    await refused({ request: answer, answer });
    await refused({ request, answer: 'no base64!' });
    await refused({ request });
    await refused({});
    await refused({ file: '{}' });
    await refused({ request, answer, file: '{}' });
    const guest = await service.signUp('guest');
    await submitNext(guest, await registerAgent(guest));
    await guest.client.ok('closeEpoch');
    expectError(await guest.client.call('addTimeStamp', { body: { request, answer } }), 'VALIDATION_ERROR');
    const [kept] = (await client.ok('listTimeStamps')).data;
    const file = await textOf(client.call('timeStampFile', { params: { digest: kept?.digest ?? '' } }));
    expectError(await guest.client.call('addTimeStamp', { body: { file } }), 'VALIDATION_ERROR');
    expectError(await guest.client.call('timeStampFile', { params: { digest: kept?.digest ?? '' } }), 'NOT_FOUND');
    expectError(await client.call('timeStampRequest', { query: { size: '1000' } }), 'NOT_FOUND');
  });

  it('refuses a stamp by which the clock of the machine is wrong, in either direction', async () => {
    const conflict = async (at: number) =>
      expectError(await client.call('addTimeStamp', { body: await stampOf(client, authority, at) }), 'CONFLICT');
    await conflict(Date.now() + HOUR);
    await conflict(Date.now() - HOUR);
  });
});
