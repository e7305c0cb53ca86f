import { AGENT_ACTION_PROFILE, type CoherenceReport, coherenceOf } from '../../actions/profile/index.ts';
import { AgentError } from '../../agent/index.ts';
import { cryptoPool, keepHeapSmall, MarkedSource, nodeCrypto } from '../../node/index.ts';
import {
  type BundleSource,
  isRecordProof,
  type VerificationReport,
  verifyEquivocationProof,
  withPages,
  withStatedAnchors,
} from '../../protocol/index.ts';
import { isCaseFile, openBundleFile } from '../bundle-file.ts';
import { type Command, type ParsedArgs, UsageError } from '../command.ts';
import { DigestedSource } from '../digested-source.ts';
import { readProof, writeProof } from '../equivocation.ts';
import { interruptible } from '../interruptible.ts';
import {
  demandsOf,
  judgeCertificate,
  judgeChosen,
  judgeKept,
  judgeRecords,
  type MeansWithTrust,
  noticed,
  witnessesOf,
} from '../judge-other-files.ts';
import { gravestCode, type Outcome, outcomesAsJson, renderOutcome } from '../outcome.ts';
import { readRetentionCertificate } from '../retention-certificate.ts';
import type { Terminal } from '../terminal.ts';
import { givenTimes, LINE_OPTION, TSA_OPTION } from '../time-stamps.ts';
import { EffectiveTrust } from '../trust.ts';
import { policyOf } from '../trust-anchors.ts';
import { CHECKPOINT_OPTION, named, pagesOf, readingProblem, VERIFY_OPTIONS, verifyOpened } from '../verification.ts';
import { ReportFile } from '../verification-artifact/report-file.ts';

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
    if (!report.recognised && (await isCaseFile(name))) {
      return { name, error: `${name}: is a case file, which countersign case checks` };
    }
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

/** The whole stored ledger instead of a bundle; only then is the service loaded. */
async function verifyStored(dataDir: string, args: ParsedArgs, terminal: Terminal): Promise<number> {
  for (const flag of ['receipts', 'against', 'checkpoint', 'trust-agent']) {
    if (args.list(flag).length > 0) throw new UsageError(`--${flag} goes with a bundle, not with --data-dir`);
  }
  for (const flag of ['report', 'sign', 'proof', 'made-not-before']) {
    if (args.text(flag) !== undefined) throw new UsageError(`--${flag} goes with a bundle, not with --data-dir`);
  }
  if (args.positionals.length > 0) throw new UsageError('name a bundle or a data folder, not both');
  const { kids: trustedKids } = await EffectiveTrust.of(args);
  const { verifyLedgers } = await import('../verify-ledgers.ts');
  const outcomes = await interruptible((signal) => verifyLedgers(dataDir, trustedKids, terminal, signal));
  if (args.on('json')) terminal.line(outcomesAsJson(outcomes));
  else {
    outcomes.forEach((outcome, index) => {
      if (index > 0) terminal.line();
      renderOutcome(outcome, terminal);
    });
  }
  return gravestCode(outcomes);
}
