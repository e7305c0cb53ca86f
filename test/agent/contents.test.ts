// What becomes of the values that a caller hands in.
import { describe, expect, it } from 'vitest';
import { checkPayload, contentDigest } from '../../src/actions/profile/index.ts';
import { contentOf, digestOf } from '../../src/agent/actions/contents.ts';
import { operationOf } from '../../src/agent/actions/operations.ts';
import { plainJson } from '../../src/agent/actions/plain-json.ts';
import { clip } from '../../src/agent/actions/texts.ts';
import { canonicalBytes, canonicalize, ExactNumber, type Json } from '../../src/protocol/index.ts';

const SALT = 'AAAAAAAAAAAAAAAAAAAAAA';

describe('a value', () => {
  it('becomes JSON that has a canonical form, whatever it is', () => {
    const circle: Record<string, unknown> = { n: 1 };
    circle['self'] = circle;
    const value = {
      text: 'a\ud800b',
      big: 12n,
      huge: 2n ** 64n,
      not: Number.NaN,
      gone: undefined,
      act: () => 1,
      date: new Date(0),
      bytes: new Uint8Array([1, 2, 255]),
      error: new TypeError('no'),
      list: [undefined, 1],
      circle,
      map: new Map([['k', 1]]),
      set: new Set([1]),
      'odd\udfff': Symbol('s'),
      get bad(): never {
        throw new Error('unreadable');
      },
    };
    expect(plainJson(circle)).toEqual({ n: 1, self: '[circular]' });
    expect(plainJson(value)).toBe('[unreadable: unreadable]');
    const { bad: _, ...rest } = Object.getOwnPropertyDescriptors(value);
    expect(plainJson(Object.defineProperties({}, rest))).toEqual({
      text: 'a\ufffdb',
      big: 12,
      huge: new ExactNumber(String(2n ** 64n)),
      not: new ExactNumber('NaN'),
      date: '1970-01-01T00:00:00.000Z',
      bytes: 'AQL/',
      error: { name: 'TypeError', message: 'no' },
      list: [null, 1],
      circle: { n: 1, self: '[circular]' },
      map: [['k', 1]],
      set: [1],
      'odd\ufffd': 'Symbol(s)',
    });
    let deep: unknown = 1;
    for (let i = 0; i < 1000; i++) deep = [deep];
    expect(canonicalize(plainJson(deep))).toContain('nested too deep');
    expect(plainJson(undefined)).toBe(null);
  });

  it('is whole up to 64 KiB, and beyond that a part with the digest of the whole', () => {
    expect(contentOf({ n: 1 }, SALT)).toEqual({ salt: SALT, value: { n: 1 } });
    expect(contentOf({ n: 1 }, SALT, false)).toEqual({ salt: SALT, digest: contentDigest(SALT, { n: 1 }), bytes: 7 });
    for (const long of [
      'é"\n'.repeat(50_000),
      '😀'.repeat(40_000),
      { list: Array.from({ length: 30_000 }, (_, i) => i) },
    ]) {
      const content = contentOf(long as Json, SALT);
      expect(content).toMatchObject({ truncated: true, digest: digestOf(SALT, long as Json), salt: SALT });
      const { length } = canonicalBytes(content['value']);
      expect(length).toBeLessThanOrEqual(65_536);
      expect(length).toBeGreaterThan(60_000);
      expect(content['bytes']).toBe(canonicalBytes(long).length);
    }
  });

  it('is cut by Unicode characters where the profile has a limit', () => {
    expect([...clip('😀'.repeat(300), 256)]).toHaveLength(256);
    expect(clip('abc', 2)).toBe('ab');
    expect(clip('', 5)).toBe('-');
  });
});

describe('the payload of a moment', () => {
  it('is of the profile even where names are empty or far too long, and fits into a record', () => {
    const long = '😀'.repeat(5000);
    const common = {
      operationId: '00000000-0000-4000-8000-000000000000',
      observedAt: '2026-01-01T00:00:00Z',
      cause: [],
      session: { id: long, parent: '' },
      actor: { on_behalf_of: long, model: { name: '', provider: long }, sub_agent: { id: long } },
    };
    const told = Array.from({ length: 64 }, () => ({ kind: 'user' as const, value: '"'.repeat(50_000) }));
    const tool = { name: '', server: long, call_id: long };
    const input = '"'.repeat(100_000);
    const action = { actionId: '00000000-0000-4000-8000-000000000001', tool, input, salt: SALT, subject: long };
    const touched = Array.from(
      { length: 300 },
      () => ({ kind: 'file', id: long, access: 'read', before: long, after: null }) as const,
    );
    const outcome = { status: 'error', error: { type: long, message: long.repeat(3) } } as const;
    const moments = [
      { kind: 'told', ...common, told },
      { kind: 'call', stage: 'failed', ...common, action, touched: touched.slice(0, 20), outcome, output: input },
      { kind: 'call', stage: 'started', ...common, action, touched: touched.slice(0, 20) },
      { kind: 'note', ...common, name: long, text: long.repeat(2) },
      { kind: 'gap', ...common, count: 1, firstAt: common.observedAt, lastAt: common.observedAt, reason: long },
    ] as const;
    for (const moment of moments) {
      const { payload, subject } = operationOf(moment, 'full');
      expect(checkPayload(payload, true), moment.kind).toMatchObject({ ok: true });
      expect(canonicalBytes(payload).length, moment.kind).toBeLessThan(240_000);
      expect([...subject].length).toBeLessThanOrEqual(512);
    }
    expect(
      operationOf({ kind: 'call', stage: 'started', ...common, action, touched }, 'full').payload['touched'],
    ).toHaveLength(256);
  });
});
