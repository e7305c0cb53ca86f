import { checkpointOf, type SignedStatement } from './signed-statement.ts';

/** What a signed statement is, in words: "receipt for sequence number 12". */
export function describeStatement(statement: SignedStatement): string {
  if ('receipt' in statement) return `receipt for sequence number ${statement.receipt.seq_no}`;
  if ('epoch' in statement) return `epoch ${statement.epoch.epoch_no}`;
  if ('checkpoint' in statement) {
    return `checkpoint of the log at size ${checkpointOf(statement).size}`;
  }
  if ('service_key' in statement) return `service key ${statement.service_key.kid}`;
  if ('agent_key' in statement) {
    const { kid, agent_id: agentId } = statement.agent_key;
    return `key ${kid} of agent ${agentId}`;
  }
  return `manifest over a ledger that ends at sequence number ${statement.manifest.log_head.seq_no}`;
}
