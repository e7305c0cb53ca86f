import { constants, type KeyObject, verify } from 'node:crypto';
import { RsaSaPssParams } from '@peculiar/asn1-rsa';
import type { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import { parseDer, refuse, TimeStampError } from './der.ts';

/** The hashes that count, by object identifier. SHA-1 counts nowhere but in the name of a certificate. */
const HASHES: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/** @throws TimeStampError HASH */
export function hashNamed({ algorithm }: Pick<AlgorithmIdentifier, 'algorithm'>): string {
  return HASHES[algorithm] ?? refuse('HASH', 'it rests on another hash than SHA-256, SHA-384 or SHA-512');
}

const RSA_WITH: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
};
const ECDSA_WITH: Readonly<Record<string, string>> = {
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
};
const RSA = '1.2.840.113549.1.1.1';
const RSA_PSS = '1.2.840.113549.1.1.10';
const ED25519 = '1.3.101.112';
const CURVES = ['prime256v1', 'secp384r1'];
/** In bits. A longer key would let whoever made the file choose how long a check takes. */
const [LEAST_RSA, MOST_RSA] = [2048, 8192];

function refuseAlgorithm(): never {
  return refuse(
    'ALGORITHM',
    'a signature is of another kind than RSA from 2048 bits, ECDSA over P-256 or P-384, or Ed25519',
  );
}

/** Whether a key is of a kind and length that counts. */
function isKey(key: KeyObject, kind: 'rsa' | 'ec' | 'ed25519'): boolean {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  if (kind === 'ed25519') return type === 'ed25519';
  if (kind === 'ec') return type === 'ec' && CURVES.includes(details?.namedCurve ?? '');
  const bits = details?.modulusLength ?? 0;
  return (type === 'rsa' || type === 'rsa-pss') && bits >= LEAST_RSA && bits <= MOST_RSA;
}

/**
 * Whether a signature over some bytes verifies (RSA with PKCS #1 v1.5 or PSS, ECDSA, Ed25519).
 * @param digest the hash that goes with it where its algorithm names none
 * @throws TimeStampError ALGORITHM, HASH, MALFORMED
 */
export function isSignature(
  { algorithm, parameters }: AlgorithmIdentifier,
  {
    key,
    message,
    signature,
    digest,
  }: {
    readonly key: KeyObject;
    readonly message: Uint8Array;
    readonly signature: Uint8Array;
    readonly digest: string | null;
  },
): boolean {
  const rsa = algorithm === RSA ? digest : RSA_WITH[algorithm];
  const ecdsa = ECDSA_WITH[algorithm];
  try {
    if (rsa != null && isKey(key, 'rsa')) {
      return verify(rsa, message, { key, padding: constants.RSA_PKCS1_PADDING }, signature);
    }
    if (algorithm === RSA_PSS && isKey(key, 'rsa')) {
      const { hashAlgorithm } = parseDer(new Uint8Array(parameters ?? new ArrayBuffer(0)), RsaSaPssParams);
      const options = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO };
      return verify(hashNamed(hashAlgorithm), message, options, signature);
    }
    if (ecdsa !== undefined && isKey(key, 'ec')) return verify(ecdsa, message, key, signature);
    if (algorithm === ED25519 && isKey(key, 'ed25519')) return verify(null, message, key, signature);
  } catch (error) {
    // OpenSSL and BoringSSL throw for signatures that have not the form of one.
    if (error instanceof TimeStampError) throw error;
    return false;
  }
  return refuseAlgorithm();
}
