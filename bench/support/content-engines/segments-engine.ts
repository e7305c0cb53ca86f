import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Field, Query } from '../../../src/actions/index.ts';
import type { GroupsBody } from '../../../src/api/index.ts';
import { listActions } from '../../../src/service/search/actions/list-actions.ts';
import { Catalog, contentPaths } from '../../../src/service/search/content-index/catalog.ts';
import { ContentView } from '../../../src/service/search/content-index/content-view.ts';
import { Evaluation } from '../../../src/service/search/content-index/evaluate.ts';
import { facetsOf } from '../../../src/service/search/content-index/queries/facets.ts';
import { countsOf } from '../../../src/service/search/content-index/queries/histogram.ts';
import { listRecords } from '../../../src/service/search/content-index/queries/list-records.ts';
import { ShelfReader } from '../../../src/service/search/content-index/shelf-reader.ts';
import { ShelfWriter } from '../../../src/service/search/content-index/shelf-writer.ts';
import { groupsOf } from '../../../src/service/search/grouping/groups.ts';
import { compareSessions } from '../../../src/service/search/sessions/compare-sessions.ts';
import { sessionStory } from '../../../src/service/search/sessions/session-story.ts';
import type { ContentEngine, Sought } from './engine.ts';
import { type MadeRecords, vocabularyWord } from './records.ts';

function never(): never {
  throw new Error('no part of what is measured');
}

function sumsBy(by: string): GroupsBody {
  const measures = [{ op: 'sum', of: 'amount' } as const, { op: 'count' } as const];
  return { by: [by], measures, unit: 'actions', order: 'value', limit: 100 };
}

/** The content index as the service has it, without its threads. */
export class SegmentsEngine implements ContentEngine {
  readonly #folder: string;
  readonly #records: MadeRecords;
  readonly #catalog: Catalog;
  readonly #sqlite: Database.Database;
  readonly #reader: ShelfReader;

  constructor(folder: string, records: MadeRecords) {
    this.#folder = folder;
    this.#records = records;
    this.#catalog = Catalog.open(folder);
    this.#sqlite = new Database(contentPaths(folder).catalog, { readonly: true });
    this.#reader = new ShelfReader(this.#sqlite, folder, records.owner);
  }

  build(): void {
    const writer = new ShelfWriter(this.#catalog, this.#folder, this.#records);
    while (writer.step().more);
  }

  open(): void {
    this.#reader.refresh();
  }

  find({ words, path }: Sought): number {
    const field = path === null ? null : ({ of: 'payload', path, fromRoot: true } as const);
    const query: Query = { kind: 'words', field, words, lastIsPrefix: false };
    const others = { few: never, numbers: never, range: never, ofSessions: never };
    return new Evaluation(this.#reader, others).of(query).must.count();
  }

  /** Further questions, which only this engine is asked; the first of each reads its columns. */
  further(): Record<string, readonly (() => void)[]> {
    const view = new ContentView(this.#reader, this.#records);
    const times = (count: number, ask: (n: number) => unknown): (() => void)[] =>
      Array.from({ length: count }, (_, n) => () => void ask(n));
    const query = (n: number): Query => ({
      kind: 'words',
      field: null,
      words: [vocabularyWord(n)],
      lastIsPrefix: false,
    });
    const part = (field: Field | null, n: number): Query => ({
      kind: 'part',
      field,
      text: vocabularyWord(n + 500).slice(1, -1),
    });
    const result: Field = { of: 'payload', path: ['result'], fromRoot: true };
    const fields = ['agent', 'tool', 'outcome', '/arguments/user_id'];
    return {
      columns: times(1, () =>
        facetsOf(view, { kind: 'all' }, { fields: ['agent', 'tool', 'outcome', 'mark'], values: 10 }),
      ),
      facets: times(9, (n) => facetsOf(view, query(n), { fields, values: 10 })),
      page: times(9, (n) => listRecords(view, query(n), { order: 'newest', place: null, limit: 50 })),
      chart: times(9, (n) =>
        countsOf(view, { query: query(n + 20), unit: 'records' }, { start: 0, width: 1e9, count: 60, earliest: 0 }),
      ),
      actions: times(9, (n) =>
        listActions(view, n === 0 ? { kind: 'all' } : query(n), {
          order: 'newest',
          place: null,
          limit: 50,
          contents: false,
        }),
      ),
      sums: times(9, (n) => groupsOf(view, sumsBy(n % 2 === 0 ? 'tool' : 'day'), { now: 0 })),
      // Of a thousand steps each.
      compared: times(9, (n) => {
        const [left, right] = [`session-${n + 1}`, `session-${n + 2}`];
        return compareSessions(view, { left, right, differing: false, place: null, limit: 50 });
      }),
      part: times(9, (n) => view.find(part(null, n))),
      partInMember: times(9, (n) => view.find(part(result, n))),
      // Of a thousand steps each; their records are made meanwhile.
      session: times(9, (n) =>
        sessionStory(view, { session: `session-${n + 1}`, below: true, place: null, limit: 1000 }),
      ),
    };
  }

  erase(n: number): void {
    this.#records.erased.push(n);
    this.build();
    this.#reader.refresh();
  }

  files(): string[] {
    const { catalog, segments } = contentPaths(this.#folder);
    return [catalog, `${catalog}-wal`, ...readdirSync(segments).map((name) => join(segments, name))];
  }

  close(): void {
    this.#reader.close();
    this.#sqlite.close();
    this.#catalog.close();
  }
}
