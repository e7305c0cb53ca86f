import { MAX_RECORD_BYTES } from '../bundle/sizes.ts';
import { canonicalBytes, type Json } from '../canonical.ts';
import { formatDigest, type Sha256, sha256 } from '../digest.ts';
import { parseJsonBytes } from '../json.ts';
import { areApart, countRuns, isInRuns, type NumberRun, parseRuns } from '../number-runs.ts';
import { ProtocolError, unlessRefused } from '../protocol-error.ts';
import * as shape from '../shape.ts';
import { parseTime } from '../time.ts';
import { dueBefore, type RetentionRule } from './rules.ts';

export const RETENTION_CERTIFICATE = 'countersign.retention-certificate.v1';

/** The most bytes of a certificate: it is parsed in one piece, as one record of a bundle. */
export const MAX_CERTIFICATE_BYTES = MAX_RECORD_BYTES;

/** A hold that was in force during a sweep. */
export interface CertifiedHold {
  readonly hold_id: string;
  readonly kind: string;
  readonly selection_digest: string;
  readonly placed_at: string;
  readonly released_at: string | null;
}

/** What a sweep did, as the service signs it (protocol R70). Times are RFC 3339. */
export interface RetentionCertificate {
  readonly type: typeof RETENTION_CERTIFICATE;
  readonly org_id: string;
  readonly sweep_id: string;
  readonly actor: string;
  readonly begun_at: string;
  readonly ended_at: string;
  readonly stopped_because: 'asked' | 'rules_changed' | null;
  readonly rules_digest: string;
  readonly rules: readonly {
    readonly rule: RetentionRule;
    readonly before: string | null;
    readonly erased: number;
  }[];
  readonly holds: readonly CertifiedHold[];
  /** By agent_id; every record of the agent in one of its runs was erased. */
  readonly agents: readonly { readonly agent_id: string; readonly records: number; readonly runs: string }[];
  readonly records: number;
  /** SHA-256 of the operation ids erased, each followed by a line feed, in the order of seq_no. */
  readonly operations_digest: string;
  readonly service_kid: string;
  /** The key itself, so that the signature can be checked by the certificate alone: service_kid is its thumbprint. */
  readonly service_public_key: string;
  readonly service_signature: string;
}

const MAX_AGENTS = 32_768;
const MAX_HOLDS = 100_000;
const MAX_RULES = 1000;
const MAX_DAYS = 366_000;

const CERTIFICATE_SHAPE: shape.Shape<RetentionCertificate> = {
  type: shape.constant(RETENTION_CERTIFICATE),
  org_id: shape.identifier,
  sweep_id: shape.identifier,
  actor: shape.identifier,
  begun_at: shape.time,
  ended_at: shape.time,
  stopped_because: shape.nullable(shape.oneOf('asked', 'rules_changed')),
  rules_digest: shape.digest,
  rules: shape.listOf(0, MAX_RULES),
  holds: shape.listOf(0, MAX_HOLDS),
  agents: shape.listOf(0, MAX_AGENTS),
  records: shape.integer(),
  operations_digest: shape.digest,
  service_kid: shape.text(43, 43),
  service_public_key: shape.publicKey,
  service_signature: shape.signature,
};

const RULE_SHAPE: shape.Shape<RetentionRule> = {
  name: shape.text(1, 1024),
  agent_id: shape.identifier,
  operation_type: shape.text(1, 128),
  profile: shape.text(1, 128),
  floor_days: shape.integer(0, MAX_DAYS),
  ceiling_days: shape.nullable(shape.integer(0, MAX_DAYS)),
};

const RULED_SHAPE: shape.Shape<RetentionCertificate['rules'][number]> = {
  rule: shape.object,
  before: shape.nullable(shape.time),
  erased: shape.integer(),
};

const HOLD_SHAPE: shape.Shape<CertifiedHold> = {
  hold_id: shape.identifier,
  kind: shape.oneOf('case', 'person', 'agent', 'session', 'range', 'records'),
  selection_digest: shape.digest,
  placed_at: shape.time,
  released_at: shape.nullable(shape.time),
};

const AGENT_SHAPE: shape.Shape<RetentionCertificate['agents'][number]> = {
  agent_id: shape.identifier,
  records: shape.integer(1),
  runs: shape.pattern(
    /^[1-9][0-9]{0,15}(-[1-9][0-9]{0,15})?(,[1-9][0-9]{0,15}(-[1-9][0-9]{0,15})?)*$/,
    'runs of numbers',
  ),
};

/** Whether a value says that it is a certificate, whatever its shape. */
export function saysCertificate(value: unknown): boolean {
  return shape.object(value) === null && (value as { readonly type?: unknown }).type === RETENTION_CERTIFICATE;
}

/** @throws ProtocolError SHAPE_INVALID */
function retentionCertificateOf(value: unknown): RetentionCertificate {
  const certificate = shape.parseShape<RetentionCertificate>(value, CERTIFICATE_SHAPE, 'certificate');
  certificate.rules.forEach((ruled, at) => {
    shape.parseShape(ruled, RULED_SHAPE, `certificate.rules[${at}]`);
    const path = `certificate.rules[${at}].rule`;
    shape.parseShape(ruled.rule, RULE_SHAPE, path, ['agent_id', 'operation_type', 'profile']);
  });
  certificate.holds.forEach((hold, at) => void shape.parseShape(hold, HOLD_SHAPE, `certificate.holds[${at}]`));
  certificate.agents.forEach((agent, at) => void shape.parseShape(agent, AGENT_SHAPE, `certificate.agents[${at}]`));
  return certificate;
}

/** Reads a certificate, in any spelling that a bundle may have. @throws ProtocolError JSON_INVALID, SHAPE_INVALID */
export function parseRetentionCertificate(bytes: Uint8Array): RetentionCertificate {
  if (bytes.length > MAX_CERTIFICATE_BYTES) {
    throw new ProtocolError('SHAPE_INVALID', `a certificate has at most ${MAX_CERTIFICATE_BYTES} bytes`);
  }
  return retentionCertificateOf(parseJsonBytes(bytes, { oneSpelling: true }));
}

/** What the service signs: all members but the signature. */
export function retentionSignedBytes(statement: Omit<RetentionCertificate, 'service_signature'>): Uint8Array {
  const { service_signature: _, ...signed } = statement as RetentionCertificate;
  return canonicalBytes(signed as unknown as Json);
}

/** `certificate_digest` in the administrative log: of the canonical form, which is the file that the service gives out. */
export function retentionDigest(certificate: RetentionCertificate, hash: Sha256 = sha256): string {
  return formatDigest(hash(canonicalBytes(certificate as unknown as Json)));
}

/** The digest by which certificates and the administrative log name a list of rules. */
export function retentionRulesDigest(rules: readonly RetentionRule[], hash: Sha256 = sha256): string {
  return formatDigest(hash(canonicalBytes(rules as unknown as Json)));
}

/** The runs of each agent, in ascending order; null where they are not, or some overlap. */
export function erasedRuns({ agents }: RetentionCertificate): ReadonlyMap<string, readonly NumberRun[]> | null {
  const runs = new Map<string, readonly NumberRun[]>();
  for (const { agent_id: agentId, runs: text } of agents) {
    const own = unlessRefused(() => parseRuns(text), null);
    if (own === null || !areApart(own)) return null;
    runs.set(agentId, own);
  }
  return runs;
}

/** Whether a certificate says that a record was erased. */
export function isErased(runs: ReadonlyMap<string, readonly NumberRun[]>, agentId: string, seqNo: number): boolean {
  const own = runs.get(agentId);
  return own !== undefined && isInRuns(own, seqNo);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);
const areDistinct = (names: readonly string[]): boolean => new Set(names).size === names.length;

/** What a certificate says that contradicts itself, in a sentence; null where it does not. */
export function sumsProblem(certificate: RetentionCertificate, hash: Sha256 = sha256): string | null {
  const { rules, holds, agents, records, begun_at: begunAt } = certificate;
  const plain = rules.map(({ rule }) => rule);
  if (retentionRulesDigest(plain, hash) !== certificate.rules_digest) return 'rules_digest is not of the rules';
  if (!areDistinct(plain.map(({ name }) => name))) return 'two rules have one name';
  if (!areDistinct(holds.map(({ hold_id: id }) => id))) return 'a hold is listed twice';
  for (const { rule, before, erased } of rules) {
    const due = dueBefore(rule, parseTime(begunAt));
    if ((before === null ? null : parseTime(before)) !== due) return 'the time of a rule is not what its days come to';
    if (rule.ceiling_days !== null && rule.ceiling_days < rule.floor_days)
      return 'the ceiling of a rule is below its floor';
    if (before === null && erased > 0) return 'a rule that keeps for good erased records';
  }
  const ids = agents.map(({ agent_id: id }) => id);
  if (ids.some((id, at) => at > 0 && id <= (ids[at - 1] ?? '')))
    return 'the agents are not in order, or one is there twice';
  const runs = erasedRuns(certificate);
  if (runs === null) return 'runs are not in order, or overlap';
  for (const { agent_id: id, records: own } of agents) {
    if (own > countRuns(runs.get(id) ?? [])) return 'an agent has more records than its runs have numbers';
  }
  if (sum(agents.map((agent) => agent.records)) !== records)
    return 'the records of the agents are not as many as stated';
  if (sum(rules.map(({ erased }) => erased)) !== records) return 'the records of the rules are not as many as stated';
  return null;
}
