import { ServiceError } from '../store/base/service-error.ts';
import type { ClockWatch } from '../store/clock-watch.ts';
import type { NewOperationRow } from '../store/schema.ts';
import type { CheckedRecord, Submitter } from './check-record.ts';
import { countersign } from './countersign.ts';
import { decide } from './decide.ts';
import { EpochSealer, type EpochSealerOptions, type LedgerEnd, type LedgerHead } from './epoch-sealer.ts';
import { RecordChecker, type SubmittedBody } from './record-checker.ts';
import type { RecordRoom } from './record-room.ts';
import { type Submission, SubmissionQueue, type Waiting } from './submission-queue.ts';
import { receipt } from './views.ts';

/** A commit ends with the record whose payload takes it past this. */
const COMMIT_CHARACTERS = 4 * 1024 * 1024;

interface ClockWitness extends Pick<ClockWatch, 'inTime'> {
  readonly expired: (record: CheckedRecord['record'], issuedAt: number) => void;
}

export interface LedgerOptions extends EpochSealerOptions {
  /** Is told which records came in time, and which did not. */
  readonly witness?: ClockWitness | undefined;
  readonly maxPayloadBytes: number;
  /** What records may take; without it as much as there is. */
  readonly room?: RecordRoom;
}

/**
 * The ledger: accepts records, many to a commit, answers each with a receipt once it is on disk, and has them sealed into
 * epochs.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #checker: RecordChecker;
  readonly #sealer: EpochSealer;
  readonly #queue: SubmissionQueue;
  /** Submissions that were begun: a clean stop waits for them. */
  readonly #underWay = new Set<Promise<unknown>>();
  /** Set once, by close. */
  #closed = false;

  private constructor(options: LedgerOptions) {
    this.#options = options;
    this.#checker = new RecordChecker(options);
    this.#sealer = new EpochSealer(options);
    this.#queue = new SubmissionQueue(options.writer, (batch) => this.#commit(batch));
  }

  /** Opens the ledger and resumes the epochs that were open when it was last left, after a crash too. */
  static async open(options: LedgerOptions): Promise<Ledger> {
    const ledger = new Ledger(options);
    await ledger.#sealer.resume();
    return ledger;
  }

  /**
   * Takes a record through the checks of protocol F50.
   * @param given the record as it came
   * @returns its receipt, which is on disk (protocol F63)
   * @throws ServiceError with the code of the first check that failed; nothing of the record is kept then
   */
  submit(submitter: Submitter, given: SubmittedBody<unknown>): Promise<Submission> {
    return this.#track(
      this.#queue.coming(this.#checker.checkOne(submitter, given)).then((checked) => this.#queue.add(checked)),
    );
  }

  /** Counts what is under way: a clean stop waits for it. */
  async #track<T>(submission: Promise<T>): Promise<T> {
    this.#underWay.add(submission);
    try {
      return await submission;
    } finally {
      this.#underWay.delete(submission);
    }
  }

  /**
   * Takes many records, each with its own result, in their order: a record may build on the one before it.
   * @param given the body of a batch as it came, and its records
   * @returns a submission, or what submit would have thrown, for each
   */
  submitAll(
    submitter: Submitter,
    given: SubmittedBody<readonly unknown[]>,
  ): Promise<PromiseSettledResult<Submission>[]> {
    return this.#track(this.#submitAll(submitter, given));
  }

  async #submitAll(
    submitter: Submitter,
    given: SubmittedBody<readonly unknown[]>,
  ): Promise<PromiseSettledResult<Submission>[]> {
    const checked = await this.#queue.coming(this.#checker.checkBatch(submitter, given));
    // Queued in one go: nothing of another request gets in between, and order is kept.
    return Promise.allSettled(
      checked.map((result) =>
        result.status === 'fulfilled' ? this.#queue.add(result.value) : Promise.reject(result.reason),
      ),
    );
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    for (let done = 0; done < batch.length; ) {
      const ends = new Map<string, LedgerEnd>();
      const count = await this.#fitting(batch.slice(done), ends);
      await this.#commitPart(batch.slice(done, done + count), ends);
      done += count;
    }
  }

  /**
   * How many of a batch go into one commit. It ends where an epoch is full: that is sealed, at its own time, before the
   * records that come next are stamped, or they would be older than the epoch before theirs. And it ends where it has so much in it
   * that others wait for it: one log of several nodes takes it as a whole.
   * @param ends is given where the ledgers of their organizations end
   */
  async #fitting(batch: readonly Waiting[], ends: Map<string, LedgerEnd>): Promise<number> {
    const taken = new Map<string, number>();
    let characters = 0;
    for (const [index, { checked }] of batch.entries()) {
      if (characters > COMMIT_CHARACTERS) return index;
      characters += checked.payload.length + (checked.disclosures?.length ?? 0);
      const orgId = checked.record.org_id;
      const end = ends.get(orgId) ?? (await this.#sealer.end(orgId));
      ends.set(orgId, end);
      const count = taken.get(orgId) ?? 0;
      if (count === end.room) return index;
      taken.set(orgId, count + 1);
    }
    return batch.length;
  }

  async #commitPart(batch: readonly Waiting[], ends: ReadonlyMap<string, LedgerEnd>): Promise<void> {
    const { store, key, now, witness, room } = this.#options;
    const views = await store.lookUp(
      batch.map(({ checked: { record } }) => ({
        orgId: record.org_id,
        agentId: record.agent_id,
        kid: record.agent_pubkey_kid,
        operationId: record.operation_id,
        nonce: record.nonce,
      })),
    );
    const stamp = this.#stamp();
    const machine = now();
    const nextSeqNos = new Map(Array.from(ends, ([orgId, { lastSeqNo }]) => [orgId, lastSeqNo + 1]));
    const noRoom = room?.begin() ?? (() => null);
    const decisions = decide(
      batch.map(({ checked }) => checked),
      views,
      {
        now: machine,
        stamp,
        noRoom: ({ record, payload, disclosures }) =>
          noRoom({ orgId: record.org_id, agentId: record.agent_id, payload, disclosures }),
      },
    );
    const made = batch.map(({ checked }, index) => {
      const decision = decisions[index];
      const { record, issuedAt } = checked;
      const code = decision?.kind === 'reject' ? decision.error.code : null;
      if (code === 'TTL_EXPIRED') witness?.expired(record, issuedAt);
      // Where it is held back, and only the doubt about the clock stands between it and its receipt.
      if (code === 'CLOCK_IN_DOUBT' && issuedAt + record.ttl_ms >= machine) witness?.inTime(issuedAt);
      if (decision?.kind !== 'accept' || typeof stamp !== 'number') return null;
      const orgId = record.org_id;
      const seqNo = nextSeqNos.get(orgId) ?? 1;
      nextSeqNos.set(orgId, seqNo + 1);
      return countersign(checked, key, seqNo, stamp);
    });
    const accepted = made.filter((one) => one !== null).map(({ row }) => row);
    if (accepted.length > 0) {
      await this.#append(accepted);
      for (const [index, one] of made.entries()) {
        const issuedAt = batch[index]?.checked.issuedAt;
        if (one !== null && issuedAt !== undefined) witness?.inTime(issuedAt);
      }
    }
    for (const [index, { resolve, reject }] of batch.entries()) {
      const decision = decisions[index];
      if (decision === undefined || decision.kind === 'reject') {
        reject(decision?.error);
        continue;
      }
      const given =
        decision.kind === 'repeat'
          ? receipt(decision.row)
          : made[decision.kind === 'accept' ? index : decision.index]?.receipt;
      if (given !== undefined) resolve({ receipt: given, repeated: decision.kind !== 'accept' });
    }
  }

  /** The time that receipts would state now, or why there is none. */
  #stamp(): number | ServiceError {
    try {
      return this.#options.stamp();
    } catch (error) {
      if (error instanceof ServiceError) return error;
      throw error;
    }
  }

  async #append(rows: readonly NewOperationRow[]): Promise<void> {
    try {
      await this.#options.store.append(rows);
    } catch (error) {
      // Whether anything was kept only the database knows now: what is held in memory is read again.
      this.#sealer.forget(rows.map(({ orgId }) => orgId));
      throw error;
    }
    try {
      this.#options.onCommit?.(rows);
      // The records are on disk and will be answered. Sealing a full epoch may still fail, on a full disk say.
      await this.#sealer.extend(rows);
    } catch (error) {
      this.#sealer.forget(rows.map(({ orgId }) => orgId));
      this.#options.onError(error);
    }
  }

  /** How many records of an organization are sealed; null where memory does not have it. */
  sealed(orgId: string): number | null {
    return this.#sealer.sealed(orgId);
  }

  /**
   * Seals the open epoch of an organization, where there is one (protocol F70).
   * @param announce called right before, with the number that the epoch will have; not where there is none to seal
   * @returns where its ledger ends then: every record up to there is sealed
   */
  sealNow(orgId: string, announce?: (epochNo: number) => Promise<void>): Promise<LedgerHead> {
    return this.#sealer.sealNow(orgId, announce);
  }

  /**
   * Seals the open epoch, where there is one, and runs a task at that very moment: nothing is committed before it has ended.
   * @param task takes where the ledger ends: every record up to there is sealed
   */
  sealThen<T>(orgId: string, task: (head: LedgerHead) => Promise<T>): Promise<T> {
    return this.#sealer.sealThen(orgId, task);
  }

  /** Seals all open epochs, and runs a task at that very moment: nothing is committed before it has ended. */
  sealAllThen<T>(task: () => T | Promise<T>): Promise<T> {
    return this.#sealer.sealAllThen(task);
  }

  /** A clean stop: finishes what was submitted and seals what is open. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.allSettled(this.#underWay);
    await this.#sealer.close();
    await this.#checker.close();
  }
}
