import type { Access } from '../../../actions/index.ts';
import type { EntityRow, Unit } from '../../../api/index.ts';
import { formatTime } from '../../../protocol/index.ts';
import type { Bits } from '../content-index/bits.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { actionsOf } from '../content-index/indexed-actions.ts';
import { accessOf, entityDigest } from '../content-index/record-content.ts';

const MAX_AGENTS = 8;

/** What is counted of an entity. */
interface Gathered {
  records: number;
  first: number;
  last: number;
  readonly agents: Set<number>;
  readonly accesses: Record<Access, number>;
  /** Of each action, by its first record, the number of its strongest access; what is declared counts before what is guessed. */
  readonly actions: Map<number, number>;
}

function nothing(): Gathered {
  return {
    records: 0,
    first: Number.POSITIVE_INFINITY,
    last: Number.NEGATIVE_INFINITY,
    agents: new Set<number>(),
    accesses: { mentioned: 0, read: 0, send: 0, write: 0, delete: 0 },
    actions: new Map(),
  };
}

/** Kind and id of an entity by its number, from the first record that touches it. Null where that record no longer says so. */
function nameOfEntity(view: ContentView, id: number): { readonly kind: string; readonly id: string } | null {
  const { firsts, digests } = view.columns.list('entity');
  const { names } = view.reader;
  const { entity: touched } = view.record(firsts[id] ?? 0).facts;
  return touched.find((entity) => entityDigest(names, entity.kind, entity.id) === digests[id]) ?? null;
}

/**
 * Rows of entities, of the records of a set; null for one that none of them touches any more.
 * @param unit whether reads, writes and the like are records, or actions, each with its strongest access
 */
export function entityRows(view: ContentView, records: Bits, ids: readonly number[], unit: Unit): (EntityRow | null)[] {
  const { leadOf } = actionsOf(view);
  const wanted = new Map(ids.map((id) => [id, nothing()]));
  const { starts, ids: all } = view.columns.list('entity');
  const accesses = view.columns.list('access');
  const issued = view.columns.number('issued');
  const agents = view.columns.category('agent').ids;
  records.each((n) => {
    for (let at = starts[n] ?? 0; at < (starts[n + 1] ?? 0); at++) {
      const of = wanted.get(all[at] ?? 0);
      if (of === undefined) continue;
      // Numbers of accesses are digests too: the values are those of the list.
      const access = accesses.digests[accesses.ids[at] ?? 0] ?? 0;
      of.records++;
      if (unit === 'records') of.accesses[accessOf(access)]++;
      const lead = leadOf(n);
      of.actions.set(lead, Math.max(access, of.actions.get(lead) ?? 0));
      of.first = Math.min(of.first, issued[n] ?? of.first);
      of.last = Math.max(of.last, issued[n] ?? of.last);
      if (of.agents.size < MAX_AGENTS) of.agents.add(agents[n] ?? 0);
    }
  });
  return ids.map((number) => {
    const [name, of] = [nameOfEntity(view, number), wanted.get(number)];
    if (name === null || of === undefined || of.records === 0) return null;
    if (unit === 'actions') for (const access of of.actions.values()) of.accesses[accessOf(access)]++;
    return {
      kind: name.kind,
      id: name.id,
      records: of.records,
      actions: of.actions.size,
      agents: Array.from(of.agents, (agent) => view.text('agent', agent) ?? ''),
      first_at: formatTime(of.first),
      last_at: formatTime(of.last),
      reads: of.accesses.read,
      writes: of.accesses.write,
      deletes: of.accesses.delete,
      sends: of.accesses.send,
    };
  });
}
