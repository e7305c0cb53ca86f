/*
 * A reader written in JavaScript, in a process that stays: jobs come in as lines of JSON, answers go out as such.
 *
 *     node test/support/fuzz/driver.ts protocol|single-file|page|service
 */
import { createInterface } from 'node:readline';
import {
  type Answer,
  type CertificateJudgement,
  type Job,
  type Judged,
  judgedCertificate,
  lineOf,
  type Printed,
  type Run,
  shownText,
  withoutReport,
} from './job.ts';

type SingleFileOptions = Partial<
  Pick<Job, 'trust' | 'trustAgent' | 'madeNotBefore' | 'receipts' | 'against' | 'checkpoint'>
>;

interface SingleFile {
  main(given: readonly string[]): number;
  verifyFile(path: string, options: SingleFileOptions): CertificateJudgement;
  verifyBundleFile(
    path: string,
    options: SingleFileOptions,
  ): {
    readonly verdict: Judged['verdict'];
    /** Of what is inside, where the file has pages. */
    readonly data?: Judged['verdict'];
    readonly report?: { readonly problems: readonly (readonly [code: string, message: string])[] };
    readonly finding_counts: object;
    readonly findings: readonly { readonly code: string; readonly severity: string; readonly message: string }[];
    readonly checks: { readonly payloads: string };
    readonly reasons: { readonly payloads?: string };
    readonly counts: { readonly payloads: object };
    readonly withheld: object;
  };
}

function judgeBySingleFile({ verifyFile, verifyBundleFile }: SingleFile, job: Job): Judged {
  try {
    if (job.kind === 'certificate') {
      const { trust, against } = job;
      return judgedCertificate(verifyFile(job.file, { trust, against }));
    }
    const found = verifyBundleFile(job.file, job);
    const { verdict, data, report, finding_counts, findings, checks, reasons, counts, withheld } = found;
    const problems = (report?.problems ?? []).map(([code]) => code);
    return {
      verdict: data ?? verdict,
      roots: [...new Set(findings.filter(({ severity }) => severity === 'error').map(({ code }) => code))],
      first: problems[0] ?? findings[0]?.code ?? null,
      codes: Object.keys(finding_counts),
      shown: checks.payloads === 'not_checked' ? null : shownText(withheld, counts.payloads, reasons.payloads ?? null),
      details: [...problems, ...findings.map(({ code, severity, message }) => `${severity} ${code}: ${message}`)],
    };
  } catch (error) {
    // What it throws at a file that is no bundle; anything else is a defect.
    if (!(error instanceof Error) || error.constructor.name !== 'Unusable') throw error;
    return withoutReport('unreadable', error.message);
  }
}

type Judge = (job: Job) => Promise<Judged> | Judged;

const importSingleFile = (): Promise<SingleFile> =>
  import(new URL('../../../resources/verifier/verify-bundle.mjs', import.meta.url).href);

async function judge(name: string | undefined): Promise<Judge> {
  if (name === 'single-file') {
    const singleFile = await importSingleFile();
    return (job) => judgeBySingleFile(singleFile, job);
  }
  const { judgeByPage, judgeByProtocol, judgeByService } = await import('./judge-here.ts');
  return name === 'page' ? judgeByPage : name === 'service' ? judgeByService : judgeByProtocol;
}

/** What the program in one file prints, given arguments: its streams are ours, and what goes to them is kept meanwhile. */
async function run({ id, arguments: given }: Run): Promise<Printed> {
  const { main } = await importSingleFile();
  const printed = { stdout: '', stderr: '' };
  const own = { stdout: process.stdout.write, stderr: process.stderr.write };
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (text: string | Uint8Array) => {
      printed[name] += String(text);
      return true;
    };
  }
  try {
    return { id, status: main(given), ...printed };
  } finally {
    process.stdout.write = own.stdout;
    process.stderr.write = own.stderr;
  }
}

const judgeOne = await judge(process.argv[2]);
// One question to the system a job: on some machines that takes as long as a signature.
const usedSoFar = (): Pick<Answer, 'peakBytes'> & { readonly cpuMs: number } => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakBytes: maxRSS * 1024 };
};
let before = usedSoFar().cpuMs;
for await (const line of createInterface({ input: process.stdin })) {
  const job = JSON.parse(line) as Job | Run;
  if ('arguments' in job) {
    process.stdout.write(lineOf(await run(job)));
    continue;
  }
  let judged: Judged;
  try {
    judged = await judgeOne(job);
  } catch (error) {
    judged = withoutReport('crashed', error instanceof Error ? (error.stack ?? '') : String(error));
  }
  const { cpuMs, peakBytes } = usedSoFar();
  const answer: Answer = { ...judged, id: job.id, cpuMs: cpuMs - before, peakBytes };
  before = cpuMs;
  process.stdout.write(lineOf(answer));
}
