import { type AgentTail, type Differ, formatDigest, type SeenLedger } from '../../../protocol/index.ts';
import type { AgentKeyRow, AgentRow } from '../../agents/registry.ts';
import { type AgentHistory, agentHistories, type Instant } from './agent-history.ts';

function tellsTime({ least, most }: Instant, actual: number): boolean {
  return actual >= least && actual <= most;
}

/** Compares each agent's row and keys with what the administrative log and the agent's newest record say of it. */
export function compareAgents(
  agents: readonly AgentRow[],
  keys: readonly AgentKeyRow[],
  { adminEvents, tails }: SeenLedger,
  differ: Differ,
): void {
  const histories = agentHistories(adminEvents);
  const rows = new Map(agents.map((row) => [row.agentId, row]));
  for (const row of agents) {
    const history = histories.get(row.agentId);
    if (history === undefined) {
      differ({
        check: 'admin_log',
        where: { agent_id: row.agentId },
        expected: 'the event of its registration',
        actual: 'no such event',
        message: 'The administrative log knows nothing of this agent.',
      });
    } else {
      compareRow(row, history, differ);
      compareKeys(
        row.agentId,
        keys.filter(({ agentId }) => agentId === row.agentId),
        history,
        differ,
      );
    }
    compareTail(row, tails.get(row.agentId), differ);
  }
  for (const agentId of histories.keys()) if (!rows.has(agentId)) agentIsGone(agentId, 'was registered', differ);
  for (const agentId of tails.keys()) {
    if (!rows.has(agentId) && !histories.has(agentId)) agentIsGone(agentId, 'has records', differ);
  }
}

function agentIsGone(agentId: string, why: string, differ: Differ): void {
  differ({
    check: 'admin_log',
    where: { agent_id: agentId },
    expected: `the agent, which ${why}`,
    actual: 'no such agent',
    message: 'The agent is missing.',
  });
}

function compareRow(row: AgentRow, history: AgentHistory, differ: Differ): void {
  const says = (member: string, expected: string | null, actual: string | null): void => {
    differ({
      check: 'admin_log',
      where: { agent_id: row.agentId, member },
      expected: expected ?? 'null',
      actual: actual ?? 'null',
      message: `The agent's ${member} is not what the administrative log says.`,
    });
  };
  if (row.status !== history.status) says('status', history.status, row.status);
  if (row.integrationType !== history.integrationType) {
    says('integration_type', history.integrationType, row.integrationType);
  }
  if (!tellsTime(history.createdAt, row.createdAt)) {
    says('created_at', String(history.createdAt.most), String(row.createdAt));
  }
  if (!tellsTime(history.updatedAt, row.updatedAt)) {
    says('updated_at', String(history.updatedAt.most), String(row.updatedAt));
  }
  const { deletedAt } = history;
  const sameDeletion =
    deletedAt === null || row.deletedAt === null ? deletedAt === row.deletedAt : tellsTime(deletedAt, row.deletedAt);
  if (!sameDeletion)
    says('deleted_at', deletedAt && String(deletedAt.most), row.deletedAt === null ? null : String(row.deletedAt));
}

function compareKeys(agentId: string, rows: readonly AgentKeyRow[], { keys }: AgentHistory, differ: Differ): void {
  const says = (kid: string, expected: string, actual: string, message: string): void =>
    differ({ check: 'admin_log', where: { agent_id: agentId, kid }, expected, actual, message });
  for (const { kid, status } of rows) {
    const expected = keys.get(kid);
    if (expected === status) continue;
    says(
      kid,
      expected ?? 'no such key',
      status,
      expected === undefined
        ? 'The administrative log knows nothing of this key.'
        : "The key's status is not what the administrative log says.",
    );
  }
  for (const [kid, status] of keys) {
    if (!rows.some((row) => row.kid === kid)) says(kid, status, 'no such key', 'The key is missing.');
  }
}

/** The place where the agent's next record will be linked. */
function compareTail(row: AgentRow, tail: AgentTail | undefined, differ: Differ): void {
  const says = (member: string, expected: string | null, actual: string | null): void => {
    if (expected === actual) return;
    differ({
      check: 'chains',
      where: { agent_id: row.agentId, member },
      expected: expected ?? 'null',
      actual: actual ?? 'null',
      message: "The head of the agent's chain is not its newest record.",
    });
  };
  says('head_seq_no', tail ? String(tail.seqNo) : null, row.headSeqNo === null ? null : String(row.headSeqNo));
  says('head_chain_hash', tail?.chainHash ?? null, row.headChainHash && formatDigest(row.headChainHash));
}
