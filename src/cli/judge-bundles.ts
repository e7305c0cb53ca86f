import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type FindingCode,
  isRecordProof,
  type Verdict,
  type VerificationReport,
  verifyBundle,
  verifyRecordProof,
} from '../protocol/index.ts';
import type { Judgement } from '../qualify/index.ts';
import { nodeCrypto, resourcePath } from '../runtime/index.ts';
import { openBundleFile, type ReadingProgress, UnreadableFile } from './bundle-file.ts';

const SINGLE_FILE_VERIFIER = resourcePath('verifier', 'verify-bundle.mjs');

const VERDICTS: Readonly<Record<number, Verdict | 'unreadable'>> = {
  0: 'verified',
  1: 'failed',
  2: 'unreadable',
  3: 'incomplete',
};

/** The first error that no other finding explains, or the first finding of all. */
export function leadingFinding({ findings }: VerificationReport): FindingCode | null {
  const cause = findings.find(({ severity, caused_by }) => severity === 'error' && caused_by === undefined);
  return (cause ?? findings[0])?.code ?? null;
}

/** Verifies a file as `countersign verify` does. */
export async function judgeFile(
  path: string,
  trustedKids: readonly string[],
  onRead?: ReadingProgress,
): Promise<Judgement> {
  try {
    const { source } = await openBundleFile(path, onRead);
    const verify = (await isRecordProof(source)) ? verifyRecordProof : verifyBundle;
    const report = await verify(source, { crypto: nodeCrypto, trustedKids });
    return { verdict: report.recognised ? report.verdict : 'unreadable', finding: leadingFinding(report) };
  } catch (error) {
    if (error instanceof UnreadableFile) return { verdict: 'unreadable', finding: null };
    throw error;
  }
}

/**
 * Asks the verifier in one file, in its own process.
 * @throws Error where it ends with anything but a verdict
 */
function askSingleFile(path: string, trustedKids: readonly string[]): Promise<Verdict | 'unreadable'> {
  const args = [SINGLE_FILE_VERIFIER, path, ...trustedKids.flatMap((kid) => ['--trust', kid])];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, (error, _, stderr) => {
      const verdict = VERDICTS[error === null ? 0 : Number(error.code)];
      if (verdict === undefined || stderr.includes('a defect of this program')) {
        reject(new Error(`the verifier in one file gave no verdict: ${stderr || String(error)}`));
      } else resolve(verdict);
    });
  });
}

/**
 * A judge that writes each copy into a folder and verifies it there; one copy at a time.
 * @param singleFile whether to ask the verifier in one file as well
 */
export function judgeIn(
  folder: string,
  trustedKids: readonly string[],
  singleFile: boolean,
): (copy: string | Uint8Array) => Promise<Judgement> {
  const path = join(folder, 'copy.json');
  return async (copy) => {
    await writeFile(path, copy);
    const judgement = await judgeFile(path, trustedKids);
    return singleFile ? { ...judgement, singleFile: await askSingleFile(path, trustedKids) } : judgement;
  };
}
