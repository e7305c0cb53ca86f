/** An error whose code callers and tests go by: a closed set for each kind of error. */
export abstract class CodedError<Code extends string> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Why the protocol layer refused a value. A closed set: callers map it to their own codes. */
export type ProtocolErrorCode =
  /** A value has no canonical form (RFC 8785): lone surrogate, non-finite number, too deep, not JSON. */
  | 'NOT_CANONICAL'
  /** A text is not I-JSON (RFC 7493): syntax, duplicate member, ill-formed UTF-8. */
  | 'JSON_INVALID'
  /** A string is not the encoding it should be: base64url, hexadecimal, digest, time. */
  | 'ENCODING_INVALID'
  /** A statement lacks a member, has one too many, or one of the wrong type or range. */
  | 'SHAPE_INVALID'
  /** A public key is not the canonical encoding of a point of prime order. */
  | 'KEY_WEAK';

/** Thrown by every function of this layer that refuses its input. */
export class ProtocolError extends CodedError<ProtocolErrorCode> {
  override readonly name = 'ProtocolError';
  /** Dotted path of the member that was refused, where there is one. */
  readonly member: string | undefined;

  constructor(code: ProtocolErrorCode, message: string, member?: string) {
    // What is refused is input, and an attacker's millions of bad records must cost no stack trace each. V8 has the limit.
    const traces = Error as { stackTraceLimit?: number | undefined };
    const limit = traces.stackTraceLimit;
    traces.stackTraceLimit = 0;
    super(code, message);
    traces.stackTraceLimit = limit;
    this.member = member;
  }
}

/** What `read` gives; `otherwise` where this layer refuses its input. */
export function unlessRefused<Value, Otherwise>(read: () => Value, otherwise: Otherwise): Value | Otherwise {
  try {
    return read();
  } catch (error) {
    if (error instanceof ProtocolError) return otherwise;
    throw error;
  }
}
