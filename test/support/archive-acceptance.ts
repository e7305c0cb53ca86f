/** What is checked at acceptance, over any kind of archive: three hosts; what is wrong with one keeps no other out (docs/decisions/0095-archive.md). */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AcceptedRun, followArchive, type RefusedRun } from '../../src/service/archive/follow.ts';
import type { ShippedRun } from '../../src/service/archive/ship.ts';
import { type ArchiveHost, archiveHost, shipped } from './archive.ts';
import { type ArchivePlace, copyPlace, folderPlace, type NewPlace } from './archive-places.ts';
import { at as nth } from './bytes.ts';
import { copyOfRunning, temporaryFolder } from './folders.ts';
import { TestService } from './service.ts';

export function acceptanceCases(newPlace: NewPlace): void {
  const original = folderPlace();
  const hosts: ArchiveHost[] = [];
  /** What each host shipped: three runs of one epoch each. */
  const runs: ShippedRun[][] = [];
  /** The data of the first host when it had sealed one epoch. */
  const earlier = join(temporaryFolder(), 'earlier');
  let place: ArchivePlace;

  async function follow(accepted: readonly AcceptedRun[] = [], trusted = hosts.map(({ service }) => service.kid)) {
    const found: { accepted: AcceptedRun[]; refused: RefusedRun[] } = { accepted: [], refused: [] };
    await followArchive({
      store: place.store,
      trustedKids: trusted,
      accepted,
      recheck: true,
      signal: new AbortController().signal,
      onAccepted: (run) => void found.accepted.push(run),
      onRefused: (run) => void found.refused.push(run),
    });
    return found;
  }

  const path = (host: number, run: number): string => nth(nth(runs, host), run).path;
  /** How many runs of each host there are. */
  const counts = (accepted: readonly AcceptedRun[]): number[] =>
    hosts.map(({ account }) => accepted.filter(({ org_id }) => org_id === account.orgId).length);

  beforeAll(async () => {
    for (let n = 0; n < 3; n++) {
      const host = await archiveHost();
      hosts.push(host);
      const own: ShippedRun[] = [];
      for (let epoch = 0; epoch < 3; epoch++) {
        await host.seal();
        if (n === 0 && epoch === 0) copyOfRunning(host.service.dataDir, earlier);
        own.push(...(await shipped(host.service.dataDir, original.store)));
      }
      runs.push(own);
    }
  });

  beforeEach(async () => {
    place = newPlace();
    await copyPlace(original, place);
  });

  describe('an archive of three hosts', () => {
    it('is accepted whole, each run once', async () => {
      const { accepted, refused } = await follow();
      expect(refused).toEqual([]);
      expect(counts(accepted)).toEqual([3, 3, 3]);
      expect(accepted[0]).toMatchObject({ first_epoch_no: 1, last_epoch_no: 1, records: 2, last_seq_no: 2 });
      expect(await follow(accepted)).toEqual({ accepted: [], refused: [] });
      // What was accepted follows from the runs alone.
      expect((await follow()).accepted).toEqual(accepted);
      expect(await follow(accepted.slice(0, 2))).toMatchObject({ accepted: accepted.slice(2), refused: [] });
    });

    it('names a changed byte, wherever it is, and accepts the other hosts', async () => {
      const bytes = await place.read(path(1, 1));
      for (const share of [0, 0.3, 0.6, 0.9, 1]) {
        const changed = Buffer.from(bytes);
        const spot = Math.floor((bytes.length - 1) * share);
        changed[spot] = (changed[spot] ?? 0) ^ 1;
        await place.put(path(1, 1), changed);
        const { accepted, refused } = await follow();
        // What follows it waits, and is not called missing.
        expect(refused).toMatchObject([{ path: path(1, 1), code: 'changed' }]);
        expect(counts(accepted)).toEqual([3, 1, 3]);
      }
    });

    it('names an accepted run of which a byte changed', async () => {
      const { accepted } = await follow();
      await place.put(path(2, 0), Buffer.concat([await place.read(path(2, 0)), Buffer.of(0)]));
      expect(await follow(accepted)).toEqual({
        accepted: [],
        refused: [{ path: path(2, 0), code: 'changed', findings: [] }],
      });
    });

    it('names a missing run, before and after it was accepted', async () => {
      const { accepted: all } = await follow();
      await place.remove(path(0, 1));
      const first = await follow();
      expect(first.refused).toEqual([{ path: `${dirname(path(0, 1))}/2-2`, code: 'missing', findings: [] }]);
      expect(counts(first.accepted)).toEqual([1, 3, 3]);
      expect((await follow(all)).refused).toEqual([{ path: path(0, 1), code: 'missing', findings: [] }]);
    });

    it('names a second run of a number, and a second cut of the same epochs', async () => {
      const { store } = place;
      const { kid } = nth(hosts, 0).service;
      const orgId = nth(hosts, 0).account.orgId;
      const second = await store.create({ kid, orgId, first: 2, last: 2, erased: null, decided: null }, async (to) => {
        writeFileSync(to, await place.read(path(0, 2)));
        return true;
      });
      const whole = folderPlace();
      const [cut] = await shipped(nth(hosts, 0).service.dataDir, whole.store, { since: 2 });
      await place.put(cut?.path ?? '', await whole.read(cut?.path ?? ''));
      const { accepted, refused } = await follow();
      expect(counts(accepted)).toEqual([3, 3, 3]);
      expect(refused).toMatchObject([
        // Its content is of epoch 3.
        { path: second?.path, code: 'foreign' },
        { path: cut?.path, code: 'second', findings: [] },
      ]);
      await place.remove(second?.path ?? '');
      expect((await follow(accepted)).refused).toMatchObject([{ path: cut?.path, code: 'second' }]);
    });

    it('names foreign files: of another host, another organization, and what is no run', async () => {
      await place.put(path(1, 2), await place.read(path(0, 2)));
      await place.put('notes/read me.txt', Buffer.from('x'));
      await place.put(`${path(0, 0).split('/')[0]}/org_other/1-1.csbundle.json.gz`, await place.read(path(0, 0)));
      const { accepted, refused } = await follow();
      expect(new Set(refused.map(({ path: at, code }) => `${code} ${at}`))).toEqual(
        new Set([
          'foreign notes/read me.txt',
          `foreign ${path(1, 2)}`,
          `foreign ${path(0, 0).split('/')[0]}/org_other/1-1.csbundle.json.gz`,
        ]),
      );
      expect(counts(accepted)).toEqual([3, 2, 3]);
    });

    it('names what is not confirmed: the key, or the organization', async () => {
      const [one, two, three] = hosts.map(({ service }) => service.kid);
      const noKey = await follow([], [one ?? '', two ?? '']);
      expect(noKey.refused[0]).toMatchObject({ path: path(2, 0), code: 'unconfirmed' });
      expect(counts(noKey.accepted)).toEqual([3, 3, 0]);
      const otherOrganization = await follow([], [one ?? '', two ?? '', `${three}@org_other`]);
      expect(otherOrganization.refused[0]).toMatchObject({ path: path(2, 0), code: 'unconfirmed' });
      expect(counts(otherOrganization.accepted)).toEqual([3, 3, 0]);
    });

    it('names a host that was set back: under a new name, and under one that is taken', async () => {
      const { accepted } = await follow();
      // The host as it was after its first epoch, which then does other things.
      const service = await TestService.start({ epochIntervalSeconds: 3600, dataDir: earlier });
      const { account, signer } = nth(hosts, 0);
      const client = service.client(nth(hosts, 0).account.client.token);
      const { chain_hash } = await client.ok('agentHead', { params: { agent_id: signer.agentId } });
      signer.head = chain_hash;
      await client.ok('submitOperation', { body: signer.next() });
      await client.ok('closeEpoch');
      // It refuses to ship by itself; somebody brings its runs on a stick.
      expect(await shipped(earlier, place.store)).toMatchObject([{ outcome: 'set_back' }]);
      const stick = folderPlace();
      const [other] = await shipped(earlier, stick.store, { since: 2 });
      expect(other?.path).toBe(path(0, 1));
      const kept = await place.store.create(
        { kid: service.kid, orgId: account.orgId, first: 2, last: 2, erased: null, decided: null },
        async (to) => {
          writeFileSync(to, await stick.read(path(0, 1)));
          return true;
        },
      );
      expect(kept).toMatchObject({ outcome: 'second' });
      const after = await follow(accepted);
      expect(after.refused).toMatchObject([{ path: kept?.path, code: 'set_back' }]);
      expect(after.refused[0]?.findings).toContain('EQUIVOCATION');
      // Whoever lost the true runs sees it too, once they have the run before.
      await place.put(path(0, 1), await place.read(kept?.path ?? ''));
      await place.remove(kept?.path ?? '');
      const lost = await follow();
      expect(lost.refused).toMatchObject([{ path: path(0, 2), code: 'set_back' }]);
      expect(counts(lost.accepted)).toEqual([2, 3, 3]);
      await service.stop();
    });
  });
}
