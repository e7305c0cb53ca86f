import { AGENT_ACTION_PROFILE, type CoherenceReport, coherenceOf } from '../../actions/profile/index.ts';
import { AgentError } from '../../agent/index.ts';
import { cryptoPool, keepHeapSmall, MarkedSource, nodeCrypto } from '../../node/index.ts';
import { demandedWitnesses } from '../../node/reader/index.ts';
import {
  type BundleSource,
  isRecordProof,
  judgeRetentionCertificate,
  ProtocolError,
  parseAgentKey,
  parseTime,
  type RetentionCertificate,
  type VerificationReport,
  type VerifyOptions,
  verifyEquivocationProof,
  verifyRecordProof,
  withPages,
  withStatedAnchors,
} from '../../protocol/index.ts';
import { type OpenedFile, openBundleFile, readingBar } from '../bundle-file.ts';
import { judgeReportFile } from '../chosen-report.ts';
import { type Command, type ParsedArgs, UsageError } from '../command.ts';
import { DigestedSource } from '../digested-source.ts';
import { readProof, writeProof } from '../equivocation.ts';
import { examinersOf } from '../examiners.ts';
import { gravestCode, type Outcome, outcomesAsJson, renderOutcome, type TrustContext } from '../outcome.ts';
import { readRetentionCertificate } from '../retention-certificate.ts';
import type { Terminal } from '../terminal.ts';
import { givenTimes, LINE_OPTION, TSA_OPTION } from '../time-stamps.ts';
import { EffectiveTrust } from '../trust.ts';
import { policyOf } from '../trust-anchors.ts';
import {
  CHECKPOINT_OPTION,
  COMPARING_PAGES,
  named,
  namedBundles,
  pagesOf,
  readingProblem,
  VERIFY_OPTIONS,
  type VerifyMeans,
  verifyOpened,
} from '../verification.ts';
import { judgeKeptReport, readKeptReport } from '../verification-artifact/kept-report.ts';
import { ReportFile } from '../verification-artifact/report-file.ts';
import { verifyStored } from '../verify-stored.ts';

/** What `--trust-agent` and `--made-not-before` demand. @throws UsageError */
function demandsOf(args: ParsedArgs): Pick<VerifyOptions, 'agentKeys' | 'madeNotBefore'> {
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

interface MeansWithTrust extends VerifyMeans {
  readonly trust: EffectiveTrust;
}

async function verifyFile(name: string, args: ParsedArgs, means: MeansWithTrust, terminal: Terminal): Promise<Outcome> {
  try {
    const kept = await judgeKept(name, args, means, terminal);
    if (kept !== null) return kept;
    const chosen = await judgeChosen(name, args, means, terminal);
    if (chosen !== null) return chosen;
    if (args.list('examiner').length > 0) {
      throw new UsageError(
        `${name}: is neither a report of chosen records nor a kept report; --examiner goes with these`,
      );
    }
    let phase = 'verifying';
    const opened = await openBundleFile(name, (done, total) => terminal.progress(phase, done, total, 'bytes'));
    const proof = opened.attached ? null : await readProof(name);
    if (proof !== null) {
      if (args.text('report') !== undefined) throw new UsageError(`${name}: is a proof; --report is of a bundle`);
      return { name, judgement: await verifyEquivocationProof(proof, means) };
    }
    const certificate = opened.attached ? null : await readRetentionCertificate(name);
    if (certificate !== null) return await judgeCertificate(name, certificate, args, means, terminal);
    if (await isRecordProof(opened.source)) return await judgeRecords(name, opened, args, means, terminal);
    const marked = new MarkedSource(opened.source, AGENT_ACTION_PROFILE);
    const digested = new DigestedSource(marked.source);
    // A kept report states no roots, so nothing in it rests on some.
    const times = args.text('report') === undefined ? await givenTimes(args, means.trust.timeRoots) : null;
    const checkpoints = [...(await named(args.list('checkpoint'), terminal)), ...(times?.checkpoints ?? [])];
    const witnesses = await witnessesOf(args, means.trust);
    const withKeys = { ...means, trustedKids: means.trust.entries, checkpoints, ...witnesses, times };
    const report = await verifyOpened(digested.source, args, { ...withKeys, ...demandsOf(args) }, terminal);
    await proveContradiction(args, report, opened.source, terminal);
    const pages = opened.attached && report.recognised ? await pagesOf(name, means, terminal) : null;
    if (!report.recognised) return { name, report, pages };
    phase = 'checking coherence';
    const coherence = marked.isMarked ? await shownCoherence(opened.source, report) : null;
    const outcome = { name, report: withPages(report, pages), pages, coherence };
    return { ...outcome, trust: await noticed(report, digested, means, terminal) };
  } catch (error) {
    const sentence = readingProblem(name, error);
    if (sentence === null) throw error;
    return { name, error: sentence };
  }
}

/** Whose cosignatures are demanded: by --witnesses, or by the trust store. @throws UsageError */
async function witnessesOf(args: ParsedArgs, trust: EffectiveTrust): Promise<Pick<VerifyOptions, 'witnesses'>> {
  const policy = await policyOf(args, trust);
  return policy === null ? {} : { witnesses: demandedWitnesses(policy) };
}

/** What the reader's trust store has to do with a report, and what it remembers of it. */
async function noticed(
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
async function judgeKept(
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
async function judgeChosen(
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
  const judged = await judgeReportFile(name, { trustedKids, crypto, agentKeys, examiners, onCompared, ...witnesses });
  if (judged === null) return null;
  refuseOfBundles(name, args, 'a report of chosen records', NOT_OF_PROOFS);
  const digest = judged.chosen.report.digest;
  return { name, ...judged, trust: await noticed(judged.chosen.proof, { digest }, means, terminal) };
}

/** A certificate of retention, held against the bundles that --against names (docs/retention.md). */
async function judgeCertificate(
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
async function judgeRecords(
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

/** Whether the records fit together; null where none is of the payload profile, though its name occurs. */
async function shownCoherence(source: BundleSource, report: VerificationReport): Promise<CoherenceReport | null> {
  const coherence = await coherenceOf(source, report, { sha256: nodeCrypto.sha256 });
  return coherence.status === 'not_applicable' ? null : coherence;
}

/** `--proof FILE` */
async function proveContradiction(
  args: ParsedArgs,
  report: VerificationReport,
  source: BundleSource,
  terminal: Terminal,
): Promise<void> {
  const path = args.text('proof');
  if (path === undefined) return;
  const contradictions = await writeProof(path, report, source);
  terminal.note(
    contradictions === 0
      ? `countersign verify: no proof written: no two signed statements contradict each other`
      : `countersign verify: ${path}: proves ${contradictions === 1 ? 'the contradiction' : `the first of ${contradictions} contradictions`}`,
  );
}

async function verifyFiles(args: ParsedArgs, terminal: Terminal): Promise<number> {
  if (args.positionals.length === 0) throw new UsageError('name the bundle to verify');
  demandsOf(args);
  if (args.text('proof') !== undefined && args.positionals.length > 1) {
    throw new UsageError('--proof is of one bundle: name one');
  }
  const trust = await EffectiveTrust.of(args);
  const trustedKids = trust.kids;
  const kept = await ReportFile.prepare(args, terminal);
  const crypto = cryptoPool();
  const outcomes: Outcome[] = [];
  try {
    for (const file of args.positionals) {
      const outcome = await verifyFile(file, args, { trustedKids, crypto, trust }, terminal);
      outcomes.push(outcome);
      if ('report' in outcome && outcome.report.recognised) {
        await kept?.write(
          outcome.report,
          withStatedAnchors(trust.entries, { witnesses: await policyOf(args, trust), roots: [] }),
        );
      }
      if (args.on('json')) continue;
      if (outcomes.length > 1) terminal.line();
      renderOutcome(outcome, terminal);
    }
  } finally {
    await crypto.close();
  }
  if (args.on('json')) terminal.line(outcomesAsJson(outcomes));
  return gravestCode(outcomes);
}

async function run(args: ParsedArgs, terminal: Terminal): Promise<number> {
  const dataDir = args.text('data-dir');
  if (dataDir !== undefined) return verifyStored(dataDir, args, terminal);
  keepHeapSmall();
  // Nobody listens to signals, so that they end the process whatever it is doing: there is nothing to tidy up.
  return verifyFiles(args, terminal);
}

/** Verifies bundles offline (protocol V160 to V163). */
export const verify: Command = {
  name: 'verify',
  synopsis: [
    'FILE… [--trust KEY[@ORG_ID]|JWKS-FILE]… [--trust-agent AGENT=KEY]… [--receipts FILE]… [--against BUNDLE]… [--checkpoint FILE]… [--witnesses FILE] [--timestamp FILE]… [--tsa ROOT[@TIME]]… [--known-line TIME=LINE]… [--made-not-before TIME] [--examiner KEY=PERSON]… [--proof FILE] [--report FILE [--sign KEY]] [--json]',
    'REPORT [--examiner KEY=PERSON]… [--bundle BUNDLE [--receipts FILE]… [--against BUNDLE]… [--checkpoint FILE]…] [--json]',
    '--data-dir DIR [--trust KEY[@ORG_ID]|JWKS-FILE]… [--json]',
  ],
  options: [
    ...VERIFY_OPTIONS,
    CHECKPOINT_OPTION,
    {
      flag: 'witnesses',
      value: 'FILE',
      help: 'witnesses that must stand behind the records, in place of those of your trust store: a JSON file (protocol V182)',
    },
    {
      flag: 'timestamp',
      value: 'FILE',
      multiple: true,
      help: 'a checkpoint with time stamps (countersign timestamp): check before when its records existed',
    },
    TSA_OPTION,
    LINE_OPTION,
    {
      flag: 'trust-agent',
      value: 'AGENT=KEY',
      multiple: true,
      help: "a key that you know to be an agent's: records of the agent signed by another key fail",
    },
    {
      flag: 'examiner',
      value: 'KEY=PERSON',
      multiple: true,
      help: 'the key of who made a report of chosen records or kept a report, which you compared with the person, and the name that a report of chosen records has for them',
    },
    {
      flag: 'made-not-before',
      value: 'TIME',
      help: 'demand that the bundle was created at this time or later (RFC 3339)',
    },
    {
      flag: 'data-dir',
      value: 'DIR',
      help: 'verify the ledgers in this data folder instead, also while the service is running',
    },
    { flag: 'json', help: 'print the report as JSON, several as an array' },
    {
      flag: 'proof',
      value: 'FILE',
      help: 'write the first contradiction of the issuer to a file that verifies by itself',
    },
    {
      flag: 'bundle',
      value: 'BUNDLE',
      help: 'the bundle of a kept report: verify it again, with the trust that the report states, and compare both reports byte for byte',
    },
    { flag: 'report', value: 'FILE', help: 'keep the report as a canonical file, the same bytes each time' },
    { flag: 'sign', value: 'KEY', help: 'sign the kept report with your own private key, a file that keygen wrote' },
  ],
  notes: [
    'FILE is a bundle or a proof of records (countersign proof), plain, compressed with gzip or attached to a PDF report; a report of chosen records; a certificate of retention; a report that --report kept; or a proof that --proof wrote. The pages of a PDF are rendered again from its bundle and compared.',
    'KEY is the fingerprint of a service key (60 digits) or its kid. A KEY alone is trusted for whatever organization the file names; one service may keep the ledgers of several, so compare the organization too, or name it: KEY@ORG_ID.',
    'Without a trusted key nothing is ever verified: anyone can create a bundle or a ledger that is consistent in itself.',
    'The keys that --trust names and the pairs in your trust store (countersign trust) are trusted. The store also remembers who signed for each organization, and warns when that changes without a signed rotation.',
    'A proof that --proof wrote is verified if both signatures hold under a key that you trust: this speaks against the issuer.',
    'A certificate of retention is held against the bundles that --against names: what they say of the sweep, the rules, the holds and the records. Whatever none of them says is the word of the operator, and the certificate incomplete.',
    'A kept report is verified where a key that --examiner names signed it, or, where none is named, its bundle gives the same report. What it states, which may be failed, is shown and does not decide the exit code.',
    'With --data-dir each organization gets its own report. No key is needed, and no evidence is changed.',
  ],
  examples: [
    {
      what: 'Verify a bundle, trusting its issuer by the fingerprint that you got by phone:',
      args: 'export.csbundle --trust "62126 31303 12467 62709 83229 49889 64070 49557 96258 86320 16261 67820"',
    },
    { what: 'Check that no receipt kept by an agent is missing:', args: 'export.csbundle --receipts receipts.jsonl' },
    {
      what: 'Repeat a verification that somebody kept, and compare the reports:',
      args: 'report.json --bundle export.csbundle',
    },
    { what: 'Read the verdict in a script:', args: 'export.csbundle --json | jq -r .verdict' },
    { what: 'Verify the ledgers of a service that is running:', args: '--data-dir countersign-data' },
  ],
  exitCodes: [
    ['0', 'verified'],
    ['1', 'failed'],
    ['3', 'incomplete: something could not be checked, such as an issuer whom you do not trust'],
    ['2', 'a file cannot be read or is not a bundle, or wrong usage'],
    ['130', 'interrupted'],
    ['', 'For several files the gravest counts: 2, then 1, then 3.'],
  ],
  expected: [AgentError],
  run,
};
