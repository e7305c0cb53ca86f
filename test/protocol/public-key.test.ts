import { describe, expect, it } from 'vitest';
import {
  concatBytes,
  publicKeyFromInput,
  publicKeyOf,
  sha256,
  thumbprint,
  toBase64Url,
  toHex,
  utf8,
} from '../../src/protocol/index.ts';
import { hexBytes } from '../support/bytes.ts';
import { outcome } from '../support/refusals.ts';

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
const spkiOf = (key: Uint8Array, oid = '2b6570'): Uint8Array => concatBytes(hexBytes(`302a30050603${oid}032100`), key);
const pemOf = (der: Uint8Array, label = 'PUBLIC KEY', lineBreak = '\n'): string =>
  [`-----BEGIN ${label}-----`, ...(base64(der).match(/.{1,64}/g) ?? []), `-----END ${label}-----`, ''].join(lineBreak);

/** A key in whose base64 the two alphabets differ, with the SPKI around it as well. */
const key = ((): Uint8Array => {
  for (let n = 0; ; n++) {
    const candidate = publicKeyOf(sha256(utf8(`public key on input ${n}`)));
    if (base64(candidate).includes('+') && base64(candidate).includes('/')) return candidate;
  }
})();
const weak = hexBytes(`01${'00'.repeat(31)}`);

describe('protocol F8: public keys on input', () => {
  const unpadded = (text: string): string => text.replaceAll('=', '');
  const forms = (raw: Uint8Array): readonly (readonly [string, string])[] => [
    ['base64url', toBase64Url(raw)],
    ['standard base64', base64(raw)],
    ['standard base64 without padding', unpadded(base64(raw))],
    ['64 hexadecimal digits', toHex(raw)],
    ['64 upper-case hexadecimal digits', toHex(raw).toUpperCase()],
    ['SPKI DER in base64 (RFC 8410 §4)', base64(spkiOf(raw))],
    ['SPKI DER in base64 without padding', unpadded(base64(spkiOf(raw)))],
    ['SPKI PEM (RFC 7468 §13)', pemOf(spkiOf(raw))],
    ['SPKI PEM with CRLF and white space around', `\r\n ${pemOf(spkiOf(raw), 'PUBLIC KEY', '\r\n')} `],
  ];

  it.each(forms(key))('takes %s', (_, text) => {
    expect(toHex(publicKeyFromInput(text))).toBe(toHex(key));
  });

  it.each(forms(weak))('refuses a weak key in %s', (_, text) => {
    expect(outcome(() => publicKeyFromInput(text))).toBe('KEY_WEAK');
  });

  it('takes what the host exports', async () => {
    const { subtle } = globalThis.crypto;
    const pair = await subtle.generateKey({ name: 'Ed25519' }, true, ['sign', 'verify']);
    if (!('publicKey' in pair)) throw new TypeError('expected a pair of keys');
    const raw = new Uint8Array(await subtle.exportKey('raw', pair.publicKey));
    const spki = new Uint8Array(await subtle.exportKey('spki', pair.publicKey));
    for (const text of [base64(raw), base64(spki), pemOf(spki)]) expect(publicKeyFromInput(text)).toEqual(raw);
  });

  const spki = spkiOf(key);
  it.each([
    ['nothing', ''],
    ['31 bytes', base64(key.subarray(1))],
    ['33 bytes', base64(concatBytes(key, Uint8Array.of(0)))],
    ['63 hexadecimal digits', toHex(key).slice(1)],
    ['65 hexadecimal digits', `0${toHex(key)}`],
    ['hexadecimal digits with a stray letter', `g${toHex(key).slice(1)}`],
    ['base64url with padding in the middle', `${toBase64Url(key).slice(0, 20)}=${toBase64Url(key).slice(21)}`],
    ['base64 with non-zero trailing bits', `${base64(key).slice(0, 42)}B=`],
    ['base64url with non-zero trailing bits', `${toBase64Url(key).slice(0, 42)}B`],
    ['white space around base64', ` ${base64(key)}`],
    ['SPKI of an X25519 key', base64(spkiOf(key, '2b656e'))],
    ['SPKI with a byte too many', base64(concatBytes(spki, Uint8Array.of(0)))],
    ['SPKI with a byte too few', base64(spki.subarray(0, -1))],
    ['SPKI in base64url', toBase64Url(spkiOf(new Uint8Array(32).fill(0xff)))],
    ['SPKI in hexadecimal', toHex(spki)],
    ['PEM of a private key', pemOf(spki, 'PRIVATE KEY')],
    ['PEM without its last line', pemOf(spki).replace(/-----END.*/s, '')],
    ['PEM with text before it', `key:\n${pemOf(spki)}`],
    ['two PEM blocks', pemOf(spki) + pemOf(spki)],
    ['PEM of something else', pemOf(utf8('not a key at all'))],
    ['PEM of nothing', pemOf(new Uint8Array(0))],
    ['a JWK', JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: toBase64Url(key) })],
  ])('refuses %s', (_, text) => {
    expect(outcome(() => publicKeyFromInput(text))).toBe('ENCODING_INVALID');
  });
});

describe('RFC 7638, RFC 8037 appendix A.3: thumbprint', () => {
  it('is the kid of the example key', () => {
    const example = publicKeyFromInput('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo');
    expect(thumbprint(example)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  });
});
