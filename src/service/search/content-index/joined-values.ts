import { type FieldsWith, fieldsWith, isFieldWith, LEAVING_OUT, lackingFields } from '../../../actions/index.ts';
import type { Bits } from './bits.ts';
import type { Category } from './columns.ts';
import { Groups, recordsOfCalls } from './groups.ts';
import { callsOf } from './indexed-calls.ts';
import { type ColumnsView, keptOfView } from './kept-of-view.ts';
import type { ReadRecord } from './record-content.ts';

/** Fields that an end has from its call where it does not name them: from records of the agent that acts. */
export type JoinedField = FieldsWith<{ joined: true }>;
export const JOINED_FIELDS = fieldsWith({ joined: true });
export type JoinedCategory = FieldsWith<{ joined: true; column: 'category' }>;

/** Which ends have a field from which record of their call: the first that names it. Both lists are of the same length. */
interface Inherited {
  readonly ends: Uint32Array;
  readonly givers: Uint32Array;
}

/** Whether a record names a field, by its number. */
function namedIn({ columns }: ColumnsView, name: JoinedField): (n: number) => boolean {
  if (isFieldWith(name, { column: 'list' })) {
    const { starts } = columns.list(name);
    return (n) => (starts[n] ?? 0) < (starts[n + 1] ?? 0);
  }
  const { ids } = columns.category(name);
  return (n) => (ids[n] ?? 0) !== 0;
}

function readInherited(view: ColumnsView, name: JoinedField): Inherited {
  const { ids: calls, digests } = view.columns.category('call');
  if (digests.length <= 1) return { ends: new Uint32Array(), givers: new Uint32Array() };
  const isNamed = namedIn(view, name);
  const { actingPhase } = callsOf(view);
  const giver = new Uint32Array(digests.length);
  const lacking: number[] = [];
  for (let n = 1; n < calls.length; n++) {
    const call = calls[n] ?? 0;
    if (call === 0) continue;
    const phase = actingPhase(n);
    if (phase === null) continue;
    if (isNamed(n)) giver[call] ||= n;
    else if (LEAVING_OUT.has(phase)) lacking.push(n);
  }
  const ends = Uint32Array.from(lacking.filter((n) => giver[calls[n] ?? 0] !== 0));
  return { ends, givers: ends.map((n) => giver[calls[n] ?? 0] ?? 0) };
}

/** For each joined field, when it is first asked for. */
const inheritedOf = keptOfView((view) => {
  const known = new Map<JoinedField, Inherited>();
  return (name: JoinedField): Inherited => {
    const found = known.get(name) ?? readInherited(view, name);
    known.set(name, found);
    return found;
  };
});

/** Whether any record has a field from its call. */
export function isInherited(view: ColumnsView, name: JoinedField): boolean {
  return inheritedOf(view)(name).ends.length > 0;
}

/** Records by what they say of a field themselves, and with them the ends that have it from one of them. */
export function withInherited(view: ColumnsView, name: JoinedField, records: Bits): Bits {
  const { ends, givers } = inheritedOf(view)(name);
  const all = records.within(0, view.columns.size);
  for (let i = 0; i < ends.length; i++) if (records.has(givers[i] ?? 0)) all.add(ends[i] ?? 0);
  return all;
}

/** The record that says a field for another one: itself, but of an end that does not name it. */
export const sayingRecords = keptOfView((view) => {
  const known = new Map<JoinedField, Uint32Array | null>();
  return (name: JoinedField): Uint32Array | null => {
    let found = known.get(name);
    if (found === undefined) {
      const { ends, givers } = inheritedOf(view)(name);
      found = ends.length === 0 ? null : Uint32Array.from({ length: view.columns.size }, (_, n) => n);
      for (let i = 0; i < ends.length; i++) if (found !== null) found[ends[i] ?? 0] = givers[i] ?? 0;
      known.set(name, found);
    }
    return found;
  };
});

const joinedCategories = keptOfView((view) => {
  const known = new Map<JoinedCategory, Category>();
  return (name: JoinedCategory): Category => {
    let found = known.get(name);
    if (found === undefined) {
      const own = view.columns.category(name);
      const { ends, givers } = inheritedOf(view)(name);
      const ids = ends.length === 0 ? own.ids : own.ids.slice();
      for (let i = 0; i < ends.length; i++) ids[ends[i] ?? 0] = own.ids[givers[i] ?? 0] ?? 0;
      found = { ...own, ids };
      known.set(name, found);
    }
    return found;
  };
});

/** Up to this many records of a call are read to find what one of them has from the others; of a longer call the columns tell. */
const READ_OF_CALL = 16;

/**
 * The records of its call from which an end has what it does not name itself, in order. For a page of actions they are read: the columns
 * of these fields would be the most of what a first page waits for.
 * @param read reads another record
 */
export function giversOf(view: ColumnsView, n: number, end: ReadRecord, read: (n: number) => ReadRecord): number[] {
  const { ids } = view.columns.category('call');
  const { actingPhase } = callsOf(view);
  const call = ids[n] ?? 0;
  if (call === 0 || actingPhase(n) === null) return [];
  let lacking = lackingFields(end);
  const ofCall = recordsOfCalls(view).of(call);
  const givers = new Set<number>();
  if (ofCall.length > READ_OF_CALL) {
    for (const name of lacking) givers.add(sayingRecords(view)(name)?.[n] ?? n);
    givers.delete(n);
    return [...givers].sort((a, b) => a - b);
  }
  for (const other of ofCall) {
    if (lacking.length === 0) break;
    if (other === n || actingPhase(other) === null) continue;
    const unnamed = new Set(lackingFields(read(other)));
    if (lacking.every((name) => unnamed.has(name))) continue;
    givers.add(other);
    lacking = lacking.filter((name) => unnamed.has(name));
  }
  return [...givers];
}

/** The records of each session; an end that names none is of that of its call. */
export const recordsOfSessions = keptOfView((view) => {
  const { ids, digests } = joinedCategory(view, 'session');
  return new Groups(ids, digests.length);
});

/** A field of all records, with what ends have from their calls. */
export function joinedCategory(view: ColumnsView, name: JoinedCategory): Category {
  return joinedCategories(view)(name);
}
