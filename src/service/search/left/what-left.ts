import { BlockList, isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import {
  DESTINATION_WAYS,
  type Destination,
  destinationsOf,
  foldText,
  type InvestigationRules,
  isDecided,
} from '../../../actions/index.ts';
import { domainInLabels, type LeftRow, type WhatLeftAnswer, type WhatLeftBody } from '../../../api/index.ts';
import { formatTime, parseTime } from '../../../protocol/index.ts';
import { listPage } from '../../http/cursor.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { actionsOf, outcomeOfAction } from '../content-index/indexed-actions.ts';
import { callsOf } from '../content-index/indexed-calls.ts';
import { coverageOf } from '../content-index/queries/list-records.ts';
import { accessOf } from '../content-index/record-content.ts';

/** What never leaves the machine. */
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of [...LOOPBACK, ...networks]) {
    const [address = '', prefix = ''] = network.split('/');
    list.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** A host or an address with its domain in labels of DNS, as which the same name with letters beyond ASCII is one. */
function inLabels(id: string): string {
  const at = id.lastIndexOf('@') + 1;
  return id.slice(0, at) + domainInLabels(id.slice(at));
}

/** The same as people read it. */
function inLetters(id: string): string {
  const at = id.lastIndexOf('@') + 1;
  return id.slice(0, at) + (domainToUnicode(id.slice(at)) || id.slice(at));
}

/** Tells the organization's own destinations, as its rules say: domains with all below them, hosts, address ranges, people. */
function ownPlaces({
  domains,
  hosts,
  networks,
  people,
}: InvestigationRules['own']): (to: Pick<Destination, 'kind' | 'id'>) => boolean {
  const named = (names: readonly string[]): ReadonlySet<string> =>
    new Set(names.map((name) => inLabels(name.toLowerCase())));
  const [ownHosts, ownPeople, ownDomains] = [named(hosts), named(people), [...named(domains)]];
  const list = listOf(networks);
  const isOfDomain = (host: string): boolean =>
    ownDomains.some((domain) => host === domain || host.endsWith(`.${domain}`));
  return ({ kind, id }) => {
    if (kind === 'address') return ownPeople.has(id) || isOfDomain(id.slice(id.lastIndexOf('@') + 1));
    const host = id.replace(/^\[|\]$/g, '');
    const version = isIP(host);
    if (version !== 0) return ownHosts.has(host) || list.check(host, version === 4 ? 'ipv4' : 'ipv6');
    return host === 'localhost' || host.endsWith('.localhost') || ownHosts.has(host) || isOfDomain(host);
  };
}

/** Where a page ended: when its last row begins, with which record and to where, and the newest record that the rows are made of. */
type LeftPlace = readonly [issued: number, first: number, destination: string, to: number];

/** Where records of a view were directed, as far as they were read: they do not change, but with the rules and with an erasure. */
interface Read {
  readonly of: string;
  /** Records up to this number were looked at. */
  to: number;
  readonly found: { readonly n: number; readonly destinations: readonly Destination[] }[];
}

const READ = new WeakMap<ContentView, Read>();

/** Records that may be directed somewhere: those that name a host, or do more than read something. */
function mayBeDirected(view: ContentView): (n: number) => boolean {
  const hosts = view.columns.list('host').starts;
  const { starts, ids, digests } = view.columns.list('access');
  const isSend = digests.map((access) => Number(accessOf(access) === 'send'));
  return (n) => {
    if ((hosts[n] ?? 0) < (hosts[n + 1] ?? 0)) return true;
    for (let at = starts[n] ?? 0; at < (starts[n + 1] ?? 0); at++) if (isSend[ids[at] ?? 0] === 1) return true;
    return false;
  };
}

/** Reads on from where the last question ended, as far as the time goes. */
function directedRecords(view: ContentView): Read {
  const of = `${view.reader.identity} ${JSON.stringify(view.rules.rules)}`;
  const known = READ.get(view);
  const read = known?.of === of ? known : { of, to: 0, found: [] };
  READ.set(view, read);
  const isDirected = mayBeDirected(view);
  for (let n = read.to + 1; n <= view.indexedTo; n++) {
    if (isDirected(n)) {
      if (!view.mayRead()) return read;
      const { read: payload, facts } = view.record(n);
      const destinations = destinationsOf(payload, facts, view.rules);
      if (destinations.length > 0) read.found.push({ n, destinations });
    }
    read.to = n;
  }
  return read;
}

/** What is counted of a destination and an agent. */
interface Gathered {
  readonly kind: Destination['kind'];
  /** In labels. */
  readonly id: string;
  /** As records write it, the first of them first. */
  readonly names: Set<string>;
  readonly agent: number;
  first: number;
  last: number;
  readonly ways: Set<Destination['way']>;
  /** By the first record of each action, whether it gave something. */
  readonly actions: Map<number, boolean>;
}

function gather(
  view: ContentView,
  { found }: Read,
  asked: Omit<WhatLeftBody, 'cursor' | 'limit' | 'sent'> & { readonly to: number },
): Gathered[] {
  const isOwn = ownPlaces(view.source.rules().own);
  const issued = view.columns.number('issued');
  const agents = view.columns.category('agent').ids;
  const { leadOf, records } = actionsOf(view);
  const { phase } = callsOf(view);
  const isProposalAlone = (n: number): boolean =>
    phase(n) === 'proposed' && !Array.from(records(leadOf(n))).some((one) => isDecided(phase(one)));
  const [from, until] = [asked.startTime, asked.endTime].map((time) => (time === undefined ? null : parseTime(time)));
  const agent = asked.agentId === undefined ? null : view.idOf('agent', asked.agentId);
  const part = asked.contains === undefined ? null : foldText(asked.contains);
  const rows = new Map<string, Gathered>();
  /** In labels, by how records write it; null for what is not asked for. */
  const known = new Map<string, string | null>();
  const idOf = ({ kind, id }: Destination): string | null => {
    const named = inLabels(id);
    const isAsked = part === null || [named, inLetters(named)].some((name) => foldText(name).includes(part));
    return isAsked && !isOwn({ kind, id: named }) ? named : null;
  };
  for (const { n, destinations } of found) {
    const at = issued[n] ?? 0;
    if (n > asked.to) break;
    if ((from != null && at < from) || (until != null && at >= until) || (agent !== null && agents[n] !== agent))
      continue;
    if (isProposalAlone(n)) continue;
    for (const to of destinations) {
      const id = known.has(to.id) ? known.get(to.id) : idOf(to);
      known.set(to.id, id ?? null);
      if (id == null) continue;
      const key = `${id} ${agents[n] ?? 0}`;
      const row = rows.get(key) ?? {
        kind: to.kind,
        id,
        names: new Set(),
        agent: agents[n] ?? 0,
        first: n,
        last: n,
        ways: new Set(),
        actions: new Map(),
      };
      rows.set(key, row);
      row.names.add(to.id);
      if (at < (issued[row.first] ?? at)) row.first = n;
      if (at > (issued[row.last] ?? at)) row.last = n;
      row.ways.add(to.way);
      const lead = leadOf(n);
      row.actions.set(lead, (row.actions.get(lead) ?? false) || to.isSent);
    }
  }
  return [...rows.values()];
}

function countsOf(view: ContentView, { actions }: Gathered): Pick<LeftRow, 'sent' | 'asked' | 'failed' | 'refused'> {
  const counts = { sent: 0, asked: 0, failed: 0, refused: 0 };
  for (const [lead, isSent] of actions) {
    const outcome = outcomeOfAction(view, lead);
    if (outcome === 'refused') counts.refused++;
    else {
      counts[isSent ? 'sent' : 'asked']++;
      if (outcome === 'failed') counts.failed++;
    }
  }
  return counts;
}

const quoted = (text: string): string => JSON.stringify(text);

function rowOf(view: ContentView, gathered: Gathered): LeftRow {
  const { kind, id, agent, first, last, ways } = gathered;
  const agentId = view.text('agent', agent) ?? '';
  const issued = view.columns.number('issued');
  const { operationId: operation_id, seqNo: seq_no } = view.record(first).record;
  const names = [...gathered.names];
  const named = names.map((name) => `${kind === 'host' ? 'host' : 'entity'}:${quoted(name)}`).join(' or ');
  return {
    destination: names[0] ?? id,
    kind,
    agent_id: agentId,
    ways: DESTINATION_WAYS.filter((way) => ways.has(way)),
    first_at: formatTime(issued[first] ?? 0),
    last_at: formatTime(issued[last] ?? 0),
    first: { operation_id, seq_no },
    ...countsOf(view, gathered),
    query: `agent = ${quoted(agentId)} and ${names.length > 1 ? `(${named})` : named}`,
  };
}

function placeOf({ first, id }: Gathered, issued: Float64Array, to: number): LeftPlace {
  return [issued[first] ?? 0, first, id, to];
}

/** The newest first. */
function comparePlaces(a: LeftPlace, b: LeftPlace): number {
  return b[0] - a[0] || b[1] - a[1] || (a[2] < b[2] ? -1 : Number(a[2] > b[2]));
}

/** What agents sent to, or asked of, whatever is not the organization's own, by destination and agent. */
export function whatLeft(
  view: ContentView,
  { limit, sent, ...asked }: Omit<WhatLeftBody, 'cursor'>,
  place: LeftPlace | null,
): WhatLeftAnswer {
  const read = directedRecords(view);
  const issued = view.columns.number('issued');
  const to = place?.[3] ?? view.indexedTo;
  const all = gather(view, read, { ...asked, to })
    .filter((gathered) => sent === undefined || sent === countsOf(view, gathered).sent > 0)
    .map((gathered) => ({ gathered, place: placeOf(gathered, issued, to) }))
    .sort((a, b) => comparePlaces(a.place, b.place));
  const behind = place === null ? all : all.filter((row) => comparePlaces(row.place, place) > 0);
  const { own } = view.source.rules();
  return {
    is_own_stated: Object.values(own).some((names) => names.length > 0),
    destinations: new Set(all.map(({ gathered }) => gathered.id)).size,
    total: all.length,
    ...listPage(
      behind,
      limit,
      (last) => last.place,
      ({ gathered }) => rowOf(view, gathered),
    ),
    coverage: coverageOf(view, { complete: read.to >= view.indexedTo }),
  };
}
