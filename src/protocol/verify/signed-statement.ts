import { equalBytes, utf8 } from '../bytes.ts';
import type { StrictVerifier } from '../crypto.ts';
import { isStrictPublicKey } from '../ed25519.ts';
import { fromBase64Url, toBase64Url } from '../encoding.ts';
import { thumbprint } from '../fingerprint.ts';
import { ProtocolError } from '../protocol-error.ts';
import * as shape from '../shape.ts';
import { type AttestedAgentKey, agentKeySignedBytes, parseAttestedKey } from '../statements/agent-key.ts';
import {
  type Checkpoint,
  type CheckpointEvidence,
  candidatesOf,
  checkpointOrigin,
  evidenceSignature,
} from '../statements/checkpoint.ts';
import { parseKeptCheckpoint } from '../statements/consistency-proof.ts';
import { type Epoch, epochSignedBytes, parseEpoch } from '../statements/epoch.ts';
import { type Manifest, manifestSignedBytes, parseManifest } from '../statements/manifest.ts';
import { parseReceipt, type Receipt, receiptSignedBytes } from '../statements/receipt.ts';
import { parseServiceKey, type ServiceKey, serviceKeySignedBytes } from '../statements/service-key.ts';

/**
 * A statement with the service's signature over it, as evidence of a finding (protocol V143). A receipt and an epoch hold
 * their signature; that of a manifest stands beside it, as in a bundle. An attested key does not name its organization, and
 * a checkpoint neither names it nor, in full, the key.
 */
export type SignedStatement =
  | { readonly receipt: Receipt }
  | { readonly epoch: Epoch }
  | CheckpointEvidence
  | { readonly manifest: Manifest; readonly manifest_signature: string }
  | { readonly service_key: ServiceKey }
  | { readonly org_id: string; readonly agent_key: AttestedAgentKey };

/** A statement taken apart: what is signed by whom. */
export interface StatementFacts {
  /** The key that signed it; of a service key, its own. */
  readonly kid: string;
  readonly signedBytes: Uint8Array;
  /** 64 bytes in base64url. */
  readonly signature: string;
}

/** What such a statement holds, without the way to it from a smaller size. */
export function checkpointOf({ checkpoint }: CheckpointEvidence): Checkpoint {
  return parseKeptCheckpoint(utf8(checkpoint)).checkpoint;
}

export function factsOf(statement: SignedStatement): StatementFacts {
  if ('receipt' in statement) {
    const { receipt } = statement;
    const signedBytes = receiptSignedBytes(receipt);
    return { kid: receipt.service_kid, signedBytes, signature: receipt.service_signature };
  }
  if ('epoch' in statement) {
    const { epoch } = statement;
    const signedBytes = epochSignedBytes(epoch);
    return { kid: epoch.service_kid, signedBytes, signature: epoch.signature_by_service };
  }
  if ('checkpoint' in statement) {
    const checkpoint = checkpointOf(statement);
    const signature = toBase64Url(evidenceSignature(checkpoint).signature);
    return { kid: statement.service_kid, signedBytes: utf8(checkpoint.noteText), signature };
  }
  if ('service_key' in statement) {
    const key = statement.service_key;
    return { kid: key.kid, signedBytes: serviceKeySignedBytes(key), signature: key.self_signature };
  }
  if ('agent_key' in statement) {
    const { org_id, agent_key: key } = statement;
    const signedBytes = agentKeySignedBytes(org_id, key, key.service_kid);
    return { kid: key.service_kid, signedBytes, signature: key.attestation };
  }
  const { manifest, manifest_signature: signature } = statement;
  return { kid: manifest.service_kid, signedBytes: manifestSignedBytes(manifest), signature };
}

/**
 * Whether two are the same statement under the same signatures. With one of the two changed they are two: a damaged file may have a
 * signature below something else than what it signs.
 */
export function isCopy(a: SignedStatement, b: SignedStatement): boolean {
  const [one, other] = [factsOf(a), factsOf(b)];
  if (one.signature !== other.signature || !equalBytes(one.signedBytes, other.signedBytes)) return false;
  return !('service_key' in a && 'service_key' in b) || a.service_key.prev_signature === b.service_key.prev_signature;
}

/** Whether a statement is about an organization; one about a service key is about every one that the key signs for. */
export function isAbout(statement: SignedStatement, orgId: string): boolean {
  if ('receipt' in statement) return statement.receipt.org_id === orgId;
  if ('epoch' in statement) return statement.epoch.org_id === orgId;
  if ('checkpoint' in statement) {
    return checkpointOf(statement).origin === checkpointOrigin(orgId);
  }
  if ('agent_key' in statement) return statement.org_id === orgId;
  return 'service_key' in statement || statement.manifest.org_id === orgId;
}

/**
 * Whether the service signed a statement: the key that it names did; a service key itself, and the key before it where it
 * names one that is known.
 * @param keyFor gives the 32 bytes of a sound service key, null where there is none of that kid
 */
export async function isSignedStatement(
  statement: SignedStatement,
  keyFor: (kid: string) => Uint8Array | null,
  verifier: StrictVerifier,
): Promise<boolean> {
  const { kid, signedBytes: message, signature } = factsOf(statement);
  const isKey = 'service_key' in statement;
  const publicKey = isKey ? fromBase64Url(statement.service_key.public_key, 32) : keyFor(kid);
  if (publicKey === null || (isKey && (thumbprint(publicKey) !== kid || !isStrictPublicKey(publicKey)))) return false;
  if ('checkpoint' in statement && !namesKey(statement, { kid, publicKey })) return false;
  const checks = [{ publicKey, message, signature: fromBase64Url(signature, 64) }];
  if (isKey && statement.service_key.prev_kid !== null) {
    const { prev_kid, prev_signature } = statement.service_key;
    const previous = keyFor(prev_kid);
    if (prev_signature === null) return false;
    if (previous !== null) checks.push({ publicKey: previous, message, signature: fromBase64Url(prev_signature, 64) });
  }
  return (await verifier.verify(checks)).every(Boolean);
}

/** Whether the one signature line of a checkpoint has the name and the id of a key. */
function namesKey(statement: CheckpointEvidence, key: { kid: string; publicKey: Uint8Array }): boolean {
  return candidatesOf(checkpointOf(statement), [key]).length === 1;
}

const CHECKPOINT_STATEMENT: shape.Shape<CheckpointEvidence> = {
  checkpoint: (value) => (typeof value === 'string' ? null : 'a text'),
  service_kid: shape.identifier,
};

const MANIFEST_STATEMENT: shape.Shape<{ manifest: unknown; manifest_signature: string }> = {
  manifest: shape.object,
  manifest_signature: shape.signature,
};

const AGENT_KEY_STATEMENT: shape.Shape<{ org_id: string; agent_key: unknown }> = {
  org_id: shape.identifier,
  agent_key: shape.object,
};

/** @throws ProtocolError SHAPE_INVALID */
export function parseSignedStatement(value: unknown): SignedStatement {
  if (typeof value !== 'object' || value === null) {
    throw new ProtocolError('SHAPE_INVALID', 'statement: expected an object', 'statement');
  }
  if ('receipt' in value) {
    return { receipt: parseReceipt(shape.parseShape(value, { receipt: shape.object }, 'statement').receipt) };
  }
  if ('epoch' in value) {
    return { epoch: parseEpoch(shape.parseShape(value, { epoch: shape.object }, 'statement').epoch) };
  }
  if ('checkpoint' in value) {
    const statement = shape.parseShape(value, CHECKPOINT_STATEMENT, 'statement');
    evidenceSignature(checkpointOf(statement));
    return statement;
  }
  if ('service_key' in value) {
    const { service_key } = shape.parseShape(value, { service_key: shape.object }, 'statement');
    return { service_key: parseServiceKey(service_key) };
  }
  if ('agent_key' in value) {
    const { org_id, agent_key } = shape.parseShape(value, AGENT_KEY_STATEMENT, 'statement');
    return { org_id, agent_key: parseAttestedKey(agent_key, 'statement.agent_key') };
  }
  const { manifest, manifest_signature } = shape.parseShape(value, MANIFEST_STATEMENT, 'statement');
  return { manifest: parseManifest(manifest), manifest_signature };
}
