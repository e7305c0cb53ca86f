import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { nodeCrypto } from '../../host/index.ts';
import {
  type EpochStatement,
  epochHash,
  epochSignedBytes,
  formatDigest,
  formatTime,
  parseDigest,
  type Receipt,
  receiptLeafHash,
  receiptSignedBytes,
  toBase64Url,
} from '../../protocol/index.ts';
import type { NewOperationRow } from '../store/schema.ts';
import type { Writer } from '../store/writer.ts';
import type { CheckedRecord, Submitter } from './check-record.ts';
import { decide } from './decide.ts';
import type { KeyHolder } from './keys/key-holder.ts';
import type { LedgerStore, LedgerTail, OpenLeaf, SubmissionView } from './ledger-store.ts';
import { OpenEpoch } from './open-epoch.ts';
import { type Given, RecordChecker } from './record-checker.ts';
import { receipt } from './views.ts';

export interface LedgerOptions {
  readonly store: LedgerStore;
  readonly writer: Writer;
  readonly key: KeyHolder;
  readonly epochIntervalMs: number;
  readonly epochMaxLeaves: number;
  readonly maxPayloadBytes: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Called after records or an epoch were committed, and not waited for. */
  readonly onCommit?: () => void;
  /** Told of what fails with nobody to tell: the timer's sealing of an epoch. */
  readonly onError: (error: unknown) => void;
}

/** An accepted record's receipt, or the earlier one of a record sent again. */
export interface Submission {
  readonly receipt: Receipt;
  readonly repeated: boolean;
}

/** Where an organization's ledger ends; no later record is received before `notBefore`, in milliseconds. */
export interface LedgerHead {
  readonly seqNo: number;
  readonly epochNo: number;
  readonly notBefore: number;
}

interface Waiting {
  readonly checked: CheckedRecord;
  readonly resolve: (submission: Submission) => void;
  readonly reject: (error: unknown) => void;
}

interface OrgLedger {
  tail: LedgerTail;
  open: OpenEpoch | null;
  timer: NodeJS.Timeout | null;
}

/** The largest number of records in one commit: bounds how long the first of them waits for the last. */
const MAX_BATCH = 512;

/** How long after a failed sealing it is tried again. */
const SEAL_RETRY_MS = 5000;

/**
 * The ledger: accepts records, many to a commit, answers each with a receipt once it is on disk, and seals them into
 * epochs. Its state in memory is only what the database would say: it changes after a commit, never before.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #checker: RecordChecker;
  readonly #orgs = new Map<string, OrgLedger>();
  readonly #underWay = new Set<Promise<unknown>>();
  #queue: Waiting[] = [];
  #draining = false;
  #closed = false;

  private constructor(options: LedgerOptions) {
    this.#options = options;
    this.#checker = new RecordChecker(options);
  }

  /** Opens the ledger and takes up the epochs that were open when it was last left, after a crash too. */
  static async open(options: LedgerOptions): Promise<Ledger> {
    const ledger = new Ledger(options);
    for (const orgId of await options.store.orgsWithOpenLeaves()) {
      // Seals where an epoch is full already; a crash after that leaves it sealed.
      await options.writer.run(() => ledger.#org(orgId));
    }
    return ledger;
  }

  /**
   * Takes a record through the checks of protocol §4.
   * @param given the record as it came
   * @returns its receipt, which is on disk
   * @throws ServiceError with the code of the first check that failed; nothing of the record is kept then
   */
  submit(submitter: Submitter, given: Given<unknown>): Promise<Submission> {
    return this.#track(this.#checker.checkOne(submitter, given).then((checked) => this.#enqueue(checked)));
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
   * Takes many records, each with a result of its own, in their order: a record may build on the one before it.
   * @param given the body of a batch as it came, and its records
   * @returns a submission, or what submit would have thrown, for each
   */
  submitAll(submitter: Submitter, given: Given<readonly unknown[]>): Promise<PromiseSettledResult<Submission>[]> {
    return this.#track(this.#submitAll(submitter, given));
  }

  async #submitAll(
    submitter: Submitter,
    given: Given<readonly unknown[]>,
  ): Promise<PromiseSettledResult<Submission>[]> {
    const checked = await this.#checker.checkBatch(submitter, given);
    // Queued in one go: nothing of another request gets in between, and order is kept.
    return Promise.allSettled(
      checked.map((result) =>
        result.status === 'fulfilled' ? this.#enqueue(result.value) : Promise.reject(result.reason),
      ),
    );
  }

  #enqueue(checked: CheckedRecord): Promise<Submission> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ checked, resolve, reject });
      this.#drain();
    });
  }

  /** Whatever has queued up while the last batch was written becomes the next one: the busier, the larger. */
  #drain(): void {
    if (this.#draining || this.#queue.length === 0) return;
    this.#draining = true;
    const done = (): void => {
      this.#draining = false;
      this.#drain();
    };
    this.#options.writer
      .append(async () => {
        // What has arrived on other connections meanwhile gets its turn first: one commit for all of it.
        await nextTurn();
        const batch = this.#queue.splice(0, MAX_BATCH);
        return this.#commit(batch).catch((error: unknown) => {
          for (const { reject } of batch) reject(error);
        });
      })
      .then(done, done);
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    const { store, now } = this.#options;
    const views = await store.lookUp(
      batch.map(({ checked: { record } }) => ({
        orgId: record.org_id,
        agentId: record.agent_id,
        kid: record.agent_pubkey_kid,
        operationId: record.operation_id,
        nonce: record.nonce,
      })),
    );
    const time = now();
    const ends = new Map<string, { nextSeqNo: number; readonly time: number }>();
    for (const { checked } of batch) {
      const orgId = checked.record.org_id;
      if (ends.has(orgId)) continue;
      const { tail } = await this.#org(orgId);
      // server_received_at never decreases with seq_no, whatever the clock does (protocol §5).
      ends.set(orgId, { nextSeqNo: tail.lastSeqNo + 1, time: Math.max(time, tail.notBefore) });
    }
    const endOf = ({ checked }: Waiting) => ends.get(checked.record.org_id) ?? { nextSeqNo: 1, time };
    const decisions = decide(
      batch.map(({ checked }) => checked),
      batch.map((waiting, index) => ({ ...(views[index] as SubmissionView), now: endOf(waiting).time })),
    );
    const made = batch.map((waiting, index) => {
      if (decisions[index]?.kind !== 'accept') return null;
      const end = endOf(waiting);
      return this.#countersign(waiting.checked, end.nextSeqNo++, end.time);
    });
    const accepted = made.filter((one) => one !== null).map(({ row }) => row);
    if (accepted.length > 0) await this.#append(accepted);
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

  async #append(rows: readonly NewOperationRow[]): Promise<void> {
    try {
      await this.#options.store.append(rows);
    } catch (error) {
      // Whether anything was kept only the database knows now: what is held in memory is read anew.
      this.#forget(rows.map(({ orgId }) => orgId));
      throw error;
    }
    try {
      this.#options.onCommit?.();
      // The records are on disk and will be answered. Sealing a full epoch may still fail, on a full disk say.
      await this.#extend(rows);
    } catch (error) {
      this.#forget(rows.map(({ orgId }) => orgId));
      this.#options.onError(error);
    }
  }

  #forget(orgIds: readonly string[]): void {
    for (const orgId of orgIds) {
      const timer = this.#orgs.get(orgId)?.timer;
      if (timer) clearTimeout(timer);
      if (this.#orgs.delete(orgId)) this.#readAgain(orgId);
    }
  }

  /** Even if nothing more is submitted, an open epoch must find its way to its end: reads until it can be read. */
  #readAgain(orgId: string): void {
    setTimeout(() => {
      if (this.#closed) return;
      this.#options.writer
        .run(() => this.#org(orgId))
        .catch((error: unknown) => {
          this.#options.onError(error);
          this.#readAgain(orgId);
        });
    }, SEAL_RETRY_MS).unref();
  }

  /** The row that an accepted record becomes, and its receipt. */
  #countersign(
    { record, issuedAt, payload, signature, chainHash }: CheckedRecord,
    seqNo: number,
    time: number,
  ): { readonly row: NewOperationRow; readonly receipt: Receipt } {
    const { key } = this.#options;
    const statement = {
      receipt_id: randomUUID(),
      operation_id: record.operation_id,
      org_id: record.org_id,
      agent_id: record.agent_id,
      seq_no: seqNo,
      chain_hash: chainHash,
      server_received_at: formatTime(time),
      service_kid: key.kid,
    };
    const signedBytes = receiptSignedBytes(statement);
    const serviceSignature = key.sign(signedBytes);
    const row = {
      orgId: record.org_id,
      seqNo,
      operationId: record.operation_id,
      agentId: record.agent_id,
      issuedAt: record.issued_at,
      issuedAtMs: issuedAt,
      ttlMs: record.ttl_ms,
      nonce: record.nonce,
      operationType: record.operation_type,
      subject: record.subject,
      action: record.action,
      payload,
      payloadHash: parseDigest(record.payload_hash),
      prevChainHash: record.prev_chain_hash === null ? null : parseDigest(record.prev_chain_hash),
      agentPubkeyKid: record.agent_pubkey_kid,
      signature,
      receiptId: statement.receipt_id,
      chainHash: parseDigest(chainHash),
      receivedAt: time,
      serviceKid: statement.service_kid,
      serviceSignature,
      leafHash: receiptLeafHash(signedBytes, nodeCrypto.sha256),
    };
    // Of every record: letter by letter it would leave kilobytes behind.
    const text = Buffer.from(serviceSignature).toString('base64url');
    return { row, receipt: { ...statement, service_signature: text } };
  }

  /** Adds committed records to their organizations' open epochs, and seals those that are full. */
  async #extend(rows: readonly NewOperationRow[]): Promise<void> {
    for (const row of rows) {
      const org = this.#orgs.get(row.orgId) ?? (await this.#org(row.orgId));
      // An epoch that filled up within this batch may have closed after the batch's time.
      const notBefore = Math.max(org.tail.notBefore, row.receivedAt);
      org.tail = { ...org.tail, lastSeqNo: row.seqNo, notBefore };
      if (this.#addLeaf(row.orgId, org, row.seqNo, row)) await this.#seal(row.orgId, org);
    }
  }

  /** @returns whether the epoch is full, and to be sealed before the next leaf */
  #addLeaf(orgId: string, org: OrgLedger, seqNo: number, leaf: OpenLeaf): boolean {
    if (org.open === null) {
      org.open = new OpenEpoch(seqNo, leaf.receivedAt);
      this.#startTimer(orgId, org);
    }
    org.open.add(leaf);
    return org.open.leafCount >= this.#options.epochMaxLeaves;
  }

  /** An organization's ledger in memory, read at first use. Only within the writer. */
  async #org(orgId: string): Promise<OrgLedger> {
    const known = this.#orgs.get(orgId);
    if (known !== undefined) return known;
    const { store } = this.#options;
    const org: OrgLedger = { tail: await store.tail(orgId), open: null, timer: null };
    let seqNo = (org.tail.lastEpoch?.lastSeqNo ?? 0) + 1;
    for (const leaf of await store.openLeaves(orgId)) {
      if (this.#addLeaf(orgId, org, seqNo++, leaf)) await this.#seal(orgId, org);
    }
    this.#orgs.set(orgId, org);
    return org;
  }

  #startTimer(orgId: string, org: OrgLedger): void {
    const { epochIntervalMs, now } = this.#options;
    const elapsed = Math.max(0, now() - (org.open?.startedAt ?? 0));
    this.#sealAfter(orgId, org, Math.max(0, epochIntervalMs - elapsed));
  }

  #sealAfter(orgId: string, org: OrgLedger, delay: number): void {
    org.timer = setTimeout(() => {
      this.sealNow(orgId).catch((error: unknown) => {
        this.#options.onError(error);
        if (!this.#closed) this.#sealAfter(orgId, org, SEAL_RETRY_MS);
      });
    }, delay);
    org.timer.unref();
  }

  /**
   * Seals the open epoch of an organization, where there is one (protocol §6).
   * @param announce called right before, with the number that the epoch will have; not where there is none to seal
   * @returns where its ledger ends then: every record up to there is sealed
   */
  sealNow(orgId: string, announce?: (epochNo: number) => void): Promise<LedgerHead> {
    return this.#options.writer.run(async () => {
      const org = await this.#org(orgId);
      if (org.open !== null) announce?.((org.tail.lastEpoch?.epochNo ?? 0) + 1);
      try {
        await this.#seal(orgId, org);
      } catch (error) {
        // As with records: whether the epoch was kept only the database knows now.
        this.#forget([orgId]);
        throw error;
      }
      const { lastSeqNo, lastEpoch, notBefore } = org.tail;
      return { seqNo: lastSeqNo, epochNo: lastEpoch?.epochNo ?? 0, notBefore };
    });
  }

  async #seal(orgId: string, org: OrgLedger): Promise<void> {
    const { open, tail } = org;
    if (open === null) return;
    const { store, key, now } = this.#options;
    const endTime = Math.max(now(), tail.notBefore);
    const statement: EpochStatement = {
      epoch_id: randomUUID(),
      epoch_no: (tail.lastEpoch?.epochNo ?? 0) + 1,
      org_id: orgId,
      start_time: formatTime(open.startedAt),
      end_time: formatTime(endTime),
      first_seq_no: open.firstSeqNo,
      last_seq_no: open.lastSeqNo,
      leaf_count: open.leafCount,
      root_hash: formatDigest(open.root()),
      hash_alg: 'SHA-256',
      prev_epoch_hash: tail.lastEpoch?.epochHash ?? null,
      admin_head_hash: await store.adminHeadHash(orgId),
      service_kid: key.kid,
    };
    const signedBytes = epochSignedBytes(statement);
    await store.appendEpoch({ statement, signature: toBase64Url(key.sign(signedBytes)) });
    // A crash here loses nothing: the next start reads the sealed epoch as the newest one.
    this.#options.onCommit?.();
    if (org.timer !== null) clearTimeout(org.timer);
    org.timer = null;
    org.open = null;
    org.tail = {
      ...tail,
      notBefore: endTime,
      lastEpoch: {
        epochNo: statement.epoch_no,
        lastSeqNo: statement.last_seq_no,
        epochHash: epochHash(signedBytes, nodeCrypto.sha256),
      },
    };
  }

  /** A clean stop: finishes what was submitted and seals what is open. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.allSettled(this.#underWay);
    // Asked of the database: an organization whose sealing failed before is not in memory.
    for (const orgId of await this.#options.store.orgsWithOpenLeaves()) await this.sealNow(orgId);
    for (const { timer } of this.#orgs.values()) if (timer) clearTimeout(timer);
    await this.#checker.close();
  }
}
