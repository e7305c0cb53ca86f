import {
  type VerificationReport,
  type VerifyOptions,
  type VerifyRecordProofOptions,
  verifyRecordProof as verifyProofSource,
  verifyBundle as verifySource,
} from '../../protocol/index.ts';
import { type BundleInput, openBundle } from './open-bundle.ts';
import { webCrypto } from './web-crypto.ts';

/**
 * Verifies a bundle (protocol V1), plain, compressed with gzip, or attached to a PDF report. The pages of a
 * report are not verified. Nothing in the bundle is trusted: only `trustedKids` make it `verified`.
 * @param options `crypto` is WebCrypto where it is left out, and JavaScript alone where there is none
 * @returns the report; damage of any kind to the bundle itself is a finding in it, not an error
 * @throws DamagedArchive for a damaged gzip file; ExtractError for a PDF that holds no sound bundle; TypeError for a PDF
 *   that is given as a function; and what reading the input fails with
 */
export async function verifyBundle(input: BundleInput, options: VerifyOptions = {}): Promise<VerificationReport> {
  const { source } = await openBundle(input);
  return verifySource(source, { ...options, crypto: options.crypto ?? (await webCrypto()) });
}

/**
 * Verifies a proof of records (protocol R6), plain or compressed with gzip; `isRecordProof` tells one from a
 * bundle. Nothing in it is trusted: only `trustedKids` make it `verified`.
 * @param options `crypto` is WebCrypto where it is left out, and JavaScript alone where there is none
 * @returns the report; damage of any kind to the proof itself is a finding in it, not an error
 * @throws DamagedArchive for a damaged gzip file; what reading the input fails with
 */
export async function verifyRecordProof(
  input: BundleInput,
  options: VerifyRecordProofOptions = {},
): Promise<VerificationReport> {
  const { source } = await openBundle(input);
  return verifyProofSource(source, { ...options, crypto: options.crypto ?? (await webCrypto()) });
}
