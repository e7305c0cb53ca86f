import type { Spool } from '../spool/spool.ts';
import type { InstalledAgent } from './installed-agent.ts';
import type { Stopped } from './sender.ts';

export interface AgentStatus {
  readonly feed: string;
  readonly agent_id: string;
  readonly org_id: string;
  /** How many signed records wait for the service. */
  readonly waiting: number;
  /** When the oldest of them was signed (RFC 3339); null where none waits. */
  readonly oldest: string | null;
  /** When the service received the newest record that there is a receipt for (RFC 3339). */
  readonly last_receipt_at: string | null;
  /** Chain hash of the newest record. */
  readonly head: string | null;
  /** Why its records are not sent; null while they are. */
  readonly stopped: Stopped | null;
  /** How many events were lost that no record tells of yet. */
  readonly lost: number;
}

export interface RecorderStatus {
  readonly waiting: number;
  readonly spool: { readonly bytes: number; readonly max_bytes: number };
  readonly agents: readonly AgentStatus[];
  /** What is wrong with the files of agents that cannot be used. */
  readonly problems: readonly string[];
}

/** What is kept here, and what has become of it. */
export function statusOf<Prepared>(
  spool: Spool,
  installed: readonly InstalledAgent<Prepared>[],
  problems: readonly string[],
): RecorderStatus {
  const senders = new Map(installed.map(({ id, sender }) => [id, sender]));
  const agents = spool.chains.all().map(({ id, feed, agent_id, org_id, last_receipt_at, head }): AgentStatus => {
    const { waiting, oldest } = spool.waiting.count(id);
    const sender = senders.get(id);
    const uninstalled = { code: 'NOT_INSTALLED', message: 'no agent file has its key', since: oldest ?? '' };
    const stopped = sender === undefined && waiting > 0 ? uninstalled : (sender?.stopped ?? null);
    const lost = spool.losses.of(id)?.count ?? 0;
    return { feed, agent_id, org_id, waiting, oldest, last_receipt_at, head, stopped, lost };
  });
  const waiting = agents.reduce((sum, agent) => sum + agent.waiting, 0);
  return { waiting, spool: { bytes: spool.usedBytes, max_bytes: spool.maxBytes }, agents, problems };
}
