import { type CallTimes, OUTCOMES, type Outcome, timesOfCall } from '../../../actions/index.ts';
import { Bits } from './bits.ts';
import { recordsOfCalls } from './groups.ts';
import { callsOf } from './indexed-calls.ts';
import { type ColumnsView, keptOfView } from './kept-of-view.ts';

/**
 * The actions of a shelf: each stands at its first record, and has all records of its call, whichever agents issued them. A record that
 * is of no call is an action by itself.
 */
export interface IndexedActions {
  /** The first record of each action. */
  readonly leads: Bits;
  readonly leadOf: (n: number) => number;
  /** The first records of the actions that some records are of. */
  readonly of: (records: Bits) => Bits;
  /** The records of an action, in rising order. */
  readonly records: (lead: number) => ArrayLike<number> & Iterable<number>;
  /** Calls with each record of an action, in rising order. */
  readonly eachOf: (lead: number, visit: (n: number) => void) => void;
  /** For each action, at its first record, the first of its records that is meant; 0 where none is. */
  readonly firstOf: (isMeant: (n: number) => boolean) => Uint32Array;
  /** All records of some actions. @param leads their first records */
  readonly all: (leads: Bits) => Bits;
}

function firstBy(view: ColumnsView, leadOf: (n: number) => number): IndexedActions['firstOf'] {
  return (isMeant) => {
    const { size } = view.columns;
    const firsts = new Uint32Array(size);
    for (let n = 1; n < size; n++) {
      if (!isMeant(n)) continue;
      const lead = leadOf(n);
      if (firsts[lead] === 0) firsts[lead] = n;
    }
    return firsts;
  };
}

function recordsUpTo(size: number): Bits {
  const all = Bits.all(size);
  all.delete(0);
  return all;
}

export const actionsOf = keptOfView((view): IndexedActions => {
  const { ids, digests } = view.columns.category('call');
  const leads = recordsUpTo(view.columns.size);
  if (digests.length <= 1) {
    const same = (records: Bits): Bits => records;
    const leadOf = (n: number): number => n;
    const eachOf: IndexedActions['eachOf'] = (lead, visit) => visit(lead);
    return { leads, leadOf, of: same, records: (lead) => [lead], all: same, eachOf, firstOf: firstBy(view, leadOf) };
  }
  const first = new Uint32Array(digests.length);
  for (let n = 1; n < ids.length; n++) {
    const call = ids[n] as number;
    if (call === 0) continue;
    if (first[call] === 0) first[call] = n;
    else leads.delete(n);
  }
  const of = (records: Bits): Bits => {
    const found = new Bits(view.columns.size);
    records.each((n) => {
      const call = ids[n] as number;
      found.add(call === 0 ? n : (first[call] as number));
    });
    return found;
  };
  const callAt = (n: number): number => ids[n] ?? 0;
  const records: IndexedActions['records'] = (lead) => {
    const call = callAt(lead);
    return call === 0 ? [lead] : recordsOfCalls(view).of(call);
  };
  const eachOf: IndexedActions['eachOf'] = (lead, visit) => {
    const call = callAt(lead);
    if (call === 0) visit(lead);
    else recordsOfCalls(view).each(call, visit);
  };
  const every = leads.count();
  const all = (some: Bits): Bits => {
    if (some.count() === every) return recordsUpTo(view.columns.size);
    const found = some.within(0, view.columns.size);
    some.each((lead) => {
      if (callAt(lead) !== 0) eachOf(lead, (n) => found.add(n));
    });
    return found;
  };
  const leadOf = (n: number): number => first[callAt(n)] || n;
  return { leads, leadOf, of, records, all, eachOf, firstOf: firstBy(view, leadOf) };
});

/** What became of an action: of its call as a whole, or what a single record says itself. */
export function outcomeOfAction(view: ColumnsView, lead: number): Outcome | null {
  const calls = callsOf(view);
  const call = view.columns.category('call').ids[lead] ?? 0;
  return call === 0 ? calls.ownOutcome(lead) : calls.outcomeOf(call);
}

/** Which actions became what. */
export const actionsByOutcome = keptOfView((view): ReadonlyMap<string, Bits> => {
  const found = new Map<string, Bits>(OUTCOMES.map((outcome) => [outcome, new Bits(view.columns.size)]));
  actionsOf(view).leads.each((lead) => {
    const outcome = outcomeOfAction(view, lead);
    if (outcome !== null) found.get(outcome)?.add(lead);
  });
  return found;
});

/** When an action began and ended. @param ns its records, in order */
export function timesOfAction(view: ColumnsView, ns: ArrayLike<number>): CallTimes {
  const [issued, duration] = [view.columns.number('issued'), view.columns.number('duration')];
  return timesOfCall(ns, {
    phase: callsOf(view).actingPhase,
    issued: (n) => issued[n] ?? Number.NaN,
    duration: (n) => duration[n] ?? Number.NaN,
  });
}

/** When each action began, by its first record: the earliest time that its records say. */
export const begunOfActions = keptOfView((view): Float64Array => {
  const { leadOf } = actionsOf(view);
  const issued = view.columns.number('issued');
  const all = new Float64Array(view.columns.size);
  for (let n = 1; n < all.length; n++) {
    const [lead, own] = [leadOf(n), issued[n] ?? 0];
    if (lead === n || own < (all[lead] as number)) all[lead] = own;
  }
  return all;
});

/** How long each action took, by its first record; NaN where that is not known, and for all other records. */
export const durationsOfActions = keptOfView((view): Float64Array => {
  const { leads, records } = actionsOf(view);
  const own = view.columns.number('duration');
  const calls = view.columns.category('call').ids;
  const all = new Float64Array(view.columns.size).fill(Number.NaN);
  leads.each((lead) => {
    const took = calls[lead] === 0 ? own[lead] : timesOfAction(view, records(lead)).took;
    all[lead] = took ?? Number.NaN;
  });
  return all;
});
