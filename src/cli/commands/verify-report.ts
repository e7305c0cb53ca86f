import { nodeCrypto } from '../../node/index.ts';
import {
  fingerprintDigits,
  fingerprintGroups,
  fromBase64Url,
  ProtocolError,
  parseTrustEntry,
  readFingerprintDigits,
  verifyBundle,
  withPages,
} from '../../protocol/index.ts';
import { openBundleFile, readingBar, readSmallFile, UnreadableFile } from '../bundle-file.ts';
import { type Command, EXIT, FileProblem, type ParsedArgs, UsageError } from '../command.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { named, namedBundles, pagesOf } from '../verification.ts';
import {
  type Artifact,
  NotAnArtifact,
  parseArtifact,
  type UnsignedArtifact,
} from '../verification-artifact/artifact.ts';
import {
  type Examination,
  examine,
  type ReproductionState,
  type SignatureState,
} from '../verification-artifact/examination.ts';
import { FilesAtHand } from '../verification-artifact/report-file.ts';

const MAX_REPORT_BYTES = 64 * 1024 * 1024;

const SIGNATURE: Record<SignatureState, string> = {
  trusted: 'valid, by a key that you trust',
  untrusted: 'valid, by a key that you did not name: anybody can sign',
  invalid: 'NOT VALID: the report is not what was signed',
  missing: 'none',
};

const REPRODUCTION: Record<ReproductionState, string> = {
  same: 'gives the same report, byte for byte',
  different: 'GIVES ANOTHER REPORT',
  not_made: 'not made: name the bundle with --bundle',
};

function readTrustedKeys(given: readonly string[]): string[] {
  return given.map((text) => {
    const key = text.replace(/\s+/g, '');
    try {
      fromBase64Url(key, 32);
      return key;
    } catch (error) {
      if (error instanceof ProtocolError) {
        throw new UsageError(`--trust-key ${text}: is neither a kid nor a public key (43 characters)`);
      }
      throw error;
    }
  });
}

async function readArtifact(path: string): Promise<Artifact> {
  try {
    return parseArtifact(await readSmallFile(path, MAX_REPORT_BYTES));
  } catch (error) {
    throw error instanceof NotAnArtifact ? new UsageError(`${path}: ${error.message}`) : error;
  }
}

/** The verification repeated, with the trust that the report states; null where no bundle was named. */
async function verifyAgain(
  { trust }: Artifact,
  args: ParsedArgs,
  terminal: Terminal,
): Promise<UnsignedArtifact | null> {
  const bundle = args.text('bundle');
  if (bundle === undefined) {
    if (args.list('receipts').length + args.list('against').length > 0) {
      throw new UsageError('--receipts and --against go with --bundle');
    }
    return null;
  }
  const files = await FilesAtHand.of(bundle, args, terminal);
  try {
    const { source, attached } = await openBundleFile(bundle, readingBar('verifying', terminal));
    const report = await verifyBundle(source, {
      crypto: nodeCrypto,
      trustedKids: trust,
      receipts: await named(args.list('receipts'), terminal),
      against: await namedBundles(args.list('against'), terminal),
    });
    const pages = attached ? await pagesOf(bundle, { crypto: nodeCrypto }, terminal) : null;
    return await files.artifactOf(withPages(report, pages), trust);
  } catch (error) {
    throw error instanceof UnreadableFile ? new FileProblem(error.message) : error;
  }
}

/** A trust entry of a report for a person: the fingerprint, and for which organization. */
function describeTrust(text: string): string {
  const { key, orgId } = parseTrustEntry(text);
  const groups = readFingerprintDigits(key) === null ? fingerprintDigits(key) : (key.match(/.{5}/g) ?? []);
  const scope = orgId === null ? '' : orgId === '' ? ' for no organization yet' : ` for ${printable(orgId)}`;
  return `${groups.join(' ')}${scope}`;
}

function show(artifact: Artifact, examination: Examination, terminal: Terminal): void {
  const { subject, trust, verifier, report, signature } = artifact;
  const kids = trust.map(describeTrust);
  const differs = examination.differs === null ? '' : `, first in "${examination.differs}"`;
  terminal.line(`  bundle         ${subject.sha256}, ${subject.size} bytes`);
  terminal.line(`  trusted        ${kids.length === 0 ? 'nobody' : kids.join(', ')}`);
  terminal.line(`  verifier       ${verifier.name} ${verifier.version}`);
  terminal.line(`  stated         ${report.verdict}: ${report.summary}`);
  if (signature !== undefined) terminal.line(`  signed by      ${fingerprintGroups(signature.kid).join(' ')}`);
  terminal.line(`  signature      ${SIGNATURE[examination.signature]}`);
  terminal.line(`  verified again ${REPRODUCTION[examination.reproduction]}${differs}`);
  terminal.line();
  terminal.line(`  Report: ${examination.outcome}`);
}

async function run(args: ParsedArgs, terminal: Terminal): Promise<number> {
  const [path, ...others] = args.positionals;
  if (path === undefined || others.length > 0) throw new UsageError('name one report');
  const trusted = readTrustedKeys(args.list('trust-key'));
  const artifact = await readArtifact(path);
  const examination = examine(artifact, trusted, await verifyAgain(artifact, args, terminal));
  if (args.on('json')) {
    const { subject, trust, verifier, report } = artifact;
    const stated = { subject, trust, verifier, verdict: report.verdict };
    terminal.line(JSON.stringify({ ...examination, signed_by: artifact.signature?.kid ?? null, stated }, null, 2));
  } else show(artifact, examination, terminal);
  return EXIT[examination.outcome];
}

/** Examines a report that somebody else kept with `verify --report`. */
export const verifyReport: Command = {
  name: 'verify-report',
  synopsis: ['FILE [--trust-key KEY]… [--bundle BUNDLE [--receipts FILE]… [--against BUNDLE]…] [--json]'],
  options: [
    {
      flag: 'trust-key',
      value: 'KEY',
      multiple: true,
      help: 'the key of an auditor whom you trust: the public key or its kid',
    },
    {
      flag: 'bundle',
      value: 'BUNDLE',
      help: 'the bundle of the report: verify the bundle again and compare both reports byte for byte',
    },
    {
      flag: 'receipts',
      value: 'FILE',
      multiple: true,
      help: 'the receipts that the bundle was verified with, in the same order',
    },
    {
      flag: 'against',
      value: 'BUNDLE',
      multiple: true,
      help: 'the bundles that the bundle was compared with, in the same order',
    },
    { flag: 'json', help: 'print the result as JSON' },
  ],
  notes: ['The verdict that the report states is shown, and does not decide the exit code.'],
  examples: [
    { what: 'Repeat the verification and compare the reports:', args: 'report.json --bundle export.csbundle' },
    {
      what: 'Demand the signature of an auditor:',
      args: 'report.json --trust-key FjmZIiUrm2r742pcljU-Vy17X__JY-HPTKKZMtj0Ot8',
    },
  ],
  exitCodes: [
    ['0', 'a trusted auditor signed this report, or the bundle gives the same report; with --trust-key, the former'],
    ['1', 'the report was altered, was signed by somebody else, or the bundle gives another one'],
    ['3', 'neither was checked: name --trust-key or --bundle'],
    ['2', 'a file cannot be read, or wrong usage'],
  ],
  run,
};
