/** The verifiers of src/ before a mutant: as the command, the page and the service use them. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBundleFile, UnreadableFile } from '../../../src/cli/bundle-file.ts';
import { readRetentionCertificate } from '../../../src/cli/retention-certificate.ts';
import { nodeCrypto } from '../../../src/node/index.ts';
import {
  type BundleSource,
  type HostCrypto,
  isRecordProof,
  judgeChosenReport,
  judgeRetentionCertificate,
  ProtocolError,
  parseChosenReport,
  type VerificationReport,
  verifyBundle,
  verifyRecordProof,
} from '../../../src/protocol/index.ts';
import { CaseFileRefused } from '../../../src/reports/case-file/index.ts';
import { mayBeChosenReport, readChosenFile } from '../../../src/reports/pdf/index.ts';
import { ExtractError } from '../../../src/reports/reading/index.ts';
import { DamagedArchive, openBundle, openChosenReport, webCrypto } from '../../../src/reports/verify/index.ts';
import { checkCaseFile } from '../../../src/service/cases/sealed/check-case-file.ts';
import { FATAL, openCaseFile } from '../../../src/service/cases/sealed/open-case-file.ts';
import { chunkedSource, rootCauses } from '../verifying.ts';
import { type Job, type Judged, judgedCertificate, shownText, withoutReport } from './job.ts';

/** Reads files in pieces of another size for each job, so that what they hold is cut anywhere. */
function source(path: string, id: number): BundleSource {
  return chunkedSource(readFileSync(path), [id % 3 === 0 ? 1000 + (id % 997) : 65_536]);
}

function judged(report: VerificationReport): Judged {
  const { checks, withheld } = report;
  return {
    verdict: report.recognised ? report.verdict : 'unreadable',
    roots: [...new Set(rootCauses(report))],
    first: report.recognised ? (report.findings[0]?.code ?? null) : null,
    codes: Object.keys(report.finding_counts),
    shown:
      checks.payloads.status === 'not_checked'
        ? null
        : shownText(withheld, checks.payloads.counts, checks.payloads.reason),
    details: report.findings.map(
      ({ id, code, severity, caused_by: by, message, where }) =>
        `${id} ${severity} ${code}${by === undefined ? '' : ` (by ${by})`}: ${message} ${JSON.stringify(where)}`,
    ),
  };
}

/** What is inside another file: the data of a report of chosen records, or a bundle or proof. */
interface Opened {
  readonly data: Uint8Array | null;
  readonly source: BundleSource;
}

const HEAD = 64;

async function openedByCommand(path: string): Promise<Opened> {
  const head = readFileSync(path).subarray(0, HEAD);
  const chosen = mayBeChosenReport(head) ? await readChosenFile(path, head) : null;
  if (chosen !== null) return { data: chosen.data, source: () => [] };
  return { data: null, source: (await openBundleFile(path)).source };
}

async function openedByPage(path: string): Promise<Opened> {
  const file = new Blob([readFileSync(path)]);
  const data = await openChosenReport(file);
  return data === null ? { data, source: (await openBundle(file)).source } : { data, source: () => [] };
}

/** Judges what is inside a file. The pages around it are not compared: that is no verifier's but the command's. */
async function judgeInside(open: () => Promise<Opened>, job: Job, crypto: HostCrypto): Promise<Judged> {
  const reader = { crypto, trustedKids: job.trust, agentKeys: job.trustAgent };
  try {
    const { data, source: inside } = await open();
    if (data === null) {
      return judged(
        await ((await isRecordProof(inside)) ? verifyRecordProof(inside, reader) : verifyBundle(inside, reader)),
      );
    }
    const { verdict, problems, proof } = await judgeChosenReport(parseChosenReport(data), reader);
    const codes = problems.map(({ code }) => code);
    const first = codes[0] ?? proof.findings[0]?.code ?? null;
    return { ...judged(proof), verdict, first, details: [...codes, ...judged(proof).details] };
  } catch (error) {
    const refusals = [ExtractError, UnreadableFile, DamagedArchive, ProtocolError];
    if (!refusals.some((refusal) => error instanceof refusal)) throw error;
    return withoutReport('unreadable', String(error));
  }
}

/** As `countersign verify` and `countersign case` judge. */
export function judgeByProtocol(job: Job): Promise<Judged> {
  if (job.kind === 'case') return checkedByCommand(job);
  if (job.kind === 'certificate') return certificateByCommand(job);
  if (job.kind === 'contained') return judgeInside(() => openedByCommand(job.file), job, nodeCrypto);
  return judgePlain(job);
}

/** As the page judges what it is given, with the crypto of the web. */
export async function judgeByPage(job: Job): Promise<Judged> {
  return judgeInside(() => openedByPage(job.file), job, await webCrypto());
}

async function judgePlain(job: Job): Promise<Judged> {
  const named = (name: string) => ({ name, source: source(name, job.id) });
  const file = source(job.file, job.id);
  const reader = { crypto: nodeCrypto, trustedKids: job.trust, agentKeys: job.trustAgent };
  if (await isRecordProof(file)) return judged(await verifyRecordProof(file, reader));
  const report = await verifyBundle(file, {
    ...reader,
    ...(job.madeNotBefore === null ? {} : { madeNotBefore: job.madeNotBefore }),
    receipts: job.receipts.map(named),
    against: job.against.map(named),
    checkpoints: job.checkpoint.map(named),
  });
  return judged(report);
}

async function certificateByCommand({ file, trust, against }: Job): Promise<Judged> {
  try {
    const certificate = await readRetentionCertificate(file);
    if (certificate === null) return withoutReport('unreadable', 'no certificate');
    const bundles = against.map((name) => ({ name, source: source(name, 1) }));
    const judgement = await judgeRetentionCertificate(certificate, {
      crypto: nodeCrypto,
      trustedKids: trust,
      against: bundles,
    });
    return judgedCertificate(judgement);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return withoutReport('unreadable', error.message);
  }
}

/** A case: what keeps it from being opened is its first finding, and how many others there are is shown. Its items are judged apart. */
function judgedCase(damage: number, isSealed: boolean, details: readonly string[]): Judged {
  const verdict = damage > 0 ? 'failed' : isSealed ? 'verified' : 'incomplete';
  return { verdict, roots: [], first: null, codes: [], shown: String(damage), details };
}

async function orRefused(judge: () => Promise<Judged>): Promise<Judged> {
  try {
    return await judge();
  } catch (error) {
    if (!(error instanceof CaseFileRefused)) throw error;
    return withoutReport('unreadable', error.message, error.code);
  }
}

const means = { crypto: nodeCrypto, signal: new AbortController().signal };

function checkedByCommand({ file, trust }: Job): Promise<Judged> {
  return orRefused(async () => {
    const { findings, items, seal } = await checkCaseFile(file, { ...means, trustedKids: trust });
    const fatal = findings.find(({ code }) => FATAL.has(code));
    const details = [
      ...findings.map(({ code, message }) => `${code}: ${message}`),
      ...items.map((item) => item.summary),
    ];
    if (fatal !== undefined) return withoutReport('unreadable', fatal.message, fatal.code);
    return judgedCase(findings.length, seal !== null, details);
  });
}

/** As the service opens a case. */
export function judgeByService({ file }: Job): Promise<Judged> {
  return orRefused(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-fuzz-case-'));
    try {
      const opener = { by: null, at: 0, caseId: '00000000-0000-4000-8000-000000000000' };
      const fileSha256 = `sha256:${'0'.repeat(64)}`;
      const { damage, seal } = await openCaseFile(file, join(folder, 'case'), { examiner: opener, fileSha256 }, means);
      return judgedCase(damage, seal !== null, []);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}
