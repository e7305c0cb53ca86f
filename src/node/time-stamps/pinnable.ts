import { formatDigest, instantText, sha256 } from '../../protocol/index.ts';
import { readRoots } from './chain.ts';

/** A root for time as a trust store keeps it. */
export interface PinnableRoot {
  readonly subject: string;
  readonly sha256: string;
  /** DER in base64. */
  readonly certificate: string;
  readonly until: string | null;
}

/**
 * The certificates of a file, PEM or DER, as a trust store keeps them.
 * @param until in milliseconds since the Unix epoch; null for without end
 * @throws TimeStampError MALFORMED where it has none
 */
export function pinnableRoots(bytes: Uint8Array, until: number | null): PinnableRoot[] {
  return readRoots(bytes, until).map(({ der, x509 }) => ({
    subject: x509.subject.replaceAll('\n', ', '),
    sha256: formatDigest(sha256(der)),
    certificate: Buffer.from(der).toString('base64'),
    until: until === null ? null : instantText(until),
  }));
}
