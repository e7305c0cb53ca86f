import { z } from 'zod';
import { type ErrorCode, LIMITS, type Refusal } from '../../../../api/index.ts';
import { formatTime, parseTime } from '../../../../protocol/index.ts';
import { listPage, readCursor } from '../../../http/cursor.ts';
import type { Handlers } from '../../../http/handler.ts';
import type { Store } from '../../../store/open.ts';
import type { Refusals } from './refusals.ts';

interface RefusalDeps {
  readonly store: Store;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Notes what is refused. */
  readonly refusals: Refusals;
}

const ALARMS: readonly ErrorCode[] = ['AGENT_FROZEN', 'KEY_REVOKED'];
const DAY_MS = 24 * 3_600_000;

const FIND = `SELECT refusal_no, kind, code, agent_id, kid, operation_id, user_id, address, first_at, last_at, times
  FROM refusals WHERE org_id = @orgId AND refusal_no < @before AND (@kind IS NULL OR kind = @kind) AND (@code IS NULL OR code = @code)
  AND (@agentId IS NULL OR agent_id = @agentId) AND last_at >= @from AND first_at < @to
  ORDER BY refusal_no DESC LIMIT @limit`;
const COUNT = `SELECT coalesce(sum(times), 0) AS times,
  coalesce(sum(times) FILTER (WHERE code IN (${ALARMS.map((code) => `'${code}'`).join(', ')})), 0) AS alarms
  FROM refusals WHERE org_id = ? AND last_at >= ?`;

type Row = Omit<Refusal, 'is_alarm' | 'first_at' | 'last_at'> & { readonly first_at: number; readonly last_at: number };

interface Counted {
  readonly times: number;
  readonly alarms: number;
}

export function refusalRoutes({ store, now, refusals }: RefusalDeps) {
  return {
    listRefusals: async ({ caller: { orgId }, query }) => {
      // What was refused a moment ago belongs to the list as well.
      await refusals.flush();
      const { limit = LIMITS.page.default, kind = null, code = null, agentId = null, startTime, endTime } = query;
      const rows = store.statement(FIND).all({
        orgId,
        kind,
        code,
        agentId,
        limit: limit + 1,
        before: readCursor(query.cursor, z.int()) ?? Number.MAX_SAFE_INTEGER,
        from: startTime === undefined ? 0 : parseTime(startTime),
        to: endTime === undefined ? Number.MAX_SAFE_INTEGER : parseTime(endTime),
      }) as Row[];
      const page = listPage(rows, limit, (row) => row.refusal_no, view);
      const { times, alarms } = store.statement(COUNT).get(orgId, now() - DAY_MS) as Counted;
      return { body: { ...page, last_24_hours: times, last_24_hours_alarms: alarms } };
    },
  } satisfies Partial<Handlers>;
}

function view(row: Row): Refusal {
  return {
    ...row,
    is_alarm: ALARMS.some((code) => code === row.code),
    agent_id: row.agent_id === '' ? null : row.agent_id,
    kid: row.kid === '' ? null : row.kid,
    first_at: formatTime(row.first_at),
    last_at: formatTime(row.last_at),
  };
}
