import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Serial } from '../../node/index.ts';
import type { AdminAct } from '../ledger/admin-log/admin-events.ts';
import { ServiceError } from '../store/base/service-error.ts';
import {
  type CaseAction,
  type CaseFile,
  keepDescriptionOnly,
  loadCaseFiles,
  ownerOf,
  saveCaseFile,
} from './case-file.ts';
import { ITEMS_FOLDER, NAMES, receiptsName } from './case-folder.ts';
import { isUnsigned } from './collection/unsigned.ts';
import type { ItemFile } from './items/item-file.ts';
import type { StoredReceipts } from './job-messages.ts';
import { plainLimit } from './plain-limit.ts';
import { type Asker, keyOf, mayChange, maySee, type Owner } from './scope.ts';
import type { StoredFile } from './stored-file.ts';

export interface CaseStoreContext {
  /** Where the cases are, each in a folder named by its id. */
  readonly folder: string;
  /** Of an upload, in bytes. */
  readonly limits: { readonly maxBytes: number };
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  /** Records an act on an organization's case in its administrative log. */
  readonly record: (act: AdminAct) => Promise<void>;
}

/** How many acts on a case of the workstation are kept: the newest. */
const MAX_HISTORY = 200;

/** A folder on its way in or out has such an ending, and is nothing to anybody: the next start removes it. */
const HALF = /\.(new|gone)$/;

/** Removes items that were on their way into a case when the service ended. */
function removeHalfItems(folder: string): void {
  const items = join(folder, ITEMS_FOLDER);
  if (!existsSync(items)) return;
  for (const name of readdirSync(items)) if (HALF.test(name)) rmSync(join(items, name), { force: true });
}

/** What is known of each case: in memory, and in its folder. */
export class CaseStore {
  readonly #context: CaseStoreContext;
  readonly #known = new Map<string, CaseFile>();
  /** Two saves at once would write the same temporary file. */
  readonly #saves = new Serial();

  constructor(context: CaseStoreContext) {
    this.#context = context;
    const { folder, onError } = context;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) {
      if (HALF.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
    }
    for (const about of loadCaseFiles(folder, onError)) {
      this.#known.set(about.case_id, about);
      removeHalfItems(this.folderOf(about.case_id));
      if (about.state === 'cancelled') keepDescriptionOnly(this.folderOf(about.case_id));
    }
  }

  /** The folder of a case. The id is one of ours, never a caller's text. */
  folderOf(caseId: string): string {
    return join(this.#context.folder, caseId);
  }

  /** The file that a case was made of. */
  fileOf({ case_id, kind, bytes }: CaseFile): StoredFile {
    const maxPlainBytes = plainLimit({ kind, bytes }, this.#context.limits.maxBytes);
    return { path: join(this.folderOf(case_id), NAMES.original), kind, bytes, maxPlainBytes };
  }

  /** The same as an item of the case. */
  itemOf({ case_id, file_name: name, bytes, sha256 }: CaseFile): ItemFile {
    return { name, bytes, sha256, path: join(this.folderOf(case_id), NAMES.original) };
  }

  /** Receipts that agents kept, which came with that file. */
  receiptsOf({ case_id, receipts }: CaseFile): StoredReceipts[] {
    const folder = this.folderOf(case_id);
    return receipts.map(({ name }, index) => ({ name, path: join(folder, receiptsName(index)) }));
  }

  all(): CaseFile[] {
    return [...this.#known.values()];
  }

  ownedBy(owner: Owner): CaseFile[] {
    return this.all().filter((about) => keyOf(ownerOf(about)) === keyOf(owner));
  }

  seenBy(asker: Asker): CaseFile[] {
    return this.all().filter((about) => maySee(asker, ownerOf(about)));
  }

  /** undefined of a case that was deleted meanwhile. */
  get(caseId: string): CaseFile | undefined {
    return this.#known.get(caseId);
  }

  /** @throws ServiceError NOT_FOUND */
  must(caseId: string): CaseFile {
    const about = this.#known.get(caseId);
    if (about === undefined) throw new ServiceError('NOT_FOUND', 'there is no such case');
    return about;
  }

  /** @throws ServiceError NOT_FOUND where it is not there, or another's */
  find(asker: Asker, caseId: string): CaseFile {
    const about = this.must(caseId);
    if (!maySee(asker, ownerOf(about))) throw new ServiceError('NOT_FOUND', 'there is no such case');
    return about;
  }

  /** @throws ServiceError NOT_FOUND; FORBIDDEN where the caller may read it and not change it */
  findToChange(asker: Asker, caseId: string): CaseFile {
    const about = this.find(asker, caseId);
    if (mayChange(asker, ownerOf(about))) return about;
    throw new ServiceError('FORBIDDEN', 'changing a case needs the role compliance_auditor or a higher one');
  }

  /** @throws ServiceError NOT_FOUND, CONFLICT where it is not imported */
  findReady(asker: Asker, caseId: string): CaseFile {
    const about = this.find(asker, caseId);
    if (about.state !== 'ready') throw new ServiceError('CONFLICT', `the case is not ready: it is ${about.state}`);
    return about;
  }

  /**
   * A case that was made of a file, which can be verified again, added to, saved or deleted.
   * @throws ServiceError NOT_FOUND, CONFLICT where it is not imported, or an archive
   */
  findImported(asker: Asker, caseId: string): CaseFile {
    const about = this.findReady(asker, caseId);
    if (about.archive === null) return about;
    throw new ServiceError(
      'CONFLICT',
      'an archive is made of the runs that its central node accepts, and of nothing else',
    );
  }

  /** A case whose file somebody signed. @throws ServiceError NOT_FOUND, CONFLICT where it is not imported, or made of what was found */
  findSigned(asker: Asker, caseId: string): CaseFile {
    const about = this.findImported(asker, caseId);
    if (!isUnsigned(about.kind)) return about;
    throw new ServiceError(
      'CONFLICT',
      'the case is made of files that nobody signed: there is no verification of it to report',
    );
  }

  /** Opens a case whose folder exists. */
  add(about: CaseFile): void {
    this.#known.set(about.case_id, about);
  }

  /** Changes what is kept of a case; one that was deleted meanwhile stays away. @throws ServiceError NOT_FOUND */
  async change(caseId: string, change: Partial<CaseFile>): Promise<CaseFile> {
    const next = { ...this.must(caseId), ...change };
    this.#known.set(caseId, next);
    await this.#inFolder(caseId, (folder) => saveCaseFile(folder, next));
    return next;
  }

  /** Takes away everything of a case but what is known of it here. */
  keepDescriptionOnly(caseId: string): Promise<void> {
    return this.#inFolder(caseId, keepDescriptionOnly);
  }

  #inFolder(caseId: string, act: (folder: string) => Promise<void> | void): Promise<void> {
    return this.#saves.run(async () => {
      if (this.#known.has(caseId)) await act(this.folderOf(caseId));
    });
  }

  /** What is done to an organization's case is in its administrative log; to one of the workstation, in the case's file. */
  async note(asker: Asker, about: CaseFile, action: CaseAction, details: AdminAct['details']): Promise<void> {
    const { case_id: caseId, org_id: orgId } = about;
    if (orgId === null || asker.caller === null) {
      const entry = { at: this.#context.now(), action, details };
      await this.change(caseId, { history: [...this.must(caseId).history, entry].slice(-MAX_HISTORY) });
      return;
    }
    const act = { orgId, actor: asker.caller.userId, action, targetType: 'case', targetId: caseId, details } as const;
    await this.#context.record(act);
  }

  /** From now on there is no such case; its folder stays until it is removed. */
  forget(caseId: string): void {
    this.#known.delete(caseId);
  }

  /** Removes the folder of a case that was forgotten. A crash after the rename leaves what the next start removes. */
  async removeFolder(caseId: string): Promise<void> {
    await this.#saves.idle();
    const folder = this.folderOf(caseId);
    const gone = `${folder}.gone`;
    await rename(folder, gone);
    await rm(gone, { recursive: true, force: true });
  }
}
