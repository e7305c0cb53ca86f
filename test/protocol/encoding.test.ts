import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chainHash,
  concatBytes,
  DIGEST_PATTERN,
  equalBytes,
  formatDigest,
  fromBase64Url,
  fromHex,
  parseDigest,
  sha256,
  signatureFromInput,
  toBase64Url,
  toHex,
  utf8,
} from '../../src/protocol/index.ts';
import { hexBytes } from '../support/bytes.ts';
import { runs } from '../support/extent.ts';
import { outcome } from '../support/refusals.ts';

const bytesOf = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length });
/** base64 of RFC 4648 §4 by the host, as a second opinion. */
const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
const base64Url = (bytes: Uint8Array): string =>
  base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

describe('RFC 4648 §5: base64url without padding', () => {
  it.each([
    ['', ''],
    ['66', 'Zg'],
    ['666f', 'Zm8'],
    ['666f6f', 'Zm9v'],
    ['666f6f626172', 'Zm9vYmFy'],
    ['fbff', '-_8'],
  ])('%s is written %j', (hex, text) => {
    expect(toBase64Url(hexBytes(hex))).toBe(text);
    expect(toHex(fromBase64Url(text, hex.length / 2))).toBe(hex);
  });

  it('gives back every byte string, as the host writes it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const text = toBase64Url(bytes);
        expect(text).toBe(base64Url(bytes));
        expect(fromBase64Url(text, bytes.length)).toEqual(bytes);
      }),
      runs(),
    );
  });

  const key = toBase64Url(sha256(utf8('key')));
  it.each([
    ['padding', `${key}=`],
    ['a character too few', key.slice(1)],
    ['a character too many', `A${key}`],
    ['the other alphabet, +', `+${key.slice(1)}`],
    ['the other alphabet, /', `/${key.slice(1)}`],
    ['white space inside', `${key.slice(0, 5)} ${key.slice(6)}`],
    ['a line break at the end', `${key.slice(0, -1)}\n`],
    ['a character beyond ASCII', `é${key.slice(1)}`],
    ['a character whose low byte is in the alphabet', `\u0141${key.slice(1)}`],
    ['a NUL', `\u0000${key.slice(1)}`],
    ['nothing', ''],
  ])('refuses %s', (_, text) => {
    expect(outcome(() => fromBase64Url(text, 32))).toBe('ENCODING_INVALID');
  });

  it('§3.5 refuses non-zero trailing bits: a byte string has one spelling', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (const [length, spellings] of [
      [32, 16],
      [64, 4],
    ] as const) {
      const stem = 'A'.repeat(Math.ceil((length * 4) / 3) - 1);
      const accepted = [...alphabet].filter((last) => outcome(() => fromBase64Url(stem + last, length)) === 'accepted');
      expect(accepted).toHaveLength(spellings);
    }
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...alphabet), minLength: 43, maxLength: 43 }), (text) => {
        const taken = outcome(() => fromBase64Url(text, 32)) === 'accepted';
        if (taken) expect(toBase64Url(fromBase64Url(text, 32))).toBe(text);
        else expect('AEIMQUYcgkosw048').not.toContain(text.at(-1));
      }),
      runs(),
    );
  });
});

describe('protocol F8: signatures on input', () => {
  it('takes base64url, and standard base64 with or without padding', () => {
    fc.assert(
      fc.property(bytesOf(64), (signature) => {
        const standard = base64(signature);
        for (const text of [base64Url(signature), standard, standard.replaceAll('=', '')]) {
          expect(signatureFromInput(text)).toEqual(signature);
        }
      }),
      runs(),
    );
  });

  const standard = base64(new Uint8Array(64).fill(0xfb));
  const url = base64Url(new Uint8Array(64).fill(0xfb));
  it.each([
    ['one sign of padding where two belong', standard.slice(0, -1)],
    ['three signs of padding', `${standard}=`],
    ['padding alone', '='.repeat(88)],
    ['padding inside', `${standard.slice(0, 40)}=${standard.slice(41)}`],
    ['both alphabets', `-${standard.slice(1)}`],
    ['non-zero trailing bits, padded', `${'A'.repeat(85)}B==`],
    ['non-zero trailing bits, unpadded', `${'A'.repeat(85)}B`],
    ['63 bytes', base64(new Uint8Array(63))],
    ['65 bytes', base64(new Uint8Array(65))],
    ['a line break', `${url}\n`],
    ['hexadecimal', '00'.repeat(64)],
    ['nothing', ''],
  ])('refuses %s', (_, text) => {
    expect(outcome(() => signatureFromInput(text))).toBe('ENCODING_INVALID');
  });
});

describe('protocol F6: hexadecimal and digests', () => {
  it('gives back every byte string', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(toHex(bytes)).toMatch(/^(?:[0-9a-f]{2})*$/);
        expect(fromHex(toHex(bytes), bytes.length)).toEqual(bytes);
      }),
      runs(),
    );
    fc.assert(
      fc.property(bytesOf(32), (hash) => {
        expect(parseDigest(formatDigest(hash))).toEqual(hash);
      }),
      runs(),
    );
  });

  const digits = 'ab'.repeat(32);
  it.each([
    ['upper-case digits', digits.toUpperCase()],
    ['a digit too few', digits.slice(1)],
    ['a digit too many', `${digits}a`],
    ['a letter that is no digit', `g${digits.slice(1)}`],
    ['white space', ` ${digits.slice(1)}`],
    ['a line break at the end', `${digits.slice(1)}\n`],
    ['a prefix', `0x${digits.slice(2)}`],
    ['nothing', ''],
  ])('refuses %s', (_, text) => {
    expect(outcome(() => fromHex(text, 32))).toBe('ENCODING_INVALID');
    expect(outcome(() => parseDigest(`sha256:${text}`))).toBe('ENCODING_INVALID');
  });

  it.each([
    digits,
    `sha256${digits}`,
    `SHA256:${digits}`,
    `sha512:${digits}`,
    ` sha256:${digits}`,
    `sha256:${digits}\n`,
  ])('refuses the digest %j', (text) => {
    expect(outcome(() => parseDigest(text))).toBe('ENCODING_INVALID');
    expect(DIGEST_PATTERN.test(text)).toBe(false);
  });
});

describe('FIPS 180-4: SHA-256', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
  ])('of %j', (text, hex) => {
    expect(formatDigest(sha256(utf8(text)))).toBe(`sha256:${hex}`);
  });

  it('agrees with the host', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const answer = await globalThis.crypto.subtle.digest('SHA-256', bytes.slice());
        expect(sha256(bytes)).toEqual(new Uint8Array(answer));
      }),
      runs(),
    );
  });
});

describe('byte strings', () => {
  it('are joined and compared as bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 5 }), (parts) => {
        const joined = concatBytes(...parts);
        expect([...joined]).toEqual(parts.flatMap((part) => [...part]));
        expect(equalBytes(joined, joined.slice())).toBe(true);
        expect(equalBytes(joined, concatBytes(joined, Uint8Array.of(0)))).toBe(false);
        for (const [index, byte] of joined.entries()) {
          expect(equalBytes(joined, joined.with(index, byte ^ 1))).toBe(false);
        }
      }),
      runs(),
    );
  });

  it('are 64 in a signature: chain_hash is of nothing else', () => {
    for (const length of [0, 63, 65]) {
      expect(outcome(() => chainHash(utf8('{}'), new Uint8Array(length)))).toBe('ENCODING_INVALID');
    }
  });
});
