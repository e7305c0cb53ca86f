import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CaseItem, CaseItemsAnswer, ReportComparison, ReportSignature } from '../../../api/index.ts';
import { RequestStopped, syncFile } from '../../../node/index.ts';
import type { Jobs, JobsOfKind } from '../../jobs/jobs.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { type CaseFile, ownerOf } from '../case-file.ts';
import { ITEMS_FOLDER, NAMES } from '../case-folder.ts';
import type { CaseStore } from '../case-store.ts';
import { CASE_LANE } from '../case-verifications.ts';
import { isUnsigned } from '../collection/unsigned.ts';
import type { Examiner } from '../custody/custody-log.ts';
import { refuseFile } from '../file-jobs.ts';
import type { CompareReportsTask } from '../job-messages.ts';
import { type CaseThreads, resultOf } from '../job-thread.ts';
import type { CaseReads } from '../reads/read-thread.ts';
import { type Asker, keyOf } from '../scope.ts';
import type { TrustKeeper } from '../trust/trust-keeper.ts';
import type { TakenUpload, Uploads } from '../uploads.ts';
import { firstItem } from './first-item.ts';
import { isCheckpointFile } from './given-checkpoints.ts';
import type { ItemFile, ReportSigner } from './item-file.ts';
import { itemView } from './item-views.ts';
import { FIRST_ITEM, type StoredItem } from './items-table.ts';

export interface CaseItemsContext {
  readonly store: CaseStore;
  readonly reads: CaseReads;
  readonly jobs: Jobs;
  readonly threads: CaseThreads;
  readonly trust: TrustKeeper;
  readonly uploads: Uploads;
  /** Makes the index of a case again, where items were added or removed that it reads. */
  readonly indexing: { readonly startWhereDue: (about: CaseFile) => void };
  /** Has the file of a case verified with what came or went among its checkpoints, where witnesses are demanded. */
  readonly verifyFirst: (about: CaseFile) => void;
  /** Of an upload, in bytes. */
  readonly maxBytes: number;
  /** Takes room, until what it returns is called. @throws ServiceError QUOTA_EXCEEDED where the owner has none for that many bytes */
  readonly takeBytes: (about: CaseFile, bytes: number) => () => void;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** Who signed a report, without the key itself, and what this service knows of it. */
function withKey(
  signer: ReportSigner | null,
  keyOf: (signer: ReportSigner) => ReportSignature['key'],
): ReportSignature | null {
  return signer && { examiner: signer.examiner, kid: signer.kid, key: keyOf(signer) };
}

interface PairOfReports {
  readonly about: CaseFile;
  readonly both: Pick<CompareReportsTask, 'one' | 'other'>;
}

/** Items that are verified with one turn of their owner: a thread is begun for them together. */
const AT_A_TIME = 20;

/** What is in cases besides the file that each was made of: put in, taken out, and verified one by one on a thread. */
export class CaseItems {
  readonly #context: CaseItemsContext;
  /** What is due of cases: their `case.json` says it, and their annotations hold what was found. */
  readonly #due: JobsOfKind<CaseFile, boolean, never>;
  readonly #comparing: JobsOfKind<PairOfReports, ReportComparison, never>;

  constructor(context: CaseItemsContext) {
    this.#context = context;
    const { jobs, threads, trust } = context;
    const turns = { lane: CASE_LANE, guestsApart: true };
    this.#due = jobs.of<CaseFile, boolean>({
      ...turns,
      ownerOf: (about) => keyOf(ownerOf(about)),
      about: ({ case_id }) => [case_id],
      run: ({ case_id }, { signal }) => this.#step(case_id, signal),
      needsTurn: (isMore) => isMore,
    });
    this.#comparing = jobs.of<PairOfReports, ReportComparison>({
      ...turns,
      ownerOf: ({ about }) => keyOf(ownerOf(about)),
      keyOf: ({ about }) => about.case_id,
      taken: 'two reports of this case are being compared already: wait for the result',
      about: ({ about }) => [about.case_id],
      run: async ({ about, both }, { signal }) => {
        const task = { kind: 'compare-reports', ...both, trust: await trust.trustFor(about) } as const;
        return resultOf(await threads.run(task, { signal }), 'reports-compared').result;
      },
    });
  }

  /** Continues what a stop or a crash interrupted. */
  resume(): void {
    for (const about of this.#context.store.all()) this.resumeOne(about);
  }

  /** Has what is due of a case done after the owner's earlier requests. */
  resumeOne(about: CaseFile): void {
    if (about.items.due) void this.#due.start(about);
    else this.#context.indexing.startWhereDue(about);
  }

  /** @throws ServiceError NOT_FOUND, CONFLICT */
  async list(
    asker: Asker,
    caseId: string,
    keyOf: (signer: ReportSigner) => ReportSignature['key'],
  ): Promise<CaseItemsAnswer> {
    const about = this.#context.store.findImported(asker, caseId);
    const views = await this.#context.reads.ask(this.#context.store.folderOf(caseId), 'itemViews', firstItem(about));
    const items = views.map((view) => ({ ...view, signed_by: withKey(view.signed_by, keyOf) }));
    return { items, checking: items.filter(({ verdict }) => verdict === null).length };
  }

  /** Items besides the first, as they are kept. */
  stored(caseId: string): Promise<StoredItem[]> {
    return this.#context.reads.ask(this.#context.store.folderOf(caseId), 'items');
  }

  /**
   * Puts an upload into a case, and has it verified.
   * @throws ServiceError NOT_FOUND, CONFLICT, FORBIDDEN, QUOTA_EXCEEDED
   */
  async add(
    asker: Asker,
    caseId: string,
    given: { readonly upload_id: string; readonly name?: string | undefined },
    examiner: Examiner,
  ): Promise<CaseItem> {
    const { store, reads, uploads, takeBytes } = this.#context;
    store.findToChange(asker, caseId);
    const about = store.findImported(asker, caseId);
    const taken = uploads.find(asker, given.upload_id);
    if (taken.upload.kind === 'case-file') {
      throw new ServiceError('VALIDATION_ERROR', 'upload_id: a case file is no item of a case: open it');
    }
    const release = takeBytes(about, taken.upload.bytes);
    try {
      uploads.forget(given.upload_id);
      const stored_as = randomUUID();
      const { bytes, sha256 } = taken.upload;
      const isCheckpoint = await isCheckpointFile(taken.path);
      await this.#moveIn(caseId, taken, stored_as);
      const item = { name: given.name ?? taken.upload.name, bytes, sha256, stored_as, isCheckpoint };
      const added = await reads.ask(store.folderOf(caseId), 'addItem', item, examiner);
      await this.#keepTotals(caseId);
      if (isCheckpoint) this.#context.verifyFirst(about);
      void this.#due.start(about);
      return { ...itemView(added), signed_by: null };
    } finally {
      release();
    }
  }

  /** A crash after it leaves a `.new` file that the next start removes. */
  async #moveIn(caseId: string, { path }: TakenUpload, storedAs: string): Promise<void> {
    const folder = join(this.#context.store.folderOf(caseId), ITEMS_FOLDER);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await syncFile(path);
    await rename(path, join(folder, `${storedAs}.new`));
  }

  /** @throws ServiceError NOT_FOUND, CONFLICT, FORBIDDEN; VALIDATION_ERROR for the file that the case was made of */
  async remove(asker: Asker, caseId: string, itemNo: number, examiner: Examiner): Promise<void> {
    const { store, reads } = this.#context;
    store.findToChange(asker, caseId);
    store.findImported(asker, caseId);
    if (itemNo === FIRST_ITEM) {
      throw new ServiceError('VALIDATION_ERROR', 'item_no: item 1 is the file of the case: delete the case');
    }
    const { stored_as, kind } = await reads.ask(store.folderOf(caseId), 'removeItem', itemNo, examiner);
    const path = this.#pathOf(caseId, stored_as);
    await rm(path, { force: true });
    await rm(`${path}.json`, { force: true });
    await this.#keepTotals(caseId);
    if (kind === 'checkpoint') this.#context.verifyFirst(store.must(caseId));
    this.resumeOne(store.must(caseId));
  }

  async #keepTotals(caseId: string): Promise<void> {
    const items = await this.stored(caseId);
    const { origin } = this.#context.store.must(caseId);
    const unchecked = items.filter(({ verdict }) => verdict === null).length;
    const due = origin?.stated.reproduced === null || unchecked > 0;
    const bytes = items.reduce((sum, item) => sum + item.bytes, 0);
    // Statements of the issuer that cannot be true together with the file of the case: it is not verified, however sound by itself.
    const contradicting = items.filter(({ code }) => code === 'CONTRADICTS_BUNDLE').map(({ item_no }) => item_no);
    const found = items
      .filter(({ kind, verdict }) => isUnsigned(kind) && verdict === 'not_verified')
      .map(({ item_no }) => item_no);
    const totals = { count: items.length, bytes, due, unchecked, contradicting, found };
    const about = await this.#context.store.change(caseId, { items: totals });
    if (unchecked === 0) this.#context.indexing.startWhereDue(about);
  }

  #pathOf(caseId: string, storedAs: string): string {
    return join(this.#context.store.folderOf(caseId), ITEMS_FOLDER, storedAs);
  }

  /** The bytes of an item. @throws ServiceError NOT_FOUND, CONFLICT */
  async file(asker: Asker, caseId: string, itemNo: number): Promise<{ readonly path: string; readonly name: string }> {
    const { store, reads } = this.#context;
    const about = store.findImported(asker, caseId);
    if (itemNo === FIRST_ITEM) return { path: join(store.folderOf(caseId), NAMES.original), name: about.file_name };
    const { stored_as, name } = await reads.ask(store.folderOf(caseId), 'item', itemNo);
    return { path: this.#pathOf(caseId, stored_as), name };
  }

  /** All that was found about an item, as JSON text. @throws ServiceError NOT_FOUND, also while it is looked at; CONFLICT */
  async judgement(asker: Asker, caseId: string, itemNo: number): Promise<string> {
    const { store, reads } = this.#context;
    store.findImported(asker, caseId);
    if (itemNo === FIRST_ITEM) return readFile(join(store.folderOf(caseId), NAMES.report), 'utf8');
    const { stored_as, judgement_sha256 } = await reads.ask(store.folderOf(caseId), 'item', itemNo);
    if (judgement_sha256 === null) throw new ServiceError('NOT_FOUND', 'the item is being looked at');
    return readFile(`${this.#pathOf(caseId, stored_as)}.json`, 'utf8');
  }

  /** Holds two reports of chosen records against each other, one pair of a case at a time. @throws ServiceError NOT_FOUND, CONFLICT, VALIDATION_ERROR */
  async compare(asker: Asker, caseId: string, one: number, other: number): Promise<ReportComparison> {
    const about = this.#context.store.findImported(asker, caseId);
    const both = { one: await this.#report(caseId, one), other: await this.#report(caseId, other) };
    try {
      return await this.#comparing.run({ about, both });
    } catch (error) {
      if (error instanceof RequestStopped)
        throw new ServiceError('CONFLICT', 'the comparison was stopped: the case was deleted, or the service stops');
      return refuseFile(error);
    }
  }

  async #report(caseId: string, itemNo: number) {
    const { reads, store } = this.#context;
    const item = itemNo === FIRST_ITEM ? null : await reads.ask(store.folderOf(caseId), 'item', itemNo);
    if (
      item === null ||
      item.kind !== 'record-report' ||
      item.code === 'FILE_DAMAGED' ||
      item.code === 'BYTES_CHANGED'
    ) {
      throw new ServiceError('VALIDATION_ERROR', `item ${itemNo} is no report of chosen records that can be read`);
    }
    return { item_no: itemNo, name: item.name, path: this.#pathOf(caseId, item.stored_as) };
  }

  /** Has all items of a case verified again, after its file. */
  async verifyAll(caseId: string): Promise<void> {
    const { store, reads } = this.#context;
    if (store.must(caseId).items.count === 0) return;
    await reads.ask(store.folderOf(caseId), 'forgetJudgements');
    const about = store.must(caseId);
    // What contradicted stays until it was looked at again: a case that failed has failed meanwhile.
    await store.change(caseId, { items: { ...about.items, due: true, unchecked: about.items.count } });
    void this.#due.start(about);
  }

  /** @returns whether more is due */
  async #step(caseId: string, signal: AbortSignal): Promise<boolean> {
    const { store, reads, now } = this.#context;
    const about = store.get(caseId);
    // What was deleted meanwhile, or could not be imported, has no items.
    if (signal.aborted || about === undefined || about.state !== 'ready') return false;
    if (about.origin !== null && about.origin.stated.reproduced === null)
      await this.#reproduce(about, about.origin, signal);
    // Before the trust is read: whoever changes that has judgements forgotten afterwards, which begins another round.
    const round = await reads.ask(store.folderOf(caseId), 'judgementRound');
    const all = await this.stored(caseId);
    const due = all.filter(({ verdict }) => verdict === null).slice(0, AT_A_TIME);
    if (due.length > 0) {
      const verified_with = await this.#context.trust.trustFor(about);
      for (const { item_no, judgement, sha256, reproduced } of await this.#judge(
        about,
        due,
        all,
        verified_with,
        signal,
      )) {
        const found = { ...judgement, judgement_sha256: sha256, reproduced, verified_at: now(), verified_with };
        await reads.ask(store.folderOf(caseId), 'keepJudgement', item_no, found, round);
      }
    }
    const unchecked = (await this.stored(caseId)).filter(({ verdict }) => verdict === null).length;
    if (unchecked === 0) await this.#keepTotals(caseId);
    else await store.change(caseId, { items: { ...store.must(caseId).items, unchecked } });
    return unchecked > 0;
  }

  async #judge(
    about: CaseFile,
    due: readonly StoredItem[],
    all: readonly StoredItem[],
    trust: readonly string[],
    signal: AbortSignal,
  ) {
    const { threads, store, maxBytes, onError } = this.#context;
    const fileOf = ({ name, bytes, sha256, stored_as }: StoredItem): ItemFile => ({
      name,
      bytes,
      sha256,
      path: this.#pathOf(about.case_id, stored_as),
    });
    const items = due.map((item) => {
      const file = fileOf(item);
      return { item_no: item.item_no, file, outPath: `${file.path}.json`, stated: item.stated };
    });
    const others = all.map(fileOf);
    const first = store.fileOf(about);
    const task = { kind: 'judge', items, first, others, maxBytes, trust } as const;
    const done = resultOf(await threads.run(task, { signal }), 'judged');
    for (const { unexpected } of done.items) if (unexpected !== undefined) onError(new Error(unexpected));
    return done.items;
  }

  async #reproduce(about: CaseFile, origin: NonNullable<CaseFile['origin']>, signal: AbortSignal): Promise<void> {
    const { threads, store, onError } = this.#context;
    const { verified_with: trust, judgement_sha256: stated } = origin.stated;
    const task = {
      file: store.fileOf(about),
      receipts: store.receiptsOf(about),
      item: store.itemOf(about),
      trust,
      hasItems: about.items.count > 0,
    };
    let reproduced = false;
    try {
      const done = await threads.run({ kind: 'reproduce', ...task }, { signal });
      reproduced = resultOf(done, 'reproduced').sha256 === stated;
    } catch (error) {
      if (error instanceof RequestStopped) throw error;
      // Said as it is: nothing was made again. The items after it have their turn all the same.
      onError(error);
    }
    await store.change(about.case_id, { origin: { ...origin, stated: { ...origin.stated, reproduced } } });
  }
}
