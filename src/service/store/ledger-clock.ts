import type Database from 'better-sqlite3';
import { CLOCK_CORRECTED, parseTime, unlessRefused } from '../../protocol/index.ts';
import type { ClockWatch } from './clock-watch.ts';
import { isCorrupt } from './sqlite-errors.ts';

/** The last millisecond that a Date can hold. */
const LATEST = 8.64e15;

/** How far an organization's ledger was when its clock was last corrected. */
const correctedAt = (count: 'seq_no' | 'epoch_no'): string =>
  `(SELECT coalesce(max(json_extract(details, '$.until.${count}')), 0) FROM admin_events
    WHERE org_id = @orgId AND action = '${CLOCK_CORRECTED}')`;

/** The newest of each, by organization, since its clock was last corrected: until the next correction none of these times decreases. */
const NEWEST_OF_ORGANIZATION = [
  `SELECT received_at FROM operations WHERE org_id = @orgId AND seq_no > ${correctedAt('seq_no')} ORDER BY seq_no DESC LIMIT 1`,
  `SELECT end_time FROM epochs WHERE org_id = @orgId AND epoch_no > ${correctedAt('epoch_no')} ORDER BY epoch_no DESC LIMIT 1`,
  'SELECT created_at FROM admin_events WHERE org_id = @orgId ORDER BY event_no DESC LIMIT 1',
  'SELECT created_at FROM latest_manifest WHERE org_id = @orgId',
];

/** A rotation is in the log of every organization: once there was a correction, the logs alone tell. */
const UNCORRECTED = `NOT EXISTS (SELECT 1 FROM admin_events WHERE action = '${CLOCK_CORRECTED}')`;

const NEWEST_OF_SERVICE = [
  `SELECT max(created_at) FROM service_keys WHERE ${UNCORRECTED}`,
  `SELECT max(retired_at) FROM service_keys WHERE ${UNCORRECTED}`,
];

/** A stored time in milliseconds, and zero for what is no time: somebody else wrote it. */
function millisecondsOf(value: unknown): number {
  if (typeof value === 'number') return value <= LATEST ? value : 0;
  if (typeof value !== 'string') return 0;
  return unlessRefused(() => parseTime(value), 0);
}

/**
 * The one clock of everything that the service signs or hashes (protocol F64). It never runs backwards: where the machine's
 * clock stepped back, also between two runs, it stands at the latest time in the ledger until the other has caught up, or a person
 * corrects it. Where the machine's clock is in doubt it gives no time at all.
 */
export class LedgerClock {
  readonly #sqlite: Database.Database;
  readonly #distrusted = new Set<string>();
  /** Null until the ledger was asked, at first use. */
  #latest: number | null = null;
  /** Whether the machine's clock may be believed; null where nobody watches it. */
  watch: ClockWatch | null = null;

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
  }

  /**
   * The time of what is committed next. Only within the writer: the times are those of the order of commits.
   * @param now what the machine's clock says
   * @returns milliseconds since the Unix epoch, in both
   * @throws ServiceError CLOCK_IN_DOUBT
   */
  stamp(now: number): number {
    this.watch?.check();
    this.#latest = Math.max(now, this.latest);
    return this.#latest;
  }

  /** The latest time that was signed, in milliseconds since the Unix epoch; 0 where nothing was. */
  get latest(): number {
    this.#latest ??= this.#floor();
    return this.#latest;
  }

  /** Goes back to the machine's clock: within the commit that records the correction. */
  setBack(now: number): void {
    this.#latest = now;
  }

  /** Has the ledger asked again, where a commit may not have been kept. */
  forget(): void {
    this.#latest = null;
  }

  /** The organizations, undamaged ones, that have signed a later time than this one, each with the latest that it has. */
  organizationsAheadOf(time: number): Map<string, number> {
    const newest = this.#organizations().map((orgId) => [orgId, this.#newestOf(orgId)] as const);
    return new Map(newest.filter(([, latest]) => latest > time));
  }

  /** Leaves organizations out of account whose stored ledger is damaged: a time there may be anybody's. */
  distrust(orgIds: Iterable<string>): void {
    for (const orgId of orgIds) this.#distrusted.add(orgId);
    this.#latest = null;
  }

  #floor(): number {
    const ofOrganizations = this.#organizations().map((orgId) => this.#newestOf(orgId));
    const ofService = NEWEST_OF_SERVICE.map((query) => readTime(() => this.#sqlite.prepare(query).pluck().get()));
    return [...ofOrganizations, ...ofService].reduce((latest, time) => Math.max(latest, time), 0);
  }

  #organizations(): string[] {
    const orgIds = this.#sqlite.prepare<[], string>('SELECT org_id FROM organizations').pluck().all();
    return orgIds.filter((orgId) => !this.#distrusted.has(orgId));
  }

  #newestOf(orgId: string): number {
    const times = NEWEST_OF_ORGANIZATION.map((query) => {
      const newest = this.#sqlite.prepare<[{ readonly orgId: string }]>(query).pluck();
      return readTime(() => newest.get({ orgId }));
    });
    return Math.max(...times);
  }
}

/** What cannot be read tells no time: the checks of a start say that the file is damaged. */
function readTime(read: () => unknown): number {
  try {
    return millisecondsOf(read());
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return 0;
  }
}

/**
 * As `stamp`, for the time of a manifest: kept on disk, because nothing else in the ledger tells it. Within a commit.
 * @returns milliseconds since the Unix epoch
 */
export function stampManifest(
  { clock, statement }: { readonly clock: LedgerClock; readonly statement: (text: string) => Database.Statement },
  orgId: string,
  now: number,
): number {
  const time = clock.stamp(now);
  // A crash after it costs nothing: what comes next is no earlier than a manifest that nobody got.
  const insert = 'INSERT INTO latest_manifest VALUES (?, ?) ON CONFLICT DO UPDATE SET created_at = excluded.created_at';
  statement(insert).run(orgId, time);
  return time;
}

/** Lets go of the times of manifests that a correction of the clock is about. Within its commit. */
export function forgetManifestsBehind(
  { statement }: { readonly statement: (text: string) => Database.Statement },
  time: number,
): void {
  statement('DELETE FROM latest_manifest WHERE created_at > ?').run(time);
}
