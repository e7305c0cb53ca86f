import { MAX_DIRECTORY_BYTES, MOST_OF_BUNDLE } from '../../../protocol/index.ts';
import { needRoom } from '../../store/base/quotas.ts';
import type { Store } from '../../store/open.ts';

/** What a bundle has of an agent and of a key beside what somebody chose, in bytes and generously. */
const AROUND_AGENT = 350;
const AROUND_KEY = 520;

/** All that service keys will ever take of it, so that a rotation always has room. */
const SERVICE_KEYS_BYTES = MOST_OF_BUNDLE.service_keys * 700;

/** Fewer agents and keys than these fit into a bundle whatever they are called. */
const NEED_NO_COUNT = { agents: 1000, keys: 10_000 };

const REMEDY = 'a bundle of the ledger could not list more, and every agent that was ever registered stays in it';

/**
 * Refuses what would make the directory of an organization larger than any verifier reads: all of its exports would be lost with it.
 * @param more agents and keys that are to come, and the texts by which these are called
 * @throws ServiceError QUOTA_EXCEEDED
 */
export function needRoomInDirectory(
  store: Store,
  orgId: string,
  more: { readonly agents: number; readonly keys: number; readonly texts: readonly (string | null)[] },
): void {
  const sum = (sql: string): number => Number(store.statement(sql).pluck().get(orgId) ?? 0);
  const used = {
    agents: sum('SELECT count(*) FROM agents WHERE org_id = ?'),
    keys: sum('SELECT count(*) FROM agent_keys WHERE org_id = ?'),
  };
  needRoom({ what: 'agents', used: used.agents, more: more.agents, most: MOST_OF_BUNDLE.agents, remedy: REMEDY });
  needRoom({
    what: 'keys of agents',
    used: used.keys,
    more: more.keys,
    most: MOST_OF_BUNDLE.agent_keys,
    remedy: REMEDY,
  });
  if (used.agents <= NEED_NO_COUNT.agents && used.keys <= NEED_NO_COUNT.keys) return;
  const names = ['agent_id', 'org_id', 'display_name', 'integration_type', 'responsible_entity'];
  const lengths = (columns: readonly string[]): string =>
    columns.map((column) => `coalesce(octet_length(json_quote(${column})), 4)`).join(' + ');
  const bytes =
    sum(`SELECT sum(${lengths(names)}) FROM agents WHERE org_id = ?`) +
    sum(`SELECT sum(${lengths(['agent_id', 'kid'])}) FROM agent_keys WHERE org_id = ?`) +
    AROUND_AGENT * used.agents +
    AROUND_KEY * used.keys;
  needRoom({
    what: 'bytes of agents and keys',
    used: bytes,
    most: MAX_DIRECTORY_BYTES - SERVICE_KEYS_BYTES,
    remedy: REMEDY,
    more: AROUND_AGENT * more.agents + AROUND_KEY * more.keys + Buffer.byteLength(JSON.stringify(more.texts)),
  });
}
