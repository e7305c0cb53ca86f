import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonCondenser } from '../../../src/recorder/seen/json-condenser.ts';
import { Receiving } from '../../../src/recorder/seen/received.ts';
import { runs } from '../../support/extent.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function condensed(text: string, step = 65_536) {
  const condenser = new JsonCondenser();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += step) condenser.push(bytes.subarray(at, at + step));
  return condenser.end();
}

describe('JSON that is made shorter', () => {
  it('stays the same value where it is short, in whatever pieces it comes', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 1, max: 40 }), fc.boolean(), (text, step, spaced) => {
        const given = spaced ? JSON.stringify(JSON.parse(text), null, 2) : text;
        const result = condensed(given, step);
        expect(result?.leftOut).toEqual([]);
        expect(JSON.parse(result?.json ?? '')).toEqual(JSON.parse(text));
      }),
      runs(500),
    );
  });

  it.each(['', '{', '[1', '[1}', '{"a"}', '{"a":}', '"x', 'x"y"', '[1]x', '}', '{"a":1}{}', '\ufeff'])(
    'does not come of %j',
    (text) => {
      expect(condensed(text)).toBeNull();
    },
  );

  it('has the beginning and the end of a long text, and says its size and digest', () => {
    const text = `first\n${'a "quoted" é \u{1f600}\t'.repeat(50_000)}last`;
    for (const step of [4_095, 65_536]) {
      const result = condensed(JSON.stringify({ text, name: 'after' }), step);
      const [leftOut] = result?.leftOut ?? [];
      expect(leftOut).toMatchObject({ whole: Buffer.byteLength(text), sha256: sha256(text) });
      const read = JSON.parse(result?.json ?? '');
      expect(read.name).toBe('after');
      const [head, tail] = String(read.text).split(/\n\[\.\.\. .* bytes left out, .*\]\n/);
      expect([text.startsWith(head ?? ''), text.endsWith(tail ?? '')]).toEqual([true, true]);
      const kept = Buffer.byteLength(head ?? '') + Buffer.byteLength(tail ?? '');
      expect(leftOut?.bytes).toBe(Buffer.byteLength(text) - kept);
    }
  });

  it.each(['...', '\\u002e..', '.....', '.'])(
    'says what an object lacks under a name that it has not, next to %s',
    (name) => {
      const members = Array.from({ length: 60_000 }, (_, at) => `"member${at}":"${'v'.repeat(40)}"`);
      const read = JSON.parse(condensed(`{"${name}":"own",${members.join(',')}}`)?.json ?? '');
      expect(read[JSON.parse(`"${name}"`)]).toBe('own');
      expect(
        Object.values(read).filter((value) => /^\[\.\.\. \d+ of \d+ bytes left out/.test(String(value))),
      ).toHaveLength(1);
    },
  );

  it('keeps the mark of what was made shorter before', () => {
    for (const text of ['a line é\n'.repeat(100_000), 'word '.repeat(200_000), 'x'.repeat(1_000_000)]) {
      const once = condensed(JSON.stringify({ text }));
      const { text: shorter } = JSON.parse(once?.json ?? '');
      const twice = condensed(JSON.stringify({ longer: 'y'.repeat(3_000_000), shorter }));
      expect(twice?.leftOut.map(({ whole }) => whole)).toEqual([3_000_000]);
      expect(JSON.parse(twice?.json ?? '').shorter).toBe(shorter);
    }
  });

  it('is cut between lines or words, so that no part of a secret is left at a cut', () => {
    const secret = 'TOKEN=abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz0123456789';
    for (const separator of ['\n', ' ']) {
      for (const shift of [0, 7, 31, 64]) {
        // Longer than any room that a text is given.
        const text = 'x'.repeat(shift) + separator + `${secret}${separator}`.repeat(2_500);
        // One text alone, and many of which little is kept.
        for (const json of [JSON.stringify({ text }), JSON.stringify(Array(10).fill(text))]) {
          const kept = (condensed(json)?.json ?? '').replaceAll('\\n', ' ');
          const parts = (kept.match(/[A-Z=a-z0-9]{12,}/g) ?? []).filter((part) => !/^(?:x+|[0-9a-f]{64})$/.test(part));
          expect(new Set(parts)).toEqual(new Set([secret]));
        }
      }
    }
  });

  it('decodes escapes as a parser of JSON does', () => {
    const escaped = '\\u00e9\\ud83d\\ude00\\ud83d\\n\\/\\"\\\\'.repeat(40_000);
    const text = JSON.parse(`"${escaped}"`) as string;
    const [leftOut] = condensed(`["${escaped}"]`, 1_001)?.leftOut ?? [];
    expect(leftOut?.sha256).toBe(sha256(text.toWellFormed()));
  });

  it.each<[string, string]>([
    ['one text', `"${'x'.repeat(5_000_000)}"`],
    ['many numbers', `[${'1,'.repeat(2_000_000)}1]`],
    ['many members', `{${'"k":"v",'.repeat(500_000)}"k":1}`],
    ['many lists in a list', `[${'[1],'.repeat(1_000_000)}1]`],
    ['texts of middling length', `[${`"${'y'.repeat(9_000)}",`.repeat(500)}1]`],
    ['deep nesting', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`],
  ])('keeps what names an event, whichever side of %s it is on', (_, padding) => {
    for (const text of [
      `{"tool_input":{"x":${padding},"path":"/a"},"tool_name":"Write","id":"7"}`,
      `{"id":"7","tool_name":"Write","tool_input":{"path":"/a","x":${padding}}}`,
    ]) {
      const result = condensed(text);
      expect(result?.json.length).toBeLessThan(1_600_000);
      expect(result?.leftOut.length).toBeGreaterThan(0);
      expect(JSON.parse(result?.json ?? '')).toMatchObject({ id: '7', tool_name: 'Write', tool_input: { path: '/a' } });
    }
  });

  it('is closed where it was cut off, with the names and texts that came before', () => {
    const members = fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
    fc.assert(
      fc.property(members, fc.nat(), fc.integer({ min: 1, max: 9 }), (after, place, step) => {
        const [text, known] = [JSON.stringify({ known: 'all of it', after }), '{"known":"all of it",'];
        const bytes = Buffer.from(text);
        const end = known.length + (place % (bytes.length - known.length));
        const condenser = new JsonCondenser();
        for (let at = 0; at < end; at += step) condenser.push(bytes.subarray(at, Math.min(end, at + step)));
        expect(condenser.end()).toBeNull();
        expect(JSON.parse(condenser.endCutOff()?.json ?? '')).toMatchObject({ known: 'all of it' });
      }),
      runs(500),
    );
  });

  it.each([
    ['{"a":"one two thr', { a: 'one two\n[... cut off here ...]' }],
    ['{"a":[1,23', { a: [1, null] }],
    ['{"a":1,"na', { a: 1 }],
    ['{"a":{"b":', { a: {} }],
    ['{"a":tru', { a: null }],
    ['[{"a":"\\u00e9 \\ud83d', [{ a: 'é\n[... cut off here ...]' }]],
  ])('of %j is what came whole, and says where a text ends', (text, value) => {
    const condenser = new JsonCondenser();
    condenser.push(Buffer.from(text));
    expect(JSON.parse(condenser.endCutOff()?.json ?? '')).toEqual(value);
  });

  it.each(['', '12', '"x', '[1}', '{"a":1}', 'no'])('is not closed where %j was cut off', (text) => {
    const condenser = new JsonCondenser();
    condenser.push(Buffer.from(text));
    expect(condenser.endCutOff()).toBeNull();
  });

  it('has no part of a secret where it was cut off', () => {
    const secret = `TOKEN=${'0123456789abcdef'.repeat(5)}`;
    for (const before of ['x\n', 'a line\n'.repeat(100_000)]) {
      const condenser = new JsonCondenser();
      condenser.push(Buffer.from(JSON.stringify({ text: before + secret }).slice(0, -20)));
      expect(condenser.endCutOff()?.json).not.toContain('TOKEN');
    }
  });

  it('is only made of what is longer than may be kept', () => {
    for (const [limit, isLong] of [
      [10, false],
      [9, true],
    ] as const) {
      const receiving = new Receiving(limit);
      receiving.data(Buffer.from('["1",'));
      receiving.data(Buffer.from('"2"] '));
      expect(receiving.isLong).toBe(isLong);
      const { json, size, sha256: digest } = receiving.end();
      expect(JSON.parse(String(json))).toEqual(['1', '2']);
      expect([size, digest]).toEqual([10, sha256('["1","2"] ')]);
    }
  });
});

describe('JSON that comes in pieces', () => {
  it('is the same in whatever pieces it comes', () => {
    const pieces = fc.array(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 4_090, max: 70_000 })), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 200_000 }), (sizes, limit) => {
        const bytes = Buffer.from(`"${'abcdefghij'.repeat(sizes.reduce((sum, size) => sum + size, 0) / 10)}"`);
        const receiving = new Receiving(limit);
        let at = 0;
        for (const size of [...sizes, bytes.length]) {
          receiving.data(Buffer.from(bytes.subarray(at, at + size)));
          at += size;
        }
        const { json, sha256: digest, size } = receiving.end();
        expect([size, digest]).toEqual([bytes.length, sha256(String(bytes))]);
        if (bytes.length <= limit) expect(json?.equals(bytes)).toBe(true);
        else expect(JSON.parse(String(json))).toMatch(/^(?:abcdefghij)*/);
      }),
      runs(60),
    );
  });

  it('takes no more memory byte by byte than at once', () => {
    const receiving = new Receiving(16 << 20);
    const before = process.memoryUsage().heapUsed;
    for (let n = 0; n < 1_500_000; n++) receiving.data(Buffer.from(' '));
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 << 20);
    expect(receiving.end().size).toBe(1_500_000);
  });
});
