import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type Database from 'better-sqlite3';
import type { CaseFileCode } from '../../../api/index.ts';
import { syncFile } from '../../../node/index.ts';
import { type CancelSignal, type CaseSignature, parseTime } from '../../../protocol/index.ts';
import {
  type CaseFileFinding,
  CaseFileRefused,
  type CaseManifest,
  ENTRY,
  statedTrust,
} from '../../../reports/case-file/index.ts';
import { insertAnnotation, OF_CASE } from '../../search/annotations/annotations.ts';
import { replayLook } from '../../search/annotations/looks.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { openAnnotations } from '../annotations-file.ts';
import { ITEMS_FOLDER, NAMES, receiptsName } from '../case-folder.ts';
import { CaseRefused } from '../case-source.ts';
import { type CustodyEntry, readEntry } from '../custody/custody-entry.ts';
import { appendCustody, type Examiner, insertEntry } from '../custody/custody-log.ts';
import { bytesToSpare } from '../disk-space.ts';
import { FIRST_ITEM, insertItem, keepLastItemNo } from '../items/items-table.ts';
import { insertReading } from '../reading-file.ts';
import { checkLog, logLines, noteLines, type OpenMeans } from './check-log.ts';
import { extractParts, openCaseArchive } from './read-case-file.ts';
import { type ReadingFile, readingInvalid, readReading } from './reading.ts';

/** A case file that was opened. */
export interface OpenedCase {
  readonly manifest: CaseManifest;
  /** Who sealed it; null where nobody did. */
  readonly seal: CaseSignature | null;
  /** What does not hold in its custody log and notes: the case is opened all the same, and says so. */
  readonly damage: number;
}

/** What keeps a case file from being opened: it is not what its own manifest, or whoever signed that, says. */
export const FATAL: ReadonlySet<CaseFileCode> = new Set([
  'DIGEST_MISMATCH',
  'SEAL_INVALID',
  'HEAD_MISMATCH',
  'LINE_INVALID',
]);

/** Who opens a case file, and the case that is made of it. */
export type Opener = Omit<Examiner, 'caseSha256'>;

/**
 * Opens a case file into a folder that becomes a case afterwards. Whoever made the file chose every byte of it: names come from
 * us, and nothing is written but what its manifest tells of, at the size that it tells.
 * @param folder made here; removed where the file is refused, or nobody waits for it any more
 * @throws CaseFileRefused; CaseRefused STORAGE_FULL; what the signal throws
 */
export async function openCaseFile(
  path: string,
  folder: string,
  { examiner, fileSha256 }: { readonly examiner: Opener; readonly fileSha256: string },
  means: OpenMeans,
): Promise<OpenedCase> {
  const { crypto, signal } = means;
  const { manifest, manifestSha256, seal, parts, findings: sealFindings } = await openCaseArchive(path, crypto);
  const total = parts.reduce((sum, { entry }) => sum + entry.size, 0);
  if ((await bytesToSpare(dirname(folder))) < 2 * total) {
    throw new CaseRefused('STORAGE_FULL', 'the disk of the data folder has no room for a case of this size');
  }
  const names = new Map(manifest.items.map(({ item_no }) => [ENTRY.item(item_no), randomUUID()] as const));
  const pathOf = (name: string): string => {
    if (name === ENTRY.item(FIRST_ITEM)) return join(folder, NAMES.original);
    const stored = names.get(name);
    if (stored !== undefined) return join(folder, ITEMS_FOLDER, stored);
    const [, index] = /^items\/1\.receipts-([1-9][0-9]?)$/.exec(name) ?? [];
    return join(folder, index === undefined ? name : receiptsName(Number(index) - 1));
  };
  await mkdir(join(folder, ITEMS_FOLDER), { recursive: true, mode: 0o700 });
  try {
    const differing = await extractParts(path, parts, pathOf, { signal });
    const log = await checkLog(manifest, pathOf, means, seal);
    const findings: CaseFileFinding[] = [...sealFindings, ...differing, ...log.findings];
    const [fatal] = findings.filter(({ code }) => FATAL.has(code));
    if (fatal !== undefined) throw new CaseFileRefused(fatal, ...findings.filter((one) => one !== fatal));
    for (const { expected } of parts) await syncFile(pathOf(expected.name));
    await fillTables(manifest, { pathOf, folder, names, signal }, (annotations) => {
      const details = {
        file_sha256: fileSha256,
        made_at: manifest.made_at,
        made_by: manifest.made_by,
        // With both whoever reads the log later can check who sealed the file (protocol R65).
        manifest_sha256: manifestSha256,
        seal: seal === null ? null : { ...seal },
        damage: findings.length,
      };
      appendCustody(annotations, { ...examiner, caseSha256: manifest.case_sha256 }, 'case.open', details);
    });
    for (const name of [ENTRY.custody, ENTRY.notes, ENTRY.reading]) await rm(pathOf(name));
    return { manifest, seal, damage: findings.length };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Writes the tables of a case: what people did with it, and its items. They are in a folder that is no case yet. */
async function fillTables(
  manifest: CaseManifest,
  {
    pathOf,
    folder,
    names,
    signal,
  }: {
    readonly pathOf: (name: string) => string;
    readonly folder: string;
    readonly names: ReadonlyMap<string, string>;
    readonly signal: CancelSignal;
  },
  finish: (annotations: Database.Database) => void,
): Promise<void> {
  const reading = await readReading(pathOf(ENTRY.reading));
  const annotations = openAnnotations(join(folder, NAMES.annotations));
  try {
    annotations.exec('BEGIN');
    for await (const { line: _, ...entry } of logLines(pathOf(ENTRY.custody), signal)) {
      insertEntry(annotations, entry);
      takeLook(annotations, readEntry(entry.entry));
    }
    for await (const { operation_id, updated_at, updated_by, ...written } of noteLines(pathOf(ENTRY.notes), signal)) {
      const writing = { by: updated_by, at: parseTime(updated_at), orgId: OF_CASE };
      insertAnnotation(annotations, operation_id, written, writing);
    }
    keepReading(annotations, reading);
    for (const item of manifest.items) {
      const { item_no, name, bytes, sha256, added_at, added_by, verdict, judgement_sha256 } = item;
      const stored_as = names.get(ENTRY.item(item_no));
      if (item_no === FIRST_ITEM || stored_as === undefined) continue;
      const verified_with = statedTrust(manifest, item);
      insertItem(annotations, {
        item_no,
        name,
        bytes,
        sha256,
        stored_as,
        added_by,
        added_at: parseTime(added_at),
        stated: { verdict, judgement_sha256, verified_with, reproduced: null },
      });
    }
    keepLastItemNo(annotations, manifest.last_item_no);
    finish(annotations);
    annotations.exec('COMMIT');
  } finally {
    annotations.close();
  }
}

/** What was looked at moves with the log alone. */
function takeLook(annotations: Database.Database, entry: CustodyEntry | null): void {
  if (entry?.action !== 'look.mark') return;
  const at = Date.parse(entry.at);
  if (Number.isFinite(at)) replayLook(annotations, entry.details, { by: entry.by, at, orgId: OF_CASE });
}

/** @throws CaseFileRefused LINE_INVALID for rules and searches that this version does not take */
export function keepReading(annotations: Database.Database, reading: ReadingFile): void {
  try {
    insertReading(annotations, reading);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw readingInvalid(error.message);
  }
}
