/*
 * One of the two verifiers in JavaScript, in a process that stays: jobs come in as lines of JSON, answers go out as such.
 *
 *     node test/support/fuzz/driver.ts protocol|single-file
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import {
  isRecordProof,
  type VerificationReport,
  verifyBundle,
  verifyRecordProof,
} from '../../../src/protocol/index.ts';
import { nodeCrypto } from '../../../src/runtime/index.ts';
import { chunkedSource, rootCauses } from '../verifying.ts';
import { type Answer, type Job, type Judged, lineOf, shownText } from './job.ts';

interface SingleFile {
  verifyBundleFile(
    path: string,
    options: Pick<Job, 'trust' | 'trustAgent' | 'madeNotBefore' | 'receipts' | 'against' | 'checkpoint'>,
  ): {
    readonly verdict: string;
    readonly finding_counts: object;
    readonly findings: readonly { readonly code: string; readonly severity: string; readonly message: string }[];
    readonly checks: { readonly payloads: string };
    readonly reasons: { readonly payloads?: string };
    readonly counts: { readonly payloads: object };
    readonly withheld: object;
  };
}

/** Reads files in pieces of another size for each job, so that what they hold is cut anywhere. */
function source(path: string, id: number): ReturnType<typeof chunkedSource> {
  return chunkedSource(readFileSync(path), [id % 3 === 0 ? 1000 + (id % 997) : 65_536]);
}

async function judgeByProtocol(job: Job): Promise<Judged> {
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

function judgeBySingleFile({ verifyBundleFile }: SingleFile, job: Job): Judged {
  try {
    const { verdict, finding_counts, findings, checks, reasons, counts, withheld } = verifyBundleFile(job.file, job);
    return {
      verdict: verdict as Judged['verdict'],
      roots: [...new Set(findings.filter(({ severity }) => severity === 'error').map(({ code }) => code))],
      first: findings[0]?.code ?? null,
      codes: Object.keys(finding_counts),
      shown: checks.payloads === 'not_checked' ? null : shownText(withheld, counts.payloads, reasons.payloads ?? null),
      details: findings.map(({ code, severity, message }) => `${severity} ${code}: ${message}`),
    };
  } catch (error) {
    // What it throws at a file that is no bundle; anything else is a defect.
    if (!(error instanceof Error) || error.constructor.name !== 'Unusable') throw error;
    return { verdict: 'unreadable', roots: [], first: null, codes: [], shown: null, details: [error.message] };
  }
}

async function judge(): Promise<(job: Job) => Promise<Judged> | Judged> {
  if (process.argv[2] === 'protocol') return judgeByProtocol;
  const script = new URL('../../../resources/verifier/verify-bundle.mjs', import.meta.url).href;
  const singleFile = (await import(script)) as SingleFile;
  return (job) => judgeBySingleFile(singleFile, job);
}

const judgeOne = await judge();
for await (const line of createInterface({ input: process.stdin })) {
  const job = JSON.parse(line) as Job;
  const before = process.cpuUsage();
  let judged: Judged;
  try {
    judged = await judgeOne(job);
  } catch (error) {
    judged = {
      verdict: 'crashed',
      roots: [],
      first: null,
      codes: [],
      shown: null,
      details: [error instanceof Error ? (error.stack ?? '') : String(error)],
    };
  }
  const { user, system } = process.cpuUsage(before);
  const answer: Answer = {
    ...judged,
    id: job.id,
    cpuMs: (user + system) / 1000,
    peakBytes: process.resourceUsage().maxRSS * 1024,
  };
  process.stdout.write(lineOf(answer));
}
