/** What happened at a service, act by act: the one true history of the model, and the form that a rewritten one has. */
import {
  chainHash,
  fromBase64Url,
  type OperationRecord,
  payloadHash,
  recordSignedBytes,
} from '../../src/protocol/index.ts';
import { ORG_ID, uuid } from '../support/bundle-maker.ts';
import { type KeyName, sha256, signed, time } from './world.ts';

export type AgentName = 'ann' | 'bob' | 'puppet';

export type Act =
  /** The service accepts a record: only its signer could make it, anybody who has it can submit it again. */
  | { readonly act: 'record'; readonly eor: OperationRecord; readonly at: number }
  | { readonly act: 'register' | 'add_key'; readonly agent: AgentName; readonly key: KeyName; readonly at: number }
  | { readonly act: 'revoke_key'; readonly agent: AgentName; readonly key: KeyName; readonly at: number }
  | { readonly act: 'freeze' | 'unfreeze' | 'delete'; readonly agent: AgentName; readonly at: number }
  /** An event that touches no agent. */
  | { readonly act: 'note'; readonly at: number }
  | { readonly act: 'seal'; readonly at: number }
  /** The next service key takes over; or is there, and the one before it signs on. */
  | { readonly act: 'rotate'; readonly at: number; readonly ignored?: boolean };

export type History = readonly Act[];

export interface RecordDraft {
  readonly agent: AgentName;
  readonly key: KeyName;
  /** Names the operation: its id, nonce and payload follow from it. */
  readonly operation: string;
  readonly previous: OperationRecord | null;
  readonly issuedAt: number;
  /** In ticks. */
  readonly ttl?: number;
  readonly nonce?: string;
}

/** A record that the holder of the key signs. */
export function recordOf(draft: RecordDraft): OperationRecord {
  const { agent, key, operation, previous, issuedAt, ttl = 3600, nonce = `nonce of ${operation}` } = draft;
  const payload = { what: operation };
  const core = {
    op_version: 1 as const,
    operation_id: uuid(operation),
    org_id: ORG_ID,
    agent_id: agent,
    issued_at: time(issuedAt),
    ttl_ms: ttl * 1000,
    nonce,
    operation_type: 'file.write',
    subject: operation,
    action: 'write',
    payload_hash: payloadHash(payload, sha256),
    prev_chain_hash: previous === null ? null : chainHashOf(previous),
    agent_pubkey_kid: key,
  };
  return { ...core, payload, signature: signed(key, recordSignedBytes(core)) };
}

export function chainHashOf(eor: OperationRecord): string {
  return chainHash(recordSignedBytes(eor), fromBase64Url(eor.signature, 64), sha256);
}

const a1 = recordOf({ agent: 'ann', key: 'ann-1', operation: 'a1', previous: null, issuedAt: 10 });
const b1 = recordOf({ agent: 'bob', key: 'bob-1', operation: 'b1', previous: null, issuedAt: 12, ttl: 3 });
const a2 = recordOf({ agent: 'ann', key: 'ann-1', operation: 'a2', previous: a1, issuedAt: 18 });
const a3 = recordOf({ agent: 'ann', key: 'ann-2', operation: 'a3', previous: a2, issuedAt: 28 });
const b2 = recordOf({ agent: 'bob', key: 'bob-1', operation: 'b2', previous: b1, issuedAt: 30 });

/** The records that honest agents ever signed. */
export const SIGNED = { a1, b1, a2, a3, b2 } as const;

/**
 * What really happened: two agents, five records in three epochs; one agent frozen for a while, the other given a second key
 * and its first revoked; the service key rotated before the last epoch.
 */
export const TRUTH: History = [
  { act: 'register', agent: 'ann', key: 'ann-1', at: 0 },
  { act: 'register', agent: 'bob', key: 'bob-1', at: 2 },
  { act: 'record', eor: a1, at: 10 },
  { act: 'record', eor: b1, at: 12 },
  { act: 'seal', at: 14 },
  { act: 'freeze', agent: 'bob', at: 16 },
  { act: 'record', eor: a2, at: 18 },
  { act: 'seal', at: 20 },
  { act: 'unfreeze', agent: 'bob', at: 22 },
  { act: 'add_key', agent: 'ann', key: 'ann-2', at: 23 },
  { act: 'revoke_key', agent: 'ann', key: 'ann-1', at: 24 },
  { act: 'rotate', at: 26 },
  { act: 'record', eor: a3, at: 28 },
  { act: 'record', eor: b2, at: 30 },
  { act: 'seal', at: 32 },
];

/** Ticks at which an honest service made bundles: each follows a seal. */
export const MOMENTS = [15, 21, 34] as const;
export const NOW = 34;
