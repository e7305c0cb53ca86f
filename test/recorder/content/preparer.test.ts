import { describe, expect, it } from 'vitest';
import { contentDigest } from '../../../src/actions/profile/index.ts';
import { canonicalBytes, canonicalize, type Json, sha256 } from '../../../src/protocol/index.ts';
import { contentOf } from '../../../src/recorder/content/content-of.ts';
import type { ContentPolicy, Prepared } from '../../../src/recorder/content/prepared.ts';
import { Preparer } from '../../../src/recorder/content/preparer.ts';
import { RecorderKeys } from '../../../src/recorder/redact/recorder-keys.ts';
import type { SeenCall } from '../../../src/recorder/seen/seen.ts';

const keys = new RecorderKeys(new Uint8Array(32).fill(7));
const preparer = await Preparer.open(keys, () => []);
const SALT = keys.contentSalt('3f2504e0-4f89-41d3-9a0c-0305e82c3301', 'input');

function call(members: Partial<SeenCall>): SeenCall {
  return {
    kind: 'call',
    stage: 'completed',
    source: 'hook',
    witness: null,
    event_id: 'event',
    raw_event: 'PostToolUse',
    raw_sha256: '0'.repeat(64),
    observed_at: '2026-11-21T10:00:00Z',
    session: { id: 'session' },
    sub_agent: null,
    model: null,
    program_version: null,
    cwd: '/srv/shop',
    trace: null,
    extra: null,
    tool: { name: 'Bash', type: 'shell', server: null },
    call_id: null,
    touched: [],
    ...members,
  };
}

function inputOf(input: Json, content: ContentPolicy = 'full') {
  const prepared = preparer.prepare(call({ input }), { content });
  if (prepared.kind !== 'call' || prepared.input === undefined) throw new Error('no input');
  return prepared.input;
}

const bytesOf = (value: Json): number => canonicalBytes(value).length;

describe('what is kept of a content', () => {
  it('keeps a short one whole', () => {
    const value = { command: 'ls' };
    expect(contentOf(inputOf(value), SALT)).toEqual({ value, salt: SALT });
  });

  it('is known by the beginnings of its texts where it is longer than every witness reads', () => {
    const text = 'größe 数 '.repeat(300_000);
    const cutBy = (at: number): Json => ({
      path: '/a',
      content: `${text.slice(0, at)}[...]${text.slice(-at)}`,
      more: text,
    });
    const { same } = inputOf(cutBy(90_000));
    expect(inputOf(cutBy(100_000)).same).toBe(same);
    expect(inputOf({ ...Object(cutBy(100_000)), path: '/b' }).same).not.toBe(same);
    expect(inputOf({ ...Object(cutBy(100_000)), content: `x${text}` }).same).not.toBe(same);
    // Of a shorter one all of it counts.
    const short = text.slice(0, 150_000);
    expect(inputOf(`${short}a`).same).not.toBe(inputOf(`${short}b`).same);
  });

  it('cuts a long text in the middle, between characters', () => {
    const text = '😀é"'.repeat(20_000);
    const input = inputOf(text);
    const content = contentOf(input, SALT);
    const value = String(content['value']);
    expect(content).toMatchObject({ truncated: true, bytes: bytesOf(text), digest: contentDigest(SALT, text, sha256) });
    expect(bytesOf(value)).toBeLessThanOrEqual(65_536);
    expect(bytesOf(value)).toBeGreaterThan(65_000);
    expect(value.isWellFormed()).toBe(true);
    const [head = '', tail = ''] = value.split(/\n\[\.\.\. \d+ bytes left out \.\.\.\]\n/);
    expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
    expect(bytesOf(head) / bytesOf(tail)).toBeCloseTo(3, 1);
  });

  it('loses a secret at the cut as it does elsewhere, and cuts no placeholder', () => {
    for (let shift = 0; shift < 60; shift += 3) {
      const text = `${'a '.repeat(24_550 - shift)}password=hunter2hunter2 ${'b '.repeat(60_000)}`;
      const value = JSON.stringify(contentOf(inputOf(text), SALT)['value']);
      expect(value).not.toContain('hunter');
      expect(value.match(/\[RED/g)?.length ?? 0).toBe(value.match(/\[REDACTED:password:[0-9a-f]{4}\]/g)?.length ?? 0);
    }
  });

  it.each<[string, Json]>([
    ['one long text among short ones', { file: '/srv/shop/a.ts', content: 'x'.repeat(300_000), mode: 'w' }],
    ['many texts', Array.from({ length: 5_000 }, (_, i) => `line ${i} `.repeat(10))],
    ['many members', Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`member${i}`, i]))],
    ['many numbers', Array.from({ length: 60_000 }, (_, i) => i)],
    ['control characters', '\u0001'.repeat(40_000)],
    ['deep lists', Array.from({ length: 3_000 }, () => [[[['text', { a: ['b'.repeat(30)] }]]]])],
    ['long names', Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${i}${'n'.repeat(4_000)}`, 'x']))],
  ])('keeps %s within the limit', (_, value) => {
    const { kept, truncated, canonical } = inputOf(value);
    expect(truncated).toBe(true);
    expect(canonical).toBe(canonicalize(value));
    expect(bytesOf(kept ?? null)).toBeLessThanOrEqual(66_560);
    expect(bytesOf(kept ?? null)).toBeGreaterThan(20_000);
  });

  it('keeps names and short texts next to a long one', () => {
    const { kept } = inputOf({ file: '/srv/shop/a.ts', content: 'x'.repeat(300_000) });
    expect(kept).toMatchObject({ file: '/srv/shop/a.ts', content: expect.stringContaining('bytes left out') });
  });

  it('gives a digest alone without its salt, the same for the same value', () => {
    const content = contentOf(inputOf({ command: 'ls' }, 'digest'), SALT);
    expect(content).toEqual({ digest: contentDigest(SALT, { command: 'ls' }, sha256), bytes: 16 });
    const prepared = preparer.prepare(call({ input: 1, output: 'password=hunter2x' }), { content: 'input' });
    expect(prepared).toMatchObject({ input: { kept: 1 }, output: { kept: undefined } });
    expect(prepared.redactions).toEqual([{ at: '/output', type: 'password' }]);
  });

  it('knows equal values by a digest that says nothing without the key', () => {
    expect(inputOf({ a: 1, b: 2 }).same).toBe(inputOf({ b: 2, a: 1 }).same);
    expect(inputOf({ a: 1 }).same).not.toBe(inputOf({ a: 2 }).same);
  });

  it('replaces files in base64 by their digests', () => {
    const image = Buffer.from(`\x89PNG\r\n\x1a\n${'\x00\x07'.repeat(2_000)}`, 'latin1').toString('base64');
    expect(contentOf(inputOf(image), SALT)).toEqual({
      digest: contentDigest(SALT, image, sha256),
      bytes: 4_008,
      media_type: 'image/png',
      encoding: 'base64',
    });
    expect(inputOf({ source: { data: image } }).kept).toEqual({
      source: { data: expect.stringMatching(/^\[BINARY:image\/png:4008:sha256:[0-9a-f]{64}\]$/) },
    });
  });
});

describe('everything else of an event', () => {
  it('is cleaned and cut to the limits of the profile', () => {
    const long = 'é'.repeat(20_000);
    const secret = 'password=hunter2hunter2';
    const prepared = preparer.prepare(
      call({
        cwd: `/srv/${secret}`,
        session: { id: long, turn: 3 },
        tool: { name: `mcp ${secret}`, type: 'mcp', server: long },
        call_id: '',
        outcome: { status: 'error', error: { type: secret, message: `${secret} ${long}` } },
        touched: Array.from({ length: 300 }, () => ({ kind: 'file' as const, id: secret, access: 'read' as const })),
        extra: { [secret]: secret, long },
      }),
      { content: 'full' },
    );
    expect(JSON.stringify(prepared)).not.toContain('hunter');
    expect(JSON.stringify(prepared)).not.toContain('raw_sha256');
    expect(bytesOf(prepared as unknown as Json)).toBeLessThan(65_536);
    if (prepared.kind !== 'call') throw new Error('no call');
    expect([...(prepared.session?.id ?? '')].length).toBe(256);
    expect(prepared.call_id).toBeNull();
    expect([...(prepared.outcome?.error?.message ?? '')].length).toBe(8_192);
    expect(prepared.touched.length).toBe(256);
    expect(prepared.redactions).toContainEqual({ at: '/outcome/error/message', type: 'password' });
    expect(prepared.redactions).toContainEqual({ at: '/touched', type: 'left-out' });
  });

  it('has a digest of the bytes that cannot be tested without the key', () => {
    const { raw_digest }: Prepared = preparer.prepare(call({}), { content: 'full' });
    expect(raw_digest).toBe(contentDigest(keys.rawSalt('event'), '0'.repeat(64), sha256));
  });

  it('keeps no message and nothing extra where only digests may be kept', () => {
    const prepared = preparer.prepare(
      call({ outcome: { status: 'error', error: { type: 'E', message: 'what it said' } }, extra: { a: 'b' } }),
      { content: 'digest' },
    );
    expect(prepared).toMatchObject({ outcome: { error: { type: 'E' } }, extra: null });
    expect(JSON.stringify(prepared)).not.toContain('what it said');
  });
});
