import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { credentials, RULES } from '../../../src/recorder/redact/credentials.ts';
import { type Found, kindOf, nextRun } from '../../../src/recorder/redact/found.ts';
import { publishedRules } from '../../../src/recorder/redact/published-rules.ts';
import { mayNameSecret, sensitiveName } from '../../../src/recorder/redact/sensitive-names.ts';
import { inUnescaped, isUuid, OWN_RULES, unescapedSpaces } from '../../../src/recorder/redact/text-redactor.ts';
import { SHAPES, tokenShapes } from '../../../src/recorder/redact/token-shapes.ts';
import { runs } from '../../support/extent.ts';
import { INNOCENT, POSITIONS, plantedSecrets } from './corpus.ts';

/** What other pieces have no example of: programs with a password among their options. */
const COMMANDS = [
  ...['mysql -pabc1', 'sshpass -p abc1', 'docker login -p abc1', 'redis-cli -a abc1', 'sqlcmd -P abc1'],
  ...['ldapsearch -w abc1', 'curl -u ada:abc1', 'smbclient -U ada%abc1', 'openssl -passin pass:abc1'],
  ...['htpasswd -b file ada abc1', 'echo abc1 | sudo -S', "IDENTIFIED BY 'abc1'", "alter user ada password 'abc1'"],
  ...[
    'curl -b sid=abc1 x',
    'machine x login ada password abc1',
    'db.example:5432:shop:ada:abc1',
    '_auth = YWRhOmFiYzE=',
  ],
  ...['?code=abcdefgh12345678', '://abcdefgh1234567890ab@x', '&sig=abcdefgh12345678', 'verification code 123456'],
  ...['Basic YWRhOmFiYzE=', 'Bearer abcdefgh1', 'Cookie: sid=abc1', 'authorization: abcdef1', '://ada:abc1@x'],
];

const PIECES = [
  ...COMMANDS,
  ...plantedSecrets().flatMap(({ text }) => POSITIONS.map(({ place }) => JSON.stringify(place(text)))),
  ...plantedSecrets().map(({ text }) => text),
  ...INNOCENT,
];
const piece = fc.oneof(
  fc.constantFrom(...PIECES),
  fc.constantFrom(' ', '\n', '"', '\\"', ':', '=', '@', '://', '--', '-p', '-U', '&', '?'),
  fc.string({ maxLength: 12 }),
);
/** Pieces of all kinds one after the other, some of them cut, in the letters that they have or in others. */
const mixture = fc
  .array(fc.tuple(piece, fc.nat(40), fc.constantFrom('as it is', 'upper', 'lower')), { maxLength: 6 })
  .map((parts) =>
    parts
      .map(([text, cut, letters]) => {
        const rest = cut < 30 ? text : text.slice(cut - 30);
        return letters === 'as it is' ? rest : letters === 'upper' ? rest.toUpperCase() : rest.toLowerCase();
      })
      .join(''),
  );

/** Those whose mark is no more than that: a member called d or k is a key's only in a text that says what kind of key it is. */
const FILTERED = RULES.filter(({ type }) => type !== 'private-key');

/** Whatever a pattern matches has its mark, so that looking for the mark first changes nothing. */
function unmarked(text: string): string[] {
  return FILTERED.filter(({ mark, pattern }) => text.search(pattern) !== -1 && !mark.test(text)).map(({ mark }) =>
    String(mark),
  );
}

const published = await publishedRules();

describe('what is looked for before a pattern is tried', () => {
  it('is in no UUID, in which no rule finds anything', () => {
    const found = (text: string): unknown[] => [...OWN_RULES, published].flatMap((rule) => [...rule(text)]);
    for (const text of PIECES.filter(isUuid)) expect(found(text)).toEqual([]);
    const digits = fc.array(fc.constantFrom(...'0123456789abcdef'), { minLength: 32, maxLength: 32 });
    const few = fc.array(fc.constantFrom('0', '8', 'a', 'd', 'f'), { minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(fc.oneof(digits, few), (all) => {
        const text = all.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
        expect(isUuid(text)).toBe(true);
        expect(found(text)).toEqual([]);
      }),
      runs(3000),
    );
  });

  it('takes nothing for a UUID that is more than one, or another text', () => {
    const uuid = '0b1ad1b0-0000-4000-8000-00000000000f';
    for (const text of [`${uuid}\n`, `x${uuid}`, uuid.toUpperCase(), uuid.slice(1), uuid.replaceAll('-', '_')])
      expect(isUuid(text)).toBe(false);
  });

  it('occurs in every text that the pattern matches', () => {
    for (const text of PIECES) expect(unmarked(text)).toEqual([]);
    fc.assert(
      fc.property(mixture, (text) => {
        expect(unmarked(text)).toEqual([]);
      }),
      runs(2000),
    );
  });

  it('leaves all keys in the long words of a text', () => {
    const inAll = (text: string): unknown[] =>
      SHAPES.flatMap(({ type, shape }) =>
        [...text.matchAll(shape)].map(({ 0: key, index }) => ({ type, start: index, end: index + key.length })),
      );
    for (const text of PIECES) expect([...tokenShapes(text)]).toEqual(inAll(text));
    fc.assert(
      fc.property(mixture, (text) => {
        expect([...tokenShapes(text)]).toEqual(inAll(text));
      }),
      runs(2000),
    );
  });

  it('leaves every credential in the lines with its mark', () => {
    const inAll = (text: string): unknown[] =>
      RULES.filter(({ mark }) => mark.test(text)).flatMap(({ type, pattern, holds }) =>
        [...text.matchAll(pattern)].flatMap((match) => {
          const secret = match.at(-1) ?? '';
          if (secret === '' || holds?.(secret) === false) return [];
          const start = match.index + match[0].lastIndexOf(secret);
          return [{ type, start, end: start + secret.length }];
        }),
      );
    const across = ['login ada\npassword abc1', '"auth":\n "YWRhOmFiYzE="', `"kty": 1, "d":\n"${'a1'.repeat(12)}"`];
    for (const text of across) expect(inAll(text)).toHaveLength(1);
    for (const text of [...PIECES, ...across]) expect([...credentials(text)]).toEqual(inAll(text));
    fc.assert(
      fc.property(fc.array(mixture, { maxLength: 4 }), (lines) => {
        const text = lines.join('\n');
        expect([...credentials(text)]).toEqual(inAll(text));
      }),
      runs(1000),
    );
  });

  it('leaves what escapes hid in the lines with one', () => {
    const told = (found: Iterable<Found>): string[] => [...found].map((one) => JSON.stringify(one));
    const areFound = (text: string): void => {
      const unescaped = unescapedSpaces(text);
      const known = new Set(told([...OWN_RULES.flatMap((rule) => [...rule(text)]), ...inUnescaped(unescaped, text)]));
      for (const one of told(OWN_RULES.flatMap((rule) => [...rule(unescaped)]))) expect([...known]).toContain(one);
    };
    for (const { text } of plantedSecrets()) areFound(JSON.stringify(`a\n${text}\nb`));
    fc.assert(
      fc.property(fc.array(fc.tuple(mixture, fc.boolean()), { maxLength: 4 }), (lines) =>
        areFound(lines.map(([line, isEscaped]) => (isEscaped ? JSON.stringify(line) : line)).join('\n')),
      ),
      runs(1000),
    );
  });

  it('is a row of characters where one is found', () => {
    const letters = kindOf(/[a-c]/);
    const pieces = fc.array(fc.constantFrom('a', 'bc', 'abcabc', 'abcabcabc', ' ', 'd', 'ä', '\u0161'), {
      maxLength: 24,
    });
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 12 }), (parts, length) => {
        const text = parts.join('');
        expect(nextRun(text, letters, length, 0)).toBe(text.search(new RegExp(`[a-c]{${length}}`)));
      }),
      runs(2000),
    );
  });

  it('is tried on texts that each pattern matches', () => {
    const unmet = RULES.filter(({ pattern }) => !PIECES.some((text) => text.search(pattern) !== -1));
    expect(unmet.map(({ pattern }) => pattern.source)).toEqual([]);
  });

  it('occurs in the name of every secret', () => {
    const word = fc.constantFrom(
      ...['password', 'passwd', 'pwd', 'pw', 'jwt', 'bearer', 'apikey', 'cookie', 'otp', 'totp', 'cvv', 'cvc', 'pat'],
      ...['mnemonic', 'seed phrase', 'backup codes', 'connection string', 'x auth', 'gh pat', 'credential', 'token'],
      ...['user pass', 'api keys', 'signing key', 'Secret', 'passcode', 'value', 'new', 'max', 'id'],
    );
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('_', '-', ' ', ''),
        (words, joint) => {
          const name = words.join(joint);
          expect(sensitiveName(name) === null || mayNameSecret(name)).toBe(true);
        },
      ),
      runs(),
    );
  });
});
