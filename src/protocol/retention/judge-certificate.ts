import { readContents } from '../bundle/contents.ts';
import type { BundleSource } from '../bundle/document.ts';
import { SourceChanged, sameBytes } from '../bundle/same-bytes.ts';
import { type HostCrypto, nobleCrypto, StrictVerifier } from '../crypto.ts';
import { fromBase64Url } from '../encoding.ts';
import { thumbprint } from '../fingerprint.ts';
import type { ServiceKey } from '../statements/service-key.ts';
import { namesKey, parseTrustEntry, speaksFor } from '../trust-entry.ts';
import { TIMES_NOTE } from '../verify/plain-words.ts';
import type { Verdict, VerificationReport } from '../verify/report.ts';
import { verifyBundle } from '../verify/verify-bundle.ts';
import type { CancelSignal } from '../verify/verify-options.ts';
import { type RetentionCertificate, retentionDigest, retentionSignedBytes, sumsProblem } from './certificate.ts';
import { LogEvidence } from './log-evidence.ts';
import { RecordEvidence } from './record-evidence.ts';
import {
  confirmed,
  contradicted,
  type Findings,
  type Found,
  open,
  RETENTION_CODES,
  RETENTION_STATEMENTS,
  type RetentionCode,
  type RetentionStatementName,
  type StatementState,
} from './statements.ts';

/** What became of one statement of a certificate. */
export interface JudgedStatement {
  readonly statement: RetentionStatementName;
  readonly state: StatementState;
  /** Of a contradicted one. */
  readonly code: RetentionCode | null;
  readonly why: string;
}

/** What became of a certificate of retention. */
export interface RetentionJudgement {
  readonly type: 'countersign.retention-judgement.v1';
  /** `failed` where a statement is contradicted, `incomplete` where one is open. */
  readonly verdict: Verdict;
  /** One sentence for a person. */
  readonly summary: string;
  readonly certificate: {
    readonly org_id: string;
    readonly sweep_id: string;
    readonly begun_at: string;
    readonly ended_at: string;
    readonly records: number;
    readonly digest: string;
    readonly service_kid: string;
  };
  readonly statements: readonly JudgedStatement[];
  readonly evidence: readonly {
    readonly name: string;
    readonly verdict: Verdict;
    /** Null where the certificate was held against it; else why not. */
    readonly unused: string | null;
  }[];
}

export interface JudgeRetentionOptions {
  readonly crypto?: HostCrypto;
  /** Trust entries, as `verifyBundle` takes them. */
  readonly trustedKids?: readonly string[];
  /** Bundles of the organization, each of which is verified first. */
  readonly against?: readonly { readonly name: string; readonly source: BundleSource }[];
  readonly signal?: CancelSignal;
}

/** Why a bundle says nothing about a certificate; null where it does. */
function unusedBecause(
  report: VerificationReport,
  { org_id: orgId, service_kid: kid }: RetentionCertificate,
): string | null {
  if (!report.recognised) return 'it is not a bundle';
  if (report.bundle.org_id !== orgId) return 'it is of another organization';
  if (report.verdict === 'failed') return 'it does not hold itself';
  // Anybody can make a bundle that is consistent in itself: one of a stranger says nothing about what the service signed.
  if (report.verdict !== 'verified' && report.issuer?.kid !== kid) return 'you do not trust its issuer';
  return null;
}

interface Held {
  readonly findings: Findings;
  /** The key of the certificate, where the bundle names it among those of the service. */
  readonly key: ServiceKey | null;
  readonly log: LogEvidence;
}

/** Whether a key signed for the service at the end of the sweep (protocol V24), as far as the bundle says it. */
function wasInUse({ created_at: from, retired_at: until }: ServiceKey, log: LogEvidence): boolean {
  const { endedAt } = log;
  return endedAt === null || (endedAt >= from && (until === null || endedAt <= until + log.takenBack()));
}

const changed = (name: string): Error => new SourceChanged(`${name}: changed while it was read`);

async function holdAgainst(
  { name, source }: { readonly name: string; readonly source: BundleSource },
  certificate: RetentionCertificate,
  { crypto, signal }: { readonly crypto: HostCrypto; readonly signal: CancelSignal | undefined },
): Promise<Held> {
  const log = new LogEvidence(certificate, retentionDigest(certificate, crypto.sha256));
  let key: ServiceKey | null = null;
  // A bundle's members stand in any order (protocol F130), and a record is held against the whole log (R71): the log is read first.
  for await (const contents of readContents(source, { withoutRecords: true })) {
    signal?.throwIfAborted();
    for (const content of contents) {
      // What is verified has no such part.
      if (content.kind === 'broken' || content.kind === 'unreadable') throw changed(name);
      if (content.kind === 'service_key') key = content.value.kid === certificate.service_kid ? content.value : key;
      else if (content.kind === 'admin_event') log.take(content.value);
      else if (content.kind === 'withheld_event') log.takeWithheld(content.value);
    }
  }
  const records = new RecordEvidence(certificate, log);
  for await (const contents of readContents(source)) {
    signal?.throwIfAborted();
    for (const content of contents) {
      if (content.kind === 'broken' || content.kind === 'unreadable') throw changed(name);
      if (content.kind === 'record') records.take(content.value);
    }
  }
  return { findings: { ...log.findings(), ...records.findings(), ...log.unknown() }, key, log };
}

async function signatureOf(
  certificate: RetentionCertificate,
  held: readonly (Held & { readonly isVerified: boolean })[],
  { crypto, trustedKids }: { readonly crypto: HostCrypto; readonly trustedKids: readonly string[] },
): Promise<Found> {
  const { service_kid: kid, org_id: orgId } = certificate;
  const publicKey = fromBase64Url(certificate.service_public_key, 32);
  if (thumbprint(publicKey) !== kid) return contradicted('service_kid is not the thumbprint of the key');
  const message = retentionSignedBytes(certificate);
  const signature = fromBase64Url(certificate.service_signature, 64);
  const holds = await new StrictVerifier(crypto).holds({ publicKey, message, signature });
  if (!holds) return contradicted('the signature does not verify');
  const verified = held.filter(({ isVerified }) => isVerified);
  if (verified.some(({ log, key }) => log.isAfter && key === null)) {
    return contradicted('the ledger has no such key of the service');
  }
  if (verified.some(({ log, key }) => key !== null && !wasInUse(key, log))) {
    return contradicted('the key of the service was not in use when the sweep ended');
  }
  const entries = trustedKids.map(parseTrustEntry);
  const isNamed = entries.some((entry) => namesKey(entry, kid) && speaksFor(entry, orgId));
  return isNamed || verified.some(({ key }) => key !== null)
    ? confirmed('it is signed by a key that you trust for this organization')
    : open('it is signed by a key that you do not trust for this organization');
}

/**
 * What all bundles say of a statement: one that contradicts outweighs those that confirm, which outweigh silence.
 * @param isStrangers whether they are of a key that nobody trusts: then they confirm nothing (protocol R73)
 */
function joined(found: readonly Found[], isStrangers: boolean): Found {
  const state = (wanted: StatementState): Found | undefined => found.find((one) => one.state === wanted);
  const confirms = state('confirmed');
  return (
    state('contradicted') ??
    (confirms && isStrangers ? open('only what is signed by a key that you do not trust confirms it') : confirms) ??
    found[0] ??
    open('no bundle was given that says it: it is the word of the operator')
  );
}

/**
 * Judges a certificate of retention: by itself, and each of its statements against the log and the records of bundles. What none of
 * them says is the operator's word.
 * @param certificate as `parseRetentionCertificate` gives it
 * @throws SourceChanged where a bundle is not the one that was verified any more; what a source or the signal throws
 */
export async function judgeRetentionCertificate(
  certificate: RetentionCertificate,
  { crypto = nobleCrypto, trustedKids = [], against = [], signal }: JudgeRetentionOptions = {},
): Promise<RetentionJudgement> {
  const means = { crypto, trustedKids, signal };
  const evidence: RetentionJudgement['evidence'][number][] = [];
  const held: (Held & { readonly isVerified: boolean })[] = [];
  const verifying = { crypto, trustedKids, ...(signal && { signal }) };
  const sound: { readonly given: (typeof against)[number]; readonly isVerified: boolean }[] = [];
  for (const { name, source } of against) {
    const given = { name, source: sameBytes(source, () => changed(name)) };
    const report = await verifyBundle(given.source, verifying);
    const unused = unusedBecause(report, certificate);
    if (unused === null) sound.push({ given, isVerified: report.verdict === 'verified' });
    else evidence.push({ name: given.name, verdict: report.verdict, unused });
  }
  for (const { given, isVerified } of sound) {
    // Whoever forks the log makes bundles that hold by themselves (protocol R71).
    const others = sound.filter((other) => other.given !== given).map((other) => other.given);
    const isContradicted =
      others.length > 0 && (await verifyBundle(given.source, { ...verifying, against: others })).verdict === 'failed';
    const verdict = isContradicted ? 'failed' : isVerified ? 'verified' : 'incomplete';
    evidence.push({ name: given.name, verdict, unused: isContradicted ? 'the bundles contradict each other' : null });
    if (!isContradicted) held.push({ ...(await holdAgainst(given, certificate, means)), isVerified });
  }
  const problem = sumsProblem(certificate, crypto.sha256);
  const alone: Findings = {
    signature: await signatureOf(certificate, held, means),
    sums: problem === null ? confirmed('its numbers, times and digests fit together') : contradicted(problem),
  };
  const isStrangers = alone.signature?.state === 'open';
  const statements = RETENTION_STATEMENTS.map((statement): JudgedStatement => {
    const { state, why } =
      alone[statement] ??
      joined(
        held.flatMap(({ findings }) => findings[statement] ?? []),
        isStrangers,
      );
    return { statement, state, code: state === 'contradicted' ? RETENTION_CODES[statement] : null, why };
  });
  const bad = statements.find(({ state }) => state === 'contradicted');
  const unsaid = statements.filter(({ state }) => state === 'open').length;
  const { org_id, sweep_id, begun_at, ended_at, records, service_kid } = certificate;
  return {
    type: 'countersign.retention-judgement.v1',
    verdict: bad !== undefined ? 'failed' : unsaid > 0 ? 'incomplete' : 'verified',
    summary: `${
      bad !== undefined
        ? `The certificate is contradicted: ${bad.why}.`
        : unsaid > 0
          ? `${unsaid} of ${statements.length} statements of the certificate are the word of the operator: nothing that was given confirms them.`
          : 'The ledger confirms every statement of the certificate.'
    } ${TIMES_NOTE}`,
    certificate: {
      org_id,
      sweep_id,
      begun_at,
      ended_at,
      records,
      digest: retentionDigest(certificate, crypto.sha256),
      service_kid,
    },
    statements,
    evidence,
  };
}
