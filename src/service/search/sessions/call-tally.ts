import type { Ids } from '../content-index/columns.ts';
import type { ContentView } from '../content-index/content-view.ts';

/** How many calls came out how. */
export interface Tally {
  records: number;
  calls: number;
  failed: number;
  refused: number;
  unfinished: number;
}

/** Counts the calls of records, each call once however many of its records there are. */
export class CallTally {
  readonly tally: Tally = { records: 0, calls: 0, failed: 0, refused: 0, unfinished: 0 };
  readonly tools = new Map<number, number>();
  readonly #view: ContentView;
  readonly #calls: Ids;
  readonly #tools: Ids;
  readonly #seen = new Set<number>();

  constructor(view: ContentView) {
    this.#view = view;
    this.#calls = view.category('call').ids;
    this.#tools = view.category('tool').ids;
  }

  add(n: number): void {
    this.tally.records++;
    const { calls } = this.#view;
    const call = this.#calls[n] ?? 0;
    const tool = this.#tools[n] ?? 0;
    const own = calls.ownOutcome(n);
    if (call === 0) {
      if (calls.phase(n) === 'record' && (tool !== 0 || own !== null)) this.#count(tool, own);
      return;
    }
    if (this.#seen.has(call)) return;
    // A decision does not name the tool; the call is counted with a record that does.
    if (tool === 0) return;
    this.#seen.add(call);
    this.#count(tool, calls.outcomeOf(call));
  }

  #count(tool: number, outcome: string | null): void {
    this.tally.calls++;
    if (tool !== 0) this.tools.set(tool, (this.tools.get(tool) ?? 0) + 1);
    if (outcome === 'failed' || outcome === 'refused' || outcome === 'unfinished') this.tally[outcome]++;
  }
}
