import type { EpochStatement } from '../../protocol/index.ts';
import type { NewOperationRow, OperationRow } from '../store/schema.ts';
import type { LogSubtree, LogTree } from './epochs/log-tree.ts';

/** What a submission is looked up by. */
export interface SubmissionKey {
  readonly orgId: string;
  readonly agentId: string;
  readonly kid: string;
  readonly operationId: string;
  readonly nonce: string;
}

/** What the ledger knows that decides about one submission (protocol F50, steps 8 to 13). */
export interface SubmissionView {
  /** The agent as it is; null where it was deleted or never was. */
  readonly agent: { readonly status: string; readonly headChainHash: string | null } | null;
  readonly keyStatus: string | null;
  /** The operation accepted under the same operation_id. */
  readonly sameOperation: OperationRow | null;
  readonly nonceUsed: boolean;
}

/** Where an organization's ledger ends. */
export interface LedgerTail {
  readonly lastSeqNo: number;
  readonly lastEpoch: { readonly epochNo: number; readonly lastSeqNo: number; readonly epochHash: string } | null;
}

/** A leaf that no epoch has sealed yet. */
export interface OpenLeaf {
  readonly leafHash: Uint8Array;
  readonly receivedAt: number;
}

/** An agent's public key as registered. */
export interface RegisteredKey {
  readonly publicKey: Uint8Array;
  /** The person whose own agent has the key; null for all other agents. */
  readonly userId: string | null;
}

/** An epoch, signed, as it is stored. */
export interface SealedEpoch {
  readonly statement: EpochStatement;
  readonly signature: string;
  /** What the log has grown by. */
  readonly subtrees: readonly LogSubtree[];
}

/**
 * What the ledger needs of a database: whole sets in, whole sets out, asynchronous, so that another engine than SQLite can
 * stand behind it. Only the one writer calls what changes it; each such call is one durable commit.
 */
export interface LedgerStore {
  /** Organizations that have records which no epoch has sealed. */
  orgsWithOpenLeaves(): Promise<string[]>;
  tail(orgId: string): Promise<LedgerTail>;
  openLeaves(orgId: string): Promise<OpenLeaf[]>;
  /** The tree of the organization's receipts up to a seq_no that an epoch ends with. @throws Error where it is damaged */
  logTree(orgId: string, size: number): Promise<LogTree>;
  /** The key, with "unknown agent" and "unknown key" told apart. */
  findKey(
    orgId: string,
    agentId: string,
    kid: string,
  ): RegisteredKey | 'no-agent' | 'no-key' | Promise<RegisteredKey | 'no-agent' | 'no-key'>;
  /** One view for each key, in order. */
  lookUp(keys: readonly SubmissionKey[]): Promise<SubmissionView[]>;
  /** Appends records and moves their agents' heads, in one commit. */
  append(rows: readonly NewOperationRow[]): Promise<void>;
  adminHeadHash(orgId: string): Promise<string | null>;
  appendEpoch(epoch: SealedEpoch): Promise<void>;
}
