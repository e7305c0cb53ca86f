/*
 * A thread that reads large bodies of records. Parsing one takes a tenth of a second or more, which the thread that answers
 * must not be kept for: so errors too are worded here, by the same functions as there.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { LIMITS, ROUTES } from '../../contract/index.ts';
import { ServiceError } from '../base/errors.ts';
import { parseBody } from '../http/body.ts';
import { type PackedRecord, packRecord } from './check-messages.ts';
import { readSubmission, signedParts } from './check-record.ts';

export interface LargeBodyData {
  readonly maxPayloadBytes: number;
}

export interface LargeBodyRequest {
  readonly bytes: Uint8Array;
  readonly isBatch: boolean;
}

/** What a ServiceError says; the error itself does not travel. */
export interface Refusal {
  readonly code: ServiceError['code'];
  readonly message: string;
}

/** A record that was read; or what is wrong with it. */
export type ReadRecord = { readonly packed: PackedRecord } | { readonly refused: Refusal };

export type LargeBodyAnswer = { readonly records: readonly ReadRecord[] } | { readonly refused: Refusal };

const { maxPayloadBytes } = workerData as LargeBodyData;

function refusalOf(error: unknown): { readonly refused: Refusal } {
  if (!(error instanceof ServiceError)) throw error;
  return { refused: { code: error.code, message: error.message } };
}

function readRecord(value: unknown): ReadRecord {
  try {
    const submitted = readSubmission(value, maxPayloadBytes);
    const { signedBytes: _, ...parts } = signedParts(submitted);
    return { packed: packRecord(submitted.record, parts) };
  } catch (error) {
    return refusalOf(error);
  }
}

function read({ bytes, isBatch }: LargeBodyRequest): LargeBodyAnswer {
  try {
    const { submitOperation, submitBatch } = ROUTES;
    if (!isBatch) return { records: [readRecord(parseBody(submitOperation.body, bytes))] };
    return { records: parseBody(submitBatch.body, bytes).records.slice(0, LIMITS.batch).map(readRecord) };
  } catch (error) {
    return refusalOf(error);
  }
}

parentPort?.on('message', (request: LargeBodyRequest) => parentPort?.postMessage(read(request)));
