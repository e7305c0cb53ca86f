import { type KeyObject, X509Certificate } from 'node:crypto';
import {
  BasicConstraints,
  Certificate,
  id_ce_basicConstraints,
  id_ce_certificatePolicies,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
} from '@peculiar/asn1-x509';
import { isSignature } from './algorithms.ts';
import { elementsOf, parseDer, refuse, TimeStampError } from './der.ts';

/** A certificate as its bytes, as Node reads it, and as its members. */
export interface ReadCertificate {
  readonly der: Uint8Array;
  readonly x509: X509Certificate;
  readonly key: KeyObject;
  readonly members: Certificate;
}

/** A root that the reader trusts to say what time it was. */
export interface PinnedRoot extends ReadCertificate {
  /** Since when no longer, in milliseconds since the Unix epoch; null where that is not so. */
  readonly until: number | null;
}

const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
const ANY_USAGE = '2.5.29.37.0';
/** What may be critical in a certificate and is understood here. Policies restrict nothing where no policy is asked for. */
const UNDERSTOOD = new Set([id_ce_basicConstraints, id_ce_keyUsage, id_ce_extKeyUsage, id_ce_certificatePolicies]);
const MAX_ROOTS = 100;
const MAX_LINKS = 8;

/** @throws TimeStampError MALFORMED */
export function readCertificate(der: Uint8Array): ReadCertificate {
  const members = parseDer(der, Certificate);
  try {
    const x509 = new X509Certificate(der);
    return { der, members, x509, key: x509.publicKey };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return refuse('MALFORMED', 'a certificate cannot be read');
  }
}

/**
 * The certificates of a file, PEM or DER, as roots.
 * @throws TimeStampError MALFORMED where it has none
 */
export function readRoots(bytes: Uint8Array, until: number | null): PinnedRoot[] {
  const text = new TextDecoder('latin1').decode(bytes);
  const blocks = [...text.matchAll(/-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g)];
  if (blocks.length > MAX_ROOTS) refuse('MALFORMED', `it has more than ${MAX_ROOTS} certificates`);
  const ders =
    blocks.length === 0 ? [bytes] : blocks.map(([, base64 = '']) => new Uint8Array(Buffer.from(base64, 'base64')));
  return ders.map((der) => ({ ...readCertificate(der), until }));
}

/** A time of a certificate in milliseconds since the Unix epoch. */
const timeOf = (date: Date): number => date.getTime();

function checkValidThen({ x509 }: ReadCertificate, at: number): void {
  if (at < timeOf(x509.validFromDate) || at > timeOf(x509.validToDate)) {
    refuse('EXPIRED', 'a certificate was not valid at the time that the stamp states');
  }
}

function checkCritical({ members }: ReadCertificate): void {
  for (const { extnID, critical } of members.tbsCertificate.extensions ?? []) {
    if (critical && !UNDERSTOOD.has(extnID))
      refuse('CHAIN', 'a certificate restricts itself in a way that is not understood');
  }
}

/** That a certificate is for signing time stamps, and critically for nothing else (RFC 3161 §2.3). @throws TimeStampError USAGE */
export function checkUsage({ x509, members }: ReadCertificate): void {
  const usages = members.tbsCertificate.extensions?.filter(({ extnID }) => extnID === id_ce_extKeyUsage) ?? [];
  const [only] = usages;
  const named = x509.keyUsage ?? [];
  if (usages.length !== 1 || only?.critical !== true || named.length !== 1 || named[0] !== TIME_STAMPING) {
    refuse('USAGE', 'the certificate that signed is not, critically, for time stamps alone');
  }
}

/** How many certificates may stand between this one and one that signs something else; null for any number. */
function pathLengthOf({ members }: ReadCertificate): number | null {
  const found = members.tbsCertificate.extensions?.find(({ extnID }) => extnID === id_ce_basicConstraints);
  if (found === undefined) return null;
  return parseDer(new Uint8Array(found.extnValue.buffer), BasicConstraints).pathLenConstraint ?? null;
}

/**
 * That one certificate was issued by another, which may issue certificates for time stamps.
 * @param below how many certificates that issue others lie between them and the signer's
 */
function isIssued(child: ReadCertificate, parent: ReadCertificate, below: number): boolean {
  if (!parent.x509.ca || !child.x509.checkIssued(parent.x509)) return false;
  const most = pathLengthOf(parent);
  if (most !== null && below > most) return false;
  const usages = parent.x509.keyUsage;
  if (usages !== undefined && !usages.includes(TIME_STAMPING) && !usages.includes(ANY_USAGE)) return false;
  const [outer] = elementsOf(child.der);
  const [signed, , signature] = elementsOf(outer?.contents ?? child.der);
  if (signed === undefined || signature === undefined || signature.contents[0] !== 0) return false;
  return isSignature(child.members.signatureAlgorithm, {
    key: parent.key,
    message: signed.whole,
    signature: signature.contents.subarray(1),
    digest: null,
  });
}

const isSame = (a: ReadCertificate, b: ReadCertificate): boolean => Buffer.from(a.der).equals(b.der);

/**
 * The pinned root that a certificate leads to through others, each valid at a time; the one trusted longest where several are.
 * Whether any was revoked is not asked: that would need a network, and the answer of somebody at a later time.
 * @throws TimeStampError EXPIRED, CHAIN, ALGORITHM, ROOT_UNKNOWN
 */
export function rootOf(
  signer: ReadCertificate,
  others: readonly ReadCertificate[],
  roots: readonly PinnedRoot[],
  at: number,
): PinnedRoot {
  checkValidThen(signer, at);
  checkCritical(signer);
  const byTrust = [...roots].sort((a, b) => (b.until ?? Infinity) - (a.until ?? Infinity));
  const seen: ReadCertificate[] = [];
  let problem: TimeStampError | null = null;
  const holds = (check: () => boolean): boolean => {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof TimeStampError)) throw error;
      problem ??= error;
      return false;
    }
  };
  const search = (child: ReadCertificate, below: number): PinnedRoot | null => {
    const root = byTrust.find((one) =>
      holds(() => {
        if (!isSame(one, child) && !isIssued(child, one, below)) return false;
        checkValidThen(one, at);
        return true;
      }),
    );
    if (root !== undefined) return root;
    seen.push(child);
    if (below >= MAX_LINKS) return null;
    for (const parent of others) {
      if (seen.some((one) => isSame(one, parent))) continue;
      const fits = holds(() => {
        if (!isIssued(child, parent, below)) return false;
        checkValidThen(parent, at);
        checkCritical(parent);
        return true;
      });
      const found = fits ? search(parent, below + 1) : null;
      if (found !== null) return found;
    }
    return null;
  };
  const root = search(signer, 0);
  if (root !== null) return root;
  throw problem ?? new TimeStampError('ROOT_UNKNOWN', 'it does not lead to a root that you trust for time');
}
