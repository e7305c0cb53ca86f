import { createHash, type KeyObject } from 'node:crypto';
import { type Attribute, ContentInfo, SignedData, type SignerInfo } from '@peculiar/asn1-cms';
import { AsnConvert } from '@peculiar/asn1-schema';
import { id_ct_tstInfo, TSTInfo } from '@peculiar/asn1-tsp';
import { Name } from '@peculiar/asn1-x509';
import { hashNamed, isSignature } from './algorithms.ts';
import { checkUsage, type ReadCertificate, readCertificate } from './chain.ts';
import { elementsOf, parseDer, refuse } from './der.ts';

export const MAX_TOKEN_BYTES = 65_536;
const MAX_CERTIFICATES = 16;

const SIGNED_DATA = '1.2.840.113549.1.7.2';
const CONTENT_TYPE = '1.2.840.113549.1.9.3';
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4';
const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12';
const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';

/** The identifier of what a token holds, as DER. */
const TST_INFO = '060b2a864886f70d0109100104';
const SET = 0x31;
const CONTEXT_0 = 0xa0;
const SEQUENCE = 0x30;
const OCTETS = 0x04;
const GENERALIZED_TIME = 0x18;

/** What a token of RFC 3161 says, of which the signature holds; whether its signer is to be trusted is not looked at. */
export interface Token {
  /** By the clock of the authority, in milliseconds since the Unix epoch, rounded up. */
  readonly genTime: number;
  /** How far that may be off, in milliseconds, rounded up; null where it is not said. */
  readonly accuracy: number | null;
  /** How much later the time may have been that it writes, in milliseconds: a second where it writes no fraction of one. */
  readonly cutOff: number;
  /** Whether tokens of the authority are in the order of their times whatever their accuracy. */
  readonly ordering: boolean;
  readonly policy: string;
  /** In hexadecimal. */
  readonly serial: string;
  readonly hash: string;
  readonly imprint: Uint8Array;
  readonly nonce: Uint8Array | null;
  readonly signer: ReadCertificate;
  readonly others: readonly ReadCertificate[];
  /** Of the token as it is. */
  readonly sha256: Uint8Array;
}

const bytesOf = (buffer: ArrayBuffer): Uint8Array => new Uint8Array(buffer);
const equal = (a: Uint8Array, b: Uint8Array): boolean => Buffer.from(a).equals(b);
const digestOf = (hash: string, bytes: Uint8Array): Uint8Array => createHash(hash).update(bytes).digest();

/** The only value of a signed attribute; null where there is none. */
function attribute(attributes: readonly Attribute[], type: string): Uint8Array | null {
  const found = attributes.filter(({ attrType }) => attrType === type);
  const [only] = found;
  if (only === undefined) return null;
  const [value] = only.attrValues;
  if (found.length !== 1 || only.attrValues.length !== 1 || value === undefined) {
    return refuse('MALFORMED', 'a signed attribute is there twice');
  }
  return bytesOf(value);
}

/** The time as RFC 3161 §2.4.2 has it. */
function genTimeOf(info: Uint8Array): Pick<Token, 'genTime' | 'cutOff'> {
  const [outer] = elementsOf(info);
  const [, , , , time] = elementsOf(outer?.contents ?? info);
  const text = time?.tag === GENERALIZED_TIME ? Buffer.from(time.contents).toString('latin1') : '';
  const [, year, month, day, hour, minute, second, fraction] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{0,17}[1-9])?Z$/.exec(text) ??
    refuse('MALFORMED', 'its time is not one of RFC 3161');
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const seconds = Date.parse(written);
  if (Number.isNaN(seconds) || new Date(seconds).toISOString() !== written)
    refuse('MALFORMED', 'its time does not exist');
  const genTime = seconds + Math.ceil(Number(fraction ?? '0') * 1000);
  return { genTime, cutOff: fraction === undefined ? 999 : 0 };
}

function accuracyOf({ accuracy }: TSTInfo): number | null {
  if (accuracy === undefined) return null;
  const { seconds = 0, millis = 0, micros = 0 } = accuracy;
  const isIn = (value: number, most: number): boolean => Number.isInteger(value) && value >= 0 && value <= most;
  if (!isIn(seconds, 31_536_000) || !isIn(millis, 999) || !isIn(micros, 999))
    refuse('MALFORMED', 'its accuracy is not one of RFC 3161');
  return seconds * 1000 + millis + Math.ceil(micros / 1000);
}

/**
 * Certificates and signed attributes of a token as their bytes: to write them again might not give the same.
 * @throws TimeStampError MALFORMED
 */
function partsOf(token: Uint8Array): { readonly certificates: ReadCertificate[]; readonly attributes: Uint8Array } {
  const [outer] = elementsOf(token);
  const [, wrapped] = elementsOf(outer?.contents ?? token);
  const [signed] = elementsOf(wrapped?.contents ?? token);
  const members = elementsOf(signed?.contents ?? token);
  const set = members.find(({ tag }) => tag === CONTEXT_0);
  const ders = elementsOf(set?.contents ?? new Uint8Array(0)).filter(({ tag }) => tag === SEQUENCE);
  if (ders.length > MAX_CERTIFICATES) refuse('MALFORMED', `it has more than ${MAX_CERTIFICATES} certificates`);
  const [info] = elementsOf(members.at(-1)?.contents ?? token);
  const attributes = elementsOf(info?.contents ?? token).find(({ tag }) => tag === CONTEXT_0);
  if (attributes === undefined) return refuse('MALFORMED', 'it has no signed attributes');
  return { certificates: ders.map(({ whole }) => readCertificate(whole)), attributes: attributes.whole };
}

/** The hashes of certificates in an ESSCertID or ESSCertIDv2 (RFC 5035, RFC 5816): the first is that of the signer. */
function isNamedIn(value: Uint8Array, der: Uint8Array, isV2: boolean): boolean {
  const [outer] = elementsOf(value);
  const [list] = elementsOf(outer?.contents ?? value);
  const [first] = elementsOf(list?.contents ?? value);
  const [a, b] = elementsOf(first?.contents ?? value);
  const isHashNamed = isV2 && a?.tag === SEQUENCE;
  const digest = isHashNamed ? b : a;
  const hash = isHashNamed ? essHash(a.contents) : isV2 ? 'sha256' : 'sha1';
  return digest?.tag === OCTETS && equal(digest.contents, digestOf(hash, der));
}

const ESS_HASHES: Readonly<Record<string, string>> = {
  '608648016503040201': 'sha256',
  '608648016503040202': 'sha384',
  '608648016503040203': 'sha512',
};

function essHash(algorithm: Uint8Array): string {
  const [identifier] = elementsOf(algorithm);
  const named = ESS_HASHES[Buffer.from(identifier?.contents ?? []).toString('hex')];
  return named ?? refuse('HASH', 'it names its signer by another hash than SHA-256, SHA-384 or SHA-512');
}

/** Which of the certificates signed: the one that the signed attributes and the signature's own name of it both mean. */
function signerOf({ sid, signedAttrs = [] }: SignerInfo, certificates: readonly ReadCertificate[]): ReadCertificate {
  const [v1, v2] = [attribute(signedAttrs, SIGNING_CERTIFICATE), attribute(signedAttrs, SIGNING_CERTIFICATE_V2)];
  const { issuerAndSerialNumber: named } = sid;
  const signer = certificates.find(({ der, members: { tbsCertificate } }) => {
    if ((v1 === null && v2 === null) || named === undefined) return false;
    if (v1 !== null && !isNamedIn(v1, der, false)) return false;
    if (v2 !== null && !isNamedIn(v2, der, true)) return false;
    const [own, other] = [tbsCertificate.issuer, named.issuer].map((name) =>
      bytesOf(AsnConvert.serialize(new Name(name))),
    );
    return (
      own !== undefined &&
      other !== undefined &&
      equal(own, other) &&
      equal(bytesOf(tbsCertificate.serialNumber), bytesOf(named.serialNumber))
    );
  });
  return signer ?? refuse('SIGNER', 'the certificate that its signed attributes name as its signer is not in it');
}

function checkSignature(info: SignerInfo, attributes: Uint8Array, content: Uint8Array, key: KeyObject): void {
  const { signedAttrs = [], signature, signatureAlgorithm } = info;
  const hash = hashNamed(info.digestAlgorithm);
  const [type, digest] = [attribute(signedAttrs, CONTENT_TYPE), attribute(signedAttrs, MESSAGE_DIGEST)];
  if (Buffer.from(type ?? []).toString('hex') !== TST_INFO)
    refuse('MALFORMED', 'its signature is over another kind of content');
  const [value] = elementsOf(digest ?? new Uint8Array(0));
  if (value === undefined || !equal(value.contents, digestOf(hash, content))) {
    refuse('SIGNATURE', 'its signature is over other content');
  }
  // Signed are the attributes as a SET, although they stand there under another tag (RFC 5652 §5.4).
  const message = new Uint8Array(attributes);
  message[0] = SET;
  if (!isSignature(signatureAlgorithm, { key, message, signature: bytesOf(signature.buffer), digest: hash })) {
    refuse('SIGNATURE', 'its signature does not verify');
  }
}

/**
 * Reads a token and verifies what can be told from it alone: form, version, signature, and that its signer is for time stamps.
 * @throws TimeStampError
 */
export function readToken(der: Uint8Array): Token {
  if (der.length > MAX_TOKEN_BYTES) refuse('MALFORMED', `it has more than ${MAX_TOKEN_BYTES} bytes`);
  const outer = parseDer(der, ContentInfo);
  if (outer.contentType !== SIGNED_DATA) refuse('MALFORMED', 'it is not a signed message');
  const signed = parseDer(bytesOf(outer.content), SignedData);
  const { eContentType, eContent } = signed.encapContentInfo;
  const [signerInfo] = signed.signerInfos;
  if (eContentType !== id_ct_tstInfo || eContent?.single === undefined || signerInfo === undefined) {
    return refuse('MALFORMED', 'it holds no time stamp');
  }
  if (signed.signerInfos.length !== 1) refuse('MALFORMED', 'it does not have one signer');
  const content = bytesOf(eContent.single.buffer);
  const info = parseDer(content, TSTInfo);
  if (info.version !== 1) refuse('VERSION', 'it is of another version than 1');
  if (info.extensions?.some(({ critical }) => critical))
    refuse('MALFORMED', 'it has an extension that is not understood');
  const { certificates, attributes } = partsOf(der);
  const signer = signerOf(signerInfo, certificates);
  checkUsage(signer);
  checkSignature(signerInfo, attributes, content, signer.key);
  return {
    ...genTimeOf(content),
    accuracy: accuracyOf(info),
    ordering: info.ordering,
    policy: info.policy,
    serial: Buffer.from(info.serialNumber).toString('hex'),
    hash: hashNamed(info.messageImprint.hashAlgorithm),
    imprint: bytesOf(info.messageImprint.hashedMessage.buffer),
    nonce: info.nonce === undefined ? null : bytesOf(info.nonce),
    signer,
    others: certificates.filter((one) => one !== signer),
    sha256: digestOf('sha256', der),
  };
}

/** That a token is over some bytes. @throws TimeStampError IMPRINT */
export function checkImprint({ hash, imprint }: Token, bytes: Uint8Array): void {
  if (!equal(imprint, digestOf(hash, bytes))) refuse('IMPRINT', 'it is of something else');
}
