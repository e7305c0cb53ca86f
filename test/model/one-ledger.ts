/**
 * Whether bundles can all be of one ledger that keeps the rules of protocol F30 to F112: said of the union of what they show,
 * statement by statement, and independently of the verifier.
 */

import { type Bundle, leafOf } from '../../src/cli/qualify/bundle.ts';
import {
  type AdminEvent,
  type BundleRecord,
  type Epoch,
  epochHash,
  epochSignedBytes,
  formatDigest,
  fromBase64Url,
  isWholeEvent,
  type Json,
  merkleRoot,
  parseTime,
  payloadHash,
  recordSignedBytes,
  thumbprint,
} from '../../src/protocol/index.ts';
import { chainHashOf } from './history.ts';
import { type KeyName, sha256, signed } from './world.ts';

const MAX_LEAD_MS = 300_000;

interface Union {
  readonly records: readonly BundleRecord[];
  readonly epochs: readonly Epoch[];
  /** By their places in the log; a hash alone where every bundle withholds the event. */
  readonly events: readonly { readonly hash: string; readonly whole: AdminEvent | null; readonly at: number }[];
  /** The keys that may sign in the model, by their thumbprints. */
  readonly names: ReadonlyMap<string, KeyName>;
}

/** What is not so in a ledger that would show all of these bundles; null where there may be one. */
export function noOneLedger(bundles: readonly Bundle[], names: ReadonlyMap<string, KeyName>): string | null {
  const logs = bundles.map(({ admin_events }) => admin_events);
  const longest = logs.toSorted((a, b) => b.length - a.length)[0] ?? [];
  for (const log of logs) {
    if (log.some(({ event_hash }, n) => longest[n]?.event_hash !== event_hash)) return 'the administrative log forks';
  }
  const events = longest.map(({ event_hash: hash, created_at: at }, n) => {
    const whole = logs.map((log) => log[n]).find((event) => event !== undefined && isWholeEvent(event));
    return { hash, at, whole: whole !== undefined && isWholeEvent(whole) ? whole : null };
  });
  const records = [
    ...new Map(bundles.flatMap((bundle) => bundle.records.map((one) => [one.ear.seq_no, one] as const))).values(),
  ].sort((a, b) => a.ear.seq_no - b.ear.seq_no);
  // The newest epoch shows where the ledger ends: claimed is which it is, and nothing of its times.
  const all = bundles.flatMap((bundle) => bundle.epochs);
  const epochs = [...new Map(all.map((epoch) => [epoch.epoch_no, epoch])).values()].sort(
    (a, b) => a.epoch_no - b.epoch_no,
  );
  const beside = bundles.map(({ edges }) => edges.head);
  for (const epoch of [...all, ...beside]) {
    const same = epoch && epochs.find((other) => other.epoch_no === epoch.epoch_no);
    if (epoch && same && hashOf(same) !== hashOf(epoch)) return 'an epoch is sealed twice';
    const next = epoch && [...all, ...beside].find((other) => other?.epoch_no === epoch.epoch_no + 1);
    if (epoch && next && next.prev_epoch_hash !== hashOf(epoch)) return `epoch ${next.epoch_no} follows another`;
  }
  const union = { records, epochs, events, names };
  return (
    wrongRecord(union) ??
    wrongBeside(bundles, union) ??
    acceptedTwice(bundles) ??
    wrongChain(records) ??
    wrongEpoch(union) ??
    wrongMoment(bundles, union) ??
    wrongDirectory(bundles, union)
  );
}

const hashOf = (epoch: Epoch): string => epochHash(epochSignedBytes(epoch), sha256);

interface KeySpan {
  readonly from: number;
  to: number;
  readonly thumbprint: string;
}

interface AgentPast {
  status: 'active' | 'frozen' | 'deleted';
  readonly keys: Map<string, KeySpan>;
  readonly barred: { readonly from: number; to: number }[];
}

/** What the events, as far as any bundle shows them, made of the agents. */
function pastOf(events: Union['events']): Map<string, AgentPast> {
  const agents = new Map<string, AgentPast>();
  for (const { whole } of events) {
    if (whole === null || whole.target_type !== 'agent') continue;
    const { action, target_id, created_at: from, details } = whole;
    const agent: AgentPast = agents.get(target_id) ?? { status: 'active', keys: new Map(), barred: [] };
    agents.set(target_id, agent);
    const given = (action === 'agent.register' ? (details['keys'] as readonly Json[]) : [details]) as readonly {
      readonly kid: string;
      readonly thumbprint: string;
    }[];
    if (action === 'agent.register' || action === 'agent.add_key') {
      for (const { kid, thumbprint } of given) agent.keys.set(kid, { from, to: Number.POSITIVE_INFINITY, thumbprint });
    }
    const key = agent.keys.get(given[0]?.kid ?? '');
    if (action === 'agent.revoke_key' && key !== undefined) key.to = from;
    if (action === 'agent.unfreeze') {
      agent.status = 'active';
      const open = agent.barred.at(-1);
      if (open !== undefined) open.to = from;
    }
    if (action === 'agent.freeze' || action === 'agent.delete') {
      agent.status = action === 'agent.freeze' ? 'frozen' : 'deleted';
      agent.barred.push({ from, to: Number.POSITIVE_INFINITY });
    }
  }
  return agents;
}

/** Why a service which keeps the rules would not have accepted a record when it gave its receipt (protocol F50). */
function unacceptable(
  { eor, ear }: Pick<BundleRecord, 'eor' | 'ear'>,
  past: ReadonlyMap<string, AgentPast>,
  names: Union['names'],
): string | null {
  const received = parseTime(ear.server_received_at);
  const issued = parseTime(eor.issued_at);
  const agent = past.get(eor.agent_id);
  const key = agent?.keys.get(eor.agent_pubkey_kid);
  const name = names.get(key?.thumbprint ?? '');
  const no = `record ${ear.seq_no}`;
  if (agent === undefined || key === undefined) return `${no} is signed by a key that its agent never had`;
  if (name === undefined || signed(name, recordSignedBytes(eor)) !== eor.signature) return `${no} is not signed`;
  if (received < key.from || received > key.to) return `${no} was received when its key was none`;
  if (agent.barred.some(({ from, to }) => received > from && received < to)) return `${no} is of a frozen agent`;
  if (received > issued + eor.ttl_ms || issued > received + MAX_LEAD_MS) return `${no} came when it must not`;
  return null;
}

/** The record next after the range of one agent, which shows where that ends. */
function wrongBeside(bundles: readonly Bundle[], { events, names }: Union): string | null {
  const past = pastOf(events);
  const after = bundles.map(({ edges }) => edges.after).filter((neighbour) => neighbour !== null);
  return (
    after
      .map(({ eor, ear }) => (eor === undefined ? null : unacceptable({ eor, ear }, past, names)))
      .find((wrong) => wrong !== null) ?? null
  );
}

/** A record that must not have been accepted, or says something else than its receipt. */
function wrongRecord({ records, events, names }: Union): string | null {
  const past = pastOf(events);
  const seen = new Set<string>();
  const isFirst = (what: string): boolean => !seen.has(what) && seen.add(what).size > 0;
  let latest = Number.NEGATIVE_INFINITY;
  for (const { eor, ear } of records) {
    const received = parseTime(ear.server_received_at);
    const no = `record ${ear.seq_no}`;
    const wrong = unacceptable({ eor, ear }, past, names);
    if (wrong !== null) return wrong;
    if (received < latest) return `${no} is older than the one before it`;
    latest = received;
    if (eor.payload !== undefined && payloadHash(eor.payload, sha256) !== eor.payload_hash)
      return `${no} has another payload`;
    if (ear.agent_id !== eor.agent_id || ear.operation_id !== eor.operation_id)
      return `${no} has the receipt of another`;
    if (ear.chain_hash !== chainHashOf({ ...eor, payload: eor.payload ?? {} })) return `${no} has another chain hash`;
    if (!isFirst(`operation ${eor.operation_id}`)) return `${no} was accepted before`;
    if (!isFirst(`nonce ${eor.agent_id} ${eor.nonce}`)) return `${no} has a nonce that was used before`;
    if (!isFirst(`receipt ${ear.receipt_id}`)) return `${no} has the receipt_id of another`;
  }
  return null;
}

/** An operation with two receipts, in records or next to them. */
function acceptedTwice(bundles: readonly Bundle[]): string | null {
  const numbers = new Map<string, number>();
  for (const { records, edges } of bundles) {
    const beside = [edges.before, edges.after].filter((neighbour) => neighbour !== null);
    for (const { ear } of [...records, ...beside]) {
      const known = numbers.get(ear.operation_id) ?? ear.seq_no;
      if (known !== ear.seq_no) return `the operation of record ${known} was accepted again as ${ear.seq_no}`;
      numbers.set(ear.operation_id, ear.seq_no);
    }
  }
  return null;
}

/** A record that does not continue its agent's chain, as far as the records tell. */
function wrongChain(records: readonly BundleRecord[]): string | null {
  const numbers = new Set(records.map(({ ear }) => ear.seq_no));
  const byAgent = Map.groupBy(records, ({ ear }) => ear.agent_id);
  for (const chain of byAgent.values()) {
    for (const [n, { eor, ear }] of chain.entries()) {
      const previous = chain[n - 1]?.ear;
      const continued = chain.findIndex((other) => other.ear.chain_hash === eor.prev_chain_hash);
      if (eor.prev_chain_hash === null ? n > 0 : continued >= 0 && continued !== n - 1)
        return `record ${ear.seq_no} forks`;
      const from = (previous?.seq_no ?? 0) + 1;
      const areAllKnown = Array.from({ length: ear.seq_no - from }, (_, k) => from + k).every((no) => numbers.has(no));
      if (areAllKnown && eor.prev_chain_hash !== (previous?.chain_hash ?? null))
        return `record ${ear.seq_no} continues another`;
    }
  }
  return null;
}

/** An epoch that does not seal what is shown of it, or does not follow the one before it. */
function wrongEpoch({ epochs, records, events }: Union): string | null {
  const leaves = new Map(records.map((record) => [record.ear.seq_no, leafOf(record, sha256)]));
  const run = (from: number, to: number): Uint8Array[] | null => {
    const found = Array.from({ length: to - from + 1 }, (_, n) => leaves.get(from + n));
    return found.every((leaf) => leaf !== undefined) ? found : null;
  };
  let head = -1;
  for (const [n, epoch] of epochs.entries()) {
    const { epoch_no, first_seq_no: first, last_seq_no: last } = epoch;
    const previous = epochs[n - 1];
    if (
      previous !== undefined &&
      (first <= previous.last_seq_no || parseTime(epoch.start_time) < parseTime(previous.end_time))
    ) {
      return `epoch ${epoch_no} begins before the end of another`;
    }
    const [own, log] = [run(first, last), run(1, last)];
    if (own !== null && formatDigest(merkleRoot(own, sha256)) !== epoch.root_hash)
      return `epoch ${epoch_no} seals others`;
    if (log !== null && formatDigest(merkleRoot(log, sha256)) !== epoch.log_root)
      return `epoch ${epoch_no} is of another log`;
    const sealed = epoch.admin_head_hash === null ? -1 : events.findIndex(({ hash }) => hash === epoch.admin_head_hash);
    if ((epoch.admin_head_hash !== null && sealed < 0) || sealed < head)
      return `epoch ${epoch_no} seals another admin log`;
    head = sealed;
    const end = parseTime(epoch.end_time);
    if (events.some(({ at }, index) => (index <= sealed ? at > end : at < end)))
      return `an event changed sides of epoch ${epoch_no}`;
    for (const { ear } of records) {
      const received = parseTime(ear.server_received_at);
      if (ear.seq_no <= last ? received > end : received < end)
        return `record ${ear.seq_no} changed sides of epoch ${epoch_no}`;
    }
  }
  return null;
}

/** Something that a bundle should have held when it was made, or that came later than it says. */
function wrongMoment(bundles: readonly Bundle[], { records, epochs, events }: Union): string | null {
  for (const { manifest } of bundles) {
    const made = parseTime(manifest.created_at);
    const isBehind = (at: number, isLater: boolean): boolean => (isLater ? at >= made : at <= made);
    for (const { ear } of records) {
      const isLater = ear.seq_no > manifest.log_head.seq_no;
      if (!isBehind(parseTime(ear.server_received_at), isLater))
        return `record ${ear.seq_no} is on the wrong side of a moment`;
    }
    for (const { epoch_no, start_time, end_time } of epochs) {
      const isLater = epoch_no > manifest.log_head.epoch_no;
      if (!isBehind(parseTime(isLater ? start_time : end_time), isLater))
        return `epoch ${epoch_no} is on the wrong side of a moment`;
    }
    for (const [n, { at }] of events.entries()) {
      if (!isBehind(at, n >= manifest.admin_log.count)) return `event ${n + 1} is on the wrong side of a moment`;
    }
  }
  return null;
}

/** A directory that says something else than the events up to its bundle's moment. */
function wrongDirectory(bundles: readonly Bundle[], { events }: Union): string | null {
  for (const { agents, manifest, admin_events } of bundles) {
    const past = pastOf(events.slice(0, admin_events.length));
    for (const { agent_id, status, keys } of agents) {
      const agent = past.get(agent_id);
      if (agent?.status !== status || keys.length !== agent.keys.size)
        return `${agent_id} is not as the events left it`;
      const wrong = keys.find(({ kid, public_key, created_at, retired_at }) => {
        const known = agent.keys.get(kid);
        if (known === undefined || known.from !== created_at) return true;
        return (
          thumbprint(fromBase64Url(public_key, 32)) !== known.thumbprint ||
          known.to !== (retired_at ?? Number.POSITIVE_INFINITY)
        );
      });
      if (wrong !== undefined) return `the key ${wrong.kid} is not as the events left it`;
    }
    const listed = new Set(agents.map(({ agent_id }) => agent_id));
    if (manifest.filter.agent_id === null && [...past.keys()].some((name) => !listed.has(name)))
      return 'an agent is not listed';
  }
  return null;
}
