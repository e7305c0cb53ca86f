import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecordError } from '../../../src/recorder/base/record-error.ts';
import { type OtlpRequest, type OtlpSignal, receiveOtlp } from '../../../src/recorder/otlp/receive.ts';
import { received } from '../../../src/recorder/seen/received.ts';
import { runs } from '../../support/extent.ts';
import { NOBODY, RECEIVED_AT } from '../../support/otlp.ts';

const PROTOBUF = 'application/x-protobuf';
const JSON_TYPE = 'application/json';

function request(contentType: string, body: Uint8Array, path: OtlpSignal = 'traces'): OtlpRequest {
  return { path, contentType, body: received(body), feed: null, installed: NOBODY, receivedAt: RECEIVED_AT };
}

/** The code of the refusal, null where it is taken; fails for every other error, also one that only was given a code. */
function codeOf(contentType: string, body: Uint8Array, path: OtlpSignal = 'traces'): string | null {
  try {
    receiveOtlp(request(contentType, body, path));
    return null;
  } catch (error) {
    if (!(error instanceof RecordError) || error.cause instanceof TypeError) throw error;
    expect(['EVENT_INVALID', 'EVENT_TOO_LARGE']).toContain(error.code);
    return error.code;
  }
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A message within a message. */
function wrapped(body: Uint8Array, ...fields: number[]): Uint8Array {
  return fields.reduceRight(
    (inner, field) => new BinaryWriter().tag(field, WireType.LengthDelimited).bytes(inner).finish(),
    body,
  );
}

/** A request of one span that is a call: resource_spans 1, scope_spans 2, spans 2. */
function oneSpan(): Uint8Array {
  const text = (value: string): Uint8Array =>
    new BinaryWriter().tag(1, WireType.LengthDelimited).string(value).finish();
  const attribute = (key: string, value: string): Uint8Array =>
    wrapped(Buffer.concat([text(key), wrapped(text(value), 2)]), 9);
  const span = Buffer.concat([
    wrapped(new Uint8Array(16).fill(1), 1),
    wrapped(new Uint8Array(8).fill(2), 2),
    wrapped(utf8('execute_tool t'), 5),
    attribute('gen_ai.operation.name', 'execute_tool'),
    attribute('gen_ai.tool.name', 't'),
  ]);
  return wrapped(span, 1, 2, 2);
}

/** An attribute whose value is an array in an array, and so on. */
function deepValue(depth: number): Uint8Array {
  let value = new Uint8Array();
  for (let level = 0; level < depth; level++) value = Uint8Array.from(wrapped(value, 5, 1));
  return wrapped(value, 1, 2, 2, 9, 2);
}

describe('bytes that are not of the form', () => {
  it('of any kind give nothing but a refusal', () => {
    for (const path of ['traces', 'logs'] as const) {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 200 }), (body) => void codeOf(PROTOBUF, body, path)),
        runs(2000),
      );
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 60 }), (body) => void codeOf(JSON_TYPE, body, path)),
        runs(500),
      );
    }
  });

  it('made of a request by changing some of them give nothing but a refusal', () => {
    const whole = oneSpan();
    expect(codeOf(PROTOBUF, whole)).toBeNull();
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const body = Uint8Array.from(whole);
        for (const [at, byte] of changes) body[at] = byte;
        codeOf(PROTOBUF, body);
      }),
      runs(3000),
    );
  });

  it('that stop early are refused, wherever they stop', () => {
    const whole = oneSpan();
    for (let length = 1; length < whole.length; length++) {
      expect(codeOf(PROTOBUF, whole.subarray(0, length)), `${length} bytes`).toBe('EVENT_INVALID');
    }
  });

  it('in which a field is longer than its message are refused', () => {
    expect(codeOf(PROTOBUF, Uint8Array.of(0x0a, 2, 0x12, 4, 0x10, 1, 0x10, 1))).toBe('EVENT_INVALID');
  });

  it('that are JSON of another shape give nothing but a refusal', () => {
    const names = [
      'resourceSpans',
      'scopeSpans',
      'spans',
      'attributes',
      'value',
      'key',
      'traceId',
      'stringValue',
      'arrayValue',
      'values',
    ];
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 12 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 3 }),
      ),
    }));
    const property = fc.property(value, (spans) => {
      for (const body of [spans, { resourceSpans: [{ scopeSpans: [{ spans: [spans] }] }] }, { resourceSpans: spans }]) {
        codeOf(JSON_TYPE, utf8(JSON.stringify(body)));
      }
    });
    fc.assert(property, runs(500));
  });

  it.each([
    ['a text for an object', '{"resourceSpans":["x"]}'],
    ['an object for an array', '{"resourceSpans":{}}'],
    ['a number for a text', '{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":1}]}]}]}'],
    ['a fraction for an integer', '{"resourceSpans":[{"scopeSpans":[{"spans":[{"startTimeUnixNano":1.5}]}]}]}'],
    ['an unknown name of a status', '{"resourceSpans":[{"scopeSpans":[{"spans":[{"status":{"code":"X"}}]}]}]}'],
    ['no object', '[]'],
    ['no JSON', '{'],
  ])('such as %s are refused', (_, body) => {
    expect(codeOf(JSON_TYPE, utf8(body))).toBe('EVENT_INVALID');
  });

  it('that nest deep are refused, and those that nest less are read', () => {
    expect(codeOf(PROTOBUF, deepValue(60))).toBeNull();
    expect(codeOf(PROTOBUF, deepValue(70))).toBe('EVENT_INVALID');
    const inJson = (depth: number): Uint8Array => {
      const value = '{"arrayValue":{"values":['.repeat(depth) + ']}}'.repeat(depth);
      return utf8(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":"a","value":${value}}]}]}]}]}`);
    };
    expect(codeOf(JSON_TYPE, inJson(60))).toBeNull();
    expect(codeOf(JSON_TYPE, inJson(70))).toBe('EVENT_INVALID');
    // Groups, which OTLP does not have, are skipped like other unknown fields.
    expect(codeOf(PROTOBUF, new Uint8Array(100_000).fill(0x0b))).toBe('EVENT_INVALID');
  });
});
