import { createHash } from 'node:crypto';
import { fieldsWith, matchesQuery, recordWith } from '../../../actions/index.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { sayingRecords } from '../content-index/joined-values.ts';
import { type ClickHouse, Parameters } from './clickhouse.ts';
import { LOADS, RECORDS, rowOf, TABLES } from './columns.ts';
import type { ValueTerm } from './query-sql.ts';

/** A run as rows are made of it: its records in the numbers of the own index. */
export interface IndexedRun {
  readonly sha256: string;
  readonly first: number;
  readonly records: number;
}

/** A filling of a run's rows. */
export interface Filling {
  /** The place of the run, from 0. */
  readonly run: number;
  readonly load: number;
  /** The runs that the own index had, and what tells which these were and how they were read. */
  readonly runs: number;
  readonly basis: string;
}

/** A filling as it is there. */
export interface FoundFilling extends Filling {
  /** How many rows there are of it. */
  readonly rows: number;
}

/** What rows were made of: an erasure, other rules of reading, and an archive that begins again come to another one. */
export function basisOf(rules: string, runs: readonly IndexedRun[]): string {
  const hash = createHash('sha256').update(rules);
  for (const { sha256 } of runs) hash.update(`\n${sha256}`);
  return hash.digest('hex');
}

/** How much is sent at a time, in characters. */
const MOST_TEXT = 4_000_000;

export interface RowsText {
  readonly text: string;
  /** The record behind the last one. */
  readonly next: number;
}

/** Records as lines of JSON, as far as one request has room. */
export function rowsText(view: ContentView, from: number, to: number): RowsText {
  const lines: string[] = [];
  let [n, length] = [from, 0];
  for (; n < to && length < MOST_TEXT; n++) {
    view.throwIfStopped();
    const line = JSON.stringify(rowOf(view, n)).slice(1);
    length += line.length;
    lines.push(line);
  }
  return { text: lines.join('\n'), next: n };
}

/** Which values of a field a term means; null where there is no time to look at them all. */
export function meantValues(view: ContentView, { term, name }: ValueTerm, values: readonly string[]): string[] | null {
  const meant: string[] = [];
  for (const value of values) {
    if (!view.mayRead()) return null;
    if (matchesQuery(term, recordWith(name, value))) meant.push(value);
  }
  return meant;
}

const JOINED = fieldsWith({ joined: true });

/**
 * Which fillings have rows that say less than the own index by now: an end that names no tool has it from its call, and the record that names it may
 * come with a later run.
 */
export function outdated(view: ContentView, runs: readonly IndexedRun[], fillings: readonly Filling[]): number[] {
  return fillings.flatMap(({ run, runs: had }) => {
    const [of, newest] = [runs[run], runs[had - 1]];
    if (of === undefined || newest === undefined || had === runs.length) return [];
    const last = newest.first + newest.records;
    const isOld = JOINED.some((name) => {
      const says = sayingRecords(view)(name);
      if (says === null) return false;
      for (let n = of.first; n < of.first + of.records; n++) if ((says[n] ?? n) >= last) return true;
      return false;
    });
    return isOld ? [run] : [];
  });
}

/** Fills the tables of an engine with the rows of one archive, run by run. What is filled halfway nobody sees: the line about it comes last. */
export class EngineFiller {
  readonly #engine: ClickHouse;
  readonly #reading: string;

  constructor(engine: ClickHouse, reading: string) {
    this.#engine = engine;
    this.#reading = reading;
  }

  /** Makes the tables where they are not there. @throws EngineError */
  async fillings(): Promise<FoundFilling[]> {
    for (const table of TABLES) await this.#engine.run(table);
    const parameters = new Parameters();
    const reading = parameters.text(this.#reading);
    const [newest, counts] = await Promise.all([
      this.#engine.rows(
        `SELECT run, max(load), argMax(runs, load), argMax(basis, load) FROM ${LOADS} WHERE reading = ${reading} GROUP BY run ORDER BY run`,
        parameters,
      ),
      this.#engine.rows(`SELECT load, count() FROM ${RECORDS} WHERE reading = ${reading} GROUP BY load`, parameters),
    ]);
    const rowsOf = new Map(counts.map(([load, rows]) => [load, Number(rows)]));
    return newest.map(([run, load, runs, basis]) => {
      const filling = { run: Number(run), load: Number(load), runs: Number(runs), basis: String(basis) };
      return { ...filling, rows: rowsOf.get(load) ?? 0 };
    });
  }

  /** @param rowsFrom the records from one on @throws EngineError; what `rowsFrom` fails with */
  async fill(
    filling: Filling,
    { first, records }: IndexedRun,
    rowsFrom: (from: number) => Promise<RowsText>,
  ): Promise<void> {
    const { run, load, runs, basis } = filling;
    const head = `{"reading":${JSON.stringify(this.#reading)},"load":${load},`;
    for (let n = first; n < first + records; ) {
      const { text, next } = await rowsFrom(n);
      const body = text.split('\n').map((line) => head + line);
      await this.#engine.run(`INSERT INTO ${RECORDS} FORMAT JSONEachRow`, new Parameters(), body.join('\n'));
      n = next;
    }
    const line = { reading: this.#reading, run, load, records, runs, basis };
    await this.#engine.run(`INSERT INTO ${LOADS} FORMAT JSONEachRow`, new Parameters(), JSON.stringify(line));
  }

  /** Removes rows that no filling of these has: of erased payloads nothing stays. @throws EngineError */
  async keepOnly(fillings: readonly Pick<Filling, 'load'>[]): Promise<void> {
    for (const table of [LOADS, RECORDS]) {
      const parameters = new Parameters();
      const others = `reading = ${parameters.text(this.#reading)} AND NOT has(${parameters.wholes(fillings.map(({ load }) => load))}, load)`;
      const [[count] = []] = await this.#engine.rows(`SELECT count() FROM ${table} WHERE ${others}`, parameters);
      if (Number(count) === 0) continue;
      await this.#engine.run(`ALTER TABLE ${table} DELETE WHERE ${others} SETTINGS mutations_sync = 1`, parameters);
    }
  }
}
