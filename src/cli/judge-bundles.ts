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

/** Findings that two statements of the service cannot both be true. */
const ACCUSING: ReadonlySet<FindingCode> = new Set(['EQUIVOCATION', 'CONTRADICTION']);

/** Verifies a file as `countersign verify` does. @param against another bundle that the reader has */
export async function judgeFile(
  path: string,
  trustedKids: readonly string[],
  { onRead, against }: { readonly onRead?: ReadingProgress; readonly against?: string | null } = {},
): Promise<Judgement> {
  try {
    const { source } = await openBundleFile(path, onRead);
    const options = { crypto: nodeCrypto, trustedKids };
    const others = against == null ? [] : [{ name: against, source: (await openBundleFile(against)).source }];
    const report = (await isRecordProof(source))
      ? await verifyRecordProof(source, options)
      : await verifyBundle(source, { ...options, against: others });
    const accuses = report.findings.some(({ code }) => ACCUSING.has(code));
    return { verdict: report.recognised ? report.verdict : 'unreadable', finding: leadingFinding(report), accuses };
  } catch (error) {
    if (error instanceof UnreadableFile) return { verdict: 'unreadable', finding: null, accuses: false };
    throw error;
  }
}

/**
 * Asks the verifier in one file, in its own process.
 * @throws Error where it ends with anything but a verdict
 */
function askSingleFile(
  path: string,
  trustedKids: readonly string[],
  against: string | null,
): Promise<Verdict | 'unreadable'> {
  const others = against === null ? [] : ['--against', against];
  const args = [SINGLE_FILE_VERIFIER, path, ...trustedKids.flatMap((kid) => ['--trust', kid]), ...others];
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
): (copy: string | Uint8Array, against: string | null) => Promise<Judgement> {
  const path = join(folder, 'copy.json');
  return async (copy, other) => {
    await writeFile(path, copy);
    const against = other === null ? null : join(folder, 'against.json');
    if (against !== null && other !== null) await writeFile(against, other);
    const judgement = await judgeFile(path, trustedKids, { against });
    return singleFile ? { ...judgement, singleFile: await askSingleFile(path, trustedKids, against) } : judgement;
  };
}
