import { canonicalBytes } from '../canonical.ts';
import { type HostCrypto, nobleCrypto, StrictVerifier } from '../crypto.ts';
import { formatDigest, type Sha256, sha256 } from '../digest.ts';
import { fromBase64Url } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { parseJsonBytes } from '../json.ts';
import * as shape from '../shape.ts';
import { parseServiceKey, type ServiceKey } from '../statements/service-key.ts';
import { contradictionBetween } from './contradiction.ts';
import { FindingLog } from './finding-log.ts';
import { Issuer } from './issuer.ts';
import type { Verdict } from './report.ts';
import { factsOf, parseSignedStatement, type SignedStatement, type StatementFacts } from './signed-statement.ts';

export const EQUIVOCATION_PROOF_TYPE = 'countersign.equivocation-proof.v1';

/** Two statements of a service of which only one can be true, with the keys that signed them (protocol §9). */
export interface EquivocationProof {
  readonly type: typeof EQUIVOCATION_PROOF_TYPE;
  readonly org_id: string;
  readonly kind: StatementFacts['kind'];
  readonly number: number;
  /** In ascending order of the SHA-256 of what is signed, so that whoever finds them writes the same file. */
  readonly statements: readonly [SignedStatement, SignedStatement];
  /** All that the bundle has, so that trust in any of them can be followed through rotations. */
  readonly service_keys: readonly ServiceKey[];
}

/** What became of a proof. `verified` speaks for the proof and against the service. */
export interface EquivocationJudgement {
  readonly type: 'countersign.equivocation-judgement.v1';
  readonly verdict: Verdict;
  /** One sentence for a person. */
  readonly summary: string;
  readonly org_id: string;
  readonly kind: StatementFacts['kind'];
  readonly number: number;
  /** The keys that signed the two statements, each once. */
  readonly issuer: readonly { readonly kid: string; readonly trusted: boolean }[];
  /** Why the proof fails, a sentence each. */
  readonly problems: readonly string[];
}

/** More service keys than these no service has had; whoever sends a proof chooses its size. */
const MAX_KEYS = 1000;

/** How people call what the number counts. */
export const PROOF_NUMBERS: Readonly<Record<StatementFacts['kind'], string>> = {
  receipt: 'sequence number',
  epoch: 'epoch number',
  log_head: 'a ledger that ends at sequence number',
};

function digestOf(statement: SignedStatement, hash: Sha256): string {
  return formatDigest(hash(factsOf(statement).signedBytes));
}

/** Makes the proof of what an EQUIVOCATION finding has as its evidence. */
export function makeEquivocationProof(
  a: SignedStatement,
  b: SignedStatement,
  serviceKeys: readonly ServiceKey[],
): EquivocationProof {
  const { orgId, kind, number } = factsOf(a);
  const ascending = digestOf(a, sha256) < digestOf(b, sha256);
  return {
    type: EQUIVOCATION_PROOF_TYPE,
    org_id: orgId,
    kind,
    number,
    statements: ascending ? [a, b] : [b, a],
    service_keys: serviceKeys,
  };
}

/** The bytes of the file: canonical JSON, no line break at the end. */
export function equivocationProofBytes(proof: EquivocationProof): Uint8Array {
  return canonicalBytes(proof);
}

interface RawProof extends Omit<EquivocationProof, 'statements' | 'service_keys'> {
  readonly statements: readonly unknown[];
  readonly service_keys: readonly unknown[];
}

function list(least: number, most: number): shape.Check {
  const expected = `an array of ${least} to ${most} elements`;
  return (value) => (Array.isArray(value) && value.length >= least && value.length <= most ? null : expected);
}

const PROOF_SHAPE: shape.Shape<RawProof> = {
  type: shape.constant(EQUIVOCATION_PROOF_TYPE),
  org_id: shape.identifier,
  kind: shape.oneOf('receipt', 'epoch', 'log_head'),
  number: shape.integer(),
  statements: list(2, 2),
  service_keys: list(1, MAX_KEYS),
};

/** Whether a JSON value says of itself that it is a proof of equivocation. */
export function isEquivocationProof(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === EQUIVOCATION_PROOF_TYPE;
}

/** @throws ProtocolError JSON_INVALID, SHAPE_INVALID */
export function parseEquivocationProof(bytes: Uint8Array): EquivocationProof {
  const raw = shape.parseShape(parseJsonBytes(bytes) as unknown, PROOF_SHAPE, 'proof');
  const [a, b] = raw.statements.map(parseSignedStatement);
  if (a === undefined || b === undefined) throw new ProtocolError('SHAPE_INVALID', 'expected two statements');
  return { ...raw, statements: [a, b], service_keys: raw.service_keys.map(parseServiceKey) };
}

async function isSigned(facts: StatementFacts, issuer: Issuer, verifier: StrictVerifier): Promise<boolean> {
  const publicKey = issuer.keyFor(facts.kid);
  if (publicKey === null) return false;
  const check = { publicKey, message: facts.signedBytes, signature: fromBase64Url(facts.signature, 64) };
  return (await verifier.verify([check]))[0] === true;
}

/**
 * Judges a proof by itself: that one issuer signed both statements, and that not both can be true.
 * @param trustedKids trust entries; for whichever organization the reader trusts a key, what it signed is its word
 * @returns `verified` where the proof holds and the issuer is trusted, `incomplete` where it holds and the issuer is not,
 *   `failed` where it proves nothing
 */
export async function verifyEquivocationProof(
  proof: EquivocationProof,
  {
    trustedKids = [],
    crypto = nobleCrypto,
  }: { readonly trustedKids?: readonly string[]; readonly crypto?: HostCrypto } = {},
): Promise<EquivocationJudgement> {
  const verifier = new StrictVerifier(crypto);
  const [a, b] = [factsOf(proof.statements[0]), factsOf(proof.statements[1])];
  const issuer = new Issuer(trustedKids);
  await issuer.load(proof.service_keys, proof.org_id, verifier, new FindingLog());
  const problems: string[] = [];
  for (const facts of [a, b]) {
    if (facts.kind !== proof.kind || facts.orgId !== proof.org_id || facts.number !== proof.number) {
      problems.push('A statement is not of the organization, kind and number that the proof names.');
    }
    if (!(await isSigned(facts, issuer, verifier))) {
      problems.push(`The signature of the key ${facts.kid} on a statement does not verify, or the key is not sound.`);
    }
  }
  if (contradictionBetween(...proof.statements) === null)
    problems.push('The two statements do not contradict each other.');
  // Two keys are one issuer's only where signed rotations lead from one to the other, whoever is trusted.
  if (!issuer.linkedWith(a.kid).includes(b.kid)) {
    problems.push('No signed rotation links the two keys that signed: they may be two issuers.');
  }
  const kids = [...new Set([a.kid, b.kid])];
  const about = `${PROOF_NUMBERS[proof.kind]} ${proof.number} of ${proof.org_id}`;
  const isTrusted = kids.every((kid) => issuer.knows(kid));
  const verdict = problems.length > 0 ? 'failed' : isTrusted ? 'verified' : 'incomplete';
  const summaries: Record<Verdict, string> = {
    verified: `The proof holds: a service key that you trust signed two statements about ${about} that cannot both be true.`,
    incomplete: `The signatures hold: one issuer signed two statements about ${about} that cannot both be true. You do not trust its key, so it may be anybody.`,
    failed: `The file proves nothing. ${problems[0] ?? ''}`.trim(),
  };
  return {
    type: 'countersign.equivocation-judgement.v1',
    verdict,
    summary: summaries[verdict],
    org_id: proof.org_id,
    kind: proof.kind,
    number: proof.number,
    issuer: kids.map((kid) => ({ kid, trusted: issuer.knows(kid) })),
    problems,
  };
}
