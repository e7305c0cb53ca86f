import { randomUUID } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Comparison, ComparisonResult } from '../../api/index.ts';
import { satisfiesRole } from '../../api/index.ts';
import { formatTime } from '../../protocol/index.ts';
import type { JobEnd, JobMeans } from '../jobs/job-kind.ts';
import type { Jobs, JobsOfKind } from '../jobs/jobs.ts';
import { ServiceError } from '../store/base/service-error.ts';
import type { CaseFile } from './case-file.ts';
import { NAMES } from './case-folder.ts';
import { CaseRefused } from './case-source.ts';
import { CASE_LANE } from './case-verifications.ts';
import type { Cases } from './cases.ts';
import type { ComparedFile } from './job-messages.ts';
import { resultOf } from './job-thread.ts';
import { type Asker, keyOf, ownerFor } from './scope.ts';
import type { TrustKeeper } from './trust/trust-keeper.ts';

/** Comparisons of one owner that are kept: the result of each may hold some thousand runs. */
const MAX_KEPT = 100;

/** Comparisons of one owner that have not ended. */
const MAX_UNFINISHED = 16;

interface Kept {
  readonly owner: string;
  readonly comparison: Comparison;
}

export interface ComparisonContext {
  readonly cases: Cases;
  readonly jobs: Jobs;
  readonly trust: TrustKeeper;
  /** Scratch files, removed after each comparison. */
  readonly folder: string;
  readonly now: () => number;
  /** Writes a bundle of everything an organization's ledger holds. */
  readonly bundleOf: (orgId: string, path: string, signal: AbortSignal) => Promise<void>;
}

/** Makes what a case is compared with, in a folder that is removed afterwards. */
type MakeCompared = (scratch: string, signal: AbortSignal) => Promise<ComparedFile>;

interface Work {
  readonly owner: string;
  readonly one: CaseFile;
  readonly comparison: Comparison;
  readonly other: MakeCompared;
}

/** Comparisons of cases as jobs. Results live as long as the service: they can be had again at any time. */
export class Comparisons {
  readonly #context: ComparisonContext;
  /** In the order in which they were begun. */
  readonly #kept = new Map<string, Kept>();
  readonly #jobs: JobsOfKind<Work, ComparisonResult, never>;

  constructor(context: ComparisonContext) {
    this.#context = context;
    this.#jobs = context.jobs.of<Work, ComparisonResult>({
      lane: CASE_LANE,
      guestsApart: true,
      ownerOf: ({ owner }) => owner,
      about: ({ comparison: { case_id, with: other } }) => ('live' in other ? [case_id] : [case_id, other.case_id]),
      bound: {
        most: MAX_UNFINISHED,
        refusal: () =>
          new ServiceError('OVERLOADED', `${MAX_UNFINISHED} comparisons of yours have not ended: try again`, {}, 5),
      },
      run: (work, means) => this.#run(work, means),
      foreseen: (error) => (error instanceof CaseRefused ? error.message : undefined),
      ended: ({ work }, end) => this.#ended(work, end),
    });
  }

  /**
   * @throws ServiceError NOT_FOUND, CONFLICT, FORBIDDEN where the live ledger is not this caller's to read; OVERLOADED where
   *   too many of this owner have not ended
   */
  begin(asker: Asker, caseId: string, other: Comparison['with']): Comparison {
    const { cases, now } = this.#context;
    const one = cases.store.findSigned(asker, caseId);
    const compared = 'live' in other ? this.#live(asker) : this.#case(cases.store.findSigned(asker, other.case_id));
    const owner = keyOf(ownerFor(asker));
    const comparison: Comparison = {
      comparison_id: randomUUID(),
      case_id: caseId,
      with: other,
      status: 'processing',
      created_at: formatTime(now()),
      failure: null,
      result: null,
    };
    void this.#jobs.start({ owner, one, comparison, other: compared });
    this.#makeRoom(owner);
    this.#kept.set(comparison.comparison_id, { owner, comparison });
    return comparison;
  }

  #case(about: CaseFile): MakeCompared {
    return async () => this.#compared(about);
  }

  #compared(about: CaseFile): ComparedFile {
    const { cases } = this.#context;
    const indexPath = join(cases.store.folderOf(about.case_id), NAMES.index);
    return { name: about.name, file: cases.store.fileOf(about), indexPath };
  }

  #live({ caller }: Asker): MakeCompared {
    // What an export needs: the open epoch is sealed for it, and the result tells of every record.
    if (caller === null || !satisfiesRole(caller.role, 'compliance_auditor')) {
      throw new ServiceError('FORBIDDEN', 'the live ledger needs the role compliance_auditor or a higher one');
    }
    const { orgId } = caller;
    return async (scratch, signal) => {
      const path = join(scratch, 'live.json');
      await this.#context.bundleOf(orgId, path, signal);
      const { size: bytes } = await stat(path);
      const file = { path, kind: 'bundle', bytes, maxPlainBytes: bytes } as const;
      return { name: 'the live ledger', file, indexPath: null };
    };
  }

  async #run({ one, comparison, other }: Work, { signal }: JobMeans<never>): Promise<ComparisonResult> {
    const { cases, trust, folder } = this.#context;
    const scratch = join(folder, comparison.comparison_id);
    try {
      await mkdir(scratch, { recursive: true, mode: 0o700 });
      const trusted = await trust.trustFor(one);
      const both = { other: await other(scratch, signal), one: this.#compared(one) };
      const task = { kind: 'compare', ...both, scratchIndex: join(scratch, 'live.sqlite'), trust: trusted } as const;
      return resultOf(await cases.threads.run(task, { signal }), 'compared').result;
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }

  /** Lets an owner's oldest result go where the new one would be too many: never another owner's. */
  #makeRoom(owner: string): void {
    const own = [...this.#kept.values()].filter((kept) => kept.owner === owner).map(({ comparison }) => comparison);
    const oldest = own.find(({ status }) => status !== 'processing');
    if (oldest !== undefined && own.length >= MAX_KEPT) this.#kept.delete(oldest.comparison_id);
  }

  #ended({ owner, comparison }: Work, { status, result, failure }: JobEnd<ComparisonResult>): void {
    const ended = {
      result: result ?? null,
      failure: status === 'cancelled' ? 'one of the two cases was deleted' : failure,
    };
    const kept = { ...comparison, ...ended, status: status === 'completed' ? status : 'failed' } as const;
    this.#kept.set(comparison.comparison_id, { owner, comparison: kept });
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
}
