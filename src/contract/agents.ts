import { z } from 'zod';
import type { Agent, AgentKey } from '../protocol/index.ts';
import { agentId, name, text } from './fields.ts';
import { LIMITS } from './limits.ts';

/** What an agent may be integrated through, on update (docs/interface.md, Agents). */
export const INTEGRATION_TYPES = [
  'claudecode',
  'cursor',
  'gemini',
  'kirocli',
  'kiroide',
  'opencode',
  'copilot',
  'letta',
  'codex',
  'kimi',
  'enterprise',
  'gui',
  'other',
] as const;

/** At registration `sdk` as well. */
export const REGISTRATION_TYPES = ['sdk', ...INTEGRATION_TYPES] as const;

export const agentKeyBody = z.strictObject({
  kid: name(LIMITS.kid),
  /** base64url, base64, hexadecimal, SPKI DER in base64, or SPKI PEM (protocol §1). */
  public_key: z.string().min(1).max(1024),
  algorithm: z.literal('ed25519'),
});

export const registerAgentBody = z.strictObject({
  agent_id: agentId,
  display_name: name(LIMITS.displayName).optional(),
  responsible_entity: text(0, LIMITS.responsibleEntity).optional(),
  integration_type: z.enum(REGISTRATION_TYPES).default('sdk'),
  keys: z.array(agentKeyBody).min(1, 'must hold at least one key').max(LIMITS.keysPerAgent),
});

export interface AgentAnswer {
  readonly agent: Agent;
  readonly keys: readonly AgentKey[];
}

/** The agent's newest operation: what its next record must refer to. */
export interface AgentHead {
  readonly chain_hash: string | null;
  readonly seq_no: number | null;
}
