import { z } from 'zod';
import { agent, agentKey } from './agents.ts';
import { id, type ReadonlyDeep } from './fields.ts';
import { auditRow, storedOperation } from './operations.ts';
import { coverage, rowDetails } from './row-details.ts';

/** The agent that a person's decisions are records of, with its keys; null until the person has added a key. */
export const decisionAgentAnswer = z.strictObject({
  decider: z.strictObject({ agent, keys: z.array(agentKey) }).nullable(),
});
export type DecisionAgent = z.infer<typeof decisionAgentAnswer>;

export const waitingQuery = z.strictObject({
  operation_id: id.max(64).optional().meta({ description: 'this question alone, where it still waits' }),
});

/** Questions that nobody has decided, of actions that were not carried out either. */
export const waitingAnswer = z.strictObject({
  data: z.array(auditRow.extend({ details: rowDetails })).meta({ description: 'the newest 100, newest first' }),
  total: z.int().min(0),
  coverage,
});
export type WaitingAnswer = z.infer<typeof waitingAnswer>;

/** A person's decision: the record and its receipt, and the key that signed the record. */
const settledDecision = z.strictObject({
  operation: storedOperation,
  decider: z.strictObject({
    agent_id: id.meta({ description: "the person's own agent" }),
    responsible_entity: z.string().nullable().meta({ description: "the person's address" }),
    key: agentKey,
  }),
});

/** What became of a question of an agent. */
export const agentDecisionAnswer = z.strictObject({
  state: z.enum(['waiting', 'decided', 'closed']).meta({
    description: 'closed: the agent asked again, carried the action out or gave it up before a person decided',
  }),
  decision: settledDecision.nullable().meta({ description: 'null unless the state is decided' }),
});
export type AgentDecision = ReadonlyDeep<z.infer<typeof agentDecisionAnswer>>;
