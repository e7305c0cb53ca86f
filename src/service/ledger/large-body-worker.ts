/*
 * A thread that reads large bodies of records. Parsing one takes a tenth of a second or more, which the thread that answers
 * must not be kept for: so errors too are worded here, by the same functions as there.
 */
import { workerData } from 'node:worker_threads';
import { LIMITS, loadSubmitBodies } from '../../api/light.ts';
import { serveRequests } from '../../node/index.ts';
import { decodeUtf8 } from '../../protocol/light.ts';
import { parseBody } from '../http/parse-body.ts';
import { type Refusal, refusalOf } from '../store/base/service-error.ts';
import { type PackedRecord, packRecord } from './check-messages.ts';
import { prepareRecord, readSubmission } from './check-record.ts';

export interface LargeBodyData {
  readonly maxPayloadBytes: number;
}

export interface LargeBodyRequest {
  readonly bytes: Uint8Array;
  readonly isBatch: boolean;
}

/** A record that was read; or what is wrong with it. */
export type ReadRecord =
  | {
      readonly packed: PackedRecord;
      readonly signedText: string;
      readonly payloadDigest: string;
      readonly disclosuresFit: boolean;
    }
  | { readonly refused: Refusal };

const { maxPayloadBytes } = workerData as LargeBodyData;
const { batchBody, submitBody } = await loadSubmitBodies();

function readRecord(value: unknown): ReadRecord {
  try {
    const prepared = prepareRecord(readSubmission(value, maxPayloadBytes));
    const { signedBytes, payloadDigest, disclosuresFit } = prepared;
    return { packed: packRecord(prepared), signedText: decodeUtf8(signedBytes), payloadDigest, disclosuresFit };
  } catch (error) {
    const refused = refusalOf(error);
    if (refused === undefined) throw error;
    return { refused };
  }
}

function read({ bytes, isBatch }: LargeBodyRequest): ReadRecord[] {
  if (!isBatch) return [readRecord(parseBody(submitBody, bytes))];
  return parseBody(batchBody, bytes).records.slice(0, LIMITS.batch).map(readRecord);
}

serveRequests<LargeBodyRequest, ReadRecord[], never, Refusal>(read, { refusalOf });
