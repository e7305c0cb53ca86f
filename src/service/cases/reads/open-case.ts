import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { nodeCrypto, Serial, type StopSignal } from '../../../node/index.ts';
import { type CorrectedTimes, type Finding, formatDigest, type VerificationReport } from '../../../protocol/index.ts';
import {
  bookmarkedOperations,
  countTags,
  isBookmarked,
  OF_CASE,
  operationsWithTag,
  tagsOf,
} from '../../search/annotations/annotations.ts';
import { removeContent } from '../../search/content-index/catalog.ts';
import { ContentView } from '../../search/content-index/content-view.ts';
import { type Given, type GivenMarks, looksOf } from '../../search/content-index/given-marks.ts';
import { ShelfReader } from '../../search/content-index/shelf-reader.ts';
import { whileFilesChange } from '../../search/content-index/while-files-change.ts';
import { rulesOf } from '../../search/reading/stored-rules.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { openAnnotations } from '../annotations-file.ts';
import { isArchive } from '../archived/archived-records.ts';
import { askForContents, needContents } from '../archived/contents-asked.ts';
import { indexContents, openCatalogOf } from '../case-contents.ts';
import { ITEMS_FOLDER, NAMES } from '../case-folder.ts';
import { openIndex } from '../case-index-file.ts';
import type { RunOfRecord } from '../case-log.ts';
import { CaseRecords } from '../case-records.ts';
import { CustodyChecks } from '../custody/custody-checks.ts';
import type { Examiner } from '../custody/custody-log.ts';
import { addItem, listItems, type NewItem, type StoredItem } from '../items/items-table.ts';

/** How long a question waits for the content index of a case that was imported without one, in milliseconds. */
const INDEXING_MS = 2000;

/** A case as its reads need it, on the thread that reads. */
export class OpenCase {
  readonly index: Database.Database;
  readonly annotations: Database.Database;
  readonly custody: CustodyChecks;
  /** Whether its records are those of an archive's runs. */
  readonly isArchive: boolean;
  /** What is asked about the whole custody log, one after the other. */
  readonly aside = new Serial();
  readonly #folder: string;
  readonly #records: CaseRecords;
  readonly #reportPath: string;
  #signal: StopSignal | null = null;
  #contents: { readonly catalog: Database.Database; readonly view: ContentView } | null = null;
  readonly #statements = new Map<string, Database.Statement>();
  #reportDigest: { readonly of: string; readonly sha256: string } | null = null;
  #reported: Pick<VerificationReport, 'findings' | 'corrected_times'> | null = null;
  #bySeqNo: ReadonlyMap<number, number> | null = null;

  /** @throws ServiceError CONFLICT where the index is not of this version */
  constructor(folder: string) {
    const index = openIndex(join(folder, NAMES.index));
    if (index === null) throw new ServiceError('CONFLICT', 'the case has no index of this version: verify it again');
    this.index = index;
    try {
      this.annotations = openAnnotations(join(folder, NAMES.annotations));
    } catch (error) {
      index.close();
      throw error;
    }
    this.custody = new CustodyChecks(this.annotations);
    this.isArchive = isArchive(index);
    this.#records = new CaseRecords(index, () => rulesOf(this.annotations));
    this.#folder = folder;
    this.#removeStrayItems();
    this.#reportPath = join(folder, NAMES.report);
  }

  /** What a crash left between the bytes of an item and its row, or between its row and its bytes. */
  #removeStrayItems(): void {
    const folder = join(this.#folder, ITEMS_FOLDER);
    if (!existsSync(folder)) return;
    const known = new Set(
      listItems(this.annotations).flatMap(({ stored_as }) => [
        stored_as,
        `${stored_as}.json`,
        `${stored_as}.json.part`,
      ]),
    );
    for (const name of readdirSync(folder)) {
      // One on its way is nobody's yet: whoever brings it is about to say so.
      if (!known.has(name) && !name.endsWith('.new')) rmSync(join(folder, name), { force: true });
    }
  }

  /** Begins a question, which ends with its signal. */
  begin(signal: StopSignal): void {
    this.#signal = signal;
    this.#contents?.view.begin(signal);
  }

  /** Gives the bytes of an item, which lie in the folder under a passing name, their place, and writes it down. */
  addItem(item: NewItem, examiner: Examiner): StoredItem {
    const path = join(this.#folder, ITEMS_FOLDER, item.stored_as);
    renameSync(`${path}.new`, path);
    try {
      return addItem(this.annotations, item, examiner);
    } catch (error) {
      rmSync(path, { force: true });
      throw error;
    }
  }

  /** A statement over the index, prepared once. Its text is ours, never a caller's. */
  statement(sql: string): Database.Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.index.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** What is in the records. Where that is not indexed and judged to the end, some more of it is, before the answer. */
  contents(): ContentView {
    const known = this.#contents?.view;
    if (known?.reader.isJudged && known.indexedTo >= known.source.last()) return known;
    const deadline = performance.now() + INDEXING_MS;
    const records = this.#records;
    // An archive grows while it is asked: the thread that takes its runs in has the index of them to itself.
    if (this.isArchive) needContents(this.#folder);
    else indexContents(records, this.#folder, () => this.#signal?.aborted !== true && performance.now() < deadline);
    if (this.#contents === null) {
      const catalog = openCatalogOf(this.#folder);
      const reader = new ShelfReader(catalog, this.#folder, '');
      this.#contents = { catalog, view: new ContentView(reader, records, this.#given()) };
    }
    const { view } = this.#contents;
    whileFilesChange(() => view.refresh(this.#signal ?? undefined));
    return view;
  }

  /** Takes the content index away: the next question makes it again. */
  forgetContents(): void {
    this.#closeContents();
    if (this.isArchive) askForContents(this.#folder);
    else removeContent(this.#folder);
  }

  /** The text of a signed record. @throws ServiceError CONFLICT where the run of an archive is not as it was accepted */
  textOf(n: number): Uint8Array {
    return this.#records.textOf(n);
  }

  /** The run that a record of an archive is in; null in a case. */
  runOf(n: number): RunOfRecord | null {
    if (!this.isArchive) return null;
    const sql = 'SELECT * FROM runs WHERE first_n <= ? ORDER BY first_n DESC LIMIT 1';
    return this.statement(sql).get(n) as RunOfRecord;
  }

  #closeContents(): void {
    this.#contents?.view.close();
    this.#contents?.catalog.close();
    this.#contents = null;
  }

  #given(): GivenMarks {
    const numbersOf = (operationIds: readonly string[]): number[] => {
      const sql =
        'SELECT n FROM records WHERE operation_id = @id UNION ALL SELECT n FROM found WHERE operation_id = @id';
      const find = this.statement(sql).pluck();
      return operationIds.flatMap((id) => find.all({ id }) as number[]);
    };
    return {
      tagged: () =>
        new Map(
          countTags(this.annotations).map(({ tag }) => [tag, numbersOf(operationsWithTag(this.annotations, tag))]),
        ),
      bookmarked: () => numbersOf(bookmarkedOperations(this.annotations)),
      of: ({ operationId }) => this.given(operationId),
      looks: () => looksOf(this.annotations, OF_CASE),
      refused: () => [],
    };
  }

  /** What people gave a record. */
  given(operationId: string): Given {
    const { annotations } = this;
    return { tags: tagsOf(annotations, operationId), bookmarked: isBookmarked(annotations, operationId) };
  }

  /** Digest of the report on the first item, which a verification replaces. */
  get reportSha256(): string {
    const { mtimeMs, size, ino } = statSync(this.#reportPath);
    const of = `${ino} ${size} ${mtimeMs}`;
    if (this.#reportDigest?.of !== of) {
      this.#reportDigest = { of, sha256: formatDigest(nodeCrypto.sha256(readFileSync(this.#reportPath))) };
    }
    return this.#reportDigest.sha256;
  }

  /** What of the report is asked for again and again: the rest of it may be large. */
  #ofReport(): Pick<VerificationReport, 'findings' | 'corrected_times'> {
    // The runs of an archive were each verified before they were accepted.
    if (this.isArchive) return { findings: [], corrected_times: [] };
    if (this.#reported === null) {
      // Of a file that nobody signed this is the judgement of an item, which has neither.
      const report = JSON.parse(readFileSync(this.#reportPath, 'utf8')) as Partial<VerificationReport>;
      this.#reported = { findings: report.findings ?? [], corrected_times: report.corrected_times ?? [] };
    }
    return this.#reported;
  }

  get findings(): readonly Finding[] {
    return this.#ofReport().findings;
  }

  /** What has times that may be those of a wrong clock (protocol V147); nothing where no log could be read. */
  get correctedTimes(): readonly CorrectedTimes[] {
    return this.#ofReport().corrected_times ?? [];
  }

  /** How many findings name a record. */
  findingsAt(seqNo: number): number {
    if (this.#bySeqNo === null) {
      const counts = new Map<number, number>();
      for (const { where } of this.findings) {
        if (where.seq_no !== undefined) counts.set(where.seq_no, (counts.get(where.seq_no) ?? 0) + 1);
      }
      this.#bySeqNo = counts;
    }
    return this.#bySeqNo.get(seqNo) ?? 0;
  }

  close(): void {
    this.#closeContents();
    this.index.close();
    this.annotations.close();
  }
}
