// Cosignatures in ML-DSA-44 (protocol F94) before code that nobody here wrote: OpenSSL, by node:crypto.
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  cosignatureOf,
  cosignedBytes,
  formatCosignature,
  nobleCrypto,
  parseCheckpoint,
  StrictVerifier,
  toBase64,
  utf8,
} from '../../src/protocol/index.ts';
import { isMlDsaSignature, mlDsaSigner } from '../../src/protocol/ml-dsa/index.ts';
import { checkpointAt } from '../support/checkpoints.ts';

const checkpoint = parseCheckpoint(utf8(checkpointAt(5)));
const NAME = 'witness.example/w1';
const TIME = 1_700_000_000;

/** What C2SP tlog-cosignature has signed, written from its text: each member with its length where it has one. */
const message = Buffer.concat([
  Buffer.from('subtree/v1\n\0', 'latin1'),
  Buffer.from([NAME.length]),
  Buffer.from(NAME),
  Buffer.from(TIME.toString(16).padStart(16, '0'), 'hex'),
  Buffer.from([checkpoint.origin.length]),
  Buffer.from(checkpoint.origin),
  Buffer.alloc(8),
  Buffer.from('0000000000000005', 'hex'),
  Buffer.from(checkpoint.noteText.split('\n')[2] ?? '', 'base64'),
]);

it('makes the same key and the same signature of a seed as OpenSSL', () => {
  const seed = Buffer.alloc(32, 9);
  const signer = mlDsaSigner(seed);
  // PKCS #8 of RFC 9881 with the seed alone.
  const der = Buffer.concat([
    Buffer.from('3034020100300b0609608648016503040311042280 20'.replaceAll(' ', ''), 'hex'),
    seed,
  ]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  expect(toBase64(spki.subarray(-1312))).toBe(toBase64(signer.publicKey));
  const bytes = cosignedBytes(checkpoint, { name: NAME, algorithm: 'ml-dsa-44', publicKey: signer.publicKey }, TIME);
  expect(toBase64(bytes)).toBe(toBase64(message));
  const signature = signer.sign(bytes);
  expect(signature).toHaveLength(2420);
  expect(verify(null, message, createPublicKey(key), signature)).toBe(true);
});

it('takes a cosignature that OpenSSL made, and none with a bit changed', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ml-dsa-44');
  const key = {
    name: NAME,
    algorithm: 'ml-dsa-44' as const,
    publicKey: Uint8Array.from(publicKey.export({ type: 'spki', format: 'der' }).subarray(-1312)),
  };
  const signature = Uint8Array.from(sign(null, message, privateKey));
  const read = (over: Uint8Array) => {
    const note = `${checkpointAt(5)}${formatCosignature(key, TIME, over)}\n`;
    return cosignatureOf(parseCheckpoint(utf8(note)), key, {
      ed25519: new StrictVerifier(nobleCrypto),
      mlDsa44: isMlDsaSignature,
    });
  };
  expect(await read(signature)).toMatchObject({ timestamp: TIME });
  for (const at of [0, 1200, 2419]) {
    expect(await read(signature.map((byte, index) => (index === at ? byte ^ 1 : byte)))).toBeNull();
  }
});
