import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DeepHealth } from '../../src/api/index.ts';
import { formatTime, parseTime, type Receipt, utf8 } from '../../src/protocol/index.ts';
import { runReceivedWithin } from '../../src/service/evidence/exports/sequence-run.ts';
import { headsWithPayload, RecordTexts } from '../../src/service/evidence/retention/record-texts.ts';
import { recordAdminEvent } from '../../src/service/ledger/admin-log/admin-events.ts';
import { clockCorrections, correctedTimesOf } from '../../src/service/ledger/admin-log/clock-corrections.ts';
import { correctClock } from '../../src/service/ledger/clock/correct-clock.ts';
import { freezeAgent, unfreezeAgent } from '../../src/service/people/agents/lifecycle.ts';
import { coversOf } from '../../src/service/search/reading/covers.ts';
import { ClockWatch } from '../../src/service/store/clock-watch.ts';
import { Client, expectError } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { TestLedger } from '../support/ledger.ts';
import { codeOf, expectVerified } from '../support/ledger-checks.ts';
import { CommandProcess, serving } from '../support/processes.ts';
import { type Account, bundleOf, firstOwner, registerAgent, signInAt, verifyWith } from '../support/service.ts';
import { Signer } from '../support/signer.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
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

  it('holds a record back that is in time, and would be late by its receipt', async () => {
    const test = await TestLedger.open();
    const signer = await test.agent('agent');
    const { receipt } = await test.submit(signer.next());
    const issued_at = formatTime(test.clock - 10 * SECOND);
    test.clock -= 9 * SECOND;
    expect(await codeOf(test.submit(signer.record({ issued_at, ttl_ms: 5 * SECOND })))).toBe('CLOCK_IN_DOUBT');
    const late = formatTime(test.clock - 10 * SECOND);
    expect(await codeOf(test.submit(signer.record({ issued_at: late, ttl_ms: 5 * SECOND })))).toBe('TTL_EXPIRED');
    await expectVerified(test, [receipt]);
  });
});

describe('a clock of which late agents tell', () => {
  it('is believed again once a record comes in time, and that record is taken when it comes again', async () => {
    let watch: ClockWatch | null = null;
    const test: TestLedger = await TestLedger.open({
      witness: {
        inTime: (issuedAt) => watch?.inTime(issuedAt),
        expired: ({ org_id, agent_id }, issuedAt) =>
          watch?.expired({ orgId: org_id, agentId: agent_id, isHome: true }, issuedAt),
      },
    });
    const signer = await test.agent('agent');
    const started = test.clock - 24 * HOUR;
    const machine = { now: () => test.clock, uptime: () => test.clock - started };
    watch = new ClockWatch(machine, { wall: test.clock - HOUR, uptime: null });
    test.store.clock.watch = watch;
    for (let n = 0; n < 3; n++) {
      test.clock += 10 * SECOND;
      const issued_at = formatTime(test.clock - 2 * HOUR);
      expect(await codeOf(test.submit(signer.record({ issued_at, ttl_ms: 60 * SECOND })))).toBe('TTL_EXPIRED');
    }
    const late = signer.record({ issued_at: formatTime(test.clock - 2 * HOUR), ttl_ms: 60 * SECOND });
    for (let n = 0; n < 2; n++) expect(await codeOf(test.submit(late))).toBe('CLOCK_IN_DOUBT');
    const sound = signer.record({ issued_at: formatTime(test.clock) });
    expect(await codeOf(test.submit(sound))).toBe('CLOCK_IN_DOUBT');
    const { receipt } = await test.submit(sound);
    expect(receipt.server_received_at).toBe(formatTime(test.clock));
    expect(await codeOf(test.submit(late))).toBe('TTL_EXPIRED');
  });
});

describe('a ledger that signed under a wrong clock', () => {
  const by = { caller: null, reason: 'the battery was empty' } as const;
  const correct = (test: TestLedger) =>
    correctClock({ store: test.store, writer: test.writer, ledger: test.ledger, now: () => test.clock }, by);
  const expectCorrected = async (test: TestLedger, receipts: readonly Receipt[], corrections = 1): Promise<void> => {
    const report = await test.verify(receipts);
    expect(report.findings.map(({ code }) => code)).toEqual(
      Array.from({ length: corrections }, () => 'CLOCK_CORRECTED'),
    );
    expect(report).toMatchObject({ verdict: 'verified', bundle: { records: receipts.length } });
  };

  it.each([
    ['one record', 'two hours', 2 * HOUR],
    ['one record', '30 days', 30 * 24 * HOUR],
    ['one record', '400 days', 400 * 24 * HOUR],
    ['one administrative event', 'two hours', 2 * HOUR],
    ['one administrative event', '30 days', 30 * 24 * HOUR],
    ['one administrative event', '400 days', 400 * 24 * HOUR],
  ])('is led back after %s that was %s ahead, and all of it verifies', async (what, _, jump) => {
    const test = await TestLedger.open();
    const signer = await test.agent('agent');
    const receipts = [(await test.submit(signer.next())).receipt];
    test.clock += jump;
    if (what === 'one record') {
      receipts.push((await test.submit(signer.next({ issued_at: formatTime(test.clock) }))).receipt);
    } else await test.agent('late');
    test.clock += 5 * SECOND - jump;
    const issued_at = formatTime(test.clock);
    const held = signer.record({ issued_at, ttl_ms: 60 * SECOND });
    expect(await codeOf(test.submit(held))).toBe('CLOCK_IN_DOUBT');
    expect(await correct(test)).toEqual([test.orgId]);
    const next = signer.next({ issued_at, ttl_ms: 60 * SECOND });
    receipts.push((await test.submit(next)).receipt);
    expect(receipts.at(-1)?.server_received_at).toBe(formatTime(test.clock));
    await test.ledger.sealNow(test.orgId);
    await test.reopen();
    test.store.clock.forget();
    test.clock += SECOND;
    receipts.push((await test.submit(signer.next({ issued_at }))).receipt);
    expect(receipts.at(-1)?.server_received_at).toBe(formatTime(test.clock));
    await expectCorrected(test, receipts);
  });

  it('can be led back a second time, and what a range holds is one run of numbers', async () => {
    const test = await TestLedger.open({ epochMaxLeaves: 2 });
    const signer = await test.agent('agent');
    const receipts: Receipt[] = [];
    const submit = async (): Promise<void> => {
      test.clock += SECOND;
      receipts.push((await test.submit(signer.next({ issued_at: formatTime(test.clock) }))).receipt);
    };
    await submit();
    for (const jump of [30 * 24 * HOUR, 2 * HOUR]) {
      await submit();
      test.clock += jump;
      await submit();
      await submit();
      test.clock -= jump - 10 * SECOND;
      await correct(test);
      await submit();
    }
    await expectCorrected(test, receipts, 2);
    const start = parseTime(receipts[1]?.server_received_at ?? '');
    const run = runReceivedWithin(test.store, test.orgId, start, test.clock, receipts.length);
    expect(run).toEqual({ first: 2, last: receipts.length - 1 });
  });

  it('is held by what its receipts say and by when they may have been issued', async () => {
    const test = await TestLedger.open();
    const signer = await test.agent('agent');
    const start = test.clock;
    const submit = () => test.submit(signer.next({ issued_at: formatTime(test.clock) }));
    await submit();
    const jump = 30 * 24 * HOUR;
    test.clock += HOUR + jump;
    await submit();
    test.clock += HOUR - jump;
    await correct(test);
    await submit();
    const held = (from: number, to: number): number[] => {
      const [from_time, to_time] = [formatTime(start + from), formatTime(start + to)];
      const covers = coversOf({ kind: 'range', from_time, to_time }, []);
      const heads = headsWithPayload(test.store, test.orgId, { after: 0, to: 3 });
      return heads.filter((head) => covers(new RecordTexts(test.store, head))).map(({ seqNo }) => seqNo);
    };
    expect(held(0.5 * HOUR, 1.5 * HOUR)).toEqual([2]);
    expect(held(jump, jump + 2 * HOUR)).toEqual([2]);
    expect(held(0, 3 * HOUR)).toEqual([1, 2, 3]);
    expect(held(3 * HOUR, jump)).toEqual([]);
    expect(held(-2 * HOUR, 0)).toEqual([]);
  });

  const DAYS = 24 * HOUR;
  it.each([
    ['two hours and then 400 days', [2 * HOUR, 400 * DAYS], false],
    ['two hours and then 400 days, each before a start', [2 * HOUR, 400 * DAYS], true],
    ['two hours, right, and then 400 days', [2 * HOUR, 0, 400 * DAYS], false],
    ['400 days, right, and then 401 days, each before a start', [400 * DAYS, 0, 401 * DAYS], true],
  ])('is led back by one correction after %s ahead', async (_, shifts, atStart) => {
    const test = await TestLedger.open();
    const signer = await test.agent('agent');
    const receipts: Receipt[] = [];
    const right = () => test.clock - shift;
    let shift = 0;
    const submit = async (): Promise<void> => {
      receipts.push((await test.submit(signer.next({ issued_at: formatTime(test.clock) }))).receipt);
    };
    await submit();
    for (const next of shifts) {
      test.clock = right() + 10 * SECOND + next;
      shift = next;
      if (atStart) await test.reopen();
      test.store.clock.forget();
      // While the clock is right again, records are held back, and the ledger stands at the times that it has signed.
      const act = next === 0 ? () => test.agent(`agent-${receipts.length}-${test.clock++}`) : submit;
      await act();
      await test.ledger.sealNow(test.orgId);
      await act();
    }
    test.clock = right() + 5 * SECOND;
    shift = 0;
    expect(await correct(test)).toEqual([test.orgId]);
    await submit();
    expect(receipts.at(-1)?.server_received_at).toBe(formatTime(test.clock));
    const [correction] = clockCorrections(test.store, test.orgId);
    expect(correction?.jumps.map(({ seq_no }) => seq_no)).toEqual([1, 3]);
    expect(correctedTimesOf(test.store, test.orgId)).toMatchObject([
      { after: { seq_no: 1 }, until: { seq_no: receipts.length - 1 } },
    ]);
    await expectCorrected(test, receipts);
  });

  /** Records every ten minutes, with a break at noon, for some days. */
  async function workdays(test: TestLedger, signer: Signer): Promise<Receipt[]> {
    const receipts: Receipt[] = [];
    for (let day = 0; day < 3; day++) {
      for (const minutes of [10, 10, day === 0 ? 55 : 45, 10, 10, 15 * 60]) {
        receipts.push((await test.submit(signer.next({ issued_at: formatTime(test.clock) }))).receipt);
        test.clock += minutes * 60 * SECOND;
      }
    }
    return receipts;
  }

  it('takes the latest gap that suffices, so that a break of days ago marks no records since', async () => {
    const test = await TestLedger.open();
    const signer = await test.agent('agent');
    const receipts = await workdays(test, signer);
    receipts.push((await test.submit(signer.next({ issued_at: formatTime(test.clock) }))).receipt);
    test.clock += 60 * SECOND + 2 * HOUR;
    receipts.push((await test.submit(signer.next({ issued_at: formatTime(test.clock) }))).receipt);
    // What is to be taken back is 50 minutes by then.
    test.clock += 70 * 60 * SECOND - 2 * HOUR;
    await correct(test);
    const last = receipts.length;
    expect(correctedTimesOf(test.store, test.orgId)).toMatchObject([
      { after: { seq_no: last - 1 }, until: { seq_no: last } },
    ]);
    await expectCorrected(test, receipts);
  });

  it('takes the gap in which a jump was seen that somebody confirmed, and not a night behind it', async () => {
    const test = await TestLedger.open();
    const signer = await test.agent('agent');
    const receipts = await workdays(test, signer);
    const first = receipts.length + 1;
    const details = { cause: 'jump', expected: test.clock, reads: test.clock + 2 * HOUR };
    test.clock += 2 * HOUR;
    const act = { orgId: test.orgId, actor: 'operator', action: 'ledger.clock_accepted', details } as const;
    await test.writer.transact((tx) =>
      recordAdminEvent(tx, { ...act, targetType: 'ledger', targetId: 'a doubt' }, test.clock),
    );
    receipts.push(...(await workdays(test, signer)));
    test.clock -= 15 * HOUR - 10 * SECOND + 2 * HOUR;
    await correct(test);
    expect(correctedTimesOf(test.store, test.orgId)).toMatchObject([
      { after: { seq_no: first - 1 }, until: { seq_no: receipts.length } },
    ]);
    await expectCorrected(test, receipts);
  });

  it('is not set back where it shows no such jump: the machine, and not the ledger, is wrong then', async () => {
    const test = await TestLedger.open();
    const signer = await test.agent('agent');
    const receipts: Receipt[] = [];
    for (let n = 0; n < 10; n++) {
      receipts.push((await test.submit(signer.next({ issued_at: formatTime(test.clock) }))).receipt);
      test.clock += 60 * SECOND;
    }
    test.clock -= 9 * 60 * SECOND;
    expect(await codeOf(correct(test))).toBe('CONFLICT');
    await expectVerified(test, receipts);
  });

  it('bars nobody who was thawed, and nobody who is frozen, on either side of a correction', async () => {
    const test = await TestLedger.open();
    const signer = await test.agent('agent');
    const first = (await test.submit(signer.next())).receipt;
    const jump = 400 * 24 * HOUR;
    test.clock += jump;
    const { key, orgId, actor } = test;
    const change = (act: typeof freezeAgent, reason: string) =>
      test.writer.transact((store) =>
        act({ store, key, orgId, actor, now: test.clock, onStatusChange: () => undefined }, 'agent', reason),
      );
    await change(freezeAgent, 'a look');
    test.clock += 5 * SECOND - jump;
    await correct(test);
    await change(unfreezeAgent, 'fine');
    test.clock += SECOND;
    const second = (await test.submit(signer.next({ issued_at: formatTime(test.clock) }))).receipt;
    await expectCorrected(test, [first, second]);
  });
});

describe('the clock of a whole service', { timeout: 120_000 }, () => {
  /** A service whose machine's clock is the test's, started as often as wanted. */
  function shiftedService() {
    const folder = temporaryFolder();
    const shiftFile = join(folder, 'shift');
    const dataDir = join(folder, 'data');
    const environment = { NODE_OPTIONS: `--import ${SHIFTED_CLOCK}`, CLOCK_SHIFT_FILE: shiftFile };
    const shift = (milliseconds: number): void => writeFileSync(shiftFile, String(milliseconds));
    shift(0);
    const start = async (...more: string[]): Promise<{ service: CommandProcess; url: string }> => {
      const given = serving(dataDir, '--epoch-max-leaves', '3', '--log-level', 'warn', ...more);
      const service = new CommandProcess(given, environment);
      return { service, url: await service.listening() };
    };
    return { dataDir, shift, start };
  }

  const submit = (client: Client, signer: Signer, shifted = 0) =>
    client.call('submitOperation', { body: signer.record({ issued_at: formatTime(Date.now() + shifted) }) });
  const stateOf = async (client: Client) => (await client.ok('getClock', {})).state;
  const clockHealth = async (client: Client) =>
    ((await client.call('deepHealth', {})).body as DeepHealth).checks.clock.status;
  const findingsOf = async (owner: Account, receipts: readonly Receipt[]) => {
    const [kid = ''] = (await owner.client.ok('jwks')).keys.map((key) => key.kid);
    const text = receipts.map((receipt) => `${JSON.stringify(receipt)}\n`).join('');
    return verifyWith(kid, await bundleOf(owner), [{ name: 'receipts', source: () => [utf8(text)] }]);
  };

  it('may step back as it likes: times of receipt never decrease, and all of it verifies', async () => {
    const { dataDir, shift, start } = shiftedService();
    let { service, url } = await start();
    const account = await firstOwner(url, dataDir);
    const signer = await registerAgent(account);
    const receipts: Receipt[] = [];
    // Back an hour and on, by less than a minute at once; the session was made at 0 and lasts longer than any of these.
    for (const [index, seconds] of [0, 30, -3600, -3560, -7000, -6950, -6990, -6940].entries()) {
      shift(seconds * SECOND);
      if (index % 3 === 2) {
        await service.kill('SIGKILL');
        ({ service, url } = await start());
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
    expect(parseTime(times.at(-1) ?? '') - parseTime(times[0] ?? '')).toBeGreaterThan(29 * SECOND);
    const report = await findingsOf({ ...account, client: new Client(url, account.client.token) }, receipts);
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({ verdict: 'verified', bundle: { records: receipts.length } });
    expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 });
  });

  it.each([
    ['two hours', 2 * HOUR],
    ['30 days', 30 * 24 * HOUR],
    ['400 days', 400 * 24 * HOUR],
  ])('signs nothing while it is %s ahead, and continues as soon as it is right', async (_, jump) => {
    const { dataDir, shift, start } = shiftedService();
    const { service, url } = await start();
    const owner = await firstOwner(url, dataDir);
    const signer = await registerAgent(owner);
    shift(jump);
    // In time by the agent's clock, and by the wrong one too.
    for (const shifted of [0, jump]) expectError(await submit(owner.client, signer, shifted), 'CLOCK_IN_DOUBT');
    const stranger = new Signer(owner.orgId, 'another');
    expectError(await owner.client.call('registerAgent', { body: stranger.registration }), 'CLOCK_IN_DOUBT');
    expect([await stateOf(owner.client), await clockHealth(owner.client)]).toEqual(['in_doubt', 'bad']);
    for (let n = 0; n < 12; n++) {
      await owner.client.call('signIn', { body: { email: owner.email, password: 'a wrong password' } });
    }
    shift(0);
    // Who comes after the wrong attempts waits for them, and not for the time that the clock once told.
    const { email, password } = owner;
    const { headers } = await owner.client.call('signIn', { body: { email, password } });
    expect(Number(headers['retry-after'] ?? 0)).toBeLessThanOrEqual(60);
    const receipt = (await owner.client.ok('submitOperation', { body: signer.next() })) as Receipt;
    expect(Math.abs(parseTime(receipt.server_received_at) - Date.now())).toBeLessThan(HOUR);
    expect([await stateOf(owner.client), await clockHealth(owner.client)]).toEqual(['right', 'ok']);
    expect(await findingsOf(owner, [receipt])).toMatchObject({ verdict: 'verified', findings: [] });
    expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 });
  });

  it.each([
    ['two hours', 2 * HOUR],
    ['30 days', 30 * 24 * HOUR],
    ['400 days', 400 * 24 * HOUR],
  ])('is noticed over a restart where it is %s ahead, and confirmed at the command line', async (_, jump) => {
    const { dataDir, shift, start } = shiftedService();
    const first = await start();
    const owner = await firstOwner(first.url, dataDir);
    const signer = await registerAgent(owner);
    await first.service.kill('SIGTERM');
    shift(jump);
    const second = await start();
    // The session lasts by the clock as it is.
    const { client } = await signInAt(second.url, owner);
    expectError(await submit(client, signer, jump), 'CLOCK_IN_DOUBT');
    expect(second.service.stderr + second.service.stdout).toMatch(/--accept-clock [0-9a-f]{16}/);
    const [, id = ''] = /--accept-clock ([0-9a-f]{16})/.exec(second.service.stderr + second.service.stdout) ?? [];
    expect(await second.service.kill('SIGTERM')).toMatchObject({ code: 0 });
    const third = await start('--accept-clock', id);
    const { client: again } = await signInAt(third.url, owner);
    await again.ok('submitOperation', { body: signer.next({ issued_at: formatTime(Date.now() + jump) }) });
    const { events } = await again.ok('listAdminEvents', {});
    expect(events.find(({ action }) => action === 'ledger.clock_accepted')).toMatchObject({
      actor: 'operator',
      details: { cause: 'jump' },
    });
    await third.service.kill('SIGTERM');
  });

  it('is corrected by an owner once it was confirmed and wrong, and nothing that agents signed is lost', async () => {
    const { dataDir, shift, start } = shiftedService();
    const { service, url } = await start();
    const owner = await firstOwner(url, dataDir);
    const signer = await registerAgent(owner);
    const receipts = [(await owner.client.ok('submitOperation', { body: signer.next() })) as Receipt];
    const jump = 30 * 24 * HOUR;
    shift(jump);
    const { id } = await owner.client.ok('getClock', {});
    await owner.client.ok('confirmClock', { body: { id: id ?? '', reason: 'back from holiday' } });
    const fresh = await signInAt(url, owner);
    const wrong = signer.next({ issued_at: formatTime(Date.now() + jump) });
    receipts.push((await fresh.client.ok('submitOperation', { body: wrong })) as Receipt);
    shift(0);
    const again = await signInAt(url, owner);
    expectError(await submit(again.client, signer), 'CLOCK_IN_DOUBT');
    expect([await stateOf(again.client), await clockHealth(again.client)]).toEqual(['ledger_ahead', 'bad']);
    const ahead = await again.client.ok('getClock', {});
    expectError(await again.client.call('correctClock', { body: { id: '0', reason: 'no' } }), 'CONFLICT');
    const corrected = await again.client.ok('correctClock', { body: { id: ahead.id ?? '', reason: 'no holiday' } });
    expect(corrected.state).toBe('right');
    const { corrected_times } = await again.client.ok('ledgerSummary');
    expect(corrected_times).toMatchObject([{ after: { seq_no: 1 }, until: { seq_no: 2 } }]);
    receipts.push((await again.client.ok('submitOperation', { body: signer.next() })) as Receipt);
    const report = await findingsOf(again, receipts);
    expect(report.findings.map(({ code }) => code)).toEqual(['CLOCK_CORRECTED']);
    expect(report.verdict).toBe('verified');
    expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 });
  });
});
