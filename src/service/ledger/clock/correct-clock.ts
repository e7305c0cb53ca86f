import { randomUUID } from 'node:crypto';
import {
  CLOCK_CORRECTED,
  type ClockCorrection,
  type ClockJump,
  instantText,
  LEAST_CLOCK_JUMP_MS,
  MOST_CLOCK_JUMPS,
} from '../../../protocol/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { forgetManifestsBehind } from '../../store/ledger-clock.ts';
import type { Store } from '../../store/open.ts';
import type { Writer } from '../../store/writer.ts';
import { recordAdminEvent } from '../admin-log/admin-events.ts';
import { clockCorrections } from '../admin-log/clock-corrections.ts';
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

/** The times that an organization's ledger has signed since its clock was last corrected. */
const SIGNED = `WITH signed AS (
    SELECT received_at AS time FROM operations WHERE org_id = @orgId AND seq_no > @seqNo
    UNION ALL SELECT created_at FROM admin_events WHERE org_id = @orgId AND event_no >= @eventNo
    UNION ALL SELECT created_at FROM latest_manifest WHERE org_id = @orgId
    UNION ALL SELECT CAST(unixepoch(end_time) * 1000 + substr(end_time, 21, 3) AS INTEGER) FROM epochs
      WHERE org_id = @orgId AND epoch_no > @epochNo)`;

/** The gaps between these times. */
const GAPS = `${SIGNED}, pairs AS (SELECT time AS after, lag(time) OVER (ORDER BY time) AS before FROM signed)
  SELECT before, after FROM pairs WHERE after - before >= @least`;
const LARGEST_GAPS = `${GAPS} ORDER BY after - before DESC, after DESC LIMIT @most`;
const LATEST_GAP = `${GAPS} AND after NOT IN (SELECT value FROM json_each(@taken)) ORDER BY after DESC LIMIT 1`;

/** The gap that a time lies in. */
const GAP_AT = `${SIGNED} SELECT (SELECT max(time) FROM signed WHERE time <= @time) AS before,
  (SELECT min(time) FROM signed WHERE time > @time) AS after`;

/** What the clock should have read when jumps were seen and taken for right by mistake, since the last correction, the latest first. */
const SEEN = `SELECT json_extract(details, '$.expected') FROM admin_events e WHERE action = 'ledger.clock_accepted'
  AND event_no > (SELECT coalesce(max(event_no), 0) FROM admin_events c
    WHERE c.org_id = e.org_id AND c.action = '${CLOCK_CORRECTED}')
  ORDER BY event_no DESC LIMIT 16`;

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

interface Gap {
  readonly before: number;
  readonly after: number;
}

type GapOrNone = { readonly [End in keyof Gap]: Gap[End] | null };

function isGap(gap: GapOrNone): gap is Gap {
  return gap.before !== null && gap.after !== null;
}

/** By this much a clock runs apart from what is expected of it without being in doubt, in milliseconds. */
const DRIFT_MS = 60_000;

/** Gaps that may be jumps of a clock. */
interface Gaps {
  readonly largest: (most: number) => readonly Gap[];
  /** @returns the latest that is at least as large, but for those that are taken */
  readonly latest: (least: number, taken: readonly Gap[]) => Gap | undefined;
}

const sizeOf = ({ before, after }: Gap): number => after - before;

/** The gaps of a ledger in which a jump was seen when it happened. */
function seenGaps(gaps: readonly Gap[]): Gaps {
  return {
    largest: (most) => gaps.toSorted((a, b) => sizeOf(b) - sizeOf(a) || b.after - a.after).slice(0, most),
    latest: (least, taken) =>
      gaps
        .filter((gap) => sizeOf(gap) >= least && !taken.includes(gap))
        .toSorted((a, b) => b.after - a.after)
        .at(0),
  };
}

/**
 * As few gaps as make up for what is to be taken back: the largest, but for the last of them, which is the latest that suffices.
 * What is to be taken back shrinks while time passes, so a gap that just suffices may be any break of weeks ago; the latest has the
 * shortest stretch.
 * @param excess milliseconds
 * @returns in their order, and what they do not make up for: 0, or milliseconds
 */
function jumpsOf(gaps: Gaps, excess: number): { readonly jumps: readonly Gap[]; readonly rest: number } {
  const jumps: Gap[] = [];
  let rest = excess;
  for (const gap of gaps.largest(MOST_CLOCK_JUMPS)) {
    const size = sizeOf(gap);
    const least = jumps.length === 0 ? 1 : LEAST_CLOCK_JUMP_MS;
    if (size < least) break;
    if (size >= rest) {
      const sufficient = gaps.latest(Math.max(least, rest), jumps) ?? gap;
      return { jumps: [...jumps, sufficient].toSorted((a, b) => a.after - b.after), rest: 0 };
    }
    // The first alone, if it is too small to be one of several.
    jumps.push(gap);
    rest -= size;
    if (size < LEAST_CLOCK_JUMP_MS) break;
  }
  return { jumps, rest };
}

/**
 * What a correction of an organization's clock says (protocol F101).
 * @param latest the latest time that its ledger has signed
 * @throws ServiceError CONFLICT where the ledger shows no jumps as large as what would be taken back
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
    return {
      jumps: [{ before: null, after: begun, seq_no: 0, epoch_no: 0, events: 0 }],
      last_time: latest,
      until,
    };
  }
  const expected = store.statement(SEEN).pluck().all() as number[];
  // Nothing was signed between what the clock should have read and the jump.
  const inSeen = expected.map((time) => store.statement(GAP_AT).get({ ...from, time: time + DRIFT_MS }) as GapOrNone);
  const seen = new Map(inSeen.filter(isGap).map((gap) => [gap.after, gap]));
  const shown: Gaps = {
    largest: (most) => store.statement(LARGEST_GAPS).all({ ...from, least: 1, most }) as Gap[],
    latest: (least, taken) => {
      const values = { ...from, least, taken: JSON.stringify(taken.map(({ after }) => after)) };
      return store.statement(LATEST_GAP).get(values) as Gap | undefined;
    },
  };
  const count = (name: keyof typeof UP_TO, time: number): number => {
    const { [name]: query } = UP_TO;
    const values = { ...from, time };
    const names = [...query.matchAll(/@(\w+)/g)].map(([, one = '']) => one as keyof typeof values);
    return store
      .statement(query)
      .pluck()
      .get(Object.fromEntries(names.map((one) => [one, values[one]]))) as number;
  };
  const ofSeen = jumpsOf(seenGaps([...seen.values()]), latest - now);
  const { jumps, rest } = ofSeen.rest === 0 ? ofSeen : jumpsOf(shown, latest - now);
  const [first, ...others] = jumps.map(({ before, after }): ClockJump => {
    const [seq_no, epoch_no, events] = [count('seq_no', before), count('epoch_no', before), count('events', before)];
    return { before, after, seq_no, epoch_no, events };
  });
  if (first === undefined || rest > 0) {
    throw new ServiceError(
      'CONFLICT',
      `the ledger of ${orgId} shows no jumps of ${Math.round((latest - now) / 1000)} s, so that its times cannot be taken back before ` +
        `${instantText(now + rest)}. Is the machine's clock right?`,
    );
  }
  return { jumps: [first, ...others], last_time: latest, until };
}

/**
 * Sets the ledger's clock back to the machine's, in the ledger of each organization that has signed a later time: everything is sealed, and
 * the correction recorded where epochs and bundles seal it (protocol F100). All in one commit: a crash leaves all of it or none.
 * @returns the organizations whose ledgers were corrected
 * @throws ServiceError CONFLICT where nothing is ahead, or a ledger shows no such jumps
 */
export function correctClock(
  { store, writer, ledger, now }: ClockCorrectionContext,
  { caller, reason }: CorrectedBy,
): Promise<string[]> {
  return ledger.sealAllThen(async () => {
    const { clock } = store;
    // Not under a clock that is itself in doubt.
    clock.watch?.check();
    const [at, latest] = [now(), clock.latest];
    if (latest <= at) throw new ServiceError('CONFLICT', "the ledger's times are not ahead of the machine's clock");
    const ahead = [...clock.organizationsAheadOf(at)];
    const details = new Map(ahead.map(([orgId, newest]) => [orgId, plan(store, orgId, at, newest)]));
    const target = { targetType: 'ledger', targetId: randomUUID() };
    try {
      await writer.commit((tx) => {
        clock.setBack(at);
        forgetManifestsBehind(tx, at);
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
    return [...details.keys()];
  });
}
