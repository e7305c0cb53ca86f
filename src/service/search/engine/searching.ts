import { OUTCOMES, type Query } from '../../../actions/index.ts';
import type { Coverage, FacetsAnswer, GroupsAnswer, GroupsBody, Histogram } from '../../../api/index.ts';
import type { HistogramAsked } from '../content-index/queries/histogram.ts';
import type { ContentFilter } from '../content-index/search-filter.ts';
import { counting, type Found, facetsIn, groupsIn, histogramIn, isCounted } from './answers.ts';
import { type ClickHouse, Parameters } from './clickhouse.ts';
import { columnOf, isMany, LOADS, RECORDS, type StoredField } from './columns.ts';
import { isExact, type MeantValues, QueryConditions, type ValueTerm, valueTerms } from './query-sql.ts';

/** Values of a field that are told one by one, at most. */
const MOST_VALUES = 10_000;
/** Records or actions that are decided here, at most: each is read from its run. */
const MOST_DECIDED = 5000;
/** Of what is found, this much is asked for by number. */
const MOST_NAMED = 5000;

/** What an engine has of an archive. */
export interface EngineRows {
  /** The rows' own name for the archive. */
  readonly reading: string;
  /** How many there have to be. */
  readonly records: number;
  readonly coverage: Coverage;
}

/** What is asked of the archive's own index, on its thread: reading a query and its expressions takes as long as whoever wrote it wants. */
export interface OwnIndex {
  /** @throws ServiceError VALIDATION_ERROR */
  readonly query: (filter: ContentFilter, now: number) => Promise<Query>;
  /** Which values a term means; null where there is no time to look at them all. */
  readonly meant: (of: ValueTerm, values: readonly string[]) => Promise<readonly string[] | null>;
  /** Which of some records or actions are meant; null where there is no time to read them all. */
  readonly decide: (filter: ContentFilter, ns: readonly number[], now: number) => Promise<readonly number[] | null>;
  readonly facets: (
    filter: ContentFilter,
    fields: readonly string[],
    values: number,
    now: number,
  ) => Promise<FacetsAnswer>;
}

/** One archive as an engine is asked about it. Each answer is null where the engine cannot give it exactly. */
export class EngineSearch {
  readonly #engine: ClickHouse;
  readonly #of: EngineRows;
  readonly #own: OwnIndex;
  readonly #signal: AbortSignal | undefined;

  constructor(engine: ClickHouse, of: EngineRows, own: OwnIndex, signal?: AbortSignal) {
    this.#engine = engine;
    this.#of = of;
    this.#own = own;
    this.#signal = signal;
  }

  /** The rows of the archive that count: of each run those of the newest filling. */
  #rows(parameters: Parameters): string {
    const reading = parameters.text(this.#of.reading);
    return `reading = ${reading} AND load IN (SELECT max(load) FROM ${LOADS} WHERE reading = ${reading} GROUP BY run)`;
  }

  /** Whether all rows are there. @throws EngineError */
  async isWhole(): Promise<boolean> {
    const parameters = new Parameters();
    const [[count] = []] = await this.#ask(
      `SELECT count() FROM ${RECORDS} WHERE ${this.#rows(parameters)}`,
      parameters,
    );
    return Number(count) === this.#of.records;
  }

  #ask(text: string, parameters: Parameters): Promise<readonly (readonly unknown[])[]> {
    return this.#engine.rows(text, parameters, this.#signal);
  }

  async #meantValues(query: Query, rows: string, parameters: Parameters): Promise<MeantValues> {
    const all = new Map<string, readonly string[] | null>([['outcome', OUTCOMES]]);
    const meant = new Map<ValueTerm['term'], readonly string[]>();
    for (const of of valueTerms(query)) {
      const { name, term } = of;
      const values = all.get(name) ?? (name === 'outcome' ? null : await this.#valuesOf(name, rows, parameters));
      all.set(name, values);
      const found = values === null ? null : await this.#own.meant(of, values);
      if (found !== null) meant.set(term, found);
    }
    return meant;
  }

  async #valuesOf(name: StoredField, rows: string, parameters: Parameters): Promise<readonly string[] | null> {
    const column = columnOf(name);
    const of = isMany(name) ? `arrayJoin(${column})` : column;
    const found = await this.#ask(
      `SELECT DISTINCT ${of} AS value FROM ${RECORDS} WHERE ${rows} LIMIT ${MOST_VALUES + 1}`,
      parameters,
    );
    return found.length > MOST_VALUES ? null : found.flatMap(([value]) => (value === null ? [] : [String(value)]));
  }

  /**
   * What a filter finds.
   * @throws EngineError; ServiceError VALIDATION_ERROR
   */
  async find(filter: ContentFilter, now: number): Promise<(Found & { readonly decided: number }) | null> {
    const { unit = 'records' } = filter;
    const query = await this.#own.query(filter, now);
    const parameters = new Parameters();
    const rows = this.#rows(parameters);
    const meantValues = await this.#meantValues(query, rows, parameters);
    const conditions = new QueryConditions(parameters, meantValues, { unit, rows });
    const condition = conditions.of(query);
    let { must } = condition;
    let decided = 0;
    if (!isExact(condition)) {
      const id = unit === 'records' ? 'n' : 'lead';
      const between = conditions.rowsOf(`(${condition.may} AND NOT ${condition.must})`);
      const found = await this.#ask(
        `SELECT DISTINCT ${id} FROM ${RECORDS} WHERE ${between} ORDER BY ${id} LIMIT ${MOST_DECIDED + 1}`,
        parameters,
      );
      if (found.length > MOST_DECIDED) return null;
      const meant = await this.#own.decide(
        filter,
        found.map(([n]) => Number(n)),
        now,
      );
      if (meant === null) return null;
      decided = found.length;
      if (meant.length > 0) must = `(${must} OR has(${parameters.wholes(meant)}, ${id}))`;
    }
    const ask = (text: string) => this.#ask(text, parameters);
    const ofAll = conditions.rowsOf(must);
    const [id, ids] = unit === 'records' ? ['n', 'groupArray'] : ['lead', 'groupUniqArray'];
    const [[counted, found] = []] = await ask(
      `SELECT ${counting({ unit })}, ${ids}(${MOST_NAMED})(${id}) FROM ${RECORDS} WHERE ${ofAll}`,
    );
    const total = Number(counted);
    // Texts are looked through once: few rows that were found are asked for by number afterwards.
    const named = total > MOST_NAMED ? null : parameters.wholes((found as readonly unknown[]).map(Number));
    const meantRows = named === null ? ofAll : `${rows} AND ${id} IN ${named}`;
    return { unit, rows: meantRows, parameters, total, coverage: this.#of.coverage, ask, decided };
  }

  async facets(
    filter: ContentFilter,
    fields: readonly string[],
    values: number,
    now: number,
  ): Promise<FacetsAnswer | null> {
    const counted = fields.filter(isCounted);
    if (counted.length === 0) return null;
    const found = await this.find(filter, now);
    if (found === null) return null;
    const others = fields.filter((field) => !isCounted(field));
    const [own, all] = await Promise.all([
      others.length === 0 ? null : this.#own.facets(filter, others, values, now),
      facetsIn(found, counted, values),
    ]);
    // The two were asked one after the other: what came in between is in one of them alone.
    if (own !== null && (own.total !== found.total || !own.coverage.complete)) return null;
    const known = new Map([...all, ...(own?.facets ?? [])].map((facet) => [facet.field, facet]));
    const facets = fields.flatMap((field) => known.get(field) ?? []);
    return { total: found.total, coverage: found.coverage, facets };
  }

  async histogram(asked: HistogramAsked, now: number): Promise<Histogram | null> {
    const found = await this.find(asked, now);
    return found === null ? null : histogramIn(found, asked);
  }

  async groups(asked: GroupsBody, { now }: { readonly now: number }): Promise<GroupsAnswer | null> {
    const found = await this.find(asked, now);
    return found === null ? null : groupsIn(found, asked);
  }
}
