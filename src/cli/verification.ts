import { nodeCrypto } from '../host/index.ts';
import { type BundleSource, type NamedSource, type VerificationReport, verifyBundle } from '../protocol/index.ts';
import { openBundleFile, UnreadableFile } from './bundle-file.ts';
import { EXIT, type Option, type ParsedArgs } from './command.ts';
import type { Terminal } from './terminal.ts';

/** What a reader says before a bundle is verified: whom they trust, and what to compare with. */
export const VERIFY_OPTIONS: readonly Option[] = [
  {
    flag: 'trust',
    value: 'KID|JWKS-FILE',
    multiple: true,
    help: 'a service key you trust: its kid, or a key set file',
  },
  {
    flag: 'receipts',
    value: 'FILE',
    multiple: true,
    help: 'receipts that agents kept, one a line: is any of them missing?',
  },
  {
    flag: 'against',
    value: 'BUNDLE',
    multiple: true,
    help: 'another bundle of the organization: do they contradict?',
  },
];

async function named(paths: readonly string[]): Promise<NamedSource[]> {
  return Promise.all(paths.map(async (name) => ({ name, source: (await openBundleFile(name)).source })));
}

async function namedBundles(paths: readonly string[]): Promise<NamedSource[]> {
  return Promise.all(
    paths.map(async (name) => {
      const { source, mayBeBundle } = await openBundleFile(name);
      if (!mayBeBundle) throw new UnreadableFile(`${name}: is not a bundle to compare with`);
      return { name, source };
    }),
  );
}

/** Verifies a bundle with what VERIFY_OPTIONS were given. */
export async function verifyOpened(
  { source, size }: { readonly source: BundleSource; readonly size: number },
  args: ParsedArgs,
  trustedKids: readonly string[],
  terminal: Terminal,
): Promise<VerificationReport> {
  return verifyBundle(source, {
    crypto: nodeCrypto,
    trustedKids,
    receipts: await named(args.list('receipts')),
    against: await namedBundles(args.list('against')),
    onProgress: ({ bytes }) => terminal.progress('verifying', Math.min(bytes, size), size),
  });
}

/** Why a file could not be verified, in a sentence; null where the error is a defect. */
export function readingProblem(file: string, error: unknown): string | null {
  if (error instanceof UnreadableFile) return error.message;
  // What the operating system says of a disk that fails in the middle is the reader's to know.
  if (error instanceof Error && 'syscall' in error) return `${file}: cannot be read (${error.message})`;
  return null;
}

/** Exit code of a verification (protocol §9). */
export function exitCodeOf(report: VerificationReport): number {
  return report.recognised ? EXIT[report.verdict] : EXIT.unusable;
}
