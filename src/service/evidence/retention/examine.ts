import type { Store } from '../../store/open.ts';
import type { ActiveHold } from './holds.ts';
import { headsWithPayload, RecordTexts } from './record-texts.ts';
import { decidingRule, type PlannedRule } from './rules.ts';
import { rulesOfPlan, type Tally } from './sweep-row.ts';

/** Numbers that are looked up at once. */
const WINDOW = 512;

/** The service's thread is kept for no longer than this at a time, and then as long as one record and the commit take. */
const STEP_MS = 12;

/** Records that are erased in one transaction, at most. */
const STEP_RECORDS = 512;

/** A record whose payload is due and held by nothing. */
export interface DueRecord {
  readonly record: RecordTexts;
  readonly isSalted: boolean;
}

/** What a step goes by. */
export interface Step {
  readonly orgId: string;
  readonly plan: readonly PlannedRule[];
  /** Those in force now. */
  readonly holds: readonly ActiveHold[];
  /** Records up to this one were examined. */
  readonly position: number;
  readonly toSeqNo: number;
  readonly tally: Tally;
}

/** Counts while a step examines records. */
class Count {
  readonly #erased: number[];
  readonly #keeping: Map<string, { kind: ActiveHold['kind']; held: number }>;
  #held: number;
  due = 0;

  constructor({ tally, holds }: Step) {
    this.#erased = [...tally.erased];
    this.#held = tally.held;
    this.#keeping = new Map(Object.entries(tally.holds).map(([holdId, known]) => [holdId, { ...known }]));
    for (const { holdId, kind } of holds) if (!this.#keeping.has(holdId)) this.#keeping.set(holdId, { kind, held: 0 });
  }

  held(by: readonly ActiveHold[]): void {
    this.#held++;
    for (const { holdId } of by) {
      const known = this.#keeping.get(holdId);
      if (known !== undefined) known.held++;
    }
  }

  erased(rule: number): void {
    this.due++;
    this.#erased[rule] = (this.#erased[rule] ?? 0) + 1;
  }

  get tally(): Tally {
    return { erased: this.#erased, held: this.#held, holds: Object.fromEntries(this.#keeping) };
  }
}

/**
 * Looks through the next records, for a bounded time: which are due, and which of those a hold keeps.
 * @param take what is done with each record that is due and held by nothing, in the order of seq_no
 * @returns how far it came, and the tally with what it found
 */
export function examine(
  store: Store,
  step: Step,
  take: (due: DueRecord) => void,
): { readonly position: number; readonly tally: Tally } {
  const { orgId, plan, holds, toSeqNo } = step;
  const ends = performance.now() + STEP_MS;
  const rules = rulesOfPlan(plan);
  const count = new Count(step);
  let { position } = step;
  const isOver = (): boolean => count.due >= STEP_RECORDS || performance.now() >= ends;
  const look = (record: RecordTexts): void => {
    const at = decidingRule(rules, record);
    const before = plan[at]?.before ?? null;
    if (before === null || record.head.receivedAt >= before) return;
    const { state } = record;
    if (state !== 'there' && state !== 'salted') return;
    const by = holds.filter(({ covers }) => covers(record));
    if (by.length > 0) count.held(by);
    else {
      count.erased(at);
      take({ record, isSalted: state === 'salted' });
    }
  };
  do {
    const to = Math.min(position + WINDOW, toSeqNo);
    const heads = headsWithPayload(store, orgId, { after: position, to });
    let last = to;
    for (const head of heads) {
      look(new RecordTexts(store, head));
      if (!isOver()) continue;
      last = head.seqNo;
      break;
    }
    position = last;
  } while (position < toSeqNo && !isOver());
  return { position, tally: count.tally };
}
