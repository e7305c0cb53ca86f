import { writeFile } from 'node:fs/promises';
import { readSeed } from '../../agent/index.ts';
import type { VerificationReport } from '../../protocol/index.ts';
import { readSmallFile } from '../bundle-file.ts';
import { FileProblem, type ParsedArgs, UsageError } from '../command.ts';
import { systemReason } from '../system-problem.ts';
import type { Terminal } from '../terminal.ts';
import { artifactBytes, makeArtifact, signArtifact, type UnsignedArtifact, type VerifiedFiles } from './artifact.ts';
import { digestFile, type FileDigest } from './file-digest.ts';

const MAX_KEY_BYTES = 16 * 1024;

async function digests(paths: readonly string[], terminal: Terminal): Promise<FileDigest[]> {
  const found: FileDigest[] = [];
  for (const path of paths) found.push(await digestFile(path, terminal));
  return found;
}

/** The files of a verification, held fast before it, so that what is reported on is what was read. */
export class FilesAtHand {
  readonly #files: VerifiedFiles;
  readonly #terminal: Terminal;

  private constructor(files: VerifiedFiles, terminal: Terminal) {
    this.#files = files;
    this.#terminal = terminal;
  }

  /** @throws UsageError where one of them cannot be read */
  static async of(bundle: string, args: ParsedArgs, terminal: Terminal): Promise<FilesAtHand> {
    const files = {
      subject: await digestFile(bundle, terminal),
      receipts: await digests(args.list('receipts'), terminal),
      against: await digests(args.list('against'), terminal),
      checkpoints: await digests(args.list('checkpoint'), terminal),
    };
    return new FilesAtHand(files, terminal);
  }

  /** @throws UsageError where one of them was changed since */
  async artifactOf(report: VerificationReport, trust: readonly string[]): Promise<UnsignedArtifact> {
    const { subject, receipts, against, checkpoints } = this.#files;
    for (const { path, sha256 } of [subject, ...receipts, ...against, ...checkpoints]) {
      const now = await digestFile(path, this.#terminal);
      if (now.sha256 !== sha256) throw new UsageError(`${path}: was changed while it was read`);
    }
    return makeArtifact(report, trust, this.#files);
  }
}

/** `verify --report FILE [--sign KEY]`. */
export class ReportFile {
  readonly #path: string;
  readonly #seed: Uint8Array | null;
  readonly #files: FilesAtHand;

  private constructor(path: string, seed: Uint8Array | null, files: FilesAtHand) {
    this.#path = path;
    this.#seed = seed;
    this.#files = files;
  }

  /**
   * Looks at everything that can be wrong before the verification begins.
   * @returns null where no report is to be kept
   * @throws UsageError, AgentError where the key is not valid
   */
  static async prepare(args: ParsedArgs, terminal: Terminal): Promise<ReportFile | null> {
    const [path, key] = [args.text('report'), args.text('sign')];
    if (path === undefined) {
      if (key !== undefined) throw new UsageError('--sign goes with --report');
      return null;
    }
    const [bundle, ...others] = args.positionals;
    if (bundle === undefined || others.length > 0) throw new UsageError('--report is of one bundle: name one');
    const seed = key === undefined ? null : readSeed((await readSmallFile(key, MAX_KEY_BYTES)).toString('utf8'));
    return new ReportFile(path, seed, await FilesAtHand.of(bundle, args, terminal));
  }

  /** @throws UsageError where the file cannot be written, or what it reports on was changed meanwhile */
  async write(report: VerificationReport, trust: readonly string[]): Promise<void> {
    const artifact = await this.#files.artifactOf(report, trust);
    const bytes = artifactBytes(this.#seed === null ? artifact : signArtifact(artifact, this.#seed));
    try {
      await writeFile(this.#path, bytes);
    } catch (error) {
      const reason = systemReason(error);
      throw reason === null ? error : new FileProblem(`${this.#path}: cannot be written: ${reason}`);
    }
  }
}
