import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { CUSTODY_DAMAGE_CODES, type CustodyDamage } from '../../api/index.ts';
import { nodeCrypto, putInPlace } from '../../node/index.ts';
import { readerOptions, verifyTimed } from '../../node/reader/index.ts';
import { formatDigest, verifyBundle } from '../../protocol/index.ts';
import type { CaseFileFinding } from '../../reports/case-file/index.ts';
import { ServiceError } from '../store/base/service-error.ts';
import { caseSource } from './case-source.ts';
import { isUnsigned } from './collection/unsigned.ts';
import { MAX_DAMAGE } from './custody/check-custody.ts';
import { compareReports } from './items/compare-reports.ts';
import { heldToWitnesses } from './items/given-checkpoints.ts';
import { furtherItemsOf } from './items/item-files.ts';
import { judgeItem } from './items/judge-item.ts';
import type {
  CompareReportsTask,
  ItemToJudge,
  JobMeans,
  JobResult,
  JudgedItem,
  JudgeTask,
  OpenTask,
  ReproduceTask,
  SealTask,
} from './job-messages.ts';
import { checkLog, type OpenMeans } from './sealed/check-log.ts';
import { openCaseFile } from './sealed/open-case-file.ts';
import { type DraftedCase, draftCaseFile, writeCaseFile } from './sealed/write-case-file.ts';

function digestOf(text: string): string {
  return formatDigest(nodeCrypto.sha256(new TextEncoder().encode(text)));
}

/** Whether two lists say the same. */
function sameTrust(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify([...new Set(one)].sort()) === JSON.stringify([...new Set(other)].sort());
}

type Judging = Parameters<typeof judgeItem>[1];

/** The same means with what another list of trust says. */
function trusting({ witnesses: _, timeRoots: __, ...means }: Judging, trust: readonly string[]): Judging {
  return { ...means, ...readerOptions(trust) };
}

/** Verifies an item with present trust; where a case file states a verdict, also with the trust that it states. */
async function judgeOne(
  { item_no, file, outPath, stated }: ItemToJudge,
  trust: readonly string[],
  means: Judging,
): Promise<JudgedItem> {
  const { text, ...judgement } = await judgeItem(file, means);
  const sha256 = digestOf(text);
  // A crash before the rename leaves a .part file that the next verification overwrites.
  await writeFile(`${outPath}.part`, text, { mode: 0o600, flush: true });
  await putInPlace(`${outPath}.part`, outPath);
  let reproduced: boolean | null = null;
  if (stated !== null && stated.judgement_sha256 !== null) {
    const again = sameTrust(stated.verified_with, trust)
      ? sha256
      : digestOf((await judgeItem(file, trusting(means, stated.verified_with))).text);
    reproduced = again === stated.judgement_sha256;
  }
  return { item_no, judgement, sha256, reproduced };
}

/** What is said of an item where nobody foresaw what happened: kept, so that it is not tried for ever. */
function unforeseen({ item_no, file: { name } }: ItemToJudge, error: unknown): JudgedItem {
  const summary = `${name}: could not be verified: unexpected error; the log of the service has it`;
  const judgement = {
    kind: 'attachment',
    verdict: 'incomplete',
    code: 'UNEXPECTED',
    summary,
    signed_by: null,
  } as const;
  return { item_no, judgement, sha256: null, reproduced: null, unexpected: String(error) };
}

async function judge(
  { items, first, others, maxBytes, trust }: JudgeTask,
  { crypto, signal }: JobMeans,
): Promise<JobResult> {
  const means = { crypto, signal, first, others, maxBytes, ...readerOptions(trust) };
  const done: JudgedItem[] = [];
  for (const item of items) {
    signal.throwIfAborted();
    try {
      done.push(await judgeOne(item, trust, means));
    } catch (error) {
      signal.throwIfAborted();
      done.push(unforeseen(item, error));
    }
  }
  return { kind: 'judged', items: done };
}

async function reproduce(
  { file, receipts, trust, item, hasItems }: ReproduceTask,
  { crypto, signal }: JobMeans,
): Promise<JobResult> {
  if (isUnsigned(file.kind)) {
    const means = { crypto, signal, trustedKids: [], maxBytes: file.bytes, first: file, others: [] };
    return { kind: 'reproduced', sha256: digestOf((await judgeItem(item, means)).text) };
  }
  const reader = readerOptions(trust);
  const report = await verifyTimed(reader.timeRoots, verifyBundle, caseSource(file.path, file.kind, file), {
    crypto,
    signal,
    trustedKids: reader.trustedKids,
    ...(await heldToWitnesses(file, hasItems ? () => furtherItemsOf(file) : () => [], reader)),
    receipts: receipts.map(({ name, path }) => ({ name, source: () => createReadStream(path) })),
  });
  return { kind: 'reproduced', sha256: digestOf(JSON.stringify(report)) };
}

async function seal({ contents, scratch, write }: SealTask, means: JobMeans): Promise<JobResult> {
  const drafted = await draftCaseFile(contents, scratch);
  const damage = await damageIn(drafted, means);
  const { manifestSha256 } = drafted;
  const manifest = new TextDecoder().decode(drafted.manifestBytes);
  if (write === null) return { kind: 'sealed', manifest, manifestSha256, damage, file: null };
  if (write.manifestSha256 !== null && write.manifestSha256 !== manifestSha256) {
    throw new ServiceError('CONFLICT', 'the case was changed since its manifest was signed: save it again');
  }
  return {
    kind: 'sealed',
    manifest,
    manifestSha256,
    damage,
    file: await writeCaseFile(drafted, write.seal, write.outPath, means.signal),
  };
}

/** What is done with items of cases, and with the files that cases are moved as. */
export async function runItemTask(
  task: JudgeTask | ReproduceTask | CompareReportsTask | SealTask | OpenTask,
  means: JobMeans,
): Promise<JobResult> {
  if (task.kind === 'judge') return judge(task, means);
  if (task.kind === 'reproduce') return reproduce(task, means);
  if (task.kind === 'seal') return seal(task, means);
  if (task.kind === 'open') return { kind: 'opened', opened: await openCaseFile(task.path, task.folder, task, means) };
  const { one, other, trust } = task;
  const reader = { crypto: means.crypto, ...readerOptions(trust) };
  return { kind: 'reports-compared', result: await compareReports(one, other, reader) };
}

function damageOf({ code, entry_no, item_no, message }: CaseFileFinding): CustodyDamage {
  const known = CUSTODY_DAMAGE_CODES.find((one) => one === code);
  if (known === undefined || entry_no === undefined) throw new Error(`a case file was drafted wrongly: ${message}`);
  return { entry_no, code: known, ...(item_no === undefined ? {} : { item_no }) };
}

/**
 * What whoever opens a drafted case file will find about its log, items and notes. The parts are checked as they were written, not
 * what is remembered of the open case: bytes that somebody changed past SQLite are found here.
 * @throws CaseFileRefused where the file would have a line that no reader takes
 */
async function damageIn({ manifest, paths }: DraftedCase, means: OpenMeans): Promise<CustodyDamage[]> {
  const pathOf = (name: string): string => {
    const path = paths.get(name);
    if (path === undefined) throw new Error(`${name} is nowhere`);
    return path;
  };
  const { findings } = await checkLog(manifest, pathOf, means);
  return findings.slice(0, MAX_DAMAGE).map(damageOf);
}
