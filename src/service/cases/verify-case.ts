import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { AGENT_ACTION_PROFILE, type CoherenceReport, coherenceOf, noCoherence } from '../../actions/profile/index.ts';
import { MarkedSource, putInPlace, syncFile } from '../../node/index.ts';
import { type PagesCheck, readContents, type VerificationReport, verifyBundle } from '../../protocol/index.ts';
import { indexImported } from './case-contents.ts';
import { finishIndex, newIndex } from './case-index-file.ts';
import { IndexWriter } from './case-index-writer.ts';
import { CaseRefused, caseSource } from './case-source.ts';
import { refuseCutOff } from './cut-off.ts';
import { bytesToSpare } from './disk-space.ts';
import type { JobMeans, VerifyOutcome, VerifyTask } from './job-messages.ts';
import type { StoredFile } from './stored-file.ts';
import { refuseUnreadable } from './unreadable-records.ts';

/** How many records are taken between two looks at the free space of the disk. */
const SPACE_STEP = 5000;

/** Verifies the stored file of a case; report and coherence are on the disk, whole, when this has ended. */
export async function verifyCase(task: VerifyTask, means: JobMeans): Promise<VerifyOutcome> {
  const { file, receipts, trustedKids, reportPath, coherencePath, indexPath } = task;
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
  const report = await verifyBundle(digested, {
    crypto,
    signal,
    trustedKids,
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
  if (indexPath !== null) {
    await makeIndex(file, indexPath, means);
    indexImported(indexPath, () => {
      signal.throwIfAborted();
      return true;
    });
  }
  const coherence = await caseCoherence(file, report, marked.isMarked, means);
  const pages = file.kind === 'report-pdf' ? await pagesOf(file, means) : null;
  onProgress({ phase: 'finishing', bytes: file.bytes, records: report.bundle.records });
  await writeWhole(coherencePath, JSON.stringify(coherence));
  await writeWhole(reportPath, JSON.stringify(report));
  const { status, counts } = coherence;
  const withoutFindings = { ...report, findings: [], damage: { runs: [], joined: 0 } };
  return { report: withoutFindings, plainDigest, pages, coherence: { status, counts } };
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

/** Makes the index of a bundle: nothing stands under its name before all of it is on the disk. */
export async function makeIndex(file: StoredFile, path: string, { signal, onProgress }: JobMeans): Promise<void> {
  const temporary = `${path}.part`;
  await rm(temporary, { force: true });
  let bytes = 0;
  const source = caseSource(file.path, file.kind, { ...file, onBytes: (read) => (bytes += read) });
  const sqlite = newIndex(temporary);
  try {
    const writer = new IndexWriter(sqlite);
    let nextLook = SPACE_STEP;
    for await (const contents of readContents(source)) {
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
    onProgress({ phase: 'finishing', bytes, records: writer.records });
    finishIndex(sqlite);
    sqlite.close();
  } catch (error) {
    sqlite.close();
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFile(temporary);
  await putInPlace(temporary, path);
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
