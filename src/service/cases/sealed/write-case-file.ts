import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Database from 'better-sqlite3';
import packageJson from '../../../../package.json' with { type: 'json' };
import { nodeCrypto, syncFile } from '../../../node/index.ts';
import {
  type CancelSignal,
  type CaseSignature,
  canonicalBytes,
  canonicalize,
  formatDigest,
  formatTime,
  type Json,
} from '../../../protocol/index.ts';
import {
  type CaseManifest,
  ENTRY,
  expectedEntries,
  MAX_MANIFEST_BYTES,
  type ManifestItem,
  manifestBytes,
  padding,
  TAR_END,
  tarHeader,
} from '../../../reports/case-file/index.ts';
import { listAnnotations } from '../../search/annotations/annotations.ts';
import { listSearches } from '../../search/annotations/saved-searches.ts';
import { describeRules } from '../../search/reading/stored-rules.ts';
import { ITEMS_FOLDER, NAMES, receiptsName } from '../case-folder.ts';
import { CaseRefused } from '../case-source.ts';
import { custodyRows } from '../custody/custody-log.ts';
import { FIRST_ITEM, lastItemNo, listItems, type StoredItem } from '../items/items-table.ts';
import { MAX_LOG_LINES } from './check-log.ts';

/** What of a case is not in its tables. */
export interface SealedContents {
  readonly folder: string;
  readonly case_id: string;
  readonly name: string;
  readonly created_at: string;
  readonly made_at: string;
  readonly made_by: string | null;
  /** Item 1, whose judgement is its report. */
  readonly first: Omit<ManifestItem, 'item_no' | 'judgement_sha256' | 'verified_with'> & {
    readonly verified_with: readonly string[];
  };
}

/** A case file that was written. */
export interface SealedFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** A case file before it is written: its manifest, and where the parts are. */
export interface DraftedCase {
  readonly manifest: CaseManifest;
  readonly manifestBytes: Uint8Array;
  readonly manifestSha256: string;
  readonly paths: ReadonlyMap<string, string>;
}

/** How the lines of a log or of notes are told: canonical JSON, one a line. */
async function writeLines(
  path: string,
  lines: Iterable<Json>,
): Promise<{ bytes: number; sha256: string; lines: number }> {
  const hash = createHash('sha256');
  let [bytes, count] = [0, 0];
  function* texts(): Generator<Buffer> {
    for (const line of lines) {
      const text = Buffer.from(`${canonicalize(line)}\n`);
      bytes += text.length;
      count += 1;
      hash.update(text);
      yield text;
    }
  }
  await pipeline(texts, createWriteStream(path, { mode: 0o600 }));
  return { bytes, sha256: `sha256:${hash.digest('hex')}`, lines: count };
}

/** Annotations that are read at a time. */
const PIECE = 500;

function* notes(sqlite: Database.Database): Generator<Json> {
  for (let after = ''; ; ) {
    const page = listAnnotations(sqlite, { after, limit: PIECE });
    for (const note of page) yield { ...note } as unknown as Json;
    if (page.length < PIECE) return;
    after = page[page.length - 1]?.operation_id ?? after;
  }
}

function* custody(sqlite: Database.Database): Generator<Json> {
  for (const { entry_no, entry, entry_hash, signature } of custodyRows(sqlite)) {
    yield { entry_no, entry, entry_hash, signature: signature === null ? null : (JSON.parse(signature) as Json) };
  }
}

/** Reading rules, where they were changed, and saved searches. */
function reading(sqlite: Database.Database): Json {
  const { rules, is_default, changed_at, changed_by } = describeRules(sqlite);
  const changed = changed_at === null ? null : { rules: is_default ? null : rules, changed_at, changed_by };
  return { rules: changed, searches: listSearches(sqlite) } as unknown as Json;
}

/** Lists of keys, each kept once. */
class TrustLists {
  readonly #places = new Map<string, number>();

  /** The place of a list, from 0. */
  placeOf(kids: readonly string[]): number {
    const text = JSON.stringify(kids);
    const place = this.#places.get(text) ?? this.#places.size;
    this.#places.set(text, place);
    return place;
  }

  get lists(): string[][] {
    return [...this.#places.keys()].map((text) => JSON.parse(text) as string[]);
  }
}

function manifestItem(item: StoredItem, trust: TrustLists): ManifestItem {
  const { item_no, name, bytes, sha256, kind, verdict, code, judgement_sha256, added_by } = item;
  return {
    item_no,
    name,
    bytes,
    sha256,
    kind,
    verdict,
    code,
    judgement_sha256,
    added_by,
    verified_with: trust.placeOf(item.verified_with),
    added_at: formatTime(item.added_at),
  };
}

/**
 * Drafts the file that a case is moved as: its parts are written into a folder, and told by the manifest. The same case and time
 * give the same bytes.
 */
export async function draftCaseFile(contents: SealedContents, scratch: string): Promise<DraftedCase> {
  const { folder, first, ...about } = contents;
  const sqlite = new Database(join(folder, NAMES.annotations), { readonly: true, fileMustExist: true });
  const paths = new Map<string, string>();
  const at = (name: string): string => {
    const path = join(scratch, name);
    paths.set(name, path);
    return path;
  };
  try {
    // One view of the log, the notes and the items, while others go on writing.
    sqlite.exec('BEGIN');
    const items = listItems(sqlite);
    const log = await writeLines(at(ENTRY.custody), custody(sqlite));
    const noted = await writeLines(at(ENTRY.notes), notes(sqlite));
    const read = await writeLines(at(ENTRY.reading), [reading(sqlite)]);
    const head = sqlite.prepare('SELECT entry_hash FROM custody ORDER BY entry_no DESC LIMIT 1').pluck().get();
    const last = lastItemNo(sqlite);
    sqlite.exec('COMMIT');
    paths.set(ENTRY.item(FIRST_ITEM), join(folder, NAMES.original));
    first.receipts?.forEach((_, index) => void paths.set(ENTRY.receipts(index), join(folder, receiptsName(index))));
    for (const { item_no, stored_as } of items) paths.set(ENTRY.item(item_no), join(folder, ITEMS_FOLDER, stored_as));
    const report = await readFile(join(folder, NAMES.report));
    if (log.lines > MAX_LOG_LINES) {
      throw new CaseRefused(
        'FILE_TOO_LARGE',
        `the custody log has more than ${MAX_LOG_LINES} entries, which no reader takes`,
      );
    }
    const trust = new TrustLists();
    const manifest: CaseManifest = {
      type: 'countersign.case.v1',
      ...about,
      case_sha256: first.sha256,
      version: packageJson.version,
      items: [
        {
          ...first,
          item_no: FIRST_ITEM,
          judgement_sha256: formatDigest(nodeCrypto.sha256(report)),
          verified_with: trust.placeOf(first.verified_with),
        },
        ...items.map((item) => manifestItem(item, trust)),
      ],
      trust_lists: trust.lists,
      last_item_no: last,
      custody: {
        bytes: log.bytes,
        sha256: log.sha256,
        entries: log.lines,
        head_hash: typeof head === 'string' ? head : null,
      },
      notes: { bytes: noted.bytes, sha256: noted.sha256, records: noted.lines },
      reading: { bytes: read.bytes, sha256: read.sha256 },
    };
    const bytes = manifestBytes(manifest);
    if (bytes.length > MAX_MANIFEST_BYTES) {
      throw new CaseRefused(
        'FILE_TOO_LARGE',
        `the manifest would have more than ${MAX_MANIFEST_BYTES} bytes, which no reader takes: remove items, or trust fewer keys and verify again`,
      );
    }
    return { manifest, manifestBytes: bytes, manifestSha256: formatDigest(nodeCrypto.sha256(bytes)), paths };
  } finally {
    sqlite.close();
  }
}

async function* entry(name: string, size: number, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield tarHeader(name, size);
  yield* chunks;
  yield Buffer.alloc(padding(size));
}

/** The bytes of a part, which must be those that the manifest tells of. @throws CaseRefused FILE_DAMAGED */
async function* checked(
  path: string,
  { name, bytes, sha256 }: { readonly name: string; readonly bytes: number; readonly sha256: string },
  signal: CancelSignal,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let read = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    signal.throwIfAborted();
    read += chunk.length;
    hash.update(chunk);
    if (read <= bytes) yield chunk;
  }
  if (read !== bytes || `sha256:${hash.digest('hex')}` !== sha256) {
    throw new CaseRefused('FILE_DAMAGED', `${name}: the stored bytes are not those that were added: nothing is saved`);
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/**
 * Writes a case file. A crash leaves a part of it, which is in a folder that the next start empties.
 * @throws CaseRefused FILE_DAMAGED where an item is not what was added
 */
export async function writeCaseFile(
  { manifest, manifestBytes: bytes, paths }: DraftedCase,
  seal: CaseSignature | null,
  outPath: string,
  signal: CancelSignal,
): Promise<SealedFile> {
  const hash: Hash = createHash('sha256');
  let written = 0;
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield* entry(ENTRY.manifest, bytes.length, only(bytes));
    if (seal !== null) {
      const sealed = canonicalBytes({ ...seal } as unknown as Json);
      yield* entry(ENTRY.seal, sealed.length, only(sealed));
    }
    for (const expected of expectedEntries(manifest)) {
      const path = paths.get(expected.name);
      if (path === undefined) throw new Error(`${expected.name} is nowhere`);
      yield* entry(expected.name, expected.bytes, checked(path, expected, signal));
    }
    yield TAR_END;
  }
  async function* told(): AsyncGenerator<Uint8Array> {
    for await (const chunk of parts()) {
      hash.update(chunk);
      written += chunk.length;
      yield chunk;
    }
  }
  try {
    await pipeline(told, createWriteStream(outPath, { mode: 0o600, flags: 'wx' }));
    await syncFile(outPath);
  } catch (error) {
    await rm(outPath, { force: true });
    throw error;
  }
  return { bytes: written, sha256: `sha256:${hash.digest('hex')}` };
}
