import type Database from 'better-sqlite3';
import { ProtocolError, parseTime } from '../../protocol/index.ts';
import { isCorrupt } from './sqlite-errors.ts';

/** The last millisecond that a Date can hold. */
const LATEST = 8.64e15;

/** The newest of each, by organization: within an organization none of these times decreases. */
const NEWEST_OF_ORGANIZATION = [
  'SELECT received_at FROM operations WHERE org_id = ? ORDER BY seq_no DESC LIMIT 1',
  'SELECT end_time FROM epochs WHERE org_id = ? ORDER BY epoch_no DESC LIMIT 1',
  'SELECT created_at FROM admin_events WHERE org_id = ? ORDER BY event_no DESC LIMIT 1',
];

const NEWEST_OF_SERVICE = [
  'SELECT max(created_at) FROM service_keys',
  'SELECT max(retired_at) FROM service_keys',
  'SELECT created_at FROM latest_manifest',
];

/** A stored time in milliseconds, and zero for what is no time: somebody else wrote it. */
function millisecondsOf(value: unknown): number {
  if (typeof value === 'number') return value <= LATEST ? value : 0;
  if (typeof value !== 'string') return 0;
  try {
    return parseTime(value);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return 0;
  }
}

/**
 * The one clock of everything that the service signs or hashes (protocol §5). It never runs backwards: where the machine's
 * clock stepped back, also between two runs, it stands at the latest time in the ledger until the other has caught up.
 */
export class LedgerClock {
  readonly #sqlite: Database.Database;
  readonly #distrusted = new Set<string>();
  /** Null until the ledger was asked, at first use. */
  #latest: number | null = null;

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
  }

  /**
   * The time of what is committed next. Only within the writer: the times are those of the order of commits.
   * @param now what the machine's clock says
   * @returns milliseconds since the Unix epoch, in both
   */
  stamp(now: number): number {
    this.#latest = Math.max(now, this.#latest ?? this.#floor());
    return this.#latest;
  }

  /** Leaves organizations out of account whose stored ledger is damaged: a time there may be anybody's. */
  distrust(orgIds: Iterable<string>): void {
    for (const orgId of orgIds) this.#distrusted.add(orgId);
    this.#latest = null;
  }

  #floor(): number {
    const orgIds = this.#sqlite.prepare<[], string>('SELECT org_id FROM organizations').pluck().all();
    const ofOrganizations = NEWEST_OF_ORGANIZATION.flatMap((query) => {
      const newest = this.#sqlite.prepare<[string]>(query).pluck();
      return orgIds.filter((orgId) => !this.#distrusted.has(orgId)).map((orgId) => readTime(() => newest.get(orgId)));
    });
    const ofService = NEWEST_OF_SERVICE.map((query) => readTime(() => this.#sqlite.prepare(query).pluck().get()));
    return [...ofOrganizations, ...ofService].reduce((latest, time) => Math.max(latest, time), 0);
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
  now: number,
): number {
  const time = clock.stamp(now);
  // A crash after it costs nothing: what comes next is no earlier than a manifest that nobody got.
  statement('INSERT INTO latest_manifest VALUES (1, ?) ON CONFLICT DO UPDATE SET created_at = excluded.created_at').run(
    time,
  );
  return time;
}
