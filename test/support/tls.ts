/**
 * A certificate for this machine, made for each run: Node makes keys but no certificates, and one that is checked in
 * would expire. X.509 version 3 in DER (RFC 5280 §4.1), signed by its own key, so that it is its own trust anchor.
 */
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  /** PEM, PKCS #8. */
  readonly key: string;
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const bitString = (bytes: Uint8Array): Buffer => der(0x03, Buffer.of(0), bytes);
const octetString = (bytes: Uint8Array): Buffer => der(0x04, bytes);
const objectId = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));

const COMMON_NAME = objectId('550403');
const BASIC_CONSTRAINTS = objectId('551d13');
const SUBJECT_ALT_NAME = objectId('551d11');
const ECDSA_WITH_SHA256 = sequence(objectId('2a8648ce3d040302'));
const TRUE = der(0x01, Buffer.of(0xff));

function utcTime(time: Date): Buffer {
  const digits = time.toISOString().replace(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`, 'ascii'));
}

/** @param names DNS names and dotted IPv4 addresses that the certificate is for */
export function makeCertificate(names: readonly string[] = ['localhost', '127.0.0.1']): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // A name of its own: an anchor is found by its name.
  const commonName = `countersign test ${randomBytes(8).toString('hex')}`;
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(commonName)))));
  const generalNames = names.map((given) =>
    /^[\d.]+$/.test(given)
      ? der(0x87, Buffer.from(given.split('.').map(Number)))
      : der(0x82, Buffer.from(given, 'ascii')),
  );
  const day = 86_400_000;
  const tbs = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1), randomBytes(15)),
    ECDSA_WITH_SHA256,
    name,
    sequence(utcTime(new Date(Date.now() - day)), utcTime(new Date(Date.now() + day))),
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
    der(
      0xa3,
      sequence(
        sequence(BASIC_CONSTRAINTS, TRUE, octetString(sequence(TRUE))),
        sequence(SUBJECT_ALT_NAME, octetString(sequence(...generalNames))),
      ),
    ),
  );
  const certificate = sequence(tbs, ECDSA_WITH_SHA256, bitString(sign('sha256', tbs, privateKey)));
  const base64 = certificate.toString('base64').replace(/.{64}/g, '$&\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}
