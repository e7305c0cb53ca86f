import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { coherenceOf } from '../actions/profile/index.ts';
import { nodeCrypto, resourcePath } from '../node/index.ts';
import { demandedWitnesses } from '../node/reader/index.ts';
import type { KnownLine } from '../node/time-stamps/index.ts';
import {
  type BundleSource,
  type ExaminerKey,
  type FindingCode,
  type HostCrypto,
  isRecordProof,
  judgeRetentionCertificate,
  parseJsonBytes,
  parseWitnessPolicy,
  utf8,
  type Verdict,
  type VerificationReport,
  type VerifyOptions,
  verifyBundle,
  verifyRecordProof,
} from '../protocol/index.ts';
import { CaseFileRefused } from '../reports/case-file/light.ts';
import { checkCaseFile } from '../service/light.ts';
import { isCaseFile, openBundleFile, type ReadingProgress, UnreadableFile } from './bundle-file.ts';
import { judgeCase } from './case-judgement.ts';
import { judgeReportFile } from './chosen-report.ts';
import type { Given } from './qualify/mutation.ts';
import type { Judgement, Question } from './qualify/qualification.ts';
import { readRetentionCertificate } from './retention-certificate.ts';

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

/** The files that a reader has besides, by their paths. */
interface GivenFiles {
  readonly against: readonly string[];
  readonly receipts: readonly string[];
  readonly checkpoints: readonly string[];
  readonly examiners: readonly ExaminerKey[];
  readonly witnesses: string | null;
  readonly lines: readonly KnownLine[];
  readonly stamps: Given['stamps'] | null;
}

const NOTHING_GIVEN: GivenFiles = {
  against: [],
  receipts: [],
  checkpoints: [],
  examiners: [],
  witnesses: null,
  lines: [],
  stamps: null,
};

interface JudgeOptions {
  readonly onRead?: ReadingProgress;
  readonly given?: GivenFiles;
  /** Whether to say if the records fit together. */
  readonly coherence?: boolean;
}

const named = (paths: readonly string[]) =>
  Promise.all(paths.map(async (name) => ({ name, source: (await openBundleFile(name)).source })));

/** Verifies a file as `countersign verify` does. */
export async function judgeFile(
  path: string,
  trustedKids: readonly string[],
  { onRead, given = NOTHING_GIVEN, coherence = false }: JudgeOptions = {},
): Promise<Judgement> {
  try {
    const options = { crypto: nodeCrypto, trustedKids };
    const otherKind =
      (await judgeReport(path, options)) ??
      (await judgeCertificate(path, options, given)) ??
      (await judgeCaseFile(path, options, given));
    if (otherKind !== null) return otherKind;
    const { source } = await openBundleFile(path, onRead);
    const others = {
      against: await named(given.against),
      receipts: await named(given.receipts),
      checkpoints: given.checkpoints.map((name) => ({ name, source: () => createReadStream(name) })),
    };
    const report = (await isRecordProof(source))
      ? await verifyRecordProof(source, options)
      : await verifyGiven(source, { ...options, ...others, ...(await demanded(given)) }, given);
    const { stamps = [], not_before: noted = [] } = report.times ?? {};
    const codes = [
      ...report.findings.map(({ code }) => code),
      ...stamps.flatMap(({ late }) => (late === null ? [] : 'TIME_AFTER_STAMP')),
      ...noted.flatMap(({ early }) => (early === null ? [] : 'TIME_BEFORE_STAMP')),
    ];
    const judgement = {
      verdict: report.recognised ? report.verdict : 'unreadable',
      finding: leadingFinding(report),
    } as const;
    return coherence && report.recognised
      ? { ...judgement, ...(await judgeCoherence(source, report, codes)) }
      : { ...judgement, codes };
  } catch (error) {
    if (error instanceof UnreadableFile) return { verdict: 'unreadable', finding: null, codes: [] };
    throw error;
  }
}

async function demanded({ witnesses }: GivenFiles): Promise<Pick<VerifyOptions, 'witnesses'>> {
  if (witnesses === null) return {};
  return { witnesses: demandedWitnesses(parseWitnessPolicy(parseJsonBytes(await readFile(witnesses)))) };
}

async function verifyGiven(
  source: BundleSource,
  options: VerifyOptions,
  { lines, stamps }: GivenFiles,
): Promise<VerificationReport> {
  if (lines.length === 0 && stamps == null) return verifyBundle(source, options);
  const { HeldTimes, readRoots } = await import('../node/time-stamps/index.ts');
  const files = stamps == null ? [] : [{ name: 'stamps', bytes: utf8(stamps.file) }];
  const held = new HeldTimes(files, stamps == null ? [] : readRoots(stamps.root, null), lines);
  const checkpoints = [...(options.checkpoints ?? []), ...held.checkpoints];
  return held.verify(verifyBundle, source, { ...options, checkpoints });
}

/** Null where the file is something else. */
type OfOtherKind = Promise<Judgement | null>;

async function judgeReport(path: string, options: { crypto: HostCrypto; trustedKids: readonly string[] }): OfOtherKind {
  const judged = await judgeReportFile(path, { ...options, agentKeys: [], examiners: [], onCompared: () => {} });
  if (judged === null) return null;
  const { verdict, problems, proof } = judged.chosen;
  const codes = [...problems, ...proof.findings].map(({ code }) => code);
  return { verdict, finding: codes[0] ?? null, codes };
}

async function judgeCertificate(
  path: string,
  options: { crypto: HostCrypto; trustedKids: readonly string[] },
  given: GivenFiles,
): OfOtherKind {
  const certificate = await readRetentionCertificate(path);
  if (certificate === null) return null;
  const against = await named(given.against);
  const { verdict, statements } = await judgeRetentionCertificate(certificate, { ...options, against });
  const codes = statements.flatMap(({ code }) => code ?? []);
  return { verdict, finding: codes[0] ?? null, codes };
}

async function judgeCaseFile(
  path: string,
  options: { crypto: HostCrypto; trustedKids: readonly string[] },
  { examiners }: GivenFiles,
): OfOtherKind {
  if (!(await isCaseFile(path))) return null;
  try {
    const means = { ...options, examiners, signal: new AbortController().signal };
    const { checked, persons, verdict } = judgeCase(await checkCaseFile(path, means), examiners);
    const items = checked.items.flatMap(({ code }) => code ?? []);
    const codes = [...checked.findings.map(({ code }) => code), ...persons.map(({ code }) => code), ...items];
    return { verdict, finding: codes[0] ?? null, codes };
  } catch (error) {
    if (!(error instanceof CaseFileRefused)) throw error;
    return { verdict: 'unreadable', finding: error.code, codes: error.findings.map(({ code }) => code) };
  }
}

/** What is found of the records' contents, besides what was found of the evidence. */
async function judgeCoherence(
  source: BundleSource,
  report: VerificationReport,
  codes: readonly string[],
): Promise<Pick<Judgement, 'codes' | 'coherent'> & Partial<Pick<Judgement, 'finding'>>> {
  const { status, findings } = await coherenceOf(source, report, { sha256: nodeCrypto.sha256 });
  const contradictions = findings.filter(({ severity }) => severity === 'contradiction').map(({ code }) => code);
  const [finding] = contradictions;
  const found = { codes: [...codes, ...contradictions], ...(finding === undefined ? {} : { finding }) };
  return status === 'not_applicable' ? found : { ...found, coherent: status !== 'incoherent' };
}

/**
 * Asks the verifier in one file, in its own process.
 * @throws Error where it ends with anything but a verdict
 */
function askSingleFile(
  path: string,
  trustedKids: readonly string[],
  { against, receipts, checkpoints, witnesses }: GivenFiles,
): Promise<Verdict | 'unreadable'> {
  const others = [
    ...against.flatMap((file) => ['--against', file]),
    ...receipts.flatMap((file) => ['--receipts', file]),
    ...checkpoints.flatMap((file) => ['--checkpoint', file]),
    ...(witnesses === null ? [] : ['--witnesses', witnesses]),
  ];
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
): (copy: string | Uint8Array, question: Question) => Promise<Judgement> {
  const write = async (name: string, content: string | Uint8Array): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  };
  return async (copy, question) => {
    const { against = [], receipts, checkpoints = [], trusted = [], examiners = [] } = question;
    const { witnesses, lines = [], stamps = null, coherence } = question;
    const kids = [...trustedKids, ...trusted];
    const path = await write('copy.json', copy);
    const given = {
      against: await Promise.all(against.map((other, n) => write(`against-${n}.json`, other))),
      receipts: receipts === undefined ? [] : [await write('receipts.jsonl', receipts)],
      checkpoints: await Promise.all(checkpoints.map((kept, n) => write(`checkpoint-${n}.txt`, kept))),
      examiners,
      witnesses: witnesses === undefined ? null : await write('witnesses.json', witnesses),
      lines,
      stamps,
    };
    const judgement = await judgeFile(path, kids, { given, coherence });
    // No other program reads cases, or knows lines and time stamps.
    return singleFile && examiners.length === 0 && lines.length === 0 && stamps === null
      ? { ...judgement, singleFile: await askSingleFile(path, kids, given) }
      : judgement;
  };
}
