import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/protocol/index.ts';
import { publishedRules } from '../../../src/recorder/redact/published-rules.ts';
import { RecorderKeys } from '../../../src/recorder/redact/recorder-keys.ts';
import { TextRedactor } from '../../../src/recorder/redact/text-redactor.ts';
import { MAX_DEPTH, ValueRedactor } from '../../../src/recorder/redact/value-redactor.ts';
import { INNOCENT, POSITIONS, plantedSecrets, survivingPart } from './corpus.ts';

const keys = new RecorderKeys(new Uint8Array(32).fill(7));
const texts = new TextRedactor(
  (secret) => keys.suffix(secret),
  () => ['own-token-of-the-recorder'],
  await publishedRules(),
);
const values = new ValueRedactor(texts);
const clean = (value: unknown): Json => values.redact(value as Json, '').value;

/** What is planted, in each position, cleaned. */
const CASES = plantedSecrets().flatMap((planted) =>
  POSITIONS.map((position) => ({ ...planted, where: position.name, placed: position.place(planted.text) })),
);

/** Where two values differ in a text, as JSON Pointers. */
function differences(before: unknown, after: unknown, at = ''): string[] {
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null)
    return before === after ? [] : [at];
  const others = new Map(Object.entries(after));
  return Object.entries(before).flatMap(([name, value]) =>
    differences(value, others.get(name), `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
}

describe('secrets in what an agent did', () => {
  it.each(CASES)('says exactly where it replaced $kind in a $where', ({ placed }) => {
    const given = { 'a/b': [0, 'ls', { '~c': placed, d: placed }], e: { f: 1, g: [[placed]] } };
    const { value, redactions } = values.redact(given as unknown as Json, '/input');
    if (redactions.some(({ type }) => type.startsWith('name-'))) return;
    const said = new Set(redactions.map(({ at }) => at));
    expect([...said].toSorted()).toEqual(differences(given, value, '/input').toSorted());
  });

  it.each(CASES)('replaces $kind in a $where', ({ secret, placed }) => {
    const cleaned = clean(placed);
    expect(survivingPart(secret, JSON.stringify(cleaned))).toBeNull();
    expect(JSON.stringify(cleaned)).toContain('[REDACTED:');
    // JSON within a text stays JSON.
    const { input } = cleaned as { input: { body?: string } };
    if (input.body !== undefined) expect(() => JSON.parse(input.body ?? '')).not.toThrow();
    expect(clean(cleaned)).toEqual(cleaned);
  });

  it.each(INNOCENT)('leaves %s as it is', (text) => {
    for (const value of [text, { command: text }, JSON.stringify({ note: text }), `before\n${text}\nafter`]) {
      expect(clean(value)).toEqual(value);
    }
  });

  it('replaces the values of sensitive members whatever they are', () => {
    expect(clean({ password: 12345678, clientSecret: 'x', credentials: { user: 'ada', pass: ['abc'] } })).toEqual({
      password: `[REDACTED:password:${keys.suffix('12345678')}]`,
      clientSecret: `[REDACTED:secret:${keys.suffix('x')}]`,
      credentials: {
        user: `[REDACTED:credential:${keys.suffix('ada')}]`,
        pass: [`[REDACTED:credential:${keys.suffix('abc')}]`],
      },
    });
  });

  it('keeps the schema of a sensitive member, and counts of tokens', () => {
    const value = { password: { type: 'string', minLength: 8 }, max_tokens: 4096, token: 7, token_count: 3 };
    expect(clean(value)).toEqual(value);
  });

  it('replaces values next to a sensitive name or option', () => {
    expect(clean([{ name: 'DB_PASSWORD', value: 'abc' }, ['--password', 'abc', '--verbose']])).toEqual([
      { name: 'DB_PASSWORD', value: `[REDACTED:password:${keys.suffix('abc')}]` },
      ['--password', `[REDACTED:password:${keys.suffix('abc')}]`, '--verbose'],
    ]);
  });

  it("replaces the recorder's own secrets wherever they stand", () => {
    expect(clean('curl -d own-token-of-the-recorder!')).toBe(
      `curl -d [REDACTED:recorder-secret:${keys.suffix('own-token-of-the-recorder')}]!`,
    );
  });

  it('says of equal secrets that they are equal, under this key only', () => {
    const [one, same, other] = ['password=abcdef1', 'password="abcdef1"', 'password=abcdef2'].map(
      (text) => texts.redact(text).text,
    );
    expect(one?.slice(-6)).toBe(same?.slice(-7, -1));
    expect(one).not.toBe(other);
    expect(new RecorderKeys(new Uint8Array(32)).suffix('abcdef1')).not.toBe(keys.suffix('abcdef1'));
  });

  it('says where and what it replaced', () => {
    const { redactions } = values.redact({ 'a/b': ['password=abcdef1'], '\ud800': 'x\udc00' }, '/input/value');
    expect(redactions).toEqual([
      { at: '/input/value/a~1b/0', type: 'password' },
      { at: '/input/value', type: 'lone-surrogate' },
      { at: '/input/value/\ufffd', type: 'lone-surrogate' },
    ]);
  });

  it('replaces what is left next to a placeholder of somebody else', () => {
    const cleaned = clean('password="hunter2[REDACTED:x:1234]hunter3"');
    expect(JSON.stringify(cleaned)).not.toMatch(/hunter/);
  });

  it('replaces a number in JSON within a text so that it stays JSON', () => {
    const cleaned = clean('{"user":"ada","password":12345678,"note":"a"}');
    expect(JSON.parse(String(cleaned))).toMatchObject({ user: 'ada', note: 'a' });
    expect(cleaned).not.toContain('12345678');
  });

  it(`replaces what is nested deeper than ${MAX_DEPTH} levels`, () => {
    let deep: Json = 'bottom';
    for (let i = 0; i < 100_000; i++) deep = i % 2 === 0 ? [deep] : { a: deep };
    const { value, redactions } = values.redact(deep, '');
    expect(JSON.stringify(value)).not.toContain('bottom');
    expect(redactions.map(({ type }) => type)).toEqual(['depth']);
  });

  it('keeps names of members apart that become equal', () => {
    const secret = plantedSecrets()[0]?.secret ?? '';
    const names = Object.keys(
      clean({ [secret]: 1, [`[REDACTED:aws-access-key:${keys.suffix(secret)}]`]: 2 }) as object,
    );
    expect(new Set(names).size).toBe(2);
  });
});
