import { randomUUID } from 'node:crypto';
import { CLOCK_CORRECTED, type ClockCorrection, instantText } from '../../../protocol/index.ts';
import { recordAdminEvent } from '../../admin-log/admin-events.ts';
import { clockCorrections } from '../../admin-log/clock-corrections.ts';
import { ServiceError } from '../../base/service-error.ts';
import { setManifestTime } from '../../store/ledger-clock.ts';
import type { Store } from '../../store/open.ts';
import type { Writer } from '../../store/writer.ts';
import type { Ledger } from '../ledger.ts';

export interface ClockCorrectionContext {
  readonly store: Store;
  readonly writer: Writer;
  readonly ledger: Ledger;
  /** What the machine's clock says, in milliseconds since the Unix epoch. */
  readonly now: () => number;
}

/** Who sets the clock back, and why. */
export interface CorrectedBy {
  /** Null for whoever runs the service. */
  readonly caller: { readonly orgId: string; readonly userId: string } | null;
  readonly reason: string;
}

/** Times and places of all that an organization's ledger has signed since the clock was last corrected, in their order. */
const JUMPS = `WITH signed AS (
    SELECT received_at AS time FROM operations WHERE org_id = @orgId AND seq_no > @seqNo
    UNION ALL SELECT created_at FROM admin_events WHERE org_id = @orgId AND event_no >= @eventNo
    UNION ALL SELECT CAST(unixepoch(end_time) * 1000 + substr(end_time, 21, 3) AS INTEGER) FROM epochs
      WHERE org_id = @orgId AND epoch_no > @epochNo),
  pairs AS (SELECT time, lag(time) OVER (ORDER BY time) AS prior FROM signed)
  SELECT prior AS before, time AS first FROM pairs WHERE prior <= @now ORDER BY time - prior DESC, time DESC LIMIT 1`;

const FIRST_TIME = 'SELECT created_at FROM admin_events WHERE org_id = ? ORDER BY event_no LIMIT 1';

const UP_TO = {
  seq_no:
    'SELECT coalesce(max(seq_no), @seqNo) FROM operations WHERE org_id = @orgId AND seq_no > @seqNo AND received_at <= @time',
  epoch_no: `SELECT coalesce(max(epoch_no), @epochNo) FROM epochs WHERE org_id = @orgId AND epoch_no > @epochNo
    AND CAST(unixepoch(end_time) * 1000 + substr(end_time, 21, 3) AS INTEGER) <= @time`,
  events:
    'SELECT max(event_no) FROM admin_events WHERE org_id = @orgId AND event_no >= @eventNo AND created_at <= @time',
} as const;

const ENDS = `SELECT coalesce((SELECT max(seq_no) FROM operations WHERE org_id = @orgId), 0) AS seq_no,
  coalesce((SELECT max(epoch_no) FROM epochs WHERE org_id = @orgId), 0) AS epoch_no`;

/**
 * What a correction of an organization's clock says (protocol F101): the largest jump in what it has signed is taken for the one by which the
 * clock was wrong.
 * @param latest the latest time that was signed
 * @throws ServiceError CONFLICT where the ledger shows no jump as large as what would be taken back
 */
function plan(store: Store, orgId: string, now: number, latest: number): ClockCorrection {
  const last = clockCorrections(store, orgId).at(-1);
  const from = {
    orgId,
    seqNo: last?.until.seq_no ?? 0,
    epochNo: last?.until.epoch_no ?? 0,
    eventNo: last?.eventNo ?? 1,
  };
  const until = store.statement(ENDS).get({ orgId }) as ClockCorrection['until'];
  const begun = store.statement(FIRST_TIME).pluck().get(orgId) as number | undefined;
  if (last === undefined && begun !== undefined && begun > now) {
    // All of it is of the wrong clock: nothing before shows by how much, and verifiers say so.
    const before = { time: null, seq_no: 0, epoch_no: 0, events: 0 };
    return { before, first_time: begun, last_time: latest, until };
  }
  const jump = store.statement(JUMPS).get({ ...from, now }) as { before: number; first: number } | undefined;
  if (jump === undefined || jump.first - jump.before < latest - now) {
    throw new ServiceError(
      'CONFLICT',
      `the ledger of ${orgId} shows no jump of ${Math.round((latest - now) / 1000)} s, so that its times cannot be taken back: it ` +
        `continues once the clock has passed ${instantText(latest)}. Is the machine's clock right?`,
    );
  }
  const upTo = { ...from, time: jump.before };
  const count = (name: keyof typeof UP_TO): number => {
    const { [name]: query } = UP_TO;
    const names = [...query.matchAll(/@(\w+)/g)].map(([, one = '']) => one as keyof typeof upTo);
    const values = Object.fromEntries(names.map((one) => [one, upTo[one]]));
    return store.statement(query).pluck().get(values) as number;
  };
  return {
    before: { time: jump.before, seq_no: count('seq_no'), epoch_no: count('epoch_no'), events: count('events') },
    first_time: jump.first,
    last_time: latest,
    until,
  };
}

/**
 * Sets the ledger's clock back to the machine's, in the ledger of each organization that has signed a later time: everything is sealed, and
 * the correction recorded where epochs and bundles seal it (protocol F100). All in one commit: a crash leaves all of it or none.
 * @returns the organizations whose ledgers were corrected
 * @throws ServiceError CONFLICT where nothing is ahead, or a ledger shows no such jump
 */
export function correctClock(
  { store, writer, ledger, now }: ClockCorrectionContext,
  { caller, reason }: CorrectedBy,
): Promise<string[]> {
  return ledger.sealAllThen(() => {
    const { clock } = store;
    // Not under a clock that is itself in doubt.
    clock.watch?.check();
    const [at, latest] = [now(), clock.latest];
    if (latest <= at) throw new ServiceError('CONFLICT', "the ledger's times are not ahead of the machine's clock");
    const orgIds = clock.organizationsAheadOf(at);
    const details = new Map(orgIds.map((orgId) => [orgId, plan(store, orgId, at, latest)]));
    const target = { targetType: 'ledger', targetId: randomUUID() };
    try {
      writer.commit((tx) => {
        clock.setBack(at);
        setManifestTime(tx, at);
        for (const [orgId, correction] of details) {
          // Elsewhere nobody is to learn who is a user here.
          const actor = orgId === caller?.orgId ? caller.userId : 'operator';
          const act = { orgId, actor, action: CLOCK_CORRECTED, ...target } as const;
          recordAdminEvent(tx, { ...act, details: { ...correction, reason } as never }, at);
        }
      });
    } catch (error) {
      clock.forget();
      throw error;
    }
    return orgIds;
  });
}
