import { utf8 } from '../bytes.ts';
import type { StrictVerifier } from '../crypto.ts';
import { type Sha256, sha256 } from '../digest.ts';
import {
  type Checkpoint,
  type CheckpointEvidence,
  candidatesOf,
  isEd25519Length,
  type NamedKey,
  withOneSignature,
} from '../statements/checkpoint.ts';

/** The checkpoint with its signer's line (protocol F88); null unless every line that is the service's verifies, and there is one. */
export async function signedEvidence(
  checkpoint: Checkpoint,
  keys: readonly NamedKey[],
  verifier: StrictVerifier,
  hash: Sha256 = sha256,
): Promise<CheckpointEvidence | null> {
  const message = utf8(checkpoint.noteText);
  let evidence: CheckpointEvidence | null = null;
  for (const candidates of candidatesOf(checkpoint, keys, hash)) {
    const fitting = candidates.filter(({ by }) => isEd25519Length(by));
    const answers = await verifier.verify(
      fitting.map(({ publicKey, by: { signature } }) => ({ publicKey, message, signature })),
    );
    const signer = fitting.find((_, index) => answers[index] === true);
    if (signer === undefined) return null;
    evidence ??= { checkpoint: withOneSignature(checkpoint, signer.by), service_kid: signer.kid };
  }
  return evidence;
}
