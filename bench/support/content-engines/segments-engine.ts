import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Query } from '../../../src/actions/index.ts';
import { Catalog, contentPaths } from '../../../src/service/search/content-index/catalog.ts';
import { ContentView } from '../../../src/service/search/content-index/content-view.ts';
import { Evaluation } from '../../../src/service/search/content-index/evaluate.ts';
import { ShelfReader } from '../../../src/service/search/content-index/shelf-reader.ts';
import { ShelfWriter } from '../../../src/service/search/content-index/shelf-writer.ts';
import type { ContentEngine, Sought } from './engine.ts';
import { questionsAboutCalls, questionsAboutRecords } from './questions.ts';
import type { MadeRecords, Shape } from './records.ts';

function never(): never {
  throw new Error('no part of what is measured');
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

  /** Further questions, which only this engine is asked. */
  further(shape: Shape): Record<string, readonly (() => void)[]> {
    const view = new ContentView(this.#reader, this.#records);
    return shape === 'calls' ? questionsAboutCalls(view) : questionsAboutRecords(view);
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
