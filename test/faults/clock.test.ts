import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatTime, parseTime, type Receipt, utf8 } from '../../src/protocol/index.ts';
import { Client } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { TestLedger } from '../support/ledger.ts';
import { codeOf, expectVerified } from '../support/ledger-checks.ts';
import { CommandProcess, serving } from '../support/processes.ts';
import { bundleOf, firstOwner, registerAgent, verifyWith } from '../support/service.ts';

const SECOND = 1000;
const SHIFTED_CLOCK = new URL('../support/shifted-clock.ts', import.meta.url).href;

describe('a clock that steps back', () => {
  it('never makes a time of the ledger decrease', async () => {
    const test = await TestLedger.open({ epochMaxLeaves: 3 });
    const signer = await test.agent('agent');
    const start = test.clock;
    const receipts: Receipt[] = [];
    for (const step of [0, 5, -60, -59, 3, 4, -3600, 5, 6, 7]) {
      test.clock = start + step * SECOND;
      const issued_at = formatTime(start);
      receipts.push((await test.submit(signer.next({ issued_at }))).receipt);
    }
    const times = receipts.map(({ server_received_at }) => server_received_at);
    expect(times).toEqual(times.toSorted());
    expect(times.map((time) => (parseTime(time) - start) / SECOND)).toEqual([0, 5, 5, 5, 5, 5, 5, 5, 6, 7]);
    test.clock = start - 3600 * SECOND;
    await expectVerified(test, receipts);
    const epochs = test.rows<{ start_time: string; end_time: string }>('SELECT start_time, end_time FROM epochs');
    const ends = epochs.map(({ end_time }) => end_time);
    expect(ends).toEqual(ends.toSorted());
    for (const { start_time, end_time } of epochs) expect(end_time >= start_time).toBe(true);
  });

  it('also not while it ticks within a batch that fills several epochs', async () => {
    const test = await TestLedger.open({ epochMaxLeaves: 2, now: () => test.clock++ });
    const signers = await Promise.all(Array.from({ length: 7 }, (_, n) => test.agent(`agent-${n}`)));
    const submissions = await Promise.all(signers.map((signer) => test.submit(signer.next())));
    test.clock -= 3600 * SECOND;
    await expectVerified(
      test,
      submissions.map(({ receipt }) => receipt),
    );
    const ends = test.rows<{ end_time: string }>('SELECT end_time FROM epochs').map(({ end_time }) => end_time);
    expect(ends).toHaveLength(4);
    expect(ends).toEqual(ends.toSorted());
  });

  it('is not forgotten at a restart', async () => {
    const test = await TestLedger.open();
    const signer = await test.agent('agent');
    const first = (await test.submit(signer.next())).receipt;
    await test.ledger.sealNow(test.orgId);
    await test.reopen();
    test.clock -= 600 * SECOND;
    const issued_at = formatTime(test.clock);
    const second = (await test.submit(signer.next({ issued_at, ttl_ms: 3600 * SECOND }))).receipt;
    expect(second.server_received_at >= first.server_received_at).toBe(true);
    await expectVerified(test, [first, second]);
  });

  it('holds a record to the time its receipt would state', async () => {
    const test = await TestLedger.open();
    const signer = await test.agent('agent');
    const { receipt } = await test.submit(signer.next());
    const issued_at = formatTime(test.clock - 10 * SECOND);
    test.clock -= 9 * SECOND;
    // By the clock it would be in time; by the ledger it is not.
    expect(await codeOf(test.submit(signer.record({ issued_at, ttl_ms: 5 * SECOND })))).toBe('TTL_EXPIRED');
    await expectVerified(test, [receipt]);
  });
});

describe('the clock of a whole service', () => {
  it('may step as it likes: times of receipt never decrease, and all of it verifies', {
    timeout: 120_000,
  }, async () => {
    const folder = temporaryFolder();
    const shiftFile = join(folder, 'shift');
    const shift = (milliseconds: number): void => writeFileSync(shiftFile, String(milliseconds));
    shift(0);
    const environment = { NODE_OPTIONS: `--import ${SHIFTED_CLOCK}`, CLOCK_SHIFT_FILE: shiftFile };
    const start = (): CommandProcess =>
      new CommandProcess(serving(join(folder, 'data'), '--epoch-max-leaves', '3', '--log-level', 'error'), environment);
    let service = start();
    let url = await service.listening();
    const account = await firstOwner(url, join(folder, 'data'));
    const signer = await registerAgent(account);
    const receipts: Receipt[] = [];
    // Back an hour and on; the session was made at 0 and lasts longer than any of these.
    for (const [index, seconds] of [0, 30, -3600, -60, 0, 600, -600, 5].entries()) {
      shift(seconds * SECOND);
      if (index % 3 === 2) {
        await service.kill('SIGKILL');
        service = start();
        url = await service.listening();
      }
      const client = new Client(url, account.client.token);
      for (let n = 0; n < 2; n++) {
        // The agent goes by the service's own time, or by that of its newest receipt where the clock is behind it.
        const newest = receipts.at(-1)?.server_received_at;
        const now = Date.now() + seconds * SECOND;
        const issued_at = formatTime(newest === undefined ? now : Math.max(parseTime(newest), now));
        receipts.push(await client.ok('submitOperation', { body: signer.next({ issued_at, ttl_ms: 3600 * SECOND }) }));
      }
    }
    const times = receipts.map(({ server_received_at }) => server_received_at);
    expect(times).toEqual(times.toSorted());
    // The clock did step: what it once said ahead is held to from there on.
    expect(parseTime(times.at(-1) ?? '') - parseTime(times[0] ?? '')).toBeGreaterThan(590 * SECOND);
    const owner = { ...account, client: new Client(url, account.client.token) };
    const [kid = ''] = (await owner.client.ok('jwks')).keys.map((key) => key.kid);
    const text = receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join('');
    const report = await verifyWith(kid, await bundleOf(owner), [{ name: 'receipts', source: () => [utf8(text)] }]);
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({ verdict: 'verified', bundle: { records: receipts.length } });
    expect(await service.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  });
});
