import packageJson from '../../../package.json' with { type: 'json' };
import { nodeCrypto } from '../../node/index.ts';
import { concatBytes, formatDigest, parseJsonBytes } from '../../protocol/index.ts';
import { openBundleFile, readingBar, UnreadableFile } from '../bundle-file.ts';
import { type Command, EXIT, FileProblem, type ParsedArgs, UsageError } from '../command.ts';
import { inTemporaryFolder } from '../interruptible.ts';
import { judgeFile, judgeIn } from '../judge-bundles.ts';
import type { Bundle } from '../qualify/bundle.ts';
import { CATALOGUE } from '../qualify/catalogue.ts';
import type { Mutation } from '../qualify/mutation.ts';
import { type Outcome, type Qualification, type Row, qualify as runQualification } from '../qualify/qualification.ts';
import type { Terminal } from '../terminal.ts';
import { EffectiveTrust, TRUST_OPTIONS } from '../trust.ts';

const WIDTHS = [26, 28, 11, 26] as const;

function columns(...cells: readonly string[]): string {
  return `  ${cells.map((cell, n) => cell.padEnd(WIDTHS[n] ?? 0)).join('  ')}`.trimEnd();
}

/** The only value of a list, or that there are several. */
function common(values: readonly string[]): string {
  const different = [...new Set(values)];
  return different.length === 1 ? (different[0] ?? '') : different.length <= 2 ? different.join(', ') : 'several';
}

function answer(row: Row, { detected, agreed }: Outcome): string {
  if (!agreed) return 'VERIFIERS DISAGREE';
  if (row.expected === 'verified') return detected ? 'accepted' : 'REFUSED';
  return detected ? 'yes' : 'NO';
}

function verdictOf({ verdict, singleFile }: Outcome): string {
  return singleFile === undefined || singleFile === verdict ? verdict : `${verdict} / ${singleFile}`;
}

/** The detection matrix for a person: a line for each kind, and one for each copy that was not as expected. */
function renderMatrix({ rows, ...totals }: Qualification, terminal: Terminal): void {
  terminal.line(terminal.style('bold', columns('mutation', 'applied at', 'verdict', 'first finding', 'detected')));
  for (const row of rows) {
    if (row.not_applicable !== null) {
      terminal.line(terminal.style('gray', columns(row.id, 'not applicable', row.not_applicable)));
      continue;
    }
    const wrong = row.copies.filter(({ detected, agreed }) => !detected || !agreed);
    const places = row.copies.length === 1 ? (row.copies[0]?.at ?? '') : `${row.copies.length} places`;
    const findings = common(row.copies.map(({ finding }) => finding ?? '–'));
    const answers = common(row.copies.map((copy) => answer(row, copy)));
    const line = columns(row.id, places, common(row.copies.map(verdictOf)), findings, answers);
    terminal.line(wrong.length > 0 ? terminal.style('red', line) : line);
    if (row.copies.length === 1) continue;
    for (const copy of wrong) {
      terminal.line(
        terminal.style('red', columns('', copy.at, verdictOf(copy), copy.finding ?? '–', answer(row, copy))),
      );
    }
  }
  terminal.line();
  terminal.line(
    `  ${totals.applied} of ${totals.kinds} kinds applied, ${totals.copies} copies, ${totals.undetected} not as expected`,
  );
}

/** Mutations are made in memory, each copy as a whole: a larger bundle would take hours besides. */
const MAX_BUNDLE_BYTES = 64 * 1024 * 1024;

const DEFAULT_SEED = '1';

/** @throws UsageError */
async function readBundle(path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    const { source } = await openBundleFile(path);
    for await (const chunk of source()) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_BUNDLE_BYTES) {
        throw new UsageError(`${path}: holds more than ${MAX_BUNDLE_BYTES} bytes; qualify with a shorter range`);
      }
    }
  } catch (error) {
    throw error instanceof UnreadableFile ? new FileProblem(error.message) : error;
  }
  return concatBytes(...chunks);
}

async function run(catalogue: readonly Mutation[], args: ParsedArgs, terminal: Terminal): Promise<number> {
  const [path, ...others] = args.positionals;
  if (path === undefined || others.length > 0) throw new UsageError('name one bundle to qualify with');
  const { kids: trustedKids } = await EffectiveTrust.of(args);
  if (trustedKids.length === 0)
    throw new UsageError('name the key of its issuer with --trust: else nothing is verified');
  const bytes = await readBundle(path);
  const { verdict, finding } = await judgeFile(path, trustedKids, { onRead: readingBar('verifying', terminal) });
  if (verdict !== 'verified') {
    const why = finding === null ? '' : ` (${finding})`;
    throw new UsageError(
      `${path}: is ${verdict}${why} before any mutation; only a verified bundle qualifies a verifier`,
    );
  }
  // Verified: every part has the shape of protocol F130.
  const bundle = parseJsonBytes(bytes) as unknown as Bundle;
  const seed = args.text('seed') ?? DEFAULT_SEED;
  return inTemporaryFolder('countersign-qualify-', terminal, async (folder) => {
    const qualification = await runQualification(bundle, {
      seed,
      catalogue,
      judge: judgeIn(folder, trustedKids, args.on('single-file')),
      onProgress: (done, total) => terminal.progress('verifying', done, total, 'copies'),
    });
    if (args.on('json')) {
      const about = {
        type: 'countersign.qualification.v1',
        verifier: { name: 'countersign', version: packageJson.version, single_file: args.on('single-file') },
        bundle: { sha256: formatDigest(nodeCrypto.sha256(bytes)), size: bytes.length },
        trust: [...trustedKids].sort(),
        seed,
      };
      terminal.line(JSON.stringify({ ...about, ...qualification }, null, 2));
    } else renderMatrix(qualification, terminal);
    return qualification.undetected === 0 ? EXIT.ok : EXIT.failed;
  });
}

const description: Omit<Command, 'run'> = {
  name: 'qualify',
  synopsis: ['BUNDLE [--trust KEY[@ORG_ID]|JWKS-FILE]… [--seed TEXT] [--single-file] [--json]'],
  options: [
    ...TRUST_OPTIONS,
    { flag: 'seed', value: 'TEXT', help: `chooses the places of the mutations (default ${DEFAULT_SEED})` },
    { flag: 'single-file', help: 'verify each copy with the single-file verifier too, and demand equal verdicts' },
    { flag: 'json', help: 'print the matrix as JSON, with every copy' },
  ],
  notes: [`BUNDLE is not changed. It may have at most ${MAX_BUNDLE_BYTES / 1024 / 1024} MiB, unpacked.`],
  examples: [
    {
      what: 'Qualify the verifier with a bundle whose issuer is in your trust store:',
      args: 'export.csbundle --single-file',
    },
    { what: 'Choose other places to alter:', args: 'export.csbundle --seed 2026-11-21' },
  ],
  exitCodes: [
    ['0', 'every alteration was detected'],
    ['1', 'some were not detected'],
    ['2', 'the bundle itself is not verified, or wrong usage'],
  ],
};

/** Shows which mutations of a catalogue the verifier detects, on copies of the user's own bundle. */
export function qualifyWith(catalogue: readonly Mutation[]): Command {
  return { ...description, run: (args, terminal) => run(catalogue, args, terminal) };
}

export const qualify = qualifyWith(CATALOGUE);
