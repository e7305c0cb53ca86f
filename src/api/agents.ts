import { z } from 'zod';
import { tokenAnswer } from './accounts.ts';
import { agentId, digest, id, milliseconds, name, reason, text } from './fields.ts';
import { LIMITS } from './limits.ts';
import { INTEGRATION_TYPES } from './programs.ts';

/** At registration also `sdk`. */
export const REGISTRATION_TYPES = ['sdk', ...INTEGRATION_TYPES] as const;

export const agentKeyBody = z.strictObject({
  kid: name(LIMITS.kid),
  public_key: z
    .string()
    .min(1)
    .max(1024)
    .meta({ description: 'base64url, base64, hexadecimal, SPKI DER in base64, or SPKI PEM' }),
  algorithm: z.literal('ed25519'),
});

export const registerAgentBody = z.strictObject({
  agent_id: agentId,
  display_name: name(LIMITS.displayName).optional(),
  responsible_entity: text(0, LIMITS.responsibleEntity).optional(),
  integration_type: z.enum(REGISTRATION_TYPES).default('sdk'),
  keys: z.array(agentKeyBody).min(1, 'must hold at least one key').max(LIMITS.keysPerAgent),
});

export const enrolAgentBody = registerAgentBody.extend({
  token_name: name(LIMITS.tokenName).optional(),
  again: z.boolean().default(false).meta({
    description: 'gives the keys to an agent that is registered with this integration type; not for enrol tokens',
  }),
});

export const updateAgentBody = z.strictObject({ integration_type: z.enum(INTEGRATION_TYPES) });
export const reasonBody = z.strictObject({ reason });
export const revokeKeyBody = z.strictObject({ kid: name(LIMITS.kid), reason });

export const agent = z.strictObject({
  agent_id: id,
  org_id: id,
  display_name: z.string(),
  responsible_entity: z.string().nullable(),
  integration_type: z.string(),
  status: z.string(),
  created_at: milliseconds,
  updated_at: milliseconds,
});

export const agentKey = z.strictObject({
  kid: id,
  agent_id: id,
  public_key: z.string().meta({ description: 'base64url of the raw 32 bytes' }),
  algorithm: z.literal('ed25519'),
  status: z.enum(['active', 'revoked']),
  created_at: milliseconds,
  retired_at: milliseconds.nullable(),
});

export const agentQuery = z.strictObject({
  operation_id: z.string().max(256).optional().meta({
    description: 'in an archive: the agent as the host of this record knows it; else with the keys of all hosts',
  }),
});

export const agentAnswer = z.strictObject({ agent, keys: z.array(agentKey) });
/** The token submits for the agent and can do nothing else. */
export const enrolmentAnswer = agentAnswer.extend({ token: tokenAnswer });
const listedAgent = agent.extend({
  active_keys: z.int().min(0).exactOptional().meta({ description: 'keys that the agent can sign with' }),
});
export const agentsAnswer = z.strictObject({ agents: z.array(listedAgent) });
export type ListedAgent = z.infer<typeof listedAgent>;
export const oneAgentAnswer = z.strictObject({ agent });
export const keyAnswer = z.strictObject({ key: agentKey });
export const deletedAnswer = z.strictObject({ deleted: z.literal(true) });
export type AgentAnswer = z.infer<typeof agentAnswer>;

/** The agent's newest operation: what its next record must refer to. */
export const agentHead = z.strictObject({ chain_hash: digest.nullable(), seq_no: z.int().nullable() });
export type AgentHead = z.infer<typeof agentHead>;

/** A user who looks after an agent. */
export const assignBody = z.strictObject({ user_id: id.max(64) });
export const assignment = z.strictObject({ agent_id: id, user_id: id, assigned_by: id, assigned_at: milliseconds });
export const assignmentAnswer = z.strictObject({ assignment });
export const assignmentsAnswer = z.strictObject({ assignments: z.array(assignment) });
export type Assignment = z.infer<typeof assignment>;
