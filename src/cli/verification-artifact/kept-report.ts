import { readerOptions } from '../../node/reader/index.ts';
import {
  canonicalize,
  describePolicy,
  type ExaminerKey,
  equalBytes,
  examinerState,
  fingerprintDigits,
  fingerprintGroups,
  type HostCrypto,
  type Json,
  parseTrustEntry,
  readFingerprintDigits,
  statedAnchors,
  withPages,
} from '../../protocol/index.ts';
import { headOf, openBundleFile, readingBar, readSmallFile, UnreadableFile } from '../bundle-file.ts';
import { type ParsedArgs, UsageError } from '../command.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { named, pagesOf, verifyOpened } from '../verification.ts';
import {
  type Artifact,
  artifactBytes,
  isSignatureValid,
  NotAnArtifact,
  parseArtifact,
  statedWitnesses,
  type UnsignedArtifact,
  unsigned,
} from './artifact.ts';
import { FilesAtHand } from './report-file.ts';

type SignatureState = 'named' | 'unnamed' | 'invalid' | 'missing';
type ReproductionState = 'same' | 'different' | 'not_made';

/** What can be said of somebody else's report. */
interface Examination {
  /** `failed` where it is not what was signed or not what the bundle gives; `incomplete` where neither speaks for it. */
  readonly verdict: 'verified' | 'failed' | 'incomplete';
  /** One sentence for a person. */
  readonly summary: string;
  readonly signature: SignatureState;
  readonly reproduction: ReproductionState;
  /** The first member of the artifact that came out differently, where one did. */
  readonly differs: string | null;
}

function signatureState(artifact: Artifact, examiners: readonly ExaminerKey[]): SignatureState {
  const { signature } = artifact;
  if (signature === undefined) return 'missing';
  if (!isSignatureValid(artifact)) return 'invalid';
  // An artifact names nobody, so a key cannot be there in the name of another.
  return examinerState(examiners, signature.kid, null) === 'named' ? 'named' : 'unnamed';
}

function firstDifference(left: UnsignedArtifact, right: UnsignedArtifact): string | null {
  const text = (value: unknown): string => canonicalize(value as Json);
  const members = ['subject', 'trust', 'inputs', 'verifier', 'report'] as const;
  return members.find((member) => text(left[member]) !== text(right[member])) ?? null;
}

/**
 * Examines a report.
 * @param examiners keys of those whose signature the reader accepts
 * @param again the same verification, repeated, where the reader has the bundle
 */
function examine(artifact: Artifact, examiners: readonly ExaminerKey[], again: UnsignedArtifact | null): Examination {
  const signature = signatureState(artifact, examiners);
  const bare = unsigned(artifact);
  const isSame = again !== null && equalBytes(artifactBytes(bare), artifactBytes(again));
  const reproduction = again === null ? 'not_made' : isSame ? 'same' : 'different';
  const differs = again === null || isSame ? null : firstDifference(bare, again);
  const found = { signature, reproduction, differs } as const;
  if (signature === 'invalid') {
    return { verdict: 'failed', summary: 'The report is not what was signed.', ...found };
  }
  if (reproduction === 'different') {
    return {
      verdict: 'failed',
      summary: `The bundle gives another report: ${differs} is the first that differs.`,
      ...found,
    };
  }
  const by = [
    ...(signature === 'named' ? ['a key that you named signed it'] : []),
    ...(isSame ? ['its bundle gives it again, byte for byte'] : []),
  ];
  // Whoever asks for a signature does not get along without.
  if (signature === 'named' || (isSame && examiners.length === 0)) {
    const states = `The report is what it was: ${by.join(', and ')}.`;
    return { verdict: 'verified', summary: `${states} This says nothing about what it states.`, ...found };
  }
  const missing = isSame
    ? 'Its bundle gives the report again, but no key that you named signed it.'
    : 'Nothing speaks for the report: name who signed it with --examiner, or its bundle with --bundle.';
  return { verdict: 'incomplete', summary: missing, ...found };
}

const MAX_REPORT_BYTES = 64 * 1024 * 1024;

/** How an artifact in canonical form begins: no other file that is verified has this member first. */
const BEGINNING = '{"inputs":{"against":[';

/** What came of a kept report, as `verify --json` prints it. `stated` is its own word and decides nothing. */
export interface KeptJudgement extends Examination {
  readonly type: 'countersign.artifact-judgement.v1';
  readonly signed_by: string | null;
  readonly stated: Pick<Artifact, 'subject' | 'trust' | 'verifier'> & Pick<Artifact['report'], 'verdict' | 'summary'>;
  /** What it states of witnesses; null where there is nothing to say. */
  readonly witnessed: string | null;
}

const SIGNATURE: Record<SignatureState, string> = {
  named: 'valid, by a key that you named',
  unnamed: 'valid, by a key that you did not name: anybody can sign',
  invalid: 'NOT VALID: the report is not what was signed',
  missing: 'none',
};

const REPRODUCTION: Record<ReproductionState, string> = {
  same: 'gives the same report, byte for byte',
  different: 'GIVES ANOTHER REPORT',
  not_made: 'not made: name the bundle with --bundle',
};

/**
 * Reads a report that `verify --report` kept.
 * @returns null where the file is something else
 * @throws UnreadableFile where it begins as one and is not valid
 */
export async function readKeptReport(path: string): Promise<Artifact | null> {
  if (!(await headOf(path)).toString('latin1').startsWith(BEGINNING)) return null;
  try {
    return parseArtifact(await readSmallFile(path, MAX_REPORT_BYTES));
  } catch (error) {
    throw error instanceof NotAnArtifact ? new UnreadableFile(`${path}: ${error.message}`) : error;
  }
}

/** The verification repeated, with the trust that the report states; null where no bundle was named. */
async function verifyAgain(
  { trust }: Artifact,
  args: ParsedArgs,
  crypto: HostCrypto,
  terminal: Terminal,
): Promise<UnsignedArtifact | null> {
  const bundle = args.text('bundle');
  if (bundle === undefined) {
    if (['receipts', 'against', 'checkpoint'].some((flag) => args.list(flag).length > 0)) {
      throw new UsageError('--receipts, --against and --checkpoint go with --bundle where the file is a kept report');
    }
    return null;
  }
  const files = await FilesAtHand.of(bundle, args, terminal);
  const { source, attached } = await openBundleFile(bundle, readingBar('verifying', terminal));
  const checkpoints = await named(args.list('checkpoint'), terminal);
  const report = await verifyOpened(source, args, { crypto, checkpoints, ...readerOptions(trust) }, terminal);
  const pages = attached ? await pagesOf(bundle, { crypto }, terminal) : null;
  return files.artifactOf(withPages(report, pages), trust);
}

/**
 * Judges a report that somebody kept: whether a key that the reader named signed it, and whether its bundle gives it again.
 * @throws UnreadableFile, UsageError
 */
export async function judgeKeptReport(
  artifact: Artifact,
  args: ParsedArgs,
  { examiners, crypto }: { readonly examiners: readonly ExaminerKey[]; readonly crypto: HostCrypto },
  terminal: Terminal,
): Promise<KeptJudgement> {
  const examination = examine(artifact, examiners, await verifyAgain(artifact, args, crypto, terminal));
  const { subject, trust, verifier, report, signature } = artifact;
  const { verdict, summary } = report;
  return {
    type: 'countersign.artifact-judgement.v1',
    ...examination,
    signed_by: signature?.kid ?? null,
    stated: { subject, trust, verifier, verdict, summary },
    witnessed: statedWitnesses(artifact),
  };
}

/** What a report says that was trusted, for a person: the fingerprint, and for which organization; or the witnesses. */
function describeTrust(text: string): string {
  const { witnesses: policy } = statedAnchors([text]);
  if (policy !== null) return `witnesses, ${describePolicy(policy)}`;
  const { key, orgId } = parseTrustEntry(text);
  const groups = readFingerprintDigits(key) === null ? fingerprintDigits(key) : (key.match(/.{5}/g) ?? []);
  const scope = orgId === null ? '' : orgId === '' ? ' for no organization yet' : ` for ${printable(orgId)}`;
  return `${groups.join(' ')}${scope}`;
}

/** What came of a kept report, for a person. */
export function renderKept(file: string, judgement: KeptJudgement, terminal: Terminal): void {
  const { stated, signed_by: kid, signature, reproduction, verdict, summary } = judgement;
  const { subject, trust, verifier } = stated;
  terminal.line(terminal.style('bold', file));
  terminal.line('  a verification report that somebody kept');
  terminal.line(`  bundle         ${printable(subject.sha256)}, ${subject.size} bytes`);
  terminal.line(`  trusted        ${trust.length === 0 ? 'nobody' : trust.map(describeTrust).join(', ')}`);
  terminal.line(`  verifier       ${printable(`${verifier.name} ${verifier.version}`)}`);
  terminal.wrapped(`  it states      ${stated.verdict}: ${printable(stated.summary)}`, 17);
  if (judgement.witnessed !== null) terminal.wrapped(`  witnesses      ${printable(judgement.witnessed)}`, 17);
  if (kid !== null) terminal.line(`  signed by      ${printable(fingerprintGroups(kid).join(' '))}`);
  terminal.line(`  signature      ${SIGNATURE[signature]}`);
  terminal.line(`  verified again ${REPRODUCTION[reproduction]}`);
  terminal.line();
  const colour = { verified: 'green', incomplete: 'yellow', failed: 'red' } as const;
  terminal.line(`  ${terminal.badge(['bold', colour[verdict]], `Kept report: ${verdict}`)}`);
  terminal.wrapped(`  ${summary}`, 2);
}
