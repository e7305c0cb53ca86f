import { z } from 'zod';
import packageJson from '../../../package.json' with { type: 'json' };
import { nodeSigner } from '../../node/index.ts';
import { readKid } from '../../node/trust/index.ts';
import {
  ARTIFACT_TYPE,
  canonicalBytes,
  describeWitnessed,
  equalBytes,
  fromBase64Url,
  isStatedTrust,
  isTrustEntry,
  type Json,
  makeVerificationArtifact,
  ProtocolError,
  parseJsonBytes,
  parseTrustEntry,
  publicKeyOf,
  readFingerprintDigits,
  thumbprint,
  toBase64Url,
  UNNAMED_WITNESSES,
  unlessRefused,
  type VerificationReport,
  verifyEd25519,
} from '../../protocol/index.ts';
import type { FileDigest } from './file-digest.ts';

const fileDigest = z.strictObject({ sha256: z.string(), size: z.number() });

/** An entry, or the policy (protocol V188). */
function isTrusted(text: string): boolean {
  if (!isTrustEntry(text)) return isStatedTrust([text]);
  const { key } = parseTrustEntry(text);
  return readFingerprintDigits(key) !== null || readKid(key) !== null;
}

const artifactShape = z.strictObject({
  type: z.literal(ARTIFACT_TYPE),
  subject: fileDigest,
  trust: z.array(z.string().refine(isTrusted)),
  verifier: z.strictObject({ name: z.string(), version: z.string() }),
  inputs: z.strictObject({
    receipts: z.array(fileDigest),
    against: z.array(fileDigest),
    checkpoints: z.array(fileDigest).exactOptional(),
  }),
  report: z.looseObject({
    verdict: z.enum(['verified', 'failed', 'incomplete']),
    summary: z.string(),
  }),
  signature: z
    .strictObject({
      algorithm: z.literal('ed25519'),
      kid: z.string(),
      public_key: z.string(),
      value: z.string(),
    })
    .optional(),
});

/**
 * A verification report as a file to keep: of which bytes, with which trust, by which verifier, and the whole report. No
 * time and no path, so that the same verification gives the same bytes anywhere. `signature` is of whoever ran it, over
 * the canonical form of all the rest.
 */
export type Artifact = z.infer<typeof artifactShape>;
export type UnsignedArtifact = Omit<Artifact, 'signature'>;

/** The file is not such an artifact. */
export class NotAnArtifact extends Error {
  override readonly name = 'NotAnArtifact';
}

/** The files of one verification. */
export interface VerifiedFiles {
  readonly subject: FileDigest;
  readonly receipts: readonly FileDigest[];
  readonly against: readonly FileDigest[];
  readonly checkpoints: readonly FileDigest[];
}

/** Makes the artifact of a verification; the same report, files and trust give the same value. */
export function makeArtifact(
  report: VerificationReport,
  trustedKids: readonly string[],
  files: VerifiedFiles,
): UnsignedArtifact {
  const named = (file: FileDigest) => ({ ...file, name: file.path });
  const verified = {
    subject: files.subject,
    receipts: files.receipts.map(named),
    against: files.against.map(named),
    checkpoints: files.checkpoints.map(named),
  };
  const verifier = { name: packageJson.name, version: packageJson.version };
  const { inputs, trust, report: made, ...rest } = makeVerificationArtifact(report, trustedKids, verified, verifier);
  return {
    ...rest,
    trust: [...trust],
    inputs: {
      receipts: [...inputs.receipts],
      against: [...inputs.against],
      ...(inputs.checkpoints && { checkpoints: [...inputs.checkpoints] }),
    },
    report: { ...made },
  };
}

/** The bytes of the file: canonical JSON (protocol F4), no line break at the end. */
export function artifactBytes(artifact: Artifact | UnsignedArtifact): Uint8Array {
  return canonicalBytes(artifact);
}

/**
 * Signs an artifact with an auditor's own key.
 * @param seed 32 bytes (RFC 8032 §5.1.5)
 */
export function signArtifact(artifact: UnsignedArtifact, seed: Uint8Array): Artifact {
  const publicKey = publicKeyOf(seed);
  const value = toBase64Url(nodeSigner(seed).sign(artifactBytes(artifact)));
  const kid = thumbprint(publicKey);
  return { ...artifact, signature: { algorithm: 'ed25519', kid, public_key: toBase64Url(publicKey), value } };
}

/** What of a report tells who stands behind the records. */
const aboutWitnesses = z.object({
  bundle: z.object({ last_seq_no: z.number().nullable(), cosigned: z.number().exactOptional() }),
  witnessed: z
    .object({
      threshold: z.number(),
      organizations: z.number(),
      size: z.number(),
      until: z.string().nullable(),
      checkpoints: z.array(
        z.object({
          reaches: z.number(),
          until: z.string().nullable(),
          cosigned_by: z.array(z.object({ organization: z.string() })),
          not_held: z.array(z.string()),
        }),
      ),
    })
    .exactOptional(),
});

/** What the report of an artifact states of witnesses, in words; null where that is nothing. */
export function statedWitnesses({ report }: Artifact): string | null {
  const read = aboutWitnesses.safeParse(report);
  if (!read.success) return null;
  const { bundle, witnessed } = read.data;
  if (witnessed !== undefined) return describeWitnessed(witnessed, bundle.last_seq_no ?? Number.POSITIVE_INFINITY);
  return bundle.cosigned === undefined ? null : UNNAMED_WITNESSES;
}

/** The part of an artifact that its signature is over. */
export function unsigned({ signature: _, ...rest }: Artifact): UnsignedArtifact {
  return rest;
}

/**
 * Reads the bytes of an artifact.
 * @throws NotAnArtifact also where the bytes are not canonical: another spelling would be a second file of one content
 */
export function parseArtifact(bytes: Uint8Array): Artifact {
  let value: Json;
  try {
    value = parseJsonBytes(bytes);
    if (!equalBytes(canonicalBytes(value), bytes)) throw new NotAnArtifact('is not in canonical form');
  } catch (error) {
    if (error instanceof ProtocolError) throw new NotAnArtifact('is not JSON');
    throw error;
  }
  const parsed = artifactShape.safeParse(value);
  if (!parsed.success) throw new NotAnArtifact('is not a verification report as verify --report writes it');
  return parsed.data;
}

/** Whether the signature of an artifact verifies under its own key, by the strict rule, and its kid is that key's. */
export function isSignatureValid(artifact: Artifact): boolean {
  const { signature } = artifact;
  if (signature === undefined) return false;
  return unlessRefused(() => {
    const publicKey = fromBase64Url(signature.public_key, 32);
    const message = artifactBytes(unsigned(artifact));
    const check = { publicKey, message, signature: fromBase64Url(signature.value, 64) };
    return signature.kid === thumbprint(publicKey) && verifyEd25519(check);
  }, false);
}
