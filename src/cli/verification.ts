import packageJson from '../../package.json' with { type: 'json' };
import type { HeldTimes } from '../node/time-stamps/index.ts';
import {
  type BundleSource,
  type DemandedWitnesses,
  type HostCrypto,
  type NamedSource,
  type PagesCheck,
  SourceChanged,
  type VerificationReport,
  verifyBundle,
} from '../protocol/index.ts';
import { openBundleFile, readingBar, UnreadableFile } from './bundle-file.ts';
import type { Option, ParsedArgs } from './command.ts';
import { systemProblem } from './system-problem.ts';
import type { Terminal } from './terminal.ts';
import { TRUST_OPTIONS } from './trust.ts';

/** What a reader says before a bundle is verified: whom they trust, and what to compare with. */
export const VERIFY_OPTIONS: readonly Option[] = [
  ...TRUST_OPTIONS,
  {
    flag: 'receipts',
    value: 'FILE',
    multiple: true,
    help: 'receipts that agents kept, one per line: check that none is missing',
  },
  {
    flag: 'against',
    value: 'BUNDLE',
    multiple: true,
    help: 'another bundle of the organization: check that the two do not contradict each other',
  },
];

export const CHECKPOINT_OPTION: Option = {
  flag: 'checkpoint',
  value: 'FILE',
  multiple: true,
  help: "a checkpoint of the organization's log that you kept, or a consistency proof: check that the bundle leads to its root",
};

const READING_OTHERS = 'reading what to compare with';

/** Files to compare with; findings call them by their paths. @throws UnreadableFile */
export async function named(paths: readonly string[], terminal: Terminal): Promise<NamedSource[]> {
  const onRead = readingBar(READING_OTHERS, terminal);
  return Promise.all(paths.map(async (name) => ({ name, source: (await openBundleFile(name, onRead)).source })));
}

/** The same, which must look like bundles. @throws UnreadableFile */
export async function namedBundles(paths: readonly string[], terminal: Terminal): Promise<NamedSource[]> {
  const onRead = readingBar(READING_OTHERS, terminal);
  return Promise.all(
    paths.map(async (name) => {
      const { source, mayBeBundle } = await openBundleFile(name, onRead);
      if (!mayBeBundle) throw new UnreadableFile(`${name}: is not a bundle to compare with`);
      return { name, source };
    }),
  );
}

/** Whom the reader trusts, and what the verification runs with. */
export interface VerifyMeans {
  readonly trustedKids: readonly string[];
  readonly crypto: HostCrypto;
  /** Checkpoints of the organization's log. */
  readonly checkpoints?: readonly NamedSource[];
  readonly witnesses?: DemandedWitnesses;
  /** Keys that the reader knows to be agents', `AGENT=KEY` each. */
  readonly agentKeys?: readonly string[];
  /** The bundle must have been made at this time or later, in milliseconds since the Unix epoch. */
  readonly madeNotBefore?: number;
  /** Whom the reader asks about times; null for nobody. */
  readonly times?: HeldTimes | null;
}

/** Verifies a bundle with what VERIFY_OPTIONS were given. */
export async function verifyOpened(
  source: BundleSource,
  args: ParsedArgs,
  { times = null, ...means }: VerifyMeans,
  terminal: Terminal,
): Promise<VerificationReport> {
  const options = {
    ...means,
    receipts: await named(args.list('receipts'), terminal),
    against: await namedBundles(args.list('against'), terminal),
  };
  return times === null ? verifyBundle(source, options) : times.verify(verifyBundle, source, options);
}

export const COMPARING_PAGES = 'comparing the pages';

/** Whether the pages of a PDF report are those of its bundle. Loaded only now: reports bring a PDF library. */
export async function pagesOf(
  path: string,
  { crypto }: { readonly crypto: HostCrypto },
  terminal: Terminal,
): Promise<PagesCheck> {
  const { comparePages } = await import('../reports/pdf/index.ts');
  const { version } = packageJson;
  const onCompared = readingBar(COMPARING_PAGES, terminal);
  return comparePages(path, { crypto, version, onCompared });
}

/** Why a file could not be verified, in a sentence; null where the error is a defect. */
export function readingProblem(file: string, error: unknown): string | null {
  if (error instanceof UnreadableFile || error instanceof SourceChanged) return error.message;
  // What the operating system says of a disk that fails in the middle is the reader's to know.
  const problem = systemProblem(error);
  return problem === null ? null : problem.includes(file) ? problem : `${file}: ${problem}`;
}
