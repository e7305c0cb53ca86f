/** docs/shared-log.md, What it rests on: what holds on every engine. A node's own ledger holds what the log has kept, and nothing is built on one that lacks it. */
import { randomUUID } from 'node:crypto';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { ActiveCommits } from '../../src/service/shared/active-commits.ts';
import {
  type CommitLog,
  EntrySeal,
  LogDoubt,
  MAX_ENTRY_BYTES,
  READ_BYTES,
} from '../../src/service/shared/commit-log.ts';
import { markOf, RowImages, setMark } from '../../src/service/shared/row-images.ts';
import {
  active,
  begin,
  committed,
  connected,
  contentOf,
  follower,
  ledger,
  logWith,
  NOTHING,
  SEAL,
} from './log-ledger.ts';

/** @param newLog opens an empty log */
export function logCases(newLog: () => Promise<CommitLog>): void {
  async function begun(sqlite: readonly Database.Database[]) {
    const log = await newLog();
    return { log, first: await begin(log, sqlite) };
  }

  it('makes on another node what commits did by whatever statements: replaced, cascaded, renamed, undone', async () => {
    const [own, other] = [ledger(), ledger()];
    const { log, first } = await begun([own, other]);
    const commits = active(log, first);
    const commit = (text: string) => committed(commits, own, text);
    await commit("INSERT INTO people VALUES (1, 'Ada', x'00ff'), (2, 'Bo', NULL)");
    await commit("INSERT INTO notes VALUES (1, 1, 'a'), (1, 2, NULL), (2, 1, 'b')");
    await commit("INSERT OR REPLACE INTO people VALUES (3, 'Bo', x'')");
    await commit('UPDATE people SET id = 9 WHERE id = 3; UPDATE notes SET no = no + 10');
    await commit('DELETE FROM people WHERE id = 1');
    await expect(commit("INSERT INTO people VALUES (9, 'twice', NULL)")).rejects.toThrow('UNIQUE');
    await commit("INSERT INTO people VALUES (10, 'Zoë', NULL)");
    await commits.leave();
    await follower(other, log).step();
    expect(contentOf(own)).toEqual([
      [
        { id: 9, name: 'Bo', photo: Buffer.of() },
        { id: 10, name: 'Zoë', photo: null },
      ],
      [],
    ]);
    expect(contentOf(other)).toEqual(contentOf(own));
    expect(markOf(other)).toEqual(markOf(own));
  });

  it('shows a standby nothing that is not known to be kept', async () => {
    const [own, other] = [ledger(), ledger()];
    const { log, first } = await begun([own, other]);
    const rows = new RowImages(own).tried(() => own.exec("INSERT INTO people VALUES (1, 'Ada', NULL)")).rows;
    const entry = SEAL.sealed({ no: 2, prev: first.id, kept: 1, schema: 1, kind: 'changes' }, { ...NOTHING, rows });
    expect(await log.append(entry)).toBe(true);
    expect(await follower(other, log).step()).toMatchObject({ newest: { no: 2 } });
    expect(contentOf(other)).toEqual([[], []]);
    // A sign of life that nobody of this ledger gave says nothing.
    await log.beat({
      no: 2,
      id: entry.id,
      count: randomUUID(),
      proof: new EntrySeal(new Uint8Array(32)).proofOf(entry),
      left: true,
    });
    expect(await follower(other, log).step()).toMatchObject({ left: false });
    expect(contentOf(other)).toEqual([[], []]);
    await log.beat({ no: 2, id: entry.id, count: randomUUID(), proof: SEAL.proofOf(entry), left: false });
    await follower(other, log).step();
    expect(contentOf(other)).toEqual([[{ id: 1, name: 'Ada', photo: null }], []]);
  });

  it('ends where the ledger cannot take what the log has, and reads it again', async () => {
    const own = ledger();
    own.pragma('busy_timeout = 0');
    const blocker = new Database(own.name);
    const { log, first } = await begun([own]);
    // Whoever holds the ledger's file comes right after the entry.
    const between = logWith(log, {
      append: async (entry) => {
        const taken = await log.append(entry);
        blocker.exec('BEGIN IMMEDIATE');
        return taken;
      },
    });
    const commits = active(between, first);
    const insert = (id: number) => committed(commits, own, `INSERT INTO people VALUES (${id}, 'p${id}', NULL)`);
    await expect(insert(1)).rejects.toMatchObject({ code: 'NOT_ACTIVE' });
    expect(await commits.lost).toContain('database is locked');
    blocker.exec('ROLLBACK');
    await expect(insert(2)).rejects.toMatchObject({ code: 'NOT_ACTIVE' });
    const again = follower(own, log);
    await again.step();
    await again.applyAll();
    expect(contentOf(own)).toEqual([[{ id: 1, name: 'p1', photo: null }], []]);
  });

  describe('a change that says itself which rows it makes', () => {
    const adding = (commits: ActiveCommits, { name: path }: Database.Database) => {
      const second = connected(path);
      const insert = second.prepare('INSERT INTO people VALUES (?, ?, ?)');
      const add = (id: number, name: string, photo: Buffer | null = null): Promise<void> =>
        commits.hold(second, (note) => {
          insert.run(id, name, photo);
          note({ table: 'people', key: null, row: { id, name, photo } });
        });
      return { second, add };
    };

    it('is made once the log has it, and is seen by nobody before', async () => {
      const [own, other] = [ledger(), ledger()];
      const { log, first } = await begun([own, other]);
      const seen: unknown[] = [];
      const looking = logWith(log, {
        append: async (entry) => {
          const taken = await log.append(entry);
          seen.push(contentOf(own)[0]);
          return taken;
        },
      });
      const commits = active(looking, first);
      const { add } = adding(commits, own);
      await add(1, 'Ada', Buffer.of(0, 255));
      await expect(add(1, 'twice')).rejects.toThrow('UNIQUE');
      const large = add(2, 'large', Buffer.alloc(MAX_ENTRY_BYTES));
      await expect(large).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
      await committed(commits, own, "UPDATE people SET name = 'Ada L.'");
      await add(2, 'Bo');
      const [ada, named] = ['Ada', 'Ada L.'].map((name) => ({ id: 1, name, photo: Buffer.of(0, 255) }));
      expect(seen).toEqual([[], [ada], [named]]);
      await commits.leave();
      await follower(other, log).step();
      expect(contentOf(own)).toEqual([[named, { id: 2, name: 'Bo', photo: null }], []]);
      expect([contentOf(other), markOf(other)]).toEqual([contentOf(own), markOf(own)]);
    });

    it('is undone where the answer is not clear, and made when the log is read again', async () => {
      const own = ledger();
      const { log, first } = await begun([own]);
      const doubtful = logWith(log, {
        append: async (entry) => {
          await log.append(entry);
          throw new LogDoubt('no answer');
        },
      });
      const commits = active(doubtful, first);
      const { second, add } = adding(commits, own);
      await expect(add(1, 'Ada')).rejects.toMatchObject({ code: 'NOT_ACTIVE' });
      expect([second.inTransaction, contentOf(own), markOf(own)]).toEqual([false, [[], []], first]);
      await expect(add(2, 'Bo')).rejects.toMatchObject({ code: 'NOT_ACTIVE' });
      const again = follower(own, log);
      await again.step();
      await again.applyAll();
      expect(contentOf(own)).toEqual([[{ id: 1, name: 'Ada', photo: null }], []]);
    });

    it('ends the node where its transaction is gone meanwhile', async () => {
      const own = ledger();
      const { log, first } = await begun([own]);
      const between = logWith(log, {
        append: async (entry) => {
          second.exec('ROLLBACK');
          return log.append(entry);
        },
      });
      const commits = active(between, first);
      const { second, add } = adding(commits, own);
      await expect(add(1, 'Ada')).rejects.toMatchObject({ code: 'NOT_ACTIVE' });
      expect([contentOf(own), markOf(own)]).toEqual([[[], []], first]);
    });
  });

  it('refuses a change that is larger than an entry may be as a whole, and goes on', async () => {
    const [own, other] = [ledger(), ledger()];
    const { log, first } = await begun([own, other]);
    const commits = active(log, first);
    const large = `INSERT INTO people VALUES (1, 'Ada', zeroblob(${MAX_ENTRY_BYTES}))`;
    const halves = [1, 2].map((id) => `INSERT INTO people VALUES (${id}, 'p${id}', zeroblob(${MAX_ENTRY_BYTES / 2}))`);
    for (const text of [large, halves.join('; ')]) {
      await expect(committed(commits, own, text)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE', status: 413 });
    }
    expect(contentOf(own)).toEqual([[], []]);
    expect(await log.newest()).toMatchObject(first);
    await committed(commits, own, "INSERT INTO people VALUES (1, 'Ada', x'00ff')");
    await commits.leave();
    await follower(other, log).step();
    expect(contentOf(other)).toEqual([[{ id: 1, name: 'Ada', photo: Buffer.of(0, 255) }], []]);
    expect([contentOf(other), markOf(other)]).toEqual([contentOf(own), markOf(own)]);
  });

  it('reads no more at once than an engine can answer in time, and a standby all of it', async () => {
    const [own, other] = [ledger(), ledger()];
    const { log, first } = await begun([own, other]);
    const commits = active(log, first);
    for (let id = 1; id <= 12; id++) {
      await committed(commits, own, `INSERT INTO people VALUES (${id}, 'p${id}', randomblob(${READ_BYTES / 4}))`);
    }
    await commits.leave();
    expect((await log.read(first, 65)).entries.map(({ no }) => no)).toEqual([1, 2, 3, 4, 5]);
    expect((await log.read({ no: 0, id: '' }, 65)).entries).toHaveLength(5);
    await follower(other, log).step();
    // As texts: equal bytes are compared slowly.
    const [theirs, ours] = [other, own].map((of) => of.prepare('SELECT id, hex(photo) FROM people').all());
    expect(theirs).toEqual(ours);
  });

  it('finds what is kept behind more than it reads at once: nodes that took over and could not go on', async () => {
    const [own, other] = [ledger(), ledger()];
    const { log, first } = await begun([own, other]);
    let last = first;
    const term = async (kept: number): Promise<void> => {
      const entry = SEAL.sealed({ no: last.no + 1, prev: last.id, kept, schema: 1, kind: 'term' }, NOTHING);
      expect(await log.append(entry)).toBe(true);
      last = { no: entry.no, id: entry.id };
    };
    while (last.no < 150) await term(first.no);
    expect(await follower(other, log).step()).toMatchObject({ newest: last });
    expect(markOf(other)).toEqual(first);
    await term(last.no);
    await follower(other, log).step();
    expect(markOf(other)).toMatchObject({ no: last.no - 1 });
  });

  it("takes nobody else's entry, altered or of another ledger, and none of a newer version", async () => {
    const sqlite = ledger();
    const { log, first } = await begun([sqlite]);
    const entry = SEAL.sealed({ no: 2, prev: first.id, kept: 2, schema: 1, kind: 'changes' }, NOTHING);
    await log.append({ ...entry, kept: 1, kind: 'term' });
    await expect(follower(sqlite, log).applyAll()).resolves.toBeUndefined();
    const reading = follower(sqlite, log);
    await reading.step();
    await expect(reading.applyAll()).rejects.toMatchObject({ code: 'LOG_FOREIGN' });
    await log.append(SEAL.sealed({ no: 3, prev: entry.id, kept: 2, schema: 1_000_000, kind: 'changes' }, NOTHING));
    await expect(follower(sqlite, log).step()).rejects.toMatchObject({ code: 'LOG_NEWER' });
    setMark(sqlite, { no: 2, id: first.id });
    await expect(follower(sqlite, log).step()).rejects.toMatchObject({ code: 'LOG_SET_BACK' });
  });
}
