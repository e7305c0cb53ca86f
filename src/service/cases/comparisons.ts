import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Comparison } from '../../contract/index.ts';
import { satisfiesRole } from '../../contract/index.ts';
import { formatTime } from '../../protocol/index.ts';
import { ServiceError } from '../base/service-error.ts';
import type { CaseFile } from './case-file.ts';
import { NAMES } from './case-folder.ts';
import { CaseRefused } from './case-source.ts';
import type { Cases } from './cases.ts';
import type { ComparedFile } from './job-messages.ts';
import { runJob } from './job-thread.ts';
import { type Asker, keyOf, ownerFor } from './scope.ts';

/** Comparisons of one owner that are kept: the result of each may hold some thousand runs. */
const MAX_KEPT = 100;

/** Comparisons of one owner that have not ended: each waits for its turn, and is kept until it had it. */
const MAX_UNFINISHED = 16;

interface Kept {
  readonly owner: string;
  readonly comparison: Comparison;
}

export interface ComparisonContext {
  readonly cases: Cases;
  /** Scratch files, removed after each comparison. */
  readonly folder: string;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
  /** Writes a bundle of everything an organization's ledger holds. */
  readonly bundleOf: (orgId: string, path: string) => Promise<void>;
}

/** Comparisons of cases as jobs. Results live as long as the service: they can be had again at any time. */
export class Comparisons {
  readonly #context: ComparisonContext;
  /** In the order in which they were begun. */
  readonly #kept = new Map<string, Kept>();
  readonly #stop = new AbortController();

  constructor(context: ComparisonContext) {
    this.#context = context;
  }

  /**
   * @throws ServiceError NOT_FOUND, CONFLICT, FORBIDDEN where the live ledger is not this caller's to read; OVERLOADED where
   *   too many of this owner have not ended
   */
  begin(asker: Asker, caseId: string, other: Comparison['with']): Comparison {
    const { cases, now } = this.#context;
    const one = cases.store.findReady(asker, caseId);
    const make = 'live' in other ? this.#live(asker) : this.#case(cases.store.findReady(asker, other.case_id));
    const owner = ownerFor(asker);
    this.#makeRoom(keyOf(owner));
    const comparison: Comparison = {
      comparison_id: randomUUID(),
      case_id: caseId,
      with: other,
      status: 'processing',
      created_at: formatTime(now()),
      failure: null,
      result: null,
    };
    this.#kept.set(comparison.comparison_id, { owner: keyOf(owner), comparison });
    cases.jobs.add(owner, () => this.#run(one, comparison, make));
    return comparison;
  }

  #case(about: CaseFile): (scratch: string) => Promise<ComparedFile> {
    return async () => this.#compared(about);
  }

  #compared(about: CaseFile): ComparedFile {
    const { cases } = this.#context;
    const indexPath = join(cases.store.folderOf(about.case_id), NAMES.index);
    return { name: about.name, file: cases.jobs.storedFile(about), indexPath };
  }

  #live({ caller }: Asker): (scratch: string) => Promise<ComparedFile> {
    // What an export needs: the open epoch is sealed for it, and the result tells of every record.
    if (caller === null || !satisfiesRole(caller.role, 'compliance_auditor')) {
      throw new ServiceError('FORBIDDEN', 'the live ledger needs the role compliance_auditor or a higher one');
    }
    const { orgId } = caller;
    return async (scratch) => {
      const path = join(scratch, 'live.json');
      await this.#context.bundleOf(orgId, path);
      const { size: bytes } = await stat(path);
      const file = { path, kind: 'bundle', bytes, maxPlainBytes: bytes } as const;
      return { name: 'the live ledger', file, indexPath: null };
    };
  }

  async #run(about: CaseFile, comparison: Comparison, make: (scratch: string) => Promise<ComparedFile>): Promise<void> {
    const { cases, folder, onError } = this.#context;
    const scratch = join(folder, comparison.comparison_id);
    try {
      await mkdir(scratch, { recursive: true, mode: 0o700 });
      const trustedKids = await cases.jobs.trustedKids(about);
      const other = await make(scratch);
      const one = this.#compared(about);
      const scratchIndex = join(scratch, 'live.sqlite');
      const done = await runJob({ kind: 'compare', one, other, scratchIndex, trustedKids }, this.#stop.signal);
      if (done.kind !== 'compared') throw new Error('the thread of a comparison did something else');
      this.#ended({ ...comparison, status: 'completed', result: done.result });
    } catch (error) {
      const refused = error instanceof CaseRefused;
      if (!refused && !this.#stop.signal.aborted) onError(error);
      const failure = refused ? error.message : 'unexpected error; the log of the service has it';
      this.#ended({ ...comparison, status: 'failed', failure });
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  /** Lets an owner's oldest result go where the new one would be too many: never another owner's. */
  #makeRoom(owner: string): void {
    const own = [...this.#kept.values()].filter((kept) => kept.owner === owner).map(({ comparison }) => comparison);
    if (own.filter(({ status }) => status === 'processing').length >= MAX_UNFINISHED) {
      throw new ServiceError('OVERLOADED', `${MAX_UNFINISHED} comparisons of yours have not ended: try again`, {}, 5);
    }
    const oldest = own.find(({ status }) => status !== 'processing');
    if (oldest !== undefined && own.length >= MAX_KEPT) this.#kept.delete(oldest.comparison_id);
  }

  #ended(comparison: Comparison): void {
    const kept = this.#kept.get(comparison.comparison_id);
    if (kept !== undefined) this.#kept.set(comparison.comparison_id, { ...kept, comparison });
  }

  /** @throws ServiceError NOT_FOUND */
  get(asker: Asker, caseId: string, comparisonId: string): Comparison {
    this.#context.cases.store.find(asker, caseId);
    const comparison = this.#kept.get(comparisonId)?.comparison;
    if (comparison === undefined || comparison.case_id !== caseId) {
      throw new ServiceError('NOT_FOUND', 'there is no such comparison of this case');
    }
    return comparison;
  }

  /** Ends what runs: asked for again, it is done from the beginning. The queue of the case room waits for it. */
  stop(): void {
    this.#stop.abort();
  }
}
