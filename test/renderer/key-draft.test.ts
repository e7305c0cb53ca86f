import { describe, expect, it } from 'vitest';
import { fromHex, toBase64Url } from '../../src/protocol/index.ts';
import { draftBody, draftProblem, emptyKeyDraft, pastedProblem } from '../../src/renderer/screens/agents/key-draft.ts';
import { makeKeyPair } from '../../src/renderer/screens/agents/key-pair.ts';
import { KEY_DRAFT } from '../../src/renderer/screens/agents/texts.ts';
import { keyFileName } from '../../src/renderer/snippets/snippet.ts';
import { newKey, pemOf } from '../support/signer.ts';

const HEX = 'ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c';
const RAW = fromHex(HEX, 32);
const DER = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), RAW]).toString('base64');

describe('a pasted key', () => {
  it.each([
    HEX,
    HEX.toUpperCase(),
    toBase64Url(RAW),
    Buffer.from(RAW).toString('base64'),
    DER,
    `-----BEGIN PUBLIC KEY-----\n${DER}\n-----END PUBLIC KEY-----\n`,
    `  ${HEX}\n`,
  ])('is taken in every form that the protocol takes: %s', (text) => {
    expect(pastedProblem(text)).toBeNull();
    const draft = { ...emptyKeyDraft('k'), way: 'paste' as const, pasted: text };
    expect(draftProblem(draft)).toBeNull();
    expect(draftBody(draft)).toEqual({ kid: 'k', public_key: text.trim(), algorithm: 'ed25519' });
  });

  it('is refused where it is private, weak or none', () => {
    const { seed } = newKey();
    const printed = JSON.stringify({ algorithm: 'ed25519', public_key: 'x', private_key: toBase64Url(seed) });
    for (const text of [pemOf(seed), printed, '-----BEGIN OPENSSH PRIVATE KEY-----']) {
      expect(pastedProblem(text)).toMatch(/private key/);
    }
    // The point of order two, and one of order eight.
    for (const text of [`ec${'ff'.repeat(30)}7f`, '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05']) {
      expect(pastedProblem(text)).toMatch(/weak/);
    }
    for (const text of ['not a key', HEX.slice(1), `${DER}AA`]) expect(pastedProblem(text)).toBe(KEY_DRAFT.notAKey);
  });
});

describe('a key that is made', () => {
  it('cannot be registered before its private half was saved, and of it goes the public half alone', () => {
    const empty = emptyKeyDraft('key-1');
    expect(draftProblem(empty)).toBe(KEY_DRAFT.noKey);
    const pair = makeKeyPair();
    expect(draftProblem({ ...empty, pair })).toBe(KEY_DRAFT.notSaved);
    const saved = { ...empty, pair, isSaved: true };
    expect(draftProblem(saved)).toBeNull();
    expect(draftProblem({ ...saved, kid: '  ' })).toBe(KEY_DRAFT.noName);
    expect(draftBody(saved)).toEqual({ kid: 'key-1', public_key: pair.publicKey, algorithm: 'ed25519' });
  });

  it('is saved under a name that any system and shell takes', () => {
    expect(keyFileName('billing-bot')).toBe('billing-bot.pem');
    expect(keyFileName('a:b@c', "../'x'")).toBe('a_b_c...__x_.pem');
    for (const kid of [`$(x)`, '../../etc', 'ключ', '\u202e', ' '])
      expect(keyFileName('a', kid)).toMatch(/^a\.[\w.-]+\.pem$/);
  });
});
