// docs/shared-log.md with a bucket as the log: what holds on every engine, and what is a bucket's alone. Needs a real object store.
import { beforeAll, describe, expect, it } from 'vitest';
import type { LogEntry, Place } from '../../../src/service/shared/commit-log.ts';
import { ObjectLog } from '../../../src/service/shared/object-log.ts';
import { logCases } from '../../support/log-cases.ts';
import { active, begin, committed, contentOf, follower, ledger, NOTHING, SEAL } from '../../support/log-ledger.ts';
import { ObjectStore } from '../../support/object-store.ts';
import { CommandProcess } from '../../support/processes.ts';
import { type Fate, TestProxy } from '../../support/proxy.ts';

const ADA = "INSERT INTO people VALUES (1, 'Ada', NULL)";
const DAY_MS = 24 * 60 * 60 * 1000;

let objects: ObjectStore;
beforeAll(async () => {
  objects = await ObjectStore.start();
});

const newTarget = () => objects.target(`${objects.newPlace().split('/').slice(3).join('/')}/`);
const newLog = (keepMs = DAY_MS): ObjectLog => new ObjectLog(newTarget(), keepMs);
const entryUpon = ({ no, id }: Place): LogEntry =>
  SEAL.sealed({ no: no + 1, prev: id, kept: no, schema: 1, kind: 'changes' }, NOTHING);

/** A log in a bucket behind a network that does what the test says, and its first entry. */
async function overBadNetwork() {
  const target = newTarget();
  const own = ledger();
  const first = await begin(new ObjectLog(target), [own]);
  const network = await TestProxy.start(objects.endpoint, true);
  return { target, own, first, network, log: new ObjectLog({ ...target, endpoint: network.url }) };
}

logCases(() => Promise.resolve(newLog()));

describe('a bucket', () => {
  it('gives each place to one of many nodes that want it', async () => {
    const target = newTarget();
    const logs = Array.from({ length: 20 }, () => new ObjectLog(target));
    const [log] = logs as [ObjectLog];
    let last = await begin(log, [ledger()]);
    for (let round = 0; round < 10; round++) {
      const entries = logs.map(() => entryUpon(last));
      const taken = await Promise.all(logs.map((one, n) => one.append(entries[n] as LogEntry)));
      const winners = entries.filter((_, n) => taken[n]);
      expect(winners).toHaveLength(1);
      expect(await log.newest()).toEqual({ ...winners[0], sealed: expect.anything() });
      last = winners[0] as LogEntry;
    }
    const { entries } = await log.read({ no: 0, id: '' }, 99);
    expect(entries.map(({ no }) => no)).toEqual(Array.from({ length: 11 }, (_, n) => n + 1));
  });

  it('tells a node whose answer was lost that the entry is its own', async () => {
    const { own, first, network, log, target } = await overBadNetwork();
    network.next(/log\/0{15}2$/, { kind: 'lose answer' });
    const commits = active(log, first);
    await committed(commits, own, ADA);
    await commits.leave();
    expect((await new ObjectLog(target).read(first, 9)).entries).toHaveLength(2);
    expect(network.bodies(/log\/0{15}2$/).filter((body) => body !== '')).toHaveLength(2);
  });

  it('ends a node that it does not answer, and what became of the entry is read', async () => {
    const { own, first, network, log } = await overBadNetwork();
    const fates: Fate[] = [{ kind: 'lose answer' }, { kind: 'lose request' }];
    network.next(/log\/0{15}2$/, ...fates);
    const commits = active(log, first);
    await expect(committed(commits, own, ADA)).rejects.toMatchObject({ code: 'NOT_ACTIVE' });
    expect(contentOf(own)).toEqual([[], []]);
    const again = follower(own, log);
    await again.step();
    await again.applyAll();
    expect(contentOf(own)).toEqual([[{ id: 1, name: 'Ada', photo: null }], []]);
  });

  it('that was set back is left by whoever has more', async () => {
    const target = newTarget();
    const log = new ObjectLog(target);
    const own = ledger();
    const first = await begin(log, [own]);
    const commits = active(log, first);
    await committed(commits, own, ADA);
    const place = `s3://${target.bucket}/${target.prefix.slice(0, -1)}`;
    await objects.remove(place, 'log/0000000000000002');
    await expect(follower(own, log).step()).rejects.toMatchObject({ code: 'LOG_SET_BACK' });
    await expect(committed(commits, own, 'DELETE FROM people')).rejects.toMatchObject({ code: 'NOT_ACTIVE' });
    expect(contentOf(own)[0]).toHaveLength(1);
  });

  it('that replaces what has the name is refused', async () => {
    const { first, network, log } = await overBadNetwork();
    const taken: Fate = { kind: 'answer', status: 200, body: '' };
    network.next(/create-once$/, taken, taken);
    await expect(log.append(entryUpon(first))).rejects.toMatchObject({ code: 'LOG_UNUSABLE' });
  });

  it('has entries cut off that are old enough and no others, and says how much it holds', async () => {
    for (const [keepMs, left] of [
      [DAY_MS, [1, 2, 3]],
      [-1, [3]],
    ] as const) {
      const log = newLog(keepMs);
      const first = await begin(log, [ledger()]);
      const second = entryUpon(first);
      const third = entryUpon(second);
      for (const entry of [second, third]) expect(await log.append(entry)).toBe(true);
      await log.cut(3);
      const from = left.length === 1 ? third : first;
      expect((await log.read(from, 9)).entries.map(({ no }) => no)).toEqual(left);
      if (left.length === 1) await expect(log.read(second, 9)).rejects.toMatchObject({ code: 'LOG_SET_BACK' });
      expect((await log.newest())?.id).toBe(third.id);
      expect((await log.meet(null)).bytes).toBeGreaterThan(100 * left.length);
    }
  });

  it('tells nodes of each other', async () => {
    const log = newLog();
    const [a, b] = ['a', 'b'].map((name) => SEAL.signOf({ name, role: 'standby', url: 'http://x', at: 1 }));
    if (a === undefined || b === undefined) throw new Error('two nodes');
    expect(await log.meet(a)).toMatchObject({ nodes: [] });
    const { nodes, now } = await log.meet(b);
    expect(nodes.map((sign) => SEAL.aboutIn(sign)?.name)).toEqual(['a']);
    expect(Math.abs(now - Date.now())).toBeLessThan(60_000);
  });

  it('keeps the order for two nodes, of which the active one is killed twice, and every receipt is in the ledger', {
    timeout: 300_000,
  }, async () => {
    const trial = new CommandProcess(['shared', 'trial', '--kill', objects.newPlace()], objects.environment);
    const { code, stdout, stderr } = await trial.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.match(/^node [ab] was killed/gm)).toHaveLength(2);
    expect(stdout).toContain('verified');
  });
});
