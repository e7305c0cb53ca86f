import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import packageJson from '../../../../package.json' with { type: 'json' };
import type { CaseItemKind, CaseItemVerdict } from '../../../api/index.ts';
import { type ReaderTrust, verifyTimed } from '../../../node/reader/index.ts';
import {
  type CancelSignal,
  type CaseSignature,
  type ExaminerKey,
  type HostCrypto,
  type VerifyOptions,
  verifyBundle,
} from '../../../protocol/index.ts';
import {
  type CaseFileFinding,
  CaseFileRefused,
  type CaseManifest,
  ENTRY,
  type ManifestItem,
} from '../../../reports/case-file/index.ts';
import { openAnnotations } from '../annotations-file.ts';
import { CaseRefused, caseSource } from '../case-source.ts';
import { isUnsigned } from '../collection/unsigned.ts';
import type { CustodyCheck } from '../custody/check-custody.ts';
import { firstKind } from '../items/first-item.ts';
import { heldToWitnesses } from '../items/given-checkpoints.ts';
import type { ItemFile, ReportSigner } from '../items/item-file.ts';
import { FIRST_ITEM } from '../items/items-table.ts';
import { type ItemJudgement, itemWithPages, judgeItem } from '../items/judge-item.ts';
import { plainLimit } from '../plain-limit.ts';
import type { StoredFile } from '../stored-file.ts';
import { checkLog } from './check-log.ts';
import { keepReading } from './open-case-file.ts';
import { extractParts, openCaseArchive } from './read-case-file.ts';
import { readReading } from './reading.ts';

/** An item as it was found in a case file. */
export interface CheckedItem {
  readonly item_no: number;
  readonly name: string;
  readonly kind: CaseItemKind | null;
  readonly sha256: string;
  readonly added_by: string | null;
  readonly verdict: CaseItemVerdict;
  readonly code: string | null;
  readonly summary: string;
  readonly stated_verdict: CaseItemVerdict | null;
}

/** What was found about a case file. */
export interface CheckedCaseFile {
  readonly manifest: CaseManifest;
  readonly manifestSha256: string;
  readonly seal: CaseSignature | null;
  readonly items: readonly CheckedItem[];
  readonly custody: Pick<CustodyCheck, 'signatures' | 'examiners' | 'head' | 'logId'>;
  readonly findings: readonly CaseFileFinding[];
}

export interface CheckMeans extends Pick<VerifyOptions, 'witnesses'>, Partial<Pick<ReaderTrust, 'timeRoots'>> {
  readonly crypto: HostCrypto;
  readonly signal: CancelSignal;
  readonly trustedKids: readonly string[];
  /** Examiners' keys that the reader compared with the persons: who signed a report is held against them too. */
  readonly examiners?: readonly ExaminerKey[];
  /** Is told how far the check is, in bytes: each part is copied, and then each item read. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Checks a case file without opening it as a case: its form, digests, seal, custody log and notes, and each item by itself. What is
 * in it is copied to a separate folder for that, which is gone afterwards.
 * @throws CaseFileRefused where the file is not a case, or so damaged that nothing in it can be found
 */
export async function checkCaseFile(path: string, means: CheckMeans): Promise<CheckedCaseFile> {
  const { crypto, signal, onProgress } = means;
  const { manifest, manifestSha256, seal, parts, findings } = await openCaseArchive(path, crypto);
  const folder = await mkdtemp(join(tmpdir(), 'countersign-case-'));
  const pathOf = (name: string): string => join(folder, name);
  const total = [...parts.map(({ entry }) => entry.size), ...manifest.items.map(({ bytes }) => bytes)].reduce(
    (sum, bytes) => sum + bytes,
    0,
  );
  let done = 0;
  const onBytes = (bytes: number): void => {
    done += bytes;
    onProgress?.(done, total);
  };
  try {
    await mkdir(dirname(pathOf(ENTRY.item(FIRST_ITEM))), { mode: 0o700 });
    const differing = await extractParts(path, parts, pathOf, { signal, onBytes });
    const { custody, findings: ofLog } = await checkLog(manifest, pathOf, means, seal);
    const ofReading = await readingFindings(pathOf);
    const items: CheckedItem[] = [];
    const ofReports: CaseFileFinding[] = [];
    for (const item of manifest.items) {
      const { signed_by: signer, ...found } = await checkItem(item, manifest, pathOf, means);
      items.push(found);
      ofReports.push(...sharedKey(item, signer, custody));
      onBytes(item.bytes);
    }
    const { signatures, examiners, head, logId } = custody;
    const all = [...findings, ...differing, ...ofLog, ...ofReading, ...ofReports];
    return { manifest, manifestSha256, seal, items, custody: { signatures, examiners, head, logId }, findings: all };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What of the rules and searches keeps the file from being opened: found here by what opens it, in a table that nobody keeps. */
async function readingFindings(pathOf: (name: string) => string): Promise<readonly CaseFileFinding[]> {
  const table = openAnnotations(':memory:');
  try {
    keepReading(table, await readReading(pathOf(ENTRY.reading)));
    return [];
  } catch (error) {
    if (error instanceof CaseFileRefused) return error.findings;
    throw error;
  } finally {
    table.close();
  }
}

/**
 * A report in the name of one person of the log by the key of another. Whatever else a report says of its examiner names nobody whom the
 * log knows: a person may have another name there.
 */
function sharedKey(
  { item_no, name }: ManifestItem,
  signer: ReportSigner | null,
  { holders }: Pick<CustodyCheck, 'holders'>,
): CaseFileFinding[] {
  if (signer === null || signer.examiner === null || !holders.has(signer.examiner)) return [];
  const holder = holders.take(signer.kid, signer.examiner, 0);
  if (holder === null) return [];
  const message = `item ${item_no}, ${name}: a report in the name of ${signer.examiner} by the key that signed for ${holder.signer}`;
  return [{ code: 'KEY_SHARED', file: ENTRY.item(item_no), entry_no: holder.place, item_no, message }];
}

async function checkItem(
  item: ManifestItem,
  manifest: CaseManifest,
  pathOf: (name: string) => string,
  means: CheckMeans,
): Promise<CheckedItem & Pick<ItemJudgement, 'signed_by'>> {
  const { item_no, name, sha256, bytes, added_by, verdict: stated_verdict } = item;
  const path = pathOf(ENTRY.item(item_no));
  const [first = item] = manifest.items;
  const kind = firstKind(first.kind);
  const maxPlainBytes = plainLimit({ kind, bytes: first.bytes }, first.bytes);
  const file = { path: pathOf(ENTRY.item(FIRST_ITEM)), kind, bytes: first.bytes, maxPlainBytes } as const;
  const others = manifest.items
    .filter(({ item_no: other }) => other !== FIRST_ITEM)
    .map((other) => ({ ...other, path: pathOf(ENTRY.item(other.item_no)) }));
  const found =
    item_no === FIRST_ITEM && !isUnsigned(kind)
      ? { ...(await checkFirst(file, item, others, pathOf, means)), signed_by: null }
      : await judgeItem({ name, path, bytes, sha256 }, { ...means, maxBytes: bytes, first: file, others });
  const { kind: foundKind, verdict, code, summary, signed_by } = found;
  return { item_no, name, kind: foundKind, sha256, added_by, verdict, code, summary, stated_verdict, signed_by };
}

async function checkFirst(
  file: StoredFile,
  { receipts = [], name }: ManifestItem,
  others: readonly ItemFile[],
  pathOf: (name: string) => string,
  { crypto, signal, trustedKids, witnesses, timeRoots = [] }: CheckMeans,
): Promise<Omit<ItemJudgement, 'text' | 'signed_by'>> {
  const kind = firstKind(file.kind);
  try {
    const { verdict, summary, recognised } = await verifyTimed(
      timeRoots,
      verifyBundle,
      caseSource(file.path, file.kind, file),
      {
        crypto,
        signal,
        trustedKids,
        ...(await heldToWitnesses(file, () => others, witnesses === undefined ? {} : { witnesses })),
        receipts: receipts.map((kept, index) => ({
          name: kept.name,
          source: () => createReadStream(pathOf(ENTRY.receipts(index))),
        })),
      },
    );
    if (!recognised) return { kind, verdict: 'failed', code: 'FILE_DAMAGED', summary: `${name}: ${summary}` };
    const code = { verified: null, failed: 'EVIDENCE_FAILED', incomplete: 'EVIDENCE_INCOMPLETE' } as const;
    const found: Omit<ItemJudgement, 'text' | 'signed_by'> = { kind, verdict, code: code[verdict], summary };
    if (kind !== 'report-pdf') return found;
    const { comparePages } = await import('../../../reports/pdf/index.ts');
    const pages = await comparePages(file.path, { crypto, signal, version: packageJson.version });
    return itemWithPages(found, pages, name);
  } catch (error) {
    if (!(error instanceof CaseRefused)) throw error;
    const code = error.code === 'NOT_A_BUNDLE' ? 'FILE_DAMAGED' : error.code;
    return { kind, verdict: 'failed', code, summary: `${name}: ${error.message}` };
  }
}
