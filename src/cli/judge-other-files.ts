import { demandedWitnesses } from '../node/reader/index.ts';
import {
  judgeRetentionCertificate,
  ProtocolError,
  parseAgentKey,
  parseTime,
  type RetentionCertificate,
  type VerificationReport,
  type VerifyOptions,
  verifyRecordProof,
} from '../protocol/index.ts';
import { type OpenedFile, readingBar } from './bundle-file.ts';
import { judgeReportFile } from './chosen-report.ts';
import { type ParsedArgs, UsageError } from './command.ts';
import { DigestedSource } from './digested-source.ts';
import { examinersOf } from './examiners.ts';
import type { Outcome, TrustContext } from './outcome.ts';
import type { Terminal } from './terminal.ts';
import { givenTimes } from './time-stamps.ts';
import type { EffectiveTrust } from './trust.ts';
import { policyOf } from './trust-anchors.ts';
import { COMPARING_PAGES, namedBundles, type VerifyMeans } from './verification.ts';
import { judgeKeptReport, readKeptReport } from './verification-artifact/kept-report.ts';

/** With what files are verified, and the reader's trust store. */
export interface MeansWithTrust extends VerifyMeans {
  readonly trust: EffectiveTrust;
}

/** What `--trust-agent` and `--made-not-before` demand. @throws UsageError */
export function demandsOf(args: ParsedArgs): Pick<VerifyOptions, 'agentKeys' | 'madeNotBefore'> {
  const [agentKeys, time] = [args.list('trust-agent'), args.text('made-not-before')];
  const unstated = [
    ...agentKeys,
    ...args.list('timestamp'),
    ...args.list('known-line'),
    ...(time === undefined ? [] : [time]),
  ];
  if (args.text('report') !== undefined && unstated.length > 0) {
    throw new UsageError(
      '--report states neither --timestamp, --known-line, --trust-agent nor --made-not-before: leave it out',
    );
  }
  for (const text of agentKeys) asUsage('trust-agent', () => parseAgentKey(text));
  if (time === undefined) return { agentKeys };
  return { agentKeys, madeNotBefore: asUsage('made-not-before', () => parseTime(time)) };
}

function asUsage<T>(flag: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new UsageError(`--${flag}: ${error.message}`);
  }
}

/** Whose cosignatures are demanded: by --witnesses, or by the trust store. @throws UsageError */
export async function witnessesOf(args: ParsedArgs, trust: EffectiveTrust): Promise<Pick<VerifyOptions, 'witnesses'>> {
  const policy = await policyOf(args, trust);
  return policy === null ? {} : { witnesses: demandedWitnesses(policy) };
}

/** What the reader's trust store has to do with a report, and what it remembers of it. */
export async function noticed(
  report: VerificationReport,
  { digest }: Pick<DigestedSource, 'digest'>,
  { trust: inUse, trustedKids: kids }: MeansWithTrust,
  terminal: Terminal,
): Promise<TrustContext> {
  const { usesStore } = inUse;
  const trust = { kids, change: null, basis: inUse.basisOf(report), usesStore };
  // A file that broke off was not read to its end: it has no digest to remember it by.
  if (!usesStore || digest === null) return trust;
  const { change, problem } = await inUse.notice(report, digest);
  if (problem !== null) terminal.note(`countersign verify: nothing was remembered: ${problem}`);
  return { ...trust, change };
}

/** A report that `--report` kept; null where the file is something else. */
export async function judgeKept(
  name: string,
  args: ParsedArgs,
  { crypto }: MeansWithTrust,
  terminal: Terminal,
): Promise<Outcome | null> {
  const artifact = await readKeptReport(name);
  if (artifact !== null) {
    // It is repeated with the trust that it states, and with nothing that it does not state.
    const flags = [...OF_BUNDLES.filter((flag) => !OF_KEPT.has(flag)), 'trust', 'trust-agent'];
    refuseOfBundles(name, args, 'a kept report', flags);
    return { name, kept: await judgeKeptReport(artifact, args, { examiners: examinersOf(args), crypto }, terminal) };
  }
  if (args.text('bundle') !== undefined) throw new UsageError(`${name}: is no kept report; --bundle goes with one`);
  return null;
}

/** A report of chosen records, whose proof is one of records; null where the file is something else. */
export async function judgeChosen(
  name: string,
  args: ParsedArgs,
  means: MeansWithTrust,
  terminal: Terminal,
): Promise<Outcome | null> {
  const { trustedKids, crypto } = means;
  const { agentKeys = [] } = demandsOf(args);
  const onCompared = readingBar(COMPARING_PAGES, terminal);
  const examiners = examinersOf(args);
  const witnesses = await witnessesOf(args, means.trust);
  const times = await givenTimes(args, means.trust.timeRoots);
  const judged = await judgeReportFile(name, {
    trustedKids,
    crypto,
    agentKeys,
    examiners,
    onCompared,
    ...witnesses,
    ...(times && { verifyProof: (source, options = {}) => times.verify(verifyRecordProof, source, options) }),
  });
  if (judged === null) return null;
  refuseOfBundles(name, args, 'a report of chosen records', NOT_OF_PROOFS);
  const digest = judged.chosen.report.digest;
  return { name, ...judged, trust: await noticed(judged.chosen.proof, { digest }, means, terminal) };
}

/** A certificate of retention, held against the bundles that --against names (docs/retention.md). */
export async function judgeCertificate(
  name: string,
  certificate: RetentionCertificate,
  args: ParsedArgs,
  { trustedKids, crypto }: MeansWithTrust,
  terminal: Terminal,
): Promise<Outcome> {
  const flags = [...OF_BUNDLES.filter((flag) => flag !== 'against'), 'trust-agent', 'examiner'];
  refuseOfBundles(name, args, 'a certificate of retention', flags);
  const against = await namedBundles(args.list('against'), terminal);
  const retention = await judgeRetentionCertificate(certificate, { trustedKids, crypto, against });
  return { name, retention };
}

function refuseOfBundles(name: string, args: ParsedArgs, what: string, flags: readonly string[] = OF_BUNDLES): void {
  for (const flag of flags) {
    const given = args.list(flag).length > 0 || args.text(flag) !== undefined;
    if (given) throw new UsageError(`${name}: is ${what}; --${flag} goes with a bundle`);
  }
}

/** What a bundle alone is judged by. */
const OF_BUNDLES = [
  'receipts',
  'against',
  'checkpoint',
  'witnesses',
  'timestamp',
  'tsa',
  'known-line',
  'made-not-before',
  'proof',
  'report',
] as const;

/** What a kept report is repeated with. */
const OF_KEPT: ReadonlySet<string> = new Set(['against', 'receipts', 'checkpoint']);

/** What a proof of records is not judged by: it is compared with nothing but the checkpoints in it (protocol R6). */
const NOT_OF_PROOFS = OF_BUNDLES.filter((flag) => flag !== 'witnesses' && flag !== 'tsa');

/** A proof of records (protocol R1). */
export async function judgeRecords(
  name: string,
  opened: OpenedFile,
  args: ParsedArgs,
  means: MeansWithTrust,
  terminal: Terminal,
): Promise<Outcome> {
  refuseOfBundles(name, args, 'a proof of records', NOT_OF_PROOFS);
  const digested = new DigestedSource(opened.source);
  const { agentKeys = [] } = demandsOf(args);
  const options = {
    trustedKids: means.trustedKids,
    crypto: means.crypto,
    agentKeys,
    ...(await witnessesOf(args, means.trust)),
  };
  const times = await givenTimes(args, means.trust.timeRoots);
  const report = await (times === null
    ? verifyRecordProof(digested.source, options)
    : times.verify(verifyRecordProof, digested.source, options));
  return { name, report, trust: await noticed(report, digested, means, terminal) };
}
