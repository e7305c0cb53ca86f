import { RecordError } from '../base/record-error.ts';

/** The two encodings of OTLP/HTTP. */
export type OtlpEncoding = 'application/json' | 'application/x-protobuf';

/**
 * The encoding that a Content-Type header names.
 * @throws RecordError EVENT_INVALID for any other content type, or none
 */
export function otlpEncoding(contentType: string | null): OtlpEncoding {
  const named = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (named === 'application/json' || named === 'application/x-protobuf') return named;
  throw new RecordError(
    'EVENT_INVALID',
    'The Content-Type of an OTLP request has to be application/json or application/x-protobuf.',
  );
}
