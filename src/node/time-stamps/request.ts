import { createHash, randomBytes } from 'node:crypto';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import { MessageImprint, PKIStatus, TimeStampReq, TimeStampReqVersion, TimeStampResp } from '@peculiar/asn1-tsp';
import { AlgorithmIdentifier } from '@peculiar/asn1-x509';
import { hashNamed } from './algorithms.ts';
import { elementsOf, parseDer, refuse } from './der.ts';
import { MAX_TOKEN_BYTES, readToken } from './token.ts';

/** What a request may name, with its object identifier. */
const REQUEST_HASHES = { sha256: '2.16.840.1.101.3.4.2.1', sha512: '2.16.840.1.101.3.4.2.3' } as const;
export type RequestHash = keyof typeof REQUEST_HASHES;
export const isRequestHash = (text: string): text is RequestHash => Object.hasOwn(REQUEST_HASHES, text);

/** The longest request or answer that is read. */
export const MAX_MESSAGE_BYTES = MAX_TOKEN_BYTES + 4096;
const NONCE_BYTES = 16;

/** A request of RFC 3161 for a stamp over some bytes, with a nonce, and asking for the certificates. */
export function makeRequest(bytes: Uint8Array, hash: RequestHash): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  // A positive integer that has all its bytes.
  nonce[0] = ((nonce[0] ?? 0) & 0x3f) | 0x40;
  const request = new TimeStampReq({
    version: TimeStampReqVersion.v1,
    messageImprint: new MessageImprint({
      hashAlgorithm: new AlgorithmIdentifier({ algorithm: REQUEST_HASHES[hash], parameters: null }),
      hashedMessage: new OctetString(createHash(hash).update(bytes).digest()),
    }),
    nonce: new Uint8Array(nonce).buffer,
    certReq: true,
  });
  return new Uint8Array(AsnConvert.serialize(request));
}

/** Whether a request is for a stamp over some bytes. @throws TimeStampError MALFORMED, HASH */
export function isRequestOver(request: Uint8Array, bytes: Uint8Array): boolean {
  const { hashAlgorithm, hashedMessage } = parseDer(request, TimeStampReq).messageImprint;
  const digest = createHash(hashNamed(hashAlgorithm)).update(bytes).digest();
  return digest.equals(Buffer.from(hashedMessage.buffer));
}

/**
 * The token in an answer, once it is known to be the answer to that request.
 * @throws TimeStampError REFUSED, IMPRINT, NONCE, and those of readToken
 */
export function tokenOfAnswer(request: Uint8Array, answer: Uint8Array): Uint8Array {
  if (Math.max(request.length, answer.length) > MAX_MESSAGE_BYTES)
    refuse('MALFORMED', `it has more than ${MAX_MESSAGE_BYTES} bytes`);
  const asked = parseDer(request, TimeStampReq);
  const { status } = parseDer(answer, TimeStampResp).status;
  if (status !== PKIStatus.granted && status !== PKIStatus.grantedWithMods) {
    refuse('REFUSED', `the authority gave no stamp (status ${status} of RFC 3161)`);
  }
  const [outer] = elementsOf(answer);
  const [, token] = elementsOf(outer?.contents ?? answer);
  if (token === undefined) return refuse('MALFORMED', 'the answer holds no token');
  const { hash, imprint, nonce } = readToken(token.whole);
  const { hashAlgorithm, hashedMessage } = asked.messageImprint;
  if (hash !== hashNamed(hashAlgorithm) || !Buffer.from(hashedMessage.buffer).equals(imprint)) {
    refuse('IMPRINT', 'it is of something else than was asked for');
  }
  if (asked.nonce !== undefined && (nonce === null || !Buffer.from(asked.nonce).equals(nonce))) {
    refuse('NONCE', 'it is not the answer to this request: the nonce differs');
  }
  return token.whole;
}
