import { withoutMark } from '../bytes.ts';
import { canonicalBytes } from '../canonical.ts';
import { type HostCrypto, nobleCrypto, StrictVerifier } from '../crypto.ts';
import { formatDigest, type Sha256, sha256 } from '../digest.ts';
import { parseJsonBytes } from '../json.ts';
import { ProtocolError } from '../protocol-error.ts';
import * as shape from '../shape.ts';
import { parseServiceKey, type ServiceKey } from '../statements/service-key.ts';
import {
  CONTRADICTION_KINDS,
  type ContradictionKind,
  contradictionBetween,
  numberSetBack,
  sizeOfTwoRoots,
} from './contradiction.ts';
import { FindingLog } from './finding-log.ts';
import { Issuer } from './issuer.ts';
import { LedgerOrder } from './ledger-order.ts';
import type { Verdict } from './report.ts';
import { factsOf, isAbout, isSignedStatement, parseSignedStatement, type SignedStatement } from './signed-statement.ts';

export const EQUIVOCATION_PROOF_TYPE = 'countersign.equivocation-proof.v1';

/** Two statements of a service of which only one can be true, with the keys that signed them (protocol V150 to V152). */
export interface EquivocationProof {
  readonly type: typeof EQUIVOCATION_PROOF_TYPE;
  readonly org_id: string;
  readonly kind: ContradictionKind;
  /** What numberOf says of the two. */
  readonly number: number | null;
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
  readonly kind: ContradictionKind;
  readonly number: number | null;
  /** The keys that signed the two statements, each once. */
  readonly issuer: readonly { readonly kid: string; readonly trusted: boolean }[];
  /** Why the proof fails, a sentence each. */
  readonly problems: readonly string[];
}

/** A proof holds two statements and some keys: whatever is larger is not a proof. */
export const MAX_EQUIVOCATION_PROOF_BYTES = 1024 * 1024;

/** More service keys than these no service has had; whoever sends a proof chooses its size. */
const MAX_KEYS = 1000;

/** How people call what the number counts, or what it is about where nothing is counted. */
export const PROOF_NUMBERS: Readonly<Record<ContradictionKind, string>> = {
  receipt: 'sequence number',
  epoch: 'epoch number',
  epoch_link: 'the link of epoch number',
  epoch_run: 'the run of epoch number',
  log_head: 'a ledger that ends at sequence number',
  checkpoint: 'a log of size',
  set_back: 'sequence number',
  service_key: 'the line of service keys',
  agent_key: "an agent's key",
};

/**
 * seq_no of receipts, the higher epoch_no of epochs, the higher log_head.seq_no of manifests, the size of which there are two roots,
 * what a ledger was set back behind; null of keys.
 */
function numberOf(kind: ContradictionKind, a: SignedStatement, b: SignedStatement): number | null {
  if (kind === 'checkpoint') return sizeOfTwoRoots(a, b);
  if (kind === 'set_back') return numberSetBack(a, b);
  const numbers = [a, b].map((statement) => {
    if ('receipt' in statement) return statement.receipt.seq_no;
    if ('epoch' in statement) return statement.epoch.epoch_no;
    return 'manifest' in statement ? statement.manifest.log_head.seq_no : null;
  });
  const [one, other] = numbers;
  return one == null || other == null ? null : Math.max(one, other);
}

function digestOf(statement: SignedStatement, hash: Sha256): string {
  return formatDigest(hash(factsOf(statement).signedBytes));
}

/**
 * Makes the proof of what an EQUIVOCATION finding has as its evidence.
 * @throws RangeError where the two may both be true
 */
export function makeEquivocationProof(
  a: SignedStatement,
  b: SignedStatement,
  orgId: string,
  serviceKeys: readonly ServiceKey[],
): EquivocationProof {
  const kind = contradictionBetween(a, b)?.kind;
  if (kind === undefined) throw new RangeError('the two statements do not contradict each other');
  const ascending = digestOf(a, sha256) < digestOf(b, sha256);
  return {
    type: EQUIVOCATION_PROOF_TYPE,
    org_id: orgId,
    kind,
    number: numberOf(kind, a, b),
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

const PROOF_SHAPE: shape.Shape<RawProof> = {
  type: shape.constant(EQUIVOCATION_PROOF_TYPE),
  org_id: shape.identifier,
  kind: shape.oneOf(...CONTRADICTION_KINDS),
  number: shape.nullable(shape.integer()),
  statements: shape.listOf(2, 2),
  service_keys: shape.listOf(1, MAX_KEYS),
};

/** Whether a JSON value says of itself that it is a proof of equivocation. */
export function isEquivocationProof(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === EQUIVOCATION_PROOF_TYPE;
}

/** @throws ProtocolError JSON_INVALID, SHAPE_INVALID */
export function parseEquivocationProof(bytes: Uint8Array): EquivocationProof {
  const raw = shape.parseShape(parseJsonBytes(withoutMark(bytes)) as unknown, PROOF_SHAPE, 'proof');
  const [a, b] = raw.statements.map(parseSignedStatement);
  if (a === undefined || b === undefined) throw new ProtocolError('SHAPE_INVALID', 'expected two statements');
  return { ...raw, statements: [a, b], service_keys: raw.service_keys.map(parseServiceKey) };
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
  const issuer = new Issuer(trustedKids, new LedgerOrder());
  await issuer.load(proof.service_keys, proof.org_id, verifier, new FindingLog());
  const problems: string[] = [];
  for (const statement of proof.statements) {
    const facts = factsOf(statement);
    if (!isAbout(statement, proof.org_id)) {
      problems.push('A statement is not of the organization that the proof names.');
    }
    if (!(await isSignedStatement(statement, (kid) => issuer.keyFor(kid), verifier))) {
      problems.push(`The signature of the key ${facts.kid} on a statement does not verify, or the key is not sound.`);
    }
  }
  const [one, other] = proof.statements;
  let kids = [...new Set([a.kid, b.kid])];
  if ('service_key' in one && 'service_key' in other) {
    // Two keys that follow one: it signed both. Whoever makes a key can have it name any other as the one before it.
    if (kids.length > 1) kids = [one.service_key.prev_kid ?? ''];
    if (issuer.keyFor(kids[0] ?? '') === null)
      problems.push('The key that both keys follow is not there, or is not sound.');
  }
  const contradiction = contradictionBetween(...proof.statements);
  if (contradiction === null) problems.push('The two statements do not contradict each other.');
  else if (contradiction.kind !== proof.kind || numberOf(proof.kind, ...proof.statements) !== proof.number) {
    problems.push(
      'The two statements contradict each other in another way, or about another number, than the proof names.',
    );
  }
  // Two keys are one issuer's only where signed rotations lead from one to the other, whoever is trusted.
  if (kids.length > 1 && !issuer.linkedWith(a.kid).includes(b.kid)) {
    problems.push('No signed rotation links the two keys that signed: they may be two issuers.');
  }
  const about = `${PROOF_NUMBERS[proof.kind]}${proof.number === null ? '' : ` ${proof.number}`} of ${proof.org_id}`;
  const isTrusted = kids.every((kid) => issuer.knows(kid));
  const verdict = problems.length > 0 ? 'failed' : isTrusted ? 'verified' : 'incomplete';
  const said =
    proof.kind === 'set_back'
      ? `for ${about}, and later, shown that, for a ledger that ends before it. Records were lost or replaced: a restore from a backup does that, and so does a fork.`
      : `two statements about ${about} that cannot both be true.`;
  const summaries: Record<Verdict, string> = {
    verified: `The proof holds: a service key that you trust signed ${said}`,
    incomplete: `The signatures hold: one issuer signed ${said} You do not trust its key, so it may be anybody.`,
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
