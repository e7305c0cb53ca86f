import { jsonLogs, jsonSpans } from './decode-json.ts';
import { protobufLogs, protobufSpans } from './decode-protobuf.ts';
import type { OtlpEncoding } from './encoding.ts';
import type { OtlpLog, OtlpSpan } from './model.ts';

/**
 * The spans of an export request; both encodings of it give the same.
 * @throws RecordError EVENT_INVALID, EVENT_TOO_LARGE
 */
export function decodeSpans(encoding: OtlpEncoding, body: Uint8Array): OtlpSpan[] {
  return encoding === 'application/json' ? jsonSpans(body) : protobufSpans(body);
}

/**
 * The log records of an export request; both encodings of it give the same.
 * @throws RecordError EVENT_INVALID, EVENT_TOO_LARGE
 */
export function decodeLogs(encoding: OtlpEncoding, body: Uint8Array): OtlpLog[] {
  return encoding === 'application/json' ? jsonLogs(body) : protobufLogs(body);
}
