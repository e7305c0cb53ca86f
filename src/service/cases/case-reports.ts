import { randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type CarriedFiles, formatTime, isStatedPolicy, isTrustEntry, parseTime } from '../../protocol/index.ts';
import type { ReportAnnotation } from '../../reports/pdf/index.ts';
import { PROOF_CONTENT_TYPE } from '../evidence/proofs/proof-file.ts';
import { fileNameOf } from '../http/file-names.ts';
import type { FileAnswer, Member } from '../http/handler.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { ShownRun } from '../ledger/epochs/time-stamps.ts';
import type { AskedReport } from '../search/ledger-view.ts';
import { ServiceError } from '../store/base/service-error.ts';
import type { CaseFile } from './case-file.ts';
import { NAMES } from './case-folder.ts';
import { caseVerdict, pagesOf } from './case-view.ts';
import type { Cases } from './cases.ts';
import { type FileJobs, fileJobsOf, refuseFile } from './file-jobs.ts';
import type { ChosenTask, JsonTask, PdfTask } from './job-messages.ts';
import { type Asker, type Owner, ownerFor, type Waiting } from './scope.ts';

/** Pages of annotations that are read at a time. */
const PAGE = 200;

/** The keys alone: a report of chosen records is judged by each reader's own witnesses. */
function keysOf({ verified_with }: CaseFile): readonly string[] {
  return verified_with.filter(isTrustEntry);
}

/** Whose turn a file takes, and until when somebody waits for the answer. */
interface AwaitedBy {
  readonly owner: Owner;
  readonly waits: () => AbortSignal;
}

function awaited(asker: Waiting): AwaitedBy {
  return { owner: ownerFor(asker), waits: asker.waits };
}

/** A member who asks for a report of the ledger itself. */
export type LedgerAsker = Pick<Waiting, 'waits'> & { readonly caller: Member };

/** How long the data of a report can be signed, in milliseconds: a report says when it was made by the clock of the service. */
const SIGNED_WITHIN_MS = 3_600_000;

/** What reports of a ledger itself take, besides that of cases. */
export interface ReportContext {
  readonly jobs: Jobs;
  readonly now: () => number;
  /** The ledger's database. */
  readonly ledgerPath: string;
  /** Seals the open epoch of an organization. */
  readonly seal: (orgId: string) => Promise<void>;
  /** What others said of its log, which files of some of its records carry. */
  readonly carried: (orgId: string, shown: ShownRun) => Promise<CarriedFiles>;
  /** Notes in the administrative log that records were taken out as a report. */
  readonly noteReport: (
    orgId: string,
    actor: string,
    details: { readonly format: string; readonly records: number; readonly signed_by?: string },
  ) => Promise<void>;
}

const CONTENT_TYPES = {
  pdf: 'application/pdf',
  html: 'text/html; charset=utf-8',
  proof: PROOF_CONTENT_TYPE,
  json: 'application/json; charset=utf-8',
} as const;

/** A report of chosen records, or their proof, as an answer, named by its title. */
export function chosenFile({ title, format }: AskedReport, file: string): FileAnswer {
  const fileName =
    format === 'proof' ? fileNameOf(['proof', title], '.csproof') : fileNameOf(['report', title], `.${format}`);
  return { file, fileName, contentType: CONTENT_TYPES[format], temporary: true };
}

/** What logs say of a report: its form, and who signed it. */
export function reportDetails({ format, signed }: AskedReport): {
  readonly format: string;
  readonly signed_by?: string;
} {
  return signed === undefined ? { format } : { format, signed_by: signed.signature.kid };
}

/** Reports of cases as files: each is made when asked for, since tags and notes change. */
export class CaseReports {
  readonly #cases: Cases;
  readonly #scratch: string;
  readonly #context: ReportContext;
  readonly #jobs: FileJobs;

  constructor(cases: Cases, scratch: string, context: ReportContext) {
    this.#cases = cases;
    this.#context = context;
    this.#scratch = scratch;
    // One after the other: each may take the memory of a whole report.
    this.#jobs = fileJobsOf(context.jobs, cases.threads, 'reports');
  }

  /** The verification report as JSON text. @throws ServiceError NOT_FOUND, CONFLICT */
  text(asker: Asker, caseId: string): Promise<string> {
    const about = this.#cases.store.findSigned(asker, caseId);
    return readFile(this.#reportPath(about), 'utf8');
  }

  /**
   * Whether the records of a case fit together, as JSON text.
   * @throws ServiceError NOT_FOUND, also where the case was verified by a version that did not look; CONFLICT
   */
  async coherenceText(asker: Asker, caseId: string): Promise<string> {
    const { store } = this.#cases;
    if (store.findReady(asker, caseId).coherence === null) {
      throw new ServiceError('NOT_FOUND', 'the coherence of this case was not checked: verify the case again');
    }
    return readFile(join(store.folderOf(caseId), NAMES.coherence), 'utf8');
  }

  #reportPath({ case_id }: CaseFile): string {
    return join(this.#cases.store.folderOf(case_id), NAMES.report);
  }

  /** Null where the case was verified by a version that did not look, and where no record is of the profile. */
  #coherencePath({ case_id, coherence }: CaseFile): string | null {
    if (coherence === null || coherence.status === 'not_applicable') return null;
    return join(this.#cases.store.folderOf(case_id), NAMES.coherence);
  }

  async #annotationsOf({ case_id }: CaseFile): Promise<ReportAnnotation[]> {
    const found: ReportAnnotation[] = [];
    const folder = this.#cases.store.folderOf(case_id);
    for (let after = ''; ; ) {
      const page = await this.#cases.reads.ask(folder, 'notes', { after, limit: PAGE });
      const written = page.filter(({ tags, note }) => tags.length > 0 || note !== '');
      found.push(...written.map(({ operation_id, tags, note }) => ({ operation_id, tags, note })));
      if (page.length < PAGE) return found;
      // Of the whole page: a page of bookmarks alone has nothing for the report, and is passed all the same.
      after = page.at(-1)?.operation_id ?? after;
    }
  }

  /**
   * Writes the report as PDF.
   * @param details whether every record is printed; where it is not said, of up to 200
   * @returns the path of a file for this answer alone
   * @throws ServiceError NOT_FOUND, CONFLICT, also where the bundle is too large for a PDF
   */
  async pdf(asker: Waiting, caseId: string, details?: boolean): Promise<string> {
    const about = this.#cases.store.findSigned(asker, caseId);
    const receiptFiles = about.receipts.length;
    const otherFiles = (await this.#checkpoints(about)).length;
    const common = await this.#common(about, 'pdf');
    const file = this.#cases.store.fileOf(about);
    const standing = { contradicting: await this.#contradicting(about), unchecked: about.items.unchecked };
    return this.#write(awaited(asker), caseId, {
      kind: 'pdf',
      file,
      receiptFiles,
      otherFiles,
      details,
      standing,
      ...common,
    });
  }

  /** What was given to the verification of the case besides its receipts: checkpoints, where witnesses were demanded. */
  async #checkpoints({ case_id, items, verified_with }: CaseFile) {
    if (items.count === 0 || !verified_with.some(isStatedPolicy)) return [];
    return (await this.#cases.items.stored(case_id)).filter(({ kind }) => kind === 'checkpoint');
  }

  /** By number and name: what of the items the first page of a report says. */
  async #contradicting({ case_id, items }: CaseFile): Promise<{ readonly item_no: number; readonly name: string }[]> {
    if (items.contradicting.length === 0) return [];
    const stored = await this.#cases.items.stored(case_id);
    return stored.flatMap(({ item_no, name }) => (items.contradicting.includes(item_no) ? [{ item_no, name }] : []));
  }

  /**
   * Writes the report as JSON.
   * @returns the path of a file for this answer alone
   * @throws ServiceError NOT_FOUND, CONFLICT
   */
  async json(asker: Waiting, caseId: string): Promise<string> {
    const about = this.#cases.store.findSigned(asker, caseId);
    const files = {
      subject: { sha256: about.sha256, size: about.bytes },
      receipts: about.receipts.map(({ name, sha256, bytes }) => ({ name, sha256, size: bytes })),
      against: [],
      checkpoints: (await this.#checkpoints(about)).map(({ name, sha256, bytes }) => ({ name, sha256, size: bytes })),
    };
    const common = await this.#common(about, 'json');
    const { contradicting: contradicting_items, unchecked: unchecked_items } = about.items;
    const standing = { ...caseVerdict({ ...about, pages: pagesOf(about) }), contradicting_items, unchecked_items };
    return this.#write(awaited(asker), caseId, { kind: 'json', standing, files, ...common });
  }

  /**
   * Writes a report of records of a case that somebody chose, or its data, to be signed.
   * @returns the path of a file for this answer alone
   * @throws ServiceError NOT_FOUND; CONFLICT, also where one of the records is not there or not provable, or the data are not
   *   those that were signed; INVALID_SIGNATURE
   */
  async ofRecords(asker: Waiting, caseId: string, asked: AskedReport): Promise<string> {
    const ready = this.#cases.store.findReady(asker, caseId);
    if (ready.archive !== null) return this.#ofRun(asker, ready, asked);
    const about = this.#cases.store.findSigned(asker, caseId);
    const file = this.#cases.store.fileOf(about);
    return this.#writeChosen(awaited(asker), caseId, { file }, asked, keysOf(about));
  }

  /** Of an archive: the report is made of the run that the records are in, as anybody makes it who has that file. */
  async #ofRun(asker: Waiting, about: CaseFile, asked: AskedReport): Promise<string> {
    const { store, reads } = this.#cases;
    const numbers = asked.entries.map(({ seq_no }) => seq_no);
    const { path, seqNos } = await reads.ask(store.folderOf(about.case_id), 'runOfRecords', numbers);
    const file = { ...store.fileOf(about), path, bytes: (await stat(path)).size };
    const entries = asked.entries.map((entry, index) => ({ ...entry, seq_no: seqNos[index] ?? entry.seq_no }));
    return this.#writeChosen(awaited(asker), about.case_id, { file }, { ...asked, entries }, keysOf(about));
  }

  /**
   * Writes a report of records of an organization's own ledger, of which a service says nothing about its own key; or its data,
   * to be signed. The open epoch is sealed first: what is not sealed has no proof.
   * @returns the path of a file for this answer alone
   * @throws ServiceError CONFLICT where one of the records is not there, or the data are not those that were signed;
   *   INVALID_SIGNATURE
   */
  async ofLedger({ caller, waits }: LedgerAsker, asked: AskedReport): Promise<string> {
    const { orgId, userId: actor } = caller;
    const { ledgerPath, seal, carried, noteReport } = this.#context;
    await seal(orgId);
    const numbers = asked.entries.map(({ seq_no }) => seq_no);
    const shown = { first: Math.min(...numbers), last: Math.max(...numbers) };
    const of = { ledgerPath, orgId, carried: await carried(orgId, shown) };
    const path = await this.#writeChosen({ owner: { orgId }, waits }, null, of, asked, []);
    // Only now: what was refused took nothing out of the ledger. A crash before this leaves nothing that anybody has.
    await noteReport(orgId, actor, { ...reportDetails(asked), records: asked.entries.length });
    return path;
  }

  async #writeChosen(
    by: AwaitedBy,
    caseId: string | null,
    of: ChosenTask['of'],
    asked: AskedReport,
    trustedKids: readonly string[],
  ): Promise<string> {
    const { format, title, question, examiner, entries, sums, details, signed } = asked;
    const request = {
      title,
      question,
      examiner: examiner ?? null,
      trustedKids,
      madeAt: signed === undefined ? formatTime(this.#context.now()) : this.#draftedAt(signed.made_at),
      entries: entries.map(({ seq_no, comment }) => (comment === undefined ? { seq_no } : { seq_no, comment })),
      ...(sums === undefined ? {} : { sums }),
    };
    const outPath = join(this.#scratch, `${randomUUID()}.${format}`);
    return this.#write(by, caseId, {
      kind: 'chosen',
      of,
      request,
      format,
      details,
      signed: signed ?? null,
      outPath,
    });
  }

  /** When data were drafted that are signed now: the caller says it. @throws ServiceError CONFLICT */
  #draftedAt(madeAt: string): string {
    const age = this.#context.now() - parseTime(madeAt);
    if (age >= 0 && age <= SIGNED_WITHIN_MS) return madeAt;
    throw new ServiceError('CONFLICT', 'signed.made_at: not a time of the last hour. Draft and sign the report again');
  }

  async #common(about: CaseFile, ending: 'pdf' | 'json') {
    const annotations = await this.#annotationsOf(about);
    return {
      reportPath: this.#reportPath(about),
      coherencePath: this.#coherencePath(about),
      outPath: join(this.#scratch, `${randomUUID()}.${ending}`),
      annotations,
      pages: about.pages,
      trust: about.verified_with,
    };
  }

  /** @param caseId null where the report is of a ledger @throws RequestStopped once nobody waits for it */
  async #write(
    { owner, waits }: AwaitedBy,
    caseId: string | null,
    task: PdfTask | JsonTask | ChosenTask,
  ): Promise<string> {
    this.#cases.needDisk(owner, 0);
    await this.#jobs.run({ owner, caseId, task }, waits()).catch(refuseFile);
    return task.outPath;
  }
}
