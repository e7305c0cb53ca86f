import type { ArchiveState } from '../../api/index.ts';
import type { EngineBasis } from '../cases/archived/engine-queries.ts';
import type { QueryAnswer, QueryArguments, QueryName } from '../cases/reads/case-queries.ts';
import { ClickHouse, type EngineAddress, EngineError } from '../search/engine/clickhouse.ts';
import { basisOf, EngineFiller, type Filling } from '../search/engine/filling.ts';
import { EngineSearch } from '../search/engine/searching.ts';

export type EngineState = NonNullable<ArchiveState['engine']>;

/** Asks the thread that reads an archive's own index. */
export type AskIndex = <N extends QueryName>(query: N, ...args: QueryArguments<N>) => Promise<QueryAnswer<N>>;

/** Answers that an engine can give; null where the own index has to. */
const ANSWERS = {
  facets: (search: EngineSearch, ...args: QueryArguments<'facets'>) => search.facets(...args),
  histogram: (search: EngineSearch, ...args: QueryArguments<'histogram'>) => search.histogram(...args),
  groups: (search: EngineSearch, ...args: QueryArguments<'groups'>) => search.groups(...args),
} as const;

function isAnswered(query: QueryName): query is keyof typeof ANSWERS {
  return Object.hasOwn(ANSWERS, query);
}

/** What is filled of an archive. */
interface Filled {
  readonly state: EngineState;
  /** What the rows were made of; null where they are not all there. */
  readonly basis: string | null;
}

const NOTHING: Filled = { state: { state: 'behind', runs: 0 }, basis: null };

/**
 * The search engine of a central node. It has a copy of what the own indexes say, counts in that and is asked for nothing else: no row of it is
 * shown as evidence, and where it is away, behind or cannot answer exactly the own index answers.
 */
export class ArchiveEngine {
  readonly #engine: ClickHouse;
  readonly #filled = new Map<string, Filled>();
  readonly #onChange: (caseId: string) => void;

  /** @param onChange called once an archive's state is another one */
  constructor(address: EngineAddress, onChange: (caseId: string) => void) {
    this.#engine = new ClickHouse(address);
    this.#onChange = onChange;
  }

  stateOf(caseId: string): EngineState {
    return (this.#filled.get(caseId) ?? NOTHING).state;
  }

  #set(caseId: string, state: EngineState['state'], runs: number, basis: string | null = null): void {
    const before = this.stateOf(caseId);
    this.#filled.set(caseId, { state: { state, runs }, basis });
    if (before.state !== state || before.runs !== runs) this.#onChange(caseId);
  }

  #away(caseId: string): void {
    this.#set(caseId, 'away', this.stateOf(caseId).runs);
  }

  /**
   * Fills in what is missing of an archive, and removes what is no longer of it.
   * @throws EngineError; what the own index refuses with; the signal's reason
   */
  async bringUp(caseId: string, ask: AskIndex, signal: AbortSignal): Promise<void> {
    try {
      await this.#bringUp(caseId, ask, signal);
    } catch (error) {
      if (error instanceof EngineError) this.#away(caseId);
      throw error;
    }
  }

  async #bringUp(caseId: string, ask: AskIndex, signal: AbortSignal): Promise<void> {
    const { runs, rules, isWhole, records, coverage } = await ask('engineBasis');
    if (!isWhole) return this.#set(caseId, 'behind', this.stateOf(caseId).runs);
    const search = this.#search(caseId, { records, coverage }, ask);
    if (this.#filled.get(caseId)?.basis === basisOf(rules, runs) && (await search.isWhole())) return;
    const filler = new EngineFiller(this.#engine, caseId);
    const there = await filler.fillings();
    const bases = new Map<number, string>();
    const basisAt = (count: number): string => {
      const basis = bases.get(count) ?? basisOf(rules, runs.slice(0, count));
      bases.set(count, basis);
      return basis;
    };
    const sound = there.filter(
      ({ run, runs: had, basis, rows }) => rows === runs[run]?.records && had <= runs.length && basisAt(had) === basis,
    );
    const old = new Set(await ask('engineOutdated', sound));
    const kept = new Map<number, Filling>(sound.filter(({ run }) => !old.has(run)).map((one) => [one.run, one]));
    let load = Math.max(Date.now(), ...there.map((one) => one.load));
    for (const [run, of] of runs.entries()) {
      if (kept.has(run)) continue;
      signal.throwIfAborted();
      this.#set(caseId, 'behind', kept.size);
      const filling = { run, load: ++load, runs: runs.length, basis: basisAt(runs.length) };
      const end = of.first + of.records;
      await filler.fill(filling, of, (from) => {
        signal.throwIfAborted();
        return ask('engineRows', from, end);
      });
      kept.set(run, filling);
    }
    await filler.keepOnly([...kept.values()]);
    const isThere = await search.isWhole();
    this.#set(caseId, isThere ? 'ready' : 'behind', runs.length, isThere ? basisAt(runs.length) : null);
  }

  /** Removes all rows of an archive. @throws EngineError */
  async remove(caseId: string): Promise<void> {
    const filler = new EngineFiller(this.#engine, caseId);
    await filler.fillings();
    await filler.keepOnly([]);
    this.#filled.delete(caseId);
  }

  #search(
    caseId: string,
    { records, coverage }: Pick<EngineBasis, 'records' | 'coverage'>,
    ask: AskIndex,
    signal?: AbortSignal,
  ): EngineSearch {
    const own = {
      query: (...asked: QueryArguments<'engineQuery'>) => ask('engineQuery', ...asked),
      meant: (...asked: QueryArguments<'engineMeant'>) => ask('engineMeant', ...asked),
      decide: (...asked: QueryArguments<'engineDecided'>) => ask('engineDecided', ...asked),
      facets: (...asked: QueryArguments<'facets'>) => ask('facets', ...asked),
    };
    return new EngineSearch(this.#engine, { reading: caseId, records, coverage }, own, signal);
  }

  /** An answer that the engine gives; null where the own index has to. @throws ServiceError what the query refuses with */
  async answer<N extends QueryName>(
    caseId: string,
    ask: AskIndex,
    signal: AbortSignal,
    query: N,
    args: QueryArguments<N>,
  ): Promise<QueryAnswer<N> | null> {
    const filled = this.#filled.get(caseId);
    if (!isAnswered(query) || filled === undefined || filled.basis === null) return null;
    const basis = await ask('engineBasis');
    if (!basis.isWhole || basisOf(basis.rules, basis.runs) !== filled.basis) return null;
    // The table of answers types both ends; between them it is only data.
    const answer = ANSWERS[query] as (search: EngineSearch, ...args: readonly unknown[]) => Promise<unknown>;
    try {
      const search = this.#search(caseId, basis, ask, signal);
      if (!(await search.isWhole())) {
        this.#set(caseId, 'behind', filled.state.runs);
        return null;
      }
      const found = (await answer(search, ...args)) as QueryAnswer<N> | null;
      // What was filled in meanwhile may be in a part of the answer.
      return this.#filled.get(caseId)?.basis === filled.basis ? found : null;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.#away(caseId);
      return null;
    }
  }
}
