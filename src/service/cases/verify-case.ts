import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import packageJson from '../../../package.json' with { type: 'json' };
import { AGENT_ACTION_PROFILE, type CoherenceReport, coherenceOf, noCoherence } from '../../actions/profile/index.ts';
import type { FoundSummary } from '../../api/index.ts';
import { MarkedSource, putInPlace, syncFile } from '../../node/index.ts';
import { readerOptions, verifyTimed } from '../../node/reader/index.ts';
import {
  type CancelSignal,
  type PagesCheck,
  readContents,
  type VerificationReport,
  verifyBundle,
} from '../../protocol/index.ts';
import { indexImported } from './case-contents.ts';
import { NAMES } from './case-folder.ts';
import { finishIndex, newIndex } from './case-index-file.ts';
import { IndexWriter } from './case-index-writer.ts';
import { CaseRefused, caseSource } from './case-source.ts';
import { openFoundItem } from './collection/found-files.ts';
import { FoundIndex } from './collection/found-index.ts';
import { foundSummary } from './collection/found-summary.ts';
import { isUnsigned } from './collection/unsigned.ts';
import { bytesToSpare } from './disk-space.ts';
import { heldToWitnesses } from './items/given-checkpoints.ts';
import { furtherItemsOf } from './items/item-files.ts';
import { judgeItem } from './items/judge-item.ts';
import type { IndexTask, JobMeans, NumberedItem, VerifyOutcome, VerifyTask } from './job-messages.ts';
import type { StoredFile } from './stored-file.ts';
import { refuseUnreadable } from './unreadable-records.ts';

/**
 * A compressed bundle whose end is missing, refused with what of it arrived: it can neither be verified nor browsed, and
 * whoever brought it has to know what to ask for.
 */
async function refuseCutOff(file: StoredFile, signal: CancelSignal): Promise<CaseRefused> {
  let plain = 0;
  let hasManifest = false;
  let unreadable = 0;
  const seqNos: number[] = [];
  const source = caseSource(file.path, file.kind, { ...file, acceptsCutOff: true });
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source()) {
      signal.throwIfAborted();
      plain += chunk.length;
      yield chunk;
    }
  }
  for await (const contents of readContents(measured)) {
    for (const content of contents) {
      if (content.kind === 'record') seqNos.push(content.value.ear.seq_no);
      hasManifest ||= content.kind === 'manifest';
      if (content.kind === 'unreadable') refuseUnreadable(seqNos.length, ++unreadable);
    }
  }
  return new CaseRefused(
    'FILE_CUT_OFF',
    `the compressed file ends too early. ${number(file.bytes)} bytes of it arrived, which hold ${number(plain)} bytes of ` +
      `the bundle with ${recordsText(seqNos)}. ` +
      (hasManifest
        ? 'What is missing is the end of the compression, with its checksum. '
        : 'What is missing is all that comes after, with the signed manifest that says how many records there are. ') +
      'Such a part is neither verified nor browsed: have the file sent again, and compare its size or digest',
  );
}

function number(value: number): string {
  return value.toLocaleString('en');
}

function recordsText(seqNos: readonly number[]): string {
  const [first, last] = [seqNos.at(0), seqNos.at(-1)];
  if (first === undefined || last === undefined) return 'no whole record';
  if (seqNos.length === 1) return `one whole record (seq_no ${first})`;
  return `${number(seqNos.length)} whole records (seq_no ${first} to ${last})`;
}

/** How many records are taken between two looks at the free space of the disk. */
const SPACE_STEP = 5000;

/** Verifies the stored file of a case; report and coherence are on the disk, whole, when this has ended. */
export async function verifyCase(task: VerifyTask, means: JobMeans): Promise<VerifyOutcome> {
  if (isUnsigned(task.file.kind)) return verifyFound(task, means);
  const { file, receipts, trust, hasItems, reportPath, coherencePath } = task;
  const { crypto, signal, onProgress } = means;
  let bytes = 0;
  let hash = createHash('sha256');
  const plain = caseSource(file.path, file.kind, { ...file, onBytes: (read) => (bytes += read) });
  const marked = new MarkedSource(plain, AGENT_ACTION_PROFILE);
  async function* digested(): AsyncGenerator<Uint8Array> {
    // A bundle whose directory comes late is read twice.
    bytes = 0;
    hash = createHash('sha256');
    for await (const chunk of marked.source()) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const reader = readerOptions(trust);
  const report = await verifyTimed(reader.timeRoots, verifyBundle, digested, {
    crypto,
    signal,
    trustedKids: reader.trustedKids,
    ...(await heldToWitnesses(file, hasItems ? () => furtherItemsOf(file) : () => [], reader)),
    receipts: receipts.map(({ name, path }) => ({ name, source: () => createReadStream(path) })),
    onProgress: ({ records, unreadable }) => {
      refuseUnreadable(records, unreadable);
      onProgress({ phase: 'verifying', bytes, records });
    },
  }).catch(async (error: unknown): Promise<never> => {
    throw error instanceof CaseRefused && error.code === 'FILE_CUT_OFF' ? await refuseCutOff(file, signal) : error;
  });
  if (!report.recognised) throw new CaseRefused('NOT_A_BUNDLE', `the file is not a bundle. ${report.summary}`);
  // Where the document broke off, the verifier read no further: the digest is of what it read.
  const plainDigest = `sha256:${hash.digest('hex')}`;
  const coherence = await caseCoherence(file, report, marked.isMarked, means);
  const pages = file.kind === 'report-pdf' ? await pagesOf(file, means) : null;
  onProgress({ phase: 'finishing', bytes: file.bytes, records: report.bundle.records });
  await writeWhole(coherencePath, JSON.stringify(coherence));
  await writeWhole(reportPath, JSON.stringify(report));
  const { status, counts } = coherence;
  const withoutFindings = { ...report, findings: [], damage: { runs: [], joined: 0 } };
  return { report: withoutFindings, plainDigest, pages, coherence: { status, counts } };
}

/** The same of a file that nobody signed: its bytes are checked. */
async function verifyFound(
  { file, item, reportPath, coherencePath }: VerifyTask,
  means: JobMeans,
): Promise<VerifyOutcome> {
  const { signal, onProgress } = means;
  let bytes = 0;
  const { text } = await judgeItem(item, {
    ...means,
    first: file,
    others: [],
    maxBytes: file.bytes,
    trustedKids: [],
    onBytes: (read) => {
      bytes += read;
      onProgress({ phase: 'verifying', bytes, records: 0 });
    },
  });
  const { code, summary } = JSON.parse(text) as { readonly code: string; readonly summary: string };
  if (code !== 'NOT_SIGNED') throw new CaseRefused('FILE_DAMAGED', summary);
  signal.throwIfAborted();
  const coherence = noCoherence();
  await writeWhole(coherencePath, JSON.stringify(coherence));
  await writeWhole(reportPath, text);
  const { status, counts } = coherence;
  return { report: null, plainDigest: item.sha256, pages: null, coherence: { status, counts } };
}

/** Makes the index of a case with its contents, as they are searched, in a folder apart. */
export async function indexCase(
  { file, found, folder, caseFolder }: IndexTask,
  means: JobMeans,
): Promise<FoundSummary | null> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  const path = join(folder, NAMES.index);
  const summary = await makeIndex(file, found, path, means);
  await indexImported(path, caseFolder, () => {
    means.signal.throwIfAborted();
    return true;
  });
  return summary;
}

/** Makes the pages of a report again, which takes a second verification with the trust of whoever made it. */
async function pagesOf(file: StoredFile, { crypto, signal }: JobMeans): Promise<PagesCheck> {
  const { comparePages } = await import('../../reports/pdf/index.ts');
  return comparePages(file.path, { crypto, signal, version: packageJson.version });
}

/** A crash before the rename leaves a .part file that the next import overwrites. */
async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.part`;
  await writeFile(temporary, text, { mode: 0o600, flush: true });
  await putInPlace(temporary, path);
}

/**
 * Makes the index of a bundle, and of what was found: nothing stands under its name before all of it is on the disk.
 * @param found items of which nothing was signed; `file` may be one of them
 */
export async function makeIndex(
  file: StoredFile,
  found: readonly NumberedItem[],
  path: string,
  { signal, onProgress }: Pick<JobMeans, 'signal' | 'onProgress'>,
): Promise<FoundSummary | null> {
  const temporary = `${path}.part`;
  await rm(temporary, { force: true });
  let bytes = 0;
  const source = caseSource(file.path, file.kind, { ...file, onBytes: (read) => (bytes += read) });
  const sqlite = newIndex(temporary);
  try {
    const writer = new IndexWriter(sqlite);
    let nextLook = SPACE_STEP;
    for await (const contents of isUnsigned(file.kind) ? [] : readContents(source)) {
      signal.throwIfAborted();
      for (const content of contents) writer.add(content);
      onProgress({ phase: 'indexing', bytes, records: writer.records });
      if (writer.records < nextLook) continue;
      nextLook = writer.records + SPACE_STEP;
      if ((await bytesToSpare(dirname(path))) < 0) {
        throw new CaseRefused('STORAGE_FULL', 'the disk of the data folder has no room for the index of this file');
      }
    }
    writer.finish();
    const summary = await addFound(sqlite, found, writer.records, { signal, onProgress });
    onProgress({ phase: 'finishing', bytes, records: writer.records });
    finishIndex(sqlite);
    sqlite.close();
    await syncFile(temporary);
    await putInPlace(temporary, path);
    return summary;
  } catch (error) {
    sqlite.close();
    await rm(temporary, { force: true });
    throw error;
  }
}

async function addFound(
  sqlite: Database.Database,
  items: readonly NumberedItem[],
  records: number,
  { signal, onProgress }: Pick<JobMeans, 'signal' | 'onProgress'>,
): Promise<FoundSummary | null> {
  if (items.length === 0) return null;
  const index = new FoundIndex(sqlite, {
    signal,
    onProgress: (bytes, actions) => onProgress({ phase: 'indexing', bytes, records: records + actions }),
  });
  for (const item of items) await index.add(await openFoundItem(item));
  index.finish();
  return foundSummary(sqlite);
}

/**
 * Whether the records of a case fit together. Reads the file once more, where the payload profile is named in it.
 * @param isNamed whether the name occurs in the bytes of the bundle
 */
function caseCoherence(
  file: StoredFile,
  report: VerificationReport,
  isNamed: boolean,
  { crypto, signal, onProgress }: JobMeans,
): Promise<CoherenceReport> | CoherenceReport {
  if (!isNamed) return noCoherence();
  let bytes = 0;
  const source = caseSource(file.path, file.kind, { ...file, onBytes: (read) => (bytes += read) });
  const onRecords = (records: number): void => onProgress({ phase: 'coherence', bytes, records });
  return coherenceOf(source, report, { sha256: crypto.sha256, signal, onRecords });
}
