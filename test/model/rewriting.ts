/**
 * The ways in which an operator can have another history than the true one, one step each. Everything is sealed, chained and
 * signed anew upon it. What the operator cannot do is sign as an honest agent: of these there are only the records that they
 * once signed, whole or altered without their signature.
 */
import type { OperationRecord } from '../../src/protocol/index.ts';
import { type Act, type History, recordOf, SIGNED } from './history.ts';

export interface Rewriting {
  readonly what: string;
  readonly apply: (history: History) => History | null;
}

/** Acts that can be put in at a place: what an operator may want to have happened. */
interface Insertion {
  readonly what: string;
  readonly acts: (at: number) => readonly Act[];
}

const puppet = (operation: string, issuedAt: number, previous: OperationRecord | null = null): OperationRecord =>
  recordOf({ agent: 'puppet', key: 'operators-own', operation, previous, issuedAt });

/** Signed with the operator's own key in the name of an honest agent. */
const forged = (agent: 'ann' | 'bob', issuedAt: number, previous: OperationRecord | null): OperationRecord =>
  recordOf({ agent, key: 'operators-own', operation: `forged for ${agent}`, previous, issuedAt });

const RECORDS: readonly Insertion[] = [
  ...Object.entries(SIGNED).map(([name, eor]) => ({
    what: `${name} accepted again`,
    acts: (at: number): readonly Act[] => [{ act: 'record', eor, at }],
  })),
  {
    what: 'a record of a puppet',
    acts: (at) => [
      { act: 'register', agent: 'puppet', key: 'operators-own', at },
      { act: 'record', eor: puppet('p1', at), at },
    ],
  },
  {
    what: 'a record of a puppet that no event registers',
    acts: (at) => [{ act: 'record', eor: puppet('p1', at), at }],
  },
  ...(['ann', 'bob'] as const).flatMap((agent): readonly Insertion[] => [
    {
      what: `a record in the name of ${agent}, with a key that the log gives`,
      acts: (at) => [
        { act: 'add_key', agent, key: 'operators-own', at },
        { act: 'record', eor: forged(agent, at, agent === 'ann' ? SIGNED.a3 : SIGNED.b2), at },
      ],
    },
    {
      what: `a first record in the name of ${agent}, with a key that the log does not give`,
      acts: (at) => [{ act: 'record', eor: forged(agent, at, null), at }],
    },
  ]),
];

const EVENTS: readonly Insertion[] = [
  ...(['ann', 'bob'] as const).flatMap((agent) =>
    (['freeze', 'unfreeze', 'delete'] as const).map((act) => ({
      what: `${act} ${agent}`,
      acts: (at: number): readonly Act[] => [{ act, agent, at }],
    })),
  ),
  { what: 'revoke_key ann-1', acts: (at) => [{ act: 'revoke_key', agent: 'ann', key: 'ann-1', at }] },
  { what: 'revoke_key bob-1', acts: (at) => [{ act: 'revoke_key', agent: 'bob', key: 'bob-1', at }] },
  { what: 'an event about nobody', acts: (at) => [{ act: 'note', at }] },
  { what: 'seal', acts: (at) => [{ act: 'seal', at }] },
];

/** Half a tick behind the act before: no other act of the true history is there. */
const inserted =
  (place: number, acts: Insertion['acts']): Rewriting['apply'] =>
  (history) => {
    const previous = history[place - 1];
    return previous === undefined ? null : history.toSpliced(place, 0, ...acts(previous.at + 0.5));
  };

function insertions(length: number, kinds: readonly Insertion[]): Rewriting[] {
  return kinds.flatMap(({ what, acts }) =>
    Array.from({ length }, (_, n) => ({ what: `${what} behind act ${n + 1}`, apply: inserted(n + 1, acts) })),
  );
}

const changed =
  (place: number, change: (act: Act, history: History) => Act | null): Rewriting['apply'] =>
  (history) => {
    const act = history[place];
    const other = act === undefined ? null : change(act, history);
    return other === null ? null : history.with(place, other);
  };

/** Each act left out; each two neighbours in the other order, with their times or each with the other's. */
function rearranged(length: number): Rewriting[] {
  return Array.from({ length }, (_, n): Rewriting[] => [
    { what: `act ${n + 1} left out`, apply: (history) => (n < history.length ? history.toSpliced(n, 1) : null) },
    {
      what: `acts ${n + 1} and ${n + 2} in the other order`,
      apply: (history) => {
        const [a, b] = [history[n], history[n + 1]];
        return a === undefined || b === undefined
          ? null
          : history.toSpliced(n, 2, { ...b, at: a.at }, { ...a, at: b.at });
      },
    },
    {
      what: `acts ${n + 1} and ${n + 2} in the other order, with their own times`,
      apply: (history) => {
        const [a, b] = [history[n], history[n + 1]];
        return a === undefined || b === undefined ? null : history.toSpliced(n, 2, b, a);
      },
    },
  ]).flat();
}

/** Each act at the time of the one before it, of the one behind it, before all, or long after. */
function retimed(length: number): Rewriting[] {
  const times: readonly (readonly [string, (history: History, place: number) => number | undefined])[] = [
    ['as the act before it', (history, n) => history[n - 1]?.at],
    ['as the act behind it', (history, n) => history[n + 1]?.at],
    ['a tick after the act behind it', (history, n) => (history[n + 1]?.at ?? Number.NaN) + 0.25],
    ['before all others', () => -10],
    ['half a tick later', (history, n) => (history[n]?.at ?? Number.NaN) + 0.5],
  ];
  return Array.from({ length }, (_, n) =>
    times.map(([when, timeOf]) => ({
      what: `act ${n + 1} dated ${when}`,
      apply: changed(n, (act, history) => {
        const at = timeOf(history, n);
        return at === undefined || Number.isNaN(at) ? null : { ...act, at };
      }),
    })),
  ).flat();
}

/** Each record with another content, or another record in its place. */
function replaced(length: number): Rewriting[] {
  const kinds: readonly (readonly [string, (eor: OperationRecord, at: number) => OperationRecord])[] = [
    ['another subject', (eor) => ({ ...eor, subject: 'something else' })],
    ['another payload', (eor) => ({ ...eor, payload: { what: 'something else' } })],
    ['the chain of another begun', (eor) => ({ ...eor, prev_chain_hash: null })],
    ['a record with the same nonce', (eor, at) => puppet('p2', at, eor)],
    ['a1', () => SIGNED.a1],
    ['b2', () => SIGNED.b2],
  ];
  return Array.from({ length }, (_, n) =>
    kinds.map(([what, make]) => ({
      what: `${what} in act ${n + 1}`,
      apply: changed(n, (act) => (act.act === 'record' ? { ...act, eor: make(act.eor, act.at) } : null)),
    })),
  ).flat();
}

/** Each key given to an agent replaced by the operator's own; each rotation ignored by the old key. */
function rekeyed(length: number): Rewriting[] {
  return Array.from({ length }, (_, n): Rewriting[] => [
    {
      what: `the operator's own key in act ${n + 1}`,
      apply: changed(n, (act) =>
        act.act === 'register' || act.act === 'add_key' ? { ...act, key: 'operators-own' } : null,
      ),
    },
    {
      what: `the rotation in act ${n + 1} ignored`,
      apply: changed(n, (act) => (act.act === 'rotate' ? { ...act, ignored: true } : null)),
    },
  ]).flat();
}

/** Every single step for histories of a length. */
export function rewritings(length: number): readonly Rewriting[] {
  return [
    ...rearranged(length),
    ...retimed(length),
    ...replaced(length),
    ...rekeyed(length),
    ...insertions(length, RECORDS),
    ...insertions(length, EVENTS),
  ];
}

/** The steps that pairs are made of: something taken away, and something put in or done. */
export function essential(length: number): readonly Rewriting[] {
  return [
    ...rearranged(length).filter(({ what }) => what.endsWith('left out')),
    ...replaced(length).filter(({ what }) => what.startsWith('another')),
    ...insertions(length, RECORDS),
    ...insertions(
      length,
      EVENTS.filter(({ what }) => what === 'seal' || what.endsWith('bob')),
    ),
  ];
}
