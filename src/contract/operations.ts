import { z } from 'zod';
import type { Inclusion, OperationRecord, Receipt } from '../protocol/index.ts';

/**
 * A submitted record. Its rules are the protocol's own (protocol §3), and its size comes before its shape (protocol §4):
 * the service reads it with readSubmission, not with this schema.
 */
export const submitBody = z.unknown();

/** Get Operation: the whole record and receipt, and once sealed where it stands. */
export interface StoredOperation {
  readonly eor: OperationRecord;
  readonly ear: Receipt;
  readonly epoch: { readonly epoch_id: string; readonly epoch_no: number; readonly inclusion: Inclusion } | null;
}

/** Verify Operation; `epoch_valid` is null while the record waits to be sealed. */
export interface OperationVerification {
  readonly valid: boolean;
  readonly checks: {
    readonly signature_valid: boolean;
    readonly chain_hash_valid: boolean;
    readonly ttl_valid: boolean;
    readonly replay_check: boolean;
    readonly agent_status: string;
    readonly payload_hash_valid: boolean;
    readonly receipt_valid: boolean;
    readonly epoch_valid: boolean | null;
  };
}
