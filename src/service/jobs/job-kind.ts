import type { ServiceError } from '../store/base/service-error.ts';
import type { WritableStore } from '../store/open.ts';

/** What a job is given while it runs. */
export interface JobMeans<Progress> {
  /** Aborted once the job is cancelled, and once the service stops. */
  readonly signal: AbortSignal;
  readonly tell: (progress: Progress) => void;
}

/** A job that has not ended: what it does, and the progress that it told last. */
export interface OpenJob<Work, Progress> {
  readonly work: Work;
  readonly progress: Progress | undefined;
}

/** How a job ended. One that a stop of the service interrupted has no end: it stays unfinished, for the next start to resume. */
export type JobEnd<Result> =
  | { readonly status: 'completed'; readonly result: Result; readonly failure: null }
  | { readonly status: 'failed'; readonly result?: undefined; readonly failure: string; readonly error: unknown }
  | { readonly status: 'cancelled'; readonly result?: undefined; readonly failure: null };

/**
 * A kind of job: how its jobs wait for each other, what they do, and where their end is kept. Who owns the state: the kind. `Jobs` holds
 * nothing but what has not ended.
 */
export interface JobKind<Work, Result, Progress> {
  /** The jobs of a lane run one at a time, of each owner in turn. Kinds may share a lane. */
  readonly lane: string;
  /** Whether guests have a separate lane of this name, so that the home organization waits for no guest. */
  readonly guestsApart?: boolean;
  /** An organization, or the workstation. */
  readonly ownerOf: (work: Work) => string;
  /** What a job is found by. There is one open job of a kind for each key. */
  readonly keyOf?: (work: Work) => string;
  /** The message of the CONFLICT that answers another job with the key of an open one. */
  readonly taken?: string;
  /** The folders or records that a job works on, by id: where one of them is deleted, `Jobs.endAbout` ends the job first. */
  readonly about?: (work: Work) => readonly string[];
  /** How many open jobs of this kind an owner may have, and the answer to one more. */
  readonly bound?: { readonly most: number; readonly refusal: () => ServiceError };
  /** Does the work, or one turn of it. Whatever it opened is closed when the promise is settled. */
  readonly run: (work: Work, means: JobMeans<Progress>) => Promise<Result>;
  /** Whether the job needs another turn, after those of other owners. */
  readonly needsTurn?: (result: Result) => boolean;
  /** What people read about an error that was foreseen; all others are logged. */
  readonly foreseen?: (error: unknown) => string | undefined;
  /** Keeps the end in the database, in the writer's turn. A crash before its commit leaves an unfinished job. */
  readonly keep?: (store: WritableStore, job: OpenJob<Work, Progress>, end: JobEnd<Result>) => void;
  /** Keeps the end elsewhere: in a file, or in memory. */
  readonly ended?: (job: OpenJob<Work, Progress>, end: JobEnd<Result>) => Promise<void> | void;
}
