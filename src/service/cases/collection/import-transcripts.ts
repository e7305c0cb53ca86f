import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundNote, FoundSummary } from '../../../api/index.ts';
import { fileDigest, syncFile } from '../../../node/index.ts';
import { type CancelSignal, formatTime, type HostCrypto } from '../../../protocol/index.ts';
import type { CollectionManifest } from '../../../reports/case-file/index.ts';
import { openAnnotations } from '../annotations-file.ts';
import { NAMES } from '../case-folder.ts';
import { newIndex } from '../case-index-file.ts';
import { appendCustody } from '../custody/custody-log.ts';
import { FIRST_ITEM } from '../items/items-table.ts';
import { judgeItem } from '../items/judge-item.ts';
import { draftCaseFile, writeCaseFile } from '../sealed/write-case-file.ts';
import { collect } from './collect.ts';
import { openFoundItem } from './found-files.ts';
import { FoundIndex } from './found-index.ts';
import { foundSummary } from './found-summary.ts';

/** What is imported, by whom, and what the case is called. */
export interface TranscriptImport {
  readonly paths: readonly string[];
  /** Where the case file is written; nothing is left where this is null. */
  readonly outPath: string | null;
  /** A folder that nobody else writes to, for what is read meanwhile. */
  readonly scratchParent: string;
  readonly name: string;
  readonly by: string | null;
  readonly host: string | null;
  readonly at: number;
}

export interface ImportMeans {
  readonly crypto: HostCrypto;
  readonly signal: CancelSignal;
  readonly onProgress?: ((what: 'collecting' | 'reading', bytes: number, total: number | null) => void) | undefined;
}

/** The result: what was collected and read, and the file. */
export interface ImportedTranscripts {
  readonly manifest: CollectionManifest;
  readonly collectionSha256: string;
  readonly summary: FoundSummary;
  readonly programs: readonly { readonly program: string; readonly transcripts: number; readonly actions: number }[];
  readonly notes: readonly Pick<FoundNote, 'path' | 'line' | 'code' | 'message'>[];
  readonly file: { readonly bytes: number; readonly sha256: string } | null;
}

/** The log of a case begins with who collected what, and from where: this many paths at most. */
const LOGGED_ROOTS = 20;

/** The most signs and unread entries that are told one by one. */
const MAX_NOTES = 100;

/**
 * Collects transcripts and logs below some paths, and makes a case of them whose first item is the collection (protocol R80): its file can
 * be opened in a case room, and checked, as any other. What is found is copied and read, never changed.
 * @throws CollectRefused; what writing fails with
 */
export async function importTranscripts(
  { paths, outPath, scratchParent, name, by, host, at }: TranscriptImport,
  { crypto, signal, onProgress }: ImportMeans,
): Promise<ImportedTranscripts> {
  const folder = await mkdtemp(join(scratchParent, 'countersign-import-'));
  try {
    const original = join(folder, NAMES.original);
    const manifest = await collect({ roots: paths, by, host, at }, original, {
      signal,
      onProgress: (_, bytes) => onProgress?.('collecting', bytes, null),
    });
    const { size, sha256 } = await fileDigest(original, { signal });
    const item = { name: `${name}.collection`, path: original, bytes: size, sha256 };
    const read = await readAll(folder, item, { signal, onProgress });
    if (outPath === null) return { manifest, collectionSha256: sha256, ...read, file: null };
    const first = { path: original, kind: 'collection' as const, bytes: size, maxPlainBytes: size };
    const judged = await judgeItem(item, { crypto, signal, trustedKids: [], maxBytes: size, first, others: [] });
    await writeFile(join(folder, NAMES.report), judged.text, { mode: 0o600 });
    const caseId = randomUUID();
    const annotations = openAnnotations(join(folder, NAMES.annotations));
    try {
      const { roots, files, left_out } = manifest;
      const details = {
        sha256,
        bytes: size,
        files: files.length,
        left_out: left_out.count,
        host,
        roots: roots.slice(0, LOGGED_ROOTS),
      };
      appendCustody(annotations, { by, at, caseSha256: sha256, caseId }, 'files.collect', details);
    } finally {
      annotations.close();
    }
    const made_at = formatTime(at);
    const { kind, verdict, code } = judged;
    const first_item = {
      name: item.name,
      bytes: size,
      sha256,
      kind,
      verdict,
      code,
      added_at: made_at,
      added_by: by,
      verified_with: [],
    };
    const scratch = join(folder, 'scratch');
    await mkdir(scratch);
    const contents = { folder, case_id: caseId, name, created_at: made_at, made_at, made_by: by, first: first_item };
    const draft = await draftCaseFile(contents, scratch);
    // Whole or not at all: what is under the name meanwhile stays until the new file is.
    const half = join(folder, 'case');
    const file = await writeCaseFile(draft, null, half, signal);
    await rename(half, outPath);
    await syncFile(outPath);
    return { manifest, collectionSha256: sha256, ...read, file };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads what was collected, as the case room does, and says what there is. */
async function readAll(
  folder: string,
  item: { readonly name: string; readonly path: string; readonly bytes: number; readonly sha256: string },
  { signal, onProgress }: Pick<ImportMeans, 'signal' | 'onProgress'>,
): Promise<Pick<ImportedTranscripts, 'summary' | 'programs' | 'notes'>> {
  const sqlite = newIndex(join(folder, NAMES.index));
  try {
    const index = new FoundIndex(sqlite, {
      signal,
      onProgress: (bytes) => onProgress?.('reading', bytes, item.bytes),
    });
    await index.add(await openFoundItem({ ...item, itemNo: FIRST_ITEM }));
    index.finish();
    const programs = sqlite
      .prepare(
        `SELECT coalesce(program, kind, 'not read') AS program, count(*) AS transcripts, sum(actions) AS actions
         FROM found_files GROUP BY 1 ORDER BY 1`,
      )
      .all() as ImportedTranscripts['programs'];
    const notes = sqlite
      .prepare(
        `SELECT found_at AS path, line, code, message FROM found_notes JOIN found_files USING (file_id)
         ORDER BY code = 'UNREAD', note_no LIMIT ?`,
      )
      .all(MAX_NOTES) as ImportedTranscripts['notes'];
    return { summary: foundSummary(sqlite), programs, notes };
  } finally {
    sqlite.close();
  }
}
