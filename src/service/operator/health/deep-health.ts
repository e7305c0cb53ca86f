import { statfs } from 'node:fs/promises';
import type { DeepHealth, NodeState } from '../../../api/index.ts';
import { MOST_OF_BUNDLE, utf8, verifyEd25519 } from '../../../protocol/index.ts';
import type { CentralHealth } from '../../archive/archive-room.ts';
import type { Courier } from '../../archive/courier.ts';
import { clockState } from '../../ledger/clock/start-clock.ts';
import type { CurrentKey } from '../../ledger/keys/current-key.ts';
import { homeOf } from '../../people/organizations/home.ts';
import type { ReadingLoad, SideLoad } from '../../store/base/reading-threads.ts';
import { sql } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import type { Settings } from '../../store/settings/settings-type.ts';
import type { SyslogFeed } from '../syslog/syslog-feed.ts';
import type { QueueHealth } from '../webhooks/queue-health.ts';
import type { FolderGrowth } from './folder-growth.ts';

export interface HealthDeps {
  readonly settings: Settings;
  readonly store: Store;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly key: CurrentKey;
  readonly queueHealth: () => QueueHealth;
  /** The threads that read the ledger's records, and cases. */
  readonly content: { readonly load: ReadingLoad };
  readonly cases: { readonly reads: { readonly load: ReadingLoad } };
  readonly version: string;
  readonly growth: FolderGrowth;
  readonly courier: Pick<Courier, 'state'>;
  readonly syslog: Pick<SyslogFeed, 'state' | 'waiting'>;
  readonly archive: { readonly health: CentralHealth | null };
  /** The node of a shared log that this is. */
  readonly node: { look(): NodeState } | null;
}

/** What is said of it to anybody who asks: how to mend it an owner learns elsewhere. */
const CLOCK_WORDS = {
  right: 'no sign that it is wrong',
  jump: 'in doubt: it jumped forward, and nothing is signed until it is right or confirmed',
  gap: 'in doubt: nobody watched it for long, and nothing is signed until it is right or confirmed',
  submitters: 'in doubt: agents tell another time, and nothing is signed until it is right or confirmed',
  nodes:
    'in doubt: the other nodes and the shared log tell another time, and nothing is signed until it is right or confirmed',
  ledger_ahead: 'behind the times that the ledger has signed: an owner has to correct them',
} as const;

type Part = DeepHealth['checks']['database'];

/** Less room than this and the next records may not fit, in bytes. */
const LOW_DISK_BYTES = 256 * 1024 * 1024;

/** Growth that is told, in bytes. */
const TOLD_GROWTH_BYTES = 64 * 1024 * 1024;

/** An epoch that is open for longer than its interval and this is stuck, in milliseconds. */
const EPOCH_GRACE_MS = 60_000;

/** A delivery that should have been attempted this long ago tells of a stuck queue, in milliseconds. */
const OVERDUE_DELIVERY_MS = 10 * 60_000;

/** A question that has waited this long for its turn tells of a reader that has too much to do, in milliseconds. */
const OVERDUE_ANSWER_MS = 10_000;

function part(isOk: boolean, detail: string): Part {
  return { status: isOk ? 'ok' : 'bad', detail };
}

async function examine(look: () => Part | Promise<Part>): Promise<Part> {
  try {
    return await look();
  } catch {
    // Why is in the log of whatever failed; this answer goes to anybody who asks.
    return part(false, 'cannot be examined');
  }
}

function database({ store }: HealthDeps): Part {
  // A look at the schema and at one table; looking through the whole file is the ledger verification's work.
  store.db.get(sql`SELECT count(*) FROM organizations`);
  return part(true, 'readable');
}

function epochs({ store, settings, now }: HealthDeps): Part {
  const open = store.db.get<{ oldest: number | null }>(
    sql`SELECT min(o.received_at) AS oldest FROM organizations g JOIN operations o
        ON o.org_id = g.org_id
       AND o.seq_no = (SELECT coalesce(max(last_seq_no), 0) + 1 FROM epochs e WHERE e.org_id = g.org_id)`,
  );
  if (open.oldest === null) return part(true, 'every record is sealed');
  const age = Math.max(0, now() - open.oldest);
  const isOk = age <= settings.epochIntervalSeconds * 1000 + EPOCH_GRACE_MS;
  return part(isOk, `the oldest unsealed record is ${Math.round(age / 1000)} s old`);
}

async function disk({ settings, growth }: HealthDeps): Promise<Part> {
  const { bavail, bsize } = await statfs(settings.dataDir);
  const free = bavail * bsize;
  const grown = await growth.most();
  const told = grown === null || grown.bytes < TOLD_GROWTH_BYTES ? '' : `; ${growthText(grown)}`;
  return part(free >= LOW_DISK_BYTES, `${sizeText(free)} free${told}`);
}

/** Names are those that the service gives its own files and folders. */
function growthText({ name, bytes }: { readonly name: string; readonly bytes: number }): string {
  return `${name} has grown by ${sizeText(bytes)} within the last hour`;
}

function key({ key: holder }: HealthDeps): Part {
  const message = utf8('countersign.health');
  const works = verifyEd25519({ publicKey: holder.publicKey, message, signature: holder.sign(message) });
  return part(works, works ? 'signs' : 'does not sign');
}

function clock({ store, now }: HealthDeps): Part {
  const found = clockState(store.clock, now());
  return part(found.state === 'right', CLOCK_WORDS[found.state === 'in_doubt' ? found.doubt.cause : found.state]);
}

/** The most of a kind that one organization has, by its numbers, which have no gaps. */
const LONGEST = {
  admin_events: `SELECT max((SELECT max(event_no) FROM admin_events WHERE org_id = g.org_id)) FROM organizations g`,
  epochs: `SELECT max((SELECT max(epoch_no) FROM epochs WHERE org_id = g.org_id)) FROM organizations g`,
} as const;

const HOME_EVENTS = 'SELECT max(event_no) FROM admin_events WHERE org_id = ?';

/** Of the bound: from the first share on it is told, and from the other on what can be done without is refused. */
const TOLD_SHARE = 0.8;
const BAD_SHARE = 0.95;

/**
 * How near the longest ledger is to what one export may hold. Bad is the log of the home organization alone, as with readers. Epochs are never bad: a
 * shorter time has fewer.
 */
function exportSizes({ store }: HealthDeps): Part {
  const used = (query: string, ...of: string[]): number =>
    Number(
      store
        .statement(query)
        .pluck()
        .get(...of) ?? 0,
    );
  const [events, sealed] = [used(LONGEST.admin_events), used(LONGEST.epochs)];
  const atHome = used(HOME_EVENTS, homeOf(store) ?? '');
  const { admin_events: mostEvents, epochs: mostEpochs } = MOST_OF_BUNDLE;
  const told = [
    ...(events >= TOLD_SHARE * mostEvents
      ? [`${events} of ${mostEvents} administrative events that an export may hold`]
      : []),
    ...(sealed >= TOLD_SHARE * mostEpochs
      ? [`${sealed} of ${mostEpochs} epochs: larger exports are made by time`]
      : []),
  ];
  return part(atHome < BAD_SHARE * mostEvents, told.length === 0 ? 'within what one export may hold' : told.join('; '));
}

function webhooks({ queueHealth }: HealthDeps): Part {
  const { pending, oldestOverdueMs, failedLastHour } = queueHealth();
  const detail = `${pending} waiting, ${failedLastHour} failed within the last hour`;
  return part(oldestOverdueMs <= OVERDUE_DELIVERY_MS, detail);
}

/** Of a central node. A file that a host shipped, and that is refused, makes nothing bad: anybody who ships could. */
function central({ accepted, searchable, refused, hasFailed, engine }: CentralHealth): Part {
  const counted = { ready: 'counts', behind: 'is behind: the own index counts', away: 'is away: the own index counts' };
  const told = [
    `${accepted} runs accepted, ${searchable} of them searchable, ${refused} refused or missing`,
    ...(engine === null ? [] : [`the search engine ${counted[engine]}`]),
  ].join('; ');
  return part(
    !hasFailed && engine !== 'away',
    hasFailed ? `${told}; the last look at the archive failed, or what was accepted cannot be indexed` : told,
  );
}

/** What people do about each code is in docs/troubleshooting.md. */
function archive({ courier, store, now, archive: room }: HealthDeps): Part {
  if (room.health !== null) return central(room.health);
  const { isSet, result: ledgers, doneAt: shippedAt, failure } = courier.state;
  if (!isSet) return part(true, 'none is set');
  const home = ledgers?.find(({ orgId }) => orgId === homeOf(store));
  const shipped =
    ledgers === null || shippedAt === null
      ? 'nothing is known yet of what it has'
      : `it has epochs up to ${home?.lastEpoch ?? 0}, as of ${secondsText(now() - shippedAt)} ago`;
  if (failure !== null)
    return part(false, `not shipped for ${secondsText(now() - failure.since)}: ${failure.code}; ${shipped}`);
  const held = (ledgers ?? []).filter(({ problem }) => problem !== null);
  const waiting = held.reduce((sum, ledger) => sum + ledger.waiting, 0);
  const problems = [...new Set(held.map(({ problem }) => problem))].join(', ');
  // After a rotation, what the old key sealed last waits for an epoch of the new one: nobody has to do anything.
  const isWell = held.every(({ problem }) => problem === 'awaits_epoch');
  return part(isWell, held.length === 0 ? shipped : `runs that wait: ${waiting} (${problems}); ${shipped}`);
}

/** What people do about each code is in docs/troubleshooting.md. */
function syslog({ syslog: feed, now }: HealthDeps): Part {
  const { isSet, result, failure } = feed.state;
  if (!isSet) return part(true, 'none is set');
  const sent = result === null ? '' : `sent up to record ${result.seqNo}; `;
  const told = `${sent}records that wait: ${feed.waiting}`;
  if (failure === null) return part(true, told);
  return part(false, `not sent for ${secondsText(now() - failure.since)}: ${failure.code}; ${told}`);
}

/**
 * The readers of records and cases. Bad is a wait of the home organization alone: whoever restarts a service that is not well must not
 * do so because of what a guest asks.
 */
export function readersPart(loads: Readonly<Record<string, ReadingLoad>>): Part {
  const told = Object.entries(loads).map(([name, { home, guests }]) => {
    const isQuiet = guests.waiting === 0 && guests.busyMs === null;
    return `${name}: ${loadText(home)}${isQuiet ? '' : `, of guests ${loadText(guests)}`}`;
  });
  return part(
    Object.values(loads).every(({ home }) => home.oldestMs <= OVERDUE_ANSWER_MS),
    told.join('; '),
  );
}

function loadText({ waiting, oldestMs, busyMs }: SideLoad): string {
  const since = waiting === 0 ? '' : `, the oldest for ${secondsText(oldestMs)}`;
  const at = busyMs === null ? '' : `, one being answered for ${secondsText(busyMs)}`;
  return `${waiting} waiting${since}${at}`;
}

function secondsText(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** Looks at everything the service needs; nothing of it names data, users or paths. */
export async function examineHealth(context: HealthDeps): Promise<DeepHealth> {
  const checks = {
    database: await examine(() => database(context)),
    epochs: await examine(() => epochs(context)),
    disk: await examine(() => disk(context)),
    key: await examine(() => key(context)),
    webhooks: await examine(() => webhooks(context)),
    readers: await examine(() => readersPart({ ledger: context.content.load, cases: context.cases.reads.load })),
    clock: await examine(() => clock(context)),
    exports: await examine(() => exportSizes(context)),
    archive: await examine(() => archive(context)),
    syslog: await examine(() => syslog(context)),
  };
  const isOk = Object.values(checks).every(({ status }) => status === 'ok');
  const node = context.node === null ? {} : { node: context.node.look() };
  return { status: isOk ? 'ok' : 'bad', version: context.version, checks, ...node };
}

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

/** A number of bytes for people: whole MiB while there is little, else GiB. */
function sizeText(bytes: number): string {
  return bytes < GIB ? `${Math.floor(bytes / MIB)} MiB` : `${(Math.floor((bytes * 10) / GIB) / 10).toFixed(1)} GiB`;
}
