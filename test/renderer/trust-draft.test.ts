import { describe, expect, it } from 'vitest';
import { fingerprintDigits, fingerprintGroups, thumbprint, toBase64Url } from '../../src/protocol/index.ts';
import {
  EMPTY_DRAFT,
  readKeySetFile,
  trustBody,
  trustProblem,
} from '../../src/renderer/screens/settings/trust-draft.ts';
import { newKey } from '../support/signer.ts';

const { publicKey, seed } = newKey();
const kid = thumbprint(publicKey);
const jwk = { kty: 'OKP', crv: 'Ed25519', x: toBase64Url(publicKey) };
const fileOf = (text: string) => new Blob([text]);

describe('a fingerprint or a code', () => {
  it('is asked about in groups or not, and sent as what it came by', () => {
    const groups = ` ${fingerprintGroups(kid).join(' ')}\n`;
    expect(trustProblem({ ...EMPTY_DRAFT, kid: groups })).toBeNull();
    expect(trustBody({ ...EMPTY_DRAFT, kid: groups })).toEqual({ kid: groups });
    const digits = fingerprintDigits(kid).join(' ');
    expect(trustProblem({ ...EMPTY_DRAFT, kid: digits })).toBeNull();
    expect(trustBody({ ...EMPTY_DRAFT, kid: digits, orgId: ' org_1 ' })).toEqual({
      kid: digits,
      organizations: [{ org_id: 'org_1' }],
    });
    const scanned = { ...EMPTY_DRAFT, way: 'qr', qr: kid, name: ' Branch ' } as const;
    expect(trustProblem(scanned)).toBeNull();
    expect(trustBody(scanned)).toEqual({ qr: kid, name: ' Branch ' });
  });

  it.each([
    ['', /43 characters .* this text has 0/],
    [kid.slice(1), /this text has 42/],
    [`${kid.slice(0, 42)}+`, /letters, digits/],
    [`${kid.slice(0, 42)}_`, /last character/],
  ])('that cannot be one is told why: %s', (text, why) => {
    expect(trustProblem({ ...EMPTY_DRAFT, kid: text })).toMatch(why);
    expect(trustProblem({ ...EMPTY_DRAFT, way: 'qr', qr: text })).toMatch(why);
  });
});

describe('a key set file', () => {
  it('shows the fingerprints of its keys, whatever else it says and however an editor saved it', async () => {
    const jwks = {
      keys: [
        { ...jwk, use: 'sig' },
        { ...jwk, kid },
      ],
      made_by: 'somebody',
    };
    const keySet = await readKeySetFile(fileOf(`\ufeff${JSON.stringify(jwks, null, '\r\n')}`));
    expect(keySet).toEqual({ kids: [kid, kid], jwks });
    expect(trustBody({ ...EMPTY_DRAFT, way: 'jwks', keySet })).toEqual({ jwks });
    expect(trustProblem({ ...EMPTY_DRAFT, way: 'jwks' })).toMatch(/file first/);
  });

  it.each([
    ['is none', '{"keys":[]}', /not a key set/],
    ['is no JSON', 'keys', /not a key set/],
    ['says something twice', '{"keys":[],"keys":[]}', /not a key set/],
    ['has keys of another kind', '{"keys":[{"kty":"RSA","x":"AQAB"}]}', /not a key set/],
    ['contains a private key', JSON.stringify({ keys: [{ ...jwk, d: toBase64Url(seed) }] }), /private key/],
    ['calls a key by the name of another', JSON.stringify({ keys: [{ ...jwk, kid: 'another name' }] }), /not its own/],
    ['has a weak key', JSON.stringify({ keys: [{ ...jwk, x: toBase64Url(new Uint8Array(32)) }] }), /weak/],
    ['is far too large', ' '.repeat(600_000), /larger/],
  ])('that %s is refused', async (_, text, why) => {
    await expect(readKeySetFile(fileOf(text))).rejects.toThrow(why);
  });
});
