/** Changes of a bundle's values, one at a time, in place. */
import { formatTime, parseTime } from '../../../src/protocol/index.ts';
import { serviceKid, uuid } from '../bundle-maker.ts';
import type { Draw } from './draw.ts';
import { PUBLIC_KEYS } from './keys.ts';
import { signAsServiceKey } from './reseal.ts';
import {
  type Branch,
  branchesOf,
  copyOf,
  isBranch,
  type Path,
  type Place,
  places,
  put,
  remove,
  type Tree,
  valueAt,
} from './tree.ts';
import { alike, anything, boundary, nested } from './values.ts';

/** @returns what was done, for whoever reads it */
export type Change = (root: Tree, draw: Draw, others: readonly Tree[]) => string;

/** A place of any kind: first the part of the bundle, then the kind, so that many records do not outweigh the rest. */
function placeIn(root: Tree, draw: Draw, wanted: (value: Tree | undefined) => boolean = () => true): Place | undefined {
  const found = places(root).filter(({ path }) => wanted(valueAt(root, path)));
  if (found.length === 0) return undefined;
  const grouped = (of: (place: Place) => string): Place[] => {
    const groups = Map.groupBy(found, of);
    return groups.get(draw.pick([...groups.keys()])) ?? found;
  };
  if (draw.chance(50)) return draw.pick(grouped(({ kind }) => kind));
  const part = grouped(({ path }) => String(path[0]));
  const kinds = Map.groupBy(part, ({ kind }) => kind);
  return draw.pick(kinds.get(draw.pick([...kinds.keys()])) ?? part);
}

const nameOf = (path: Path): string => String(path.findLast((step) => typeof step === 'string') ?? '');
const at = (path: Path): string => path.join('.');

const isLeaf = (value: Tree | undefined): boolean => typeof value !== 'object' || value === null;
const isList = (value: Tree | undefined): boolean => Array.isArray(value) && value.length > 0;

const alter: Change = (root, draw) => {
  const place = placeIn(root, draw, isLeaf);
  if (place === undefined) return 'nothing to alter';
  put(root, place.path, alike(valueAt(root, place.path) ?? null, nameOf(place.path), draw));
  return `alter ${at(place.path)}`;
};

const toBoundary: Change = (root, draw) => {
  const place = placeIn(root, draw);
  if (place === undefined) return 'nothing to alter';
  put(root, place.path, boundary(valueAt(root, place.path) ?? null, draw));
  return `boundary at ${at(place.path)}`;
};

const retype: Change = (root, draw) => {
  const place = placeIn(root, draw);
  if (place === undefined) return 'nothing to retype';
  put(root, place.path, anything(draw));
  return `another type at ${at(place.path)}`;
};

const deepen: Change = (root, draw) => {
  const place = placeIn(root, draw, (value) => isBranch(value ?? null));
  if (place === undefined) return 'nothing to nest in';
  put(root, [...place.path, draw.pick(Object.keys(valueAt(root, place.path) as Branch).concat('deep'))], nested(draw));
  return `nest in ${at(place.path)}`;
};

const take: Change = (root, draw) => {
  const place = placeIn(root, draw);
  if (place === undefined) return 'nothing to remove';
  remove(root, place.path);
  return `remove ${at(place.path)}`;
};

const addMember: Change = (root, draw) => {
  const place = placeIn(root, draw, (value) => isBranch(value ?? null));
  const [path, object] = place === undefined ? [[], root] : [place.path, valueAt(root, place.path)];
  if (!isBranch(object ?? null)) return 'nothing to add to';
  const name = draw.pick([
    'extra',
    'payload',
    'gap',
    'rest',
    'head',
    'eor',
    'withheld_events_digest',
    'clock_corrections',
    'keys',
    'type',
    'name',
    '',
  ]);
  put(root, [...path, name], anything(draw));
  return `add ${name} to ${at(path)}`;
};

/** Exchanges two values of one kind, or gives one the other's. */
const exchange: Change = (root, draw) => {
  const groups = [...Map.groupBy(places(root), ({ kind }) => kind).values()].filter(({ length }) => length > 1);
  if (groups.length === 0) return 'nothing to exchange';
  const group = draw.pick(groups);
  const [one, other] = [draw.pick(group).path, draw.pick(group).path];
  const [first, second] = [valueAt(root, one), valueAt(root, other)];
  if (first === undefined || second === undefined) return 'nothing to exchange';
  put(root, one, copyOf(second));
  if (draw.chance(60)) put(root, other, copyOf(first));
  return `exchange ${at(one)} and ${at(other)}`;
};

/** Puts in what another file has at the same place, or at another place of that kind. */
const borrow: Change = (root, draw, others) => {
  if (others.length === 0) return 'nobody to borrow from';
  const other = draw.pick(others);
  const place = placeIn(root, draw);
  if (place === undefined) return 'nothing to replace';
  const alikeThere = draw.chance(60) ? [place] : places(other).filter(({ kind }) => kind === place.kind);
  const value = alikeThere.length === 0 ? undefined : valueAt(other, draw.pick(alikeThere).path);
  if (value === undefined) return 'nothing to borrow';
  put(root, place.path, copyOf(value));
  return `borrow ${at(place.path)}`;
};

/** Puts in a whole part of another file. */
const borrowPart: Change = (root, draw, others) => {
  const other = others.length === 0 ? null : draw.pick(others);
  if (!isBranch(root) || !isBranch(other)) return 'nobody to borrow from';
  const name = draw.pick(Object.keys(other));
  root[name] = copyOf(other[name] ?? null);
  return `borrow all of ${name}`;
};

const rearrange: Change = (root, draw, others) => {
  const place = placeIn(root, draw, isList);
  const list = place && valueAt(root, place.path);
  if (place === undefined || !Array.isArray(list)) return 'nothing to rearrange';
  const [from, to] = [draw.below(list.length), draw.below(list.length)];
  const item = copyOf(list[from] ?? null);
  const how = draw.pick([
    'drop',
    'drop last',
    'drop first',
    'repeat',
    'swap',
    'reverse',
    'cut',
    'move',
    'insert',
    'fill',
  ]);
  if (how === 'drop') list.splice(from, 1);
  else if (how === 'drop last') list.pop();
  else if (how === 'drop first') list.shift();
  else if (how === 'repeat') list.splice(draw.chance(50) ? from : list.length, 0, item);
  else if (how === 'swap') [list[from], list[to]] = [list[to] ?? null, item];
  else if (how === 'reverse') list.reverse();
  else if (how === 'cut') list.length = from;
  else if (how === 'move') list.splice(to, 0, ...list.splice(from, 1));
  else if (how === 'fill') list.push(...Array.from({ length: draw.pick([2, 30, 64]) }, () => copyOf(item)));
  else {
    const theirs = others.length === 0 ? undefined : valueAt(draw.pick(others), place.path);
    if (Array.isArray(theirs) && theirs.length > 0) list.splice(to, 0, copyOf(draw.pick(theirs)));
  }
  return `${how} in ${at(place.path)} at ${from}`;
};

/** Moves all times from some instant on, or some of them, by the same time. */
const shiftTimes: Change = (root, draw) => {
  const by = draw.pick([1, -1, 1000, -1000, 3_600_000, -3_600_000, 300_000]);
  const share = draw.pick([10, 50, 100]);
  let moved = 0;
  for (const { path } of places(root)) {
    const value = valueAt(root, path);
    if (!draw.chance(share) || nameOf(path).startsWith('n')) continue;
    if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) {
      put(root, path, formatTime(parseTime(value) + by));
      moved++;
    } else if (typeof value === 'number' && value > 1e12 && value < 1e13) {
      put(root, path, value + by);
      moved++;
    }
  }
  return `shift ${moved} times by ${by}`;
};

/** Moves numbers of one name, all of them or those behind one. */
const shiftNumbers: Change = (root, draw) => {
  const name = draw.pick(['seq_no', 'epoch_no', 'first_seq_no', 'last_seq_no', 'leaf_count', 'leaf_index', 'count']);
  const by = draw.pick([1, -1, 2, 1000]);
  const from = draw.below(10);
  for (const { path } of places(root)) {
    const value = valueAt(root, path);
    if (path.at(-1) === name && typeof value === 'number' && value >= from) put(root, path, value + by);
  }
  return `${name} from ${from} on by ${by}`;
};

const event = (draw: Draw, events: readonly Branch[], agents: readonly Branch[]): Branch => {
  const action = draw.pick(['register', 'add_key', 'revoke_key', 'freeze', 'unfreeze', 'delete', 'update']);
  const model = draw.pick(events);
  const agent = draw.pick(agents);
  const key = branchesOf(agent['keys'])[0];
  const kid = draw.pick<Tree>(['k1', 'k2', key?.['kid'] ?? null]);
  const thumbprint = draw.pick([serviceKid(0), serviceKid(3)]);
  const details = draw.pick<Tree>([
    {},
    { kid },
    { kid, thumbprint },
    { keys: [{ kid, thumbprint }] },
    { keys: [] },
    { keys: {} },
  ]);
  const target_id = draw.pick<Tree>([agent['agent_id'] ?? null, 'agent-1', 'agent-9']);
  const added = {
    action: `agent.${action}`,
    target_type: 'agent',
    target_id,
    details,
    event_id: uuid(`added ${draw.below(5)}`),
  };
  return { ...copyOf(model), ...added };
};

/** Has the administrative log tell of one thing more. */
const addEvent: Change = (root, draw) => {
  const events = isBranch(root) ? root['admin_events'] : undefined;
  const [whole, agents] = [branchesOf(events).filter((one) => 'action' in one), branchesOf((root as Branch)['agents'])];
  if (!Array.isArray(events) || whole.length === 0 || agents.length === 0) return 'no log to add to';
  const added = event(draw, whole, agents);
  const place = draw.below(events.length + 1);
  const around = branchesOf(events.slice(Math.max(0, place - 1), place + 1));
  added['created_at'] = draw.pick(around)['created_at'] ?? 0;
  events.splice(place, 0, added);
  return `add the event ${String(added['action'])} at ${place}`;
};

const withholdOne: Change = (root, draw) => {
  const events = isBranch(root) ? root['admin_events'] : undefined;
  if (!Array.isArray(events) || events.length === 0) return 'nothing to withhold';
  const index = draw.below(events.length);
  const one = events[index];
  if (!isBranch(one)) return 'nothing to withhold';
  const { created_at = null, prev_event_hash = null, event_hash = null } = one;
  events[index] = { created_at, prev_event_hash, event_hash };
  return `withhold event ${index}`;
};

const addServiceKey: Change = (root, draw) => {
  const keys = isBranch(root) ? root['service_keys'] : undefined;
  const last = branchesOf(keys).at(-1);
  if (!Array.isArray(keys) || last === undefined) return 'no service keys';
  const number = draw.below(5);
  const created = Number(last['created_at']) + draw.pick([0, 1, 1000, 10_000, 100_000_000]);
  const added: Branch = {
    ...last,
    kid: serviceKid(number),
    public_key: PUBLIC_KEYS[number] ?? null,
    created_at: created,
    prev_kid: draw.pick<Tree>([null, last['kid'] ?? null, serviceKid(draw.below(4))]),
    prev_signature: null,
  };
  signAsServiceKey(added);
  keys.push(added);
  if (draw.chance(60)) Object.assign(last, { status: 'retired', retired_at: created });
  return `add service key ${number}`;
};

/** Signs from some place on with another service key. */
const otherSigner: Change = (root, draw) => {
  const kid = draw.pick([serviceKid(0), serviceKid(1), serviceKid(2), serviceKid(5)]);
  const named = places(root).filter(({ path }) => path.at(-1) === 'service_kid');
  if (named.length === 0) return 'nothing signed';
  const one = draw.below(named.length);
  for (const { path } of draw.chance(50) ? named.slice(one) : named.slice(one, one + 1)) put(root, path, kid);
  return `service_kid from ${one} on`;
};

/** What only names things, or is free to choose: to be told otherwise without contradicting anything. */
const FREE = new Set([
  ...['subject', 'action', 'operation_type', 'operation_id', 'nonce', 'ttl_ms', 'receipt_id', 'epoch_id', 'event_id'],
  ...['display_name', 'responsible_entity', 'integration_type', 'name', 'actor', 'export_id', 'updated_at', 'n'],
]);
const retell: Change = (root, draw) => {
  const free = places(root).filter(({ path }) => FREE.has(String(path.at(-1))));
  const kinds = [...Map.groupBy(free, ({ kind }) => kind).values()];
  if (kinds.length === 0) return 'nothing to retell';
  const { path } = draw.pick(draw.pick(kinds));
  const value = valueAt(root, path) ?? null;
  put(root, path, draw.chance(60) ? alike(value, nameOf(path), draw) : boundary(value, draw));
  return `retell ${at(path)}`;
};

const withholdPayload: Change = (root, draw) => {
  const records = isBranch(root) ? branchesOf(root['records']) : [];
  if (records.length === 0) return 'no payload';
  const eor = draw.pick(records)['eor'];
  if (isBranch(eor)) delete eor['payload'];
  return 'withhold a payload';
};

/** Fits for any value. */
export const PLAIN_CHANGES: readonly (readonly [weight: number, change: Change])[] = [
  [30, alter],
  [5, toBoundary],
  [2, retype],
  [1, deepen],
  [4, take],
  [2, addMember],
  [14, retell],
];

/** Fits for whole bundles. */
export const BUNDLE_CHANGES: readonly (readonly [weight: number, change: Change])[] = [
  ...PLAIN_CHANGES,
  [10, exchange],
  [10, borrow],
  [5, borrowPart],
  [14, rearrange],
  [5, shiftTimes],
  [4, shiftNumbers],
  [8, addEvent],
  [3, withholdOne],
  [4, addServiceKey],
  [5, otherSigner],
  [2, withholdPayload],
];
