import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import packageJson from '../../../../package.json' with { type: 'json' };
import { RECORD_FORMS } from '../../../actions/index.ts';
import type { RecordFileBody } from '../../../api/index.ts';
import { RequestThread, workerUrl } from '../../../node/index.ts';
import { fileNameOf } from '../../http/file-names.ts';
import type { FileAnswer } from '../../http/handler.ts';
import type { Jobs, JobsOfKind } from '../../jobs/jobs.ts';
import {
  eachHandedPage,
  type HandedAsked,
  type HandedPage,
  type HandedPlace,
} from '../../search/queries/handed-records.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { RecordFileStep } from './record-file-worker.ts';
import type { RecordsOf } from './text-forms.ts';

/** Files of one owner that are not made yet. */
const MOST_OF_OWNER = 4;

/** How long the thread stays that nobody asks anything, in milliseconds. */
const IDLE_MS = 60_000;

/** Its heap holds a page of records and, for Parquet, a row group. */
const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 };

/** Which records are written, where from, and for whom. */
export interface RecordFileWork {
  /** Whose turn it takes: an organization, or the workstation. */
  readonly owner: string;
  readonly caseId: string | null;
  readonly of: Omit<RecordsOf, 'version'>;
  readonly asked: RecordFileBody;
  /** Asks the ledger for a page of them. */
  readonly page: (asked: HandedAsked, place: HandedPlace | null) => Promise<HandedPage> | HandedPage;
  /** Tells why the disk takes no more. @throws ServiceError STORAGE_FULL */
  readonly needDisk: () => void;
}

interface Written {
  readonly path: string;
  readonly records: number;
}

/** Records as files for other programs: each is made for the request that waits for it, and goes with that. */
export class RecordFiles {
  readonly #folder: string;
  readonly #jobs: JobsOfKind<RecordFileWork, Written, never>;
  readonly #thread: RequestThread<RecordFileStep, void>;

  /** @param folder for files in the making, which a start empties */
  constructor(jobs: Jobs, folder: string) {
    this.#folder = folder;
    this.#thread = new RequestThread({
      url: workerUrl(import.meta.url, 'record-file-worker'),
      resourceLimits: LIMITS,
      idleMs: IDLE_MS,
    });
    this.#jobs = jobs.of<RecordFileWork, Written>({
      lane: 'record files',
      guestsApart: true,
      ownerOf: ({ owner }) => owner,
      about: ({ caseId }) => (caseId === null ? [] : [caseId]),
      bound: {
        most: MOST_OF_OWNER,
        refusal: () =>
          new ServiceError('OVERLOADED', `${MOST_OF_OWNER} files for you are being made: try again`, {}, 5),
      },
      run: (work, { signal }) => this.#write(work, signal),
    });
  }

  /**
   * @param waits aborted once nobody waits for the file
   * @returns the file for this answer alone, and how many records are in it
   * @throws ServiceError VALIDATION_ERROR, CONFLICT, OVERLOADED, STORAGE_FULL; RequestStopped
   */
  async make(
    work: RecordFileWork,
    waits: AbortSignal,
  ): Promise<{ readonly file: FileAnswer; readonly records: number }> {
    const { path, records } = await this.#jobs.run(work, waits);
    const { ending, contentType } = RECORD_FORMS[work.asked.format];
    const fileName = fileNameOf(['records', work.of.name], ending);
    return { file: { file: path, fileName, contentType, temporary: true }, records };
  }

  async #write({ asked: { format, seqNos, ...filter }, of, page, needDisk }: RecordFileWork, signal: AbortSignal) {
    const path = join(this.#folder, `${randomUUID()}${RECORD_FORMS[format].ending}`);
    const step = (request: RecordFileStep): Promise<void> => this.#thread.ask(request, { signal });
    const asked = seqNos === undefined ? { filter } : { seqNos: seqNos.toSorted((a, b) => a - b) };
    try {
      await step({ step: 'begin', path, form: format, of: { ...of, version: packageJson.version } });
      const records = await eachHandedPage(
        (place) => page(asked, place),
        async ({ lines }) => {
          needDisk();
          await step({ step: 'add', path, lines });
        },
      );
      await step({ step: 'end', path });
      return { path, records };
    } catch (error) {
      // A thread that ended meanwhile has no file open.
      if (this.#thread.isRunning) await this.#thread.ask({ step: 'drop', path }).catch(() => undefined);
      await rm(path, { force: true });
      throw error;
    }
  }

  /** Once its jobs are over. */
  close(): Promise<void> {
    return this.#thread.end();
  }
}
