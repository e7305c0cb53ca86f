import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseQuery, type Query } from '../../../../src/actions/index.ts';
import type { RecordSource } from '../../../../src/service/search/content-index/record-source.ts';
import { ShelfWriter } from '../../../../src/service/search/content-index/shelf-writer.ts';
import { IndexedFolder, numbersOf } from '../../../support/content-index.ts';
import { insertRows, operationRow, type RowLedger, rowLedger } from '../../../support/operation-rows.ts';

const ORG = 'org';

function parsed(text: string): Query {
  const result = parseQuery(text, { now: 0, zone: 'UTC' });
  return result.ok ? result.query : expect.fail(text);
}

/** A word that shares hardly anything with any other. */
function secretOf(seqNo: number): string {
  return createHash('sha256').update(String(seqNo)).digest('hex').slice(0, 24);
}

function addRecords(ledger: RowLedger, first: number, count: number): void {
  const rows = Array.from({ length: count }, (_, n) => {
    const seqNo = first + n;
    const payload = JSON.stringify({ note: `common ${secretOf(seqNo)}`, part: { [`${secretOf(seqNo)}m`]: seqNo } });
    return operationRow({ orgId: ORG, seqNo, payload, leafHash: Buffer.alloc(32, seqNo % 251) });
  });
  insertRows(ledger, rows);
}

function erase(ledger: RowLedger, seqNo: number): void {
  ledger.store.sqlite.prepare('UPDATE operations SET payload = NULL WHERE seq_no = ?').run(seqNo);
  const eventNo = ledger.store.sqlite
    .prepare('SELECT coalesce(max(event_no), 0) + 1 FROM admin_events')
    .pluck()
    .get() as number;
  ledger.store.sqlite
    .prepare("INSERT INTO admin_events VALUES (?, ?, ?, 'a', 'operation.erase', 'operation', 'x', ?, 0, NULL, 'h')")
    .run(ORG, eventNo, `e${eventNo}`, JSON.stringify({ seq_no: seqNo }));
}

function indexed(records: number): { readonly ledger: RowLedger; readonly index: IndexedFolder } {
  const ledger = rowLedger(ORG);
  const index = new IndexedFolder(ledger.folder);
  for (let first = 1; first <= records; first += 7) {
    addRecords(ledger, first, Math.min(7, records - first + 1));
    index.catchUp(ORG);
  }
  return { ledger, index };
}

/** Its end: terms leave out what they share with the one before. */
function tailOf(seqNo: number): string {
  return secretOf(seqNo).slice(-18);
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.startsWith('content'))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

function contains(folder: string, text: string): string[] {
  return filesOf(folder).filter((path) => readFileSync(path).includes(text));
}

describe('an erased record', () => {
  it('leaves no byte in any file, and is found no more', () => {
    const { ledger, index } = indexed(100);
    const { folder } = index;
    for (const seqNo of [1, 50, 100]) {
      expect(numbersOf(index.view(ORG), parsed(secretOf(seqNo)))).toEqual([seqNo]);
      expect(contains(folder, tailOf(seqNo))).not.toEqual([]);
      erase(ledger, seqNo);
    }
    index.catchUp(ORG);
    for (const seqNo of [1, 50, 100]) {
      expect(contains(folder, tailOf(seqNo))).toEqual([]);
      const view = index.view(ORG);
      expect(numbersOf(view, parsed(secretOf(seqNo)))).toEqual([]);
      expect(numbersOf(view, parsed(`"${secretOf(seqNo)}m":*`))).toEqual([]);
      expect(numbersOf(view, parsed(`seq = ${seqNo}`))).toEqual([seqNo]);
    }
    expect(numbersOf(index.view(ORG), parsed('common'))).toHaveLength(97);
    expect(numbersOf(index.view(ORG), parsed(secretOf(51)))).toEqual([51]);
  });

  it('is taken out by the next opening where a crash came before', () => {
    const { ledger, index } = indexed(30);
    erase(ledger, 9);
    index.reopen();
    index.catchUp(ORG);
    expect(numbersOf(index.view(ORG), parsed(secretOf(9)))).toEqual([]);
    expect(numbersOf(index.view(ORG), parsed('common'))).toHaveLength(29);
  });
});

describe('an index', () => {
  it('that was left between any two steps continues where it was', () => {
    const { ledger, index } = indexed(20);
    addRecords(ledger, 21, 20);
    // As a crash leaves it that came after the file of a segment was written and before it was listed.
    writeFileSync(join(index.folder, 'content', '999.segment'), 'half');
    index.reopen();
    expect(readdirSync(join(index.folder, 'content'))).not.toContain('999.segment');
    expect(index.view(ORG).indexedTo).toBe(20);
    index.catchUp(ORG);
    expect(numbersOf(index.view(ORG), parsed('common'))).toHaveLength(40);
  });

  it.each([
    ['a segment is missing', (folder: string) => rmSync(segmentsOf(folder)[0] ?? '')],
    ['a segment is cut off', (folder: string) => writeFileSync(segmentsOf(folder)[0] ?? '', 'x')],
    ['the catalog is missing', (folder: string) => rmSync(join(folder, 'content.sqlite'))],
    ['the catalog is no database', (folder: string) => writeFileSync(join(folder, 'content.sqlite'), 'x'.repeat(9000))],
  ])('is made again where %s', (_, damage) => {
    const { index } = indexed(30);
    index.catalog.close();
    damage(index.folder);
    rmSync(join(index.folder, 'content.sqlite-wal'), { force: true });
    index.reopen();
    index.catchUp(ORG);
    expect(numbersOf(index.view(ORG), parsed('common'))).toHaveLength(30);
  });

  it('refuses to answer from a part that was changed', () => {
    const { index } = indexed(30);
    const [path = ''] = segmentsOf(index.folder);
    const bytes = readFileSync(path);
    let refused = 0;
    const step = Math.max(1, Math.floor(bytes.length / 200));
    for (let at = 0; at < bytes.length; at += step) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      writeFileSync(path, changed);
      try {
        expect(numbersOf(index.view(ORG), parsed('common or *abc* or note:* or agent:agent'))).toHaveLength(30);
      } catch (error) {
        expect(error).toMatchObject({ code: 'CONTENT_DAMAGED' });
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(50);
  });

  it('answers a page that the newest records fill without the older ones', () => {
    const { ledger, index } = indexed(30);
    const [path = ''] = segmentsOf(index.folder);
    addRecords(ledger, 31, 30);
    index.catchUp(ORG);
    // The first block of terms: it is read for no page that needs no older record.
    const bytes = readFileSync(path);
    bytes[20] = (bytes[20] ?? 0) ^ 0x10;
    writeFileSync(path, bytes);
    const page = (order: 'newest' | 'oldest', place: number | null) =>
      index.view(ORG).page(parsed('common'), { order, place, limit: 10 });
    expect(page('newest', null).ns).toEqual(Array.from({ length: 11 }, (_, n) => 60 - n));
    expect(page('oldest', 31).ns).toEqual(Array.from({ length: 11 }, (_, n) => 32 + n));
    expect(() => page('oldest', null)).toThrow(expect.objectContaining({ code: 'CONTENT_DAMAGED' }));
    expect(() => index.view(ORG).find(parsed('common'))).toThrow(expect.objectContaining({ code: 'CONTENT_DAMAGED' }));
  });

  it.each(['newest', 'oldest'] as const)(
    'leaves no record out where the time ends among the newest ones, %s first',
    (order) => {
      const { ledger, index } = indexed(30);
      addRecords(ledger, 31, 1600);
      const view = index.view(ORG);
      const query = parsed('seq < 40 or seq = 600 or seq > 1620');
      let looks = 0;
      Object.defineProperty(view, 'mayRead', { value: () => looks-- > 0 });
      const found: number[] = [];
      let place: number | null = null;
      let cut = 0;
      do {
        looks = 1;
        const { ns, resume, complete } = view.page(query, { order, place, limit: 10 });
        expect(complete).toBe(resume === null);
        if (resume !== null) cut++;
        found.push(...ns.slice(0, 10));
        place = ns.length > 10 ? (ns[9] ?? null) : resume;
      } while (place !== null);
      const meant = [
        ...Array.from({ length: 39 }, (_, n) => n + 1),
        600,
        ...Array.from({ length: 10 }, (_, n) => 1621 + n),
      ];
      expect(found).toEqual(order === 'newest' ? meant.toReversed() : meant);
      expect(cut).toBeGreaterThan(1);
    },
  );

  it('of another ledger is made again', () => {
    const { ledger, index } = indexed(30);
    ledger.store.sqlite.exec('DROP TRIGGER operations_keep_values');
    ledger.store.sqlite
      .prepare('UPDATE operations SET leaf_hash = ?, payload = ?')
      .run(Buffer.alloc(32, 1), '{"a":"new"}');
    index.catchUp(ORG);
    expect(numbersOf(index.view(ORG), parsed('common'))).toEqual([]);
    expect(numbersOf(index.view(ORG), parsed('new'))).toHaveLength(30);
  });

  it('says of every record up to where it has come what is in it, whichever step fails', () => {
    const { ledger, index } = indexed(20);
    addRecords(ledger, 21, 20);
    let stopped = 0;
    for (let left = 0; ; left++) {
      const source = index.source(ORG);
      let calls = left;
      const failing = new Proxy(source, {
        get: (target, name) => {
          const member = Reflect.get(target, name) as unknown;
          if (typeof member !== 'function') return member;
          return (...given: unknown[]) => {
            if (calls-- === 0) throw new Error('stopped here');
            return Reflect.apply(member, target, given) as unknown;
          };
        },
      });
      try {
        new ShelfWriter(index.catalog, index.folder, failing).step();
        break;
      } catch (error) {
        expect(error).toMatchObject({ message: 'stopped here' });
        stopped++;
      }
      const view = index.view(ORG);
      expect(numbersOf(view, parsed('common'))).toHaveLength(view.indexedTo);
    }
    expect(stopped).toBeGreaterThan(4);
    expect(numbersOf(index.view(ORG), parsed('common'))).toHaveLength(40);
  });
});

describe('a record that is taken in', () => {
  /** The source with something around what one of its methods does. */
  const withMethod = <K extends 'after' | 'leafHash'>(
    index: IndexedFolder,
    name: K,
    around: (method: RecordSource[K]) => RecordSource[K],
  ): RecordSource => {
    const source: RecordSource = index.source(ORG);
    return new Proxy(source, {
      get: (target, key) => {
        const member = Reflect.get(target, key) as unknown;
        if (key === name) return around(target[name].bind(target) as RecordSource[K]);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    });
  };
  const judgedIn = ({ catalog }: IndexedFolder): unknown =>
    catalog.statement('SELECT indexed_to, judged_to, coherence FROM shelves').get();

  it('is read once, and judged by the same reading', () => {
    const { ledger, index } = indexed(0);
    addRecords(ledger, 1, 300);
    let read = 0;
    const source = withMethod(index, 'after', (after) => (...given) => {
      const records = after(...given);
      read += records.length;
      return records;
    });
    const writer = new ShelfWriter(index.catalog, index.folder, source);
    while (writer.step().more);
    expect(judgedIn(index)).toMatchObject({ indexed_to: 300, judged_to: 300 });
    expect(read).toBe(300);
  });

  it('counts as judged once it is known what stands, which is not said while many are still to be read', () => {
    const { ledger, index } = indexed(0);
    const writer = new ShelfWriter(index.catalog, index.folder, index.source(ORG));
    addRecords(ledger, 1, 1);
    while (writer.step().more);
    addRecords(ledger, 2, 8000);
    const judged: boolean[] = [];
    for (let more = true; more; ) {
      ({ more } = writer.step());
      judged.push(index.view(ORG).reader.isJudged);
    }
    // Of 8,001 records 5,952 are left after the first step, and 3,904 after the second.
    expect(judged).toEqual([false, true, true, true]);
  });

  it('keeps its findings where the commit of a judging failed', () => {
    const { ledger, index } = indexed(5);
    const payload = JSON.stringify({ profile: 'countersign.agent-action/1', phase: 'none of its phases' });
    insertRows(ledger, [operationRow({ orgId: ORG, seqNo: 6, payload, leafHash: Buffer.alloc(32, 6) })]);
    const findings = (): unknown[] => index.catalog.statement('SELECT code, seq_no FROM findings').all();
    const { shelf = 0 } = index.catalog.shelf(ORG) ?? {};
    const writer = new ShelfWriter(index.catalog, index.folder, index.source(ORG));
    while (writer.step().more);
    const found = findings();
    expect(found.length).toBeGreaterThan(0);
    // As after an erasure all is to be judged again.
    index.catalog.transact(() => index.catalog.forgetJudgement(shelf));
    const { catalog } = index;
    let fails = true;
    const failing = new Proxy(catalog, {
      get: (target, key) => {
        const member = Reflect.get(target, key) as unknown;
        if (typeof member !== 'function') return member;
        if (key !== 'transact') return member.bind(target) as unknown;
        return (work: () => unknown) =>
          target.transact(() => {
            const result = work();
            if (fails) throw new Error('stopped here');
            return result;
          });
      },
    });
    const troubled = new ShelfWriter(failing, index.folder, index.source(ORG));
    expect(() => troubled.step()).toThrow('stopped here');
    fails = false;
    while (troubled.step().more);
    expect(findings()).toEqual(found);
  });

  it('is judged once, though the step in which it was read failed', () => {
    const [untroubled, troubled] = [indexed(10), indexed(10)];
    let fails = true;
    const source = withMethod(troubled.index, 'leafHash', (leafHash) => (n) => {
      if (fails && n > 10) throw new Error('stopped here');
      return leafHash(n);
    });
    const writer = new ShelfWriter(troubled.index.catalog, troubled.index.folder, source);
    writer.step();
    for (const { ledger } of [untroubled, troubled]) addRecords(ledger, 11, 30);
    expect(() => writer.step()).toThrow('stopped here');
    fails = false;
    while (writer.step().more);
    untroubled.index.catchUp(ORG);
    expect(judgedIn(troubled.index)).toMatchObject({ judged_to: 40 });
    expect(judgedIn(troubled.index)).toEqual(judgedIn(untroubled.index));
  });
});

function segmentsOf(folder: string): string[] {
  return readdirSync(join(folder, 'content')).map((name) => join(folder, 'content', name));
}
