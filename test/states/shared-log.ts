/**
 * The rules by which several nodes keep one ledger in a log that another engine keeps: R1 to R5, beat, fail-stop, takeover, rotation and cut.
 * A commit is four steps here, between any of which everything else may happen: the entry is made, the engine writes it, the standby of the
 * engine has it, and the node learns so. A node that stands still is one whose next step comes late.
 *
 * The engine is a primary and a synchronous standby. It answers without a notice once both have a row; a wait that is cancelled ends with a notice,
 * one that is cut off with nothing, and in both cases, as after a crash that the primary recovers from, everybody sees the row though the standby
 * may lack it. Promoted, the standby is all there is.
 *
 * Left out: time (any node may take over at any moment), content of records beyond who made them, more than one organization (a chain each, with
 * the same log), and partial writes (engines and SQLite are atomic).
 */
import type { Model } from './explore.ts';

export interface Entry {
  readonly id: number;
  /** Of the entry before it in its maker's ledger; 0 for none. */
  readonly prev: number;
  readonly kind: 'record' | 'term' | 'beat' | 'rotation';
  /** Number of the record in the ledger; of others that of the last record before. */
  readonly seq: number;
  /** How many rotations the maker's key file has. */
  readonly key: number;
  /** Place of the last entry that the maker had applied: that one is kept. */
  readonly kept: number;
}

interface Sent {
  readonly entry: Entry;
  readonly place: number;
  /** What the node read before it, beyond its ledger, and applies with it: at a takeover. */
  readonly before: readonly Entry[];
  readonly at: 'made' | 'waits' | 'kept' | 'notice' | 'nothing' | 'refused';
}

interface Node {
  readonly role: 'active' | 'standby' | 'refused';
  /** Its SQLite ledger, which a crash leaves whole: entries in the order of their places, from the first. */
  readonly ledger: readonly Entry[];
  /** How many rotations its key file has. */
  readonly key: number;
  readonly sent: Sent | null;
}

/** By place; null where there is no row. */
type Rows = readonly (Entry | null)[];

interface Engine {
  readonly isUp: boolean;
  readonly reaches: boolean;
  /** What the disk of the primary has. The row that a commit waits for is seen by nobody. */
  readonly primary: Rows;
  readonly standby: Rows;
  /** Place of that row. */
  readonly unseen: number | null;
  /** Rows up to this place were cut off. */
  readonly cut: number;
}

export interface SharedLogState {
  readonly engine: Engine;
  readonly nodes: readonly Node[];
  /** Ids of every record that any node's ledger ever had, by number: that is what reads, receipts and webhooks show. */
  readonly shown: readonly (readonly number[])[];
  readonly nextId: number;
  readonly faults: number;
  /** What a step itself found broken. */
  readonly broken: string | null;
}

/** Which rules are kept. Each that is taken away has to lead to a counterexample. */
export interface Rules {
  /** A place is taken only on its predecessor, by id. */
  readonly R1: boolean;
  /** Only an answer without a notice counts. */
  readonly R2: boolean;
  /** A ledger has only what is kept. */
  readonly R3: boolean;
  /** Nobody reads on from a log that lacks their last entry. */
  readonly R4: boolean;
  /** Taking over is an entry. */
  readonly R5: boolean;
  /** The entry of a rotation has the new key file, and a node takes that into use when it applies the entry. */
  readonly bringsKey: boolean;
}

export const ALL_RULES: Rules = { R1: true, R2: true, R3: true, R4: true, R5: true, bringsKey: true };

export interface Bounds {
  readonly nodes: number;
  readonly places: number;
  readonly faults: number;
  /** Whether an old copy of the engine may be put in place of it: then records may be lost, but no node may build on it. */
  readonly restores: boolean;
  readonly rotations: boolean;
  readonly cuts: boolean;
  readonly beats: boolean;
}

const at = <T>(list: readonly T[], index: number): T => {
  const found = list[index];
  if (found === undefined) throw new Error(`nothing at ${index}`);
  return found;
};
const put = <T>(list: readonly T[], index: number, value: T): T[] => list.map((one, n) => (n === index ? value : one));
const lastOf = (node: Node): Entry | undefined => node.ledger.at(-1);
const seqOf = (entries: readonly Entry[]): number => entries.at(-1)?.seq ?? 0;
const rotationsOf = (entries: readonly Entry[]): number => entries.filter(({ kind }) => kind === 'rotation').length;
const LETTERS = 'ABC';

/** What everybody sees at a place, from 1. */
function seenAt({ primary, unseen }: Engine, place: number): Entry | null {
  return place === unseen ? null : (primary[place - 1] ?? null);
}

function withRow(rows: Rows, place: number, entry: Entry): Rows {
  const padded = [...rows, ...Array.from({ length: Math.max(0, place - rows.length) }, () => null)];
  return put(padded, place - 1, entry);
}

export function sharedLog(rules: Rules, bounds: Bounds): Model<SharedLogState> {
  const withNode = (state: SharedLogState, n: number, change: Partial<Node>): SharedLogState => ({
    ...state,
    nodes: put(state.nodes, n, { ...at(state.nodes, n), ...change }),
  });
  const withEngine = (state: SharedLogState, change: Partial<Engine>): SharedLogState => ({
    ...state,
    engine: { ...state.engine, ...change },
  });
  /** Tells the node whose commit waits how that ended. */
  const told = (state: SharedLogState, how: Sent['at']): SharedLogState => ({
    ...state,
    nodes: state.nodes.map((node) => (node.sent?.at === 'waits' ? { ...node, sent: { ...node.sent, at: how } } : node)),
  });
  const fault = (state: SharedLogState): SharedLogState => ({ ...state, faults: state.faults - 1 });

  /** Into the ledger of a node, one after the other, in one transaction of SQLite each. */
  function applied(state: SharedLogState, n: number, entries: readonly Entry[]): SharedLogState {
    let node = at(state.nodes, n);
    let { shown, broken } = state;
    for (const entry of entries) {
      if ((lastOf(node)?.id ?? 0) !== entry.prev)
        broken ??= 'a ledger has an entry behind another than it was made for';
      if (entry.kind === 'record' && entry.key !== rotationsOf(node.ledger)) {
        broken ??= 'a record is signed by another key than the ledger has at its place';
      }
      const isOwn = node.sent?.entry.id === entry.id;
      const takesKey = entry.kind === 'rotation' && (rules.bringsKey || isOwn);
      node = { ...node, ledger: [...node.ledger, entry], key: node.key + (takesKey ? 1 : 0) };
      if (entry.kind === 'record') {
        const known = shown[entry.seq - 1] ?? [];
        if (!known.includes(entry.id)) {
          const padded = [...shown, ...Array.from({ length: Math.max(0, entry.seq - shown.length) }, () => [])];
          shown = put(
            padded,
            entry.seq - 1,
            [...known, entry.id].toSorted((a, b) => a - b),
          );
        }
      }
    }
    return { ...withNode(state, n, node), shown, broken };
  }

  function made(state: SharedLogState, n: number, kind: Entry['kind'], before: readonly Entry[]): SharedLogState {
    const node = at(state.nodes, n);
    const ledger = [...node.ledger, ...before];
    const entry: Entry = {
      id: state.nextId,
      prev: ledger.at(-1)?.id ?? 0,
      kind,
      seq: seqOf(ledger) + (kind === 'record' ? 1 : 0),
      key: node.key,
      kept: node.ledger.length,
    };
    const sent: Sent = { entry, place: ledger.length + 1, before, at: 'made' };
    const next = withNode({ ...state, nextId: state.nextId + 1 }, n, { sent });
    return rules.R3 || kind === 'term' ? next : applied(next, n, [entry]);
  }

  /** Rows behind the end of a ledger, without a gap; null where R4 forbids to read on. */
  function behind({ engine }: SharedLogState, { ledger }: Node): Entry[] | null {
    const own = ledger.at(-1);
    if (rules.R4 && own !== undefined && seenAt(engine, ledger.length)?.id !== own.id) return null;
    const rows: Entry[] = [];
    for (let place = ledger.length + 1; ; place++) {
      const row = seenAt(engine, place);
      if (row === null && (rules.R4 || place > engine.cut)) return rows;
      if (row !== null) rows.push(row);
    }
  }

  /** Anything but a clean answer ends the instance, which starts again as standby. */
  const stopped = (state: SharedLogState, n: number): SharedLogState =>
    withNode(state, n, { role: 'standby', sent: null });

  function* ofNode(state: SharedLogState, n: number): Generator<readonly [string, SharedLogState]> {
    const node = at(state.nodes, n);
    const name = LETTERS[n] ?? '';
    const { engine } = state;
    const { sent } = node;
    if (node.role === 'active' && sent === null && node.ledger.length < bounds.places) {
      yield [`${name} makes a record`, made(state, n, 'record', [])];
      if (bounds.beats) yield [`${name} makes a beat`, made(state, n, 'beat', [])];
      if (bounds.rotations && rotationsOf(node.ledger) === 0) {
        yield [`${name} makes a rotation`, made(state, n, 'rotation', [])];
      }
    }
    if (node.role === 'standby' && sent === null && engine.isUp) {
      const rows = behind(state, node);
      if (rows === null)
        yield [`${name} finds its last entry gone, and refuses`, withNode(state, n, { role: 'refused' })];
      else {
        const kept = rules.R3 ? Math.max(0, ...rows.map((row) => row.kept)) - node.ledger.length : rows.length;
        if (kept > 0) yield [`${name} applies ${kept}`, applied(state, n, rows.slice(0, kept))];
        const place = node.ledger.length + rows.length + 1;
        if (rules.R5) {
          if (place <= bounds.places) yield [`${name} makes a term`, made(state, n, 'term', rows)];
        } else yield [`${name} takes over`, withNode(applied(state, n, rows), n, { role: 'active' })];
      }
    }
    if (sent === null) return;
    if (sent.at === 'made' && engine.isUp) {
      const row = engine.primary[sent.place - 1] ?? null;
      const isCut = sent.place <= engine.cut;
      // Whoever comes second to a place waits for the first.
      if (!(row !== null && engine.unseen === sent.place)) {
        const follows = sent.entry.prev === 0 || seenAt(engine, sent.place - 1)?.id === sent.entry.prev;
        if (row !== null || isCut || (rules.R1 && !follows)) {
          yield [`the engine refuses ${name}`, withNode(state, n, { sent: { ...sent, at: 'refused' } })];
        } else if (engine.unseen === null) {
          const primary = withRow(engine.primary, sent.place, sent.entry);
          const next = withEngine(state, { primary, unseen: sent.place });
          yield [`the engine writes ${name}'s entry`, withNode(next, n, { sent: { ...sent, at: 'waits' } })];
        }
      }
    }
    const counts = sent.at === 'kept' || (sent.at === 'notice' && !rules.R2);
    if (counts) {
      const role = sent.entry.kind === 'term' ? 'active' : node.role;
      const entries = rules.R3 || sent.entry.kind === 'term' ? [...sent.before, sent.entry] : [];
      yield [`${name} learns that it is kept`, withNode(applied(state, n, entries), n, { sent: null, role })];
    } else if (sent.at === 'notice' || sent.at === 'nothing' || sent.at === 'refused') {
      yield [`${name} learns ${sent.at}, and stops`, stopped(state, n)];
    }
    if (state.faults > 0) yield [`${name} dies`, stopped(fault(told1(state, n)), n)];
  }

  /** Nobody hears the answer to a node that died. */
  const told1 = (state: SharedLogState, n: number): SharedLogState => withNode(state, n, { sent: null });

  function* ofEngine(state: SharedLogState): Generator<readonly [string, SharedLogState]> {
    const { engine } = state;
    const waits = engine.unseen !== null;
    if (engine.isUp && engine.reaches && JSON.stringify(engine.standby) !== JSON.stringify(engine.primary)) {
      const next = withEngine(state, { standby: engine.primary, unseen: null });
      yield ['the standby of the engine has all', told(next, 'kept')];
      if (waits && state.faults > 0)
        yield ['the standby of the engine has all, and the answer is lost', told(fault(next), 'nothing')];
    }
    if (!engine.isUp) {
      yield ['the primary recovers', withEngine(state, { isUp: true, unseen: null })];
      const promoted = { isUp: true, reaches: true, primary: engine.standby, unseen: null };
      yield ['the standby of the engine is promoted', withEngine(state, promoted)];
    }
    if (engine.isUp && !engine.reaches)
      yield ['the standby of the engine is back', withEngine(state, { reaches: true })];
    const oldest = Math.min(...state.nodes.map(({ ledger }) => ledger.length), engine.standby.length);
    if (bounds.cuts && engine.isUp && !waits && engine.cut === 0 && Math.max(oldest, engine.standby.length - 1) > 1) {
      const cut = engine.standby.length - 1;
      const without = (rows: Rows): Rows => rows.map((row, n) => (n < cut ? null : row));
      const change = { primary: without(engine.primary), standby: without(engine.standby), cut };
      yield [`the log is cut up to ${cut}`, withEngine(state, change)];
    }
    if (state.faults === 0) return;
    if (engine.isUp && waits) {
      yield ['the wait is cancelled', told(withEngine(fault(state), { unseen: null }), 'notice')];
      yield ['the connection is cut off', told(withEngine(fault(state), { unseen: null }), 'nothing')];
    }
    if (engine.isUp && engine.reaches)
      yield ['the standby of the engine is away', withEngine(fault(state), { reaches: false })];
    if (engine.isUp) yield ['the primary dies', told(withEngine(fault(state), { isUp: false }), 'nothing')];
    if (bounds.restores && engine.isUp && !waits && engine.primary.length > 1) {
      const older = engine.primary.slice(0, -1);
      yield [
        'an older copy is put in place',
        withEngine(fault(state), { primary: older, standby: older, reaches: true }),
      ];
    }
  }

  const newNode: Node = { role: 'standby', ledger: [], key: 0, sent: null };
  return {
    initial: {
      engine: { isUp: true, reaches: true, primary: [], standby: [], unseen: null, cut: 0 },
      nodes: Array.from({ length: bounds.nodes }, () => newNode),
      shown: [],
      nextId: 1,
      faults: bounds.faults,
      broken: null,
    },
    *steps(state) {
      for (const n of state.nodes.keys()) yield* ofNode(state, n);
      yield* ofEngine(state);
    },
    canonical: renamed,
    broken(state) {
      if (state.broken !== null) return state.broken;
      if (bounds.restores) return null;
      if (state.shown.some((ids) => ids.length > 1)) return 'two records of one number were shown';
      // What is on both disks outlives any one of them; what was shown has to be there, or in the node's own ledger behind a cut.
      const durable = new Set(state.engine.standby.flatMap((row) => (row === null ? [] : [row.id])));
      const isLost = state.shown.some((ids, n) => ids.some((id) => !durable.has(id) && !isCutOff(state, n + 1)));
      return isLost ? 'a record was shown that the log may lose' : null;
    },
  };
}

/** Entries by the order in which they are met: which one was made first, and what became of nothing, makes no difference. */
function renamed(state: SharedLogState): SharedLogState {
  const names = new Map<number, number>([[0, 0]]);
  const nameOf = (id: number): number => {
    const name = names.get(id) ?? names.size;
    names.set(id, name);
    return name;
  };
  const entry = (one: Entry): Entry => ({ ...one, prev: nameOf(one.prev), id: nameOf(one.id) });
  const rows = (all: Rows): Rows => all.map((row) => (row === null ? null : entry(row)));
  const { engine, nodes, shown } = state;
  const standby = rows(engine.standby);
  const primary = rows(engine.primary);
  const renamedNodes = nodes.map((node) => ({
    ...node,
    ledger: node.ledger.map(entry),
    sent:
      node.sent === null ? null : { ...node.sent, before: node.sent.before.map(entry), entry: entry(node.sent.entry) },
  }));
  const renamedShown = shown.map((ids) => ids.map(nameOf).toSorted((a, b) => a - b));
  return {
    ...state,
    engine: { ...engine, primary, standby },
    nodes: renamedNodes,
    shown: renamedShown,
    nextId: names.size,
  };
}

/** Whether the row of a record was cut off, which is done only to what is kept. */
function isCutOff({ engine, nodes }: SharedLogState, seq: number): boolean {
  return nodes.some(({ ledger }) => {
    const place = ledger.findIndex((entry) => entry.kind === 'record' && entry.seq === seq);
    return place !== -1 && place < engine.cut;
  });
}
