import { createPrivateKey } from 'node:crypto';
import { fromBase64Url, fromHex, ProtocolError } from '../protocol/light.ts';
import { AgentError } from './agent-error.ts';

/**
 * The 32-byte seed of a private key (RFC 8032 §5.1.5), from the raw bytes, base64url, hexadecimal, or PKCS #8 in PEM.
 * @throws AgentError KEY_INVALID, which never quotes the key
 */
export function readSeed(privateKey: Uint8Array | string): Uint8Array {
  const invalid = new AgentError(
    'KEY_INVALID',
    'the private key is not an Ed25519 key: 32 bytes, base64url, hex or PKCS #8 PEM',
  );
  if (typeof privateKey !== 'string') {
    if (privateKey.length !== 32) throw invalid;
    return Uint8Array.from(privateKey);
  }
  const text = privateKey.trim();
  try {
    if (text.startsWith('-----BEGIN')) {
      const { crv, d } = createPrivateKey(text).export({ format: 'jwk' });
      if (crv !== 'Ed25519' || d === undefined) throw invalid;
      return fromBase64Url(d, 32);
    }
    return /^[0-9a-fA-F]{64}$/.test(text) ? fromHex(text.toLowerCase(), 32) : fromBase64Url(text, 32);
  } catch (error) {
    if (error === invalid || error instanceof ProtocolError) throw invalid;
    // OpenSSL's own words may quote what was given.
    throw invalid;
  }
}
