import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { utf8 } from '../../protocol/light.ts';
import { otlpEncoding } from './encoding.ts';
import type { OtlpAnswer, OtlpRejected, OtlpSignal } from './request.ts';

/** What the JSON form of a partial success calls the count of rejected items. */
const REJECTED_MEMBER: Record<OtlpSignal, string> = {
  traces: 'rejectedSpans',
  logs: 'rejectedLogRecords',
  metrics: 'rejectedDataPoints',
};

/**
 * The body of a response with status 200, in the encoding of the request: an empty message, or a partial success where something was
 * rejected or is to be said.
 * @throws RecordError EVENT_INVALID for a content type that OTLP does not have
 */
export function otlpAnswer(path: OtlpSignal, contentType: string | null, rejected: OtlpRejected): OtlpAnswer {
  const encoding = otlpEncoding(contentType);
  const { count, reason } = rejected;
  const silent = count === 0 && reason === '';
  if (encoding === 'application/json') {
    // 64-bit integers are texts in the JSON form of protobuf.
    const partial = { [REJECTED_MEMBER[path]]: String(count), errorMessage: reason };
    return { contentType: encoding, body: utf8(JSON.stringify(silent ? {} : { partialSuccess: partial })) };
  }
  const writer = new BinaryWriter();
  if (!silent) {
    writer.uint32((1 << 3) | 2).fork();
    writer.uint32(1 << 3).int64(count);
    writer.uint32((2 << 3) | 2).string(reason);
    writer.join();
  }
  return { contentType: encoding, body: writer.finish() };
}

/** The body of a response with another status than 200: a google.rpc.Status with its message, in the encoding of the request. */
export function otlpRefusal(contentType: string | null, message: string): OtlpAnswer {
  if (contentType !== null && /^\s*application\/x-protobuf\b/i.test(contentType)) {
    const writer = new BinaryWriter();
    writer.uint32((2 << 3) | 2).string(message);
    return { contentType: 'application/x-protobuf', body: writer.finish() };
  }
  return { contentType: 'application/json', body: utf8(JSON.stringify({ message })) };
}
