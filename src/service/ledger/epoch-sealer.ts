import { randomUUID } from 'node:crypto';
import { nodeCrypto } from '../../node/index.ts';
import {
  CompactRange,
  type EpochStatement,
  epochHash,
  epochSignedBytes,
  formatDigest,
  formatTime,
  toBase64Url,
} from '../../protocol/index.ts';
import { isHeldByClock } from '../store/base/held-by-clock.ts';
import type { NewOperationRow } from '../store/schema.ts';
import type { Writer } from '../store/writer.ts';
import type { LogTree } from './epochs/log-tree.ts';
import type { KeyHolder } from './keys/key-holder.ts';
import type { LedgerStore, LedgerTail, OpenLeaf } from './ledger-store.ts';

/** The leaves of an organization that no epoch has sealed yet: their count, their tree, and when the first was received. */
class OpenEpoch {
  readonly firstSeqNo: number;
  readonly startedAt: number;
  readonly #tree = new CompactRange(0, nodeCrypto.sha256);

  constructor(firstSeqNo: number, startedAt: number) {
    this.firstSeqNo = firstSeqNo;
    this.startedAt = startedAt;
  }

  get leafCount(): number {
    return this.#tree.end;
  }

  get lastSeqNo(): number {
    return this.firstSeqNo + this.leafCount - 1;
  }

  add({ leafHash }: OpenLeaf): void {
    this.#tree.push(leafHash);
  }

  root(): Uint8Array {
    return this.#tree.root();
  }
}

export interface EpochSealerOptions {
  readonly store: LedgerStore;
  readonly writer: Writer;
  readonly key: KeyHolder;
  readonly epochIntervalMs: number;
  readonly epochMaxLeaves: number;
  /** Whether another node seals this ledger: then where it ends is where that one sealed last. */
  readonly isStandby?: boolean;
  /** What the machine's clock says, in milliseconds since the Unix epoch: for timers. */
  readonly now: () => number;
  /** The time of what is signed next, never before that of anything signed earlier (protocol F64). Only within the writer. */
  readonly stamp: () => number;
  /** Called after records or an epoch were committed, and not waited for. */
  readonly onCommit?: (rows: readonly NewOperationRow[]) => void;
  /** Receives failures that have no caller: those of the timer that seals an epoch. */
  readonly onError: (error: unknown) => void;
}

/** Where an organization's ledger ends. */
export interface LedgerHead {
  readonly seqNo: number;
  readonly epochNo: number;
}

/** The same, for the records that come next. */
export interface LedgerEnd {
  readonly lastSeqNo: number;
  /** How many may follow until the open epoch is full, at least one. */
  readonly room: number;
}

interface OrgLedger {
  tail: LedgerTail;
  /** All leaves, those of the open epoch too. */
  readonly log: LogTree;
  open: OpenEpoch | null;
  timer: NodeJS.Timeout | null;
}

/** How long after a failed sealing it is tried again, in milliseconds. */
const SEAL_RETRY_MS = 5000;

/**
 * Where each organization's ledger ends, and its open epoch, which is sealed when it is full or its time is over (protocol
 * §6). What is held in memory is only what the database would say: it changes after a commit, never before.
 */
export class EpochSealer {
  readonly #options: EpochSealerOptions;
  /** By organization. Belongs to the writer: read and changed within its tasks alone, but for the timers. */
  readonly #orgs = new Map<string, OrgLedger>();
  /** Set once, by close. */
  #closed = false;

  constructor(options: EpochSealerOptions) {
    this.#options = options;
  }

  /** Restores the epochs that were open when the ledger was last left, after a crash too. */
  async resume(): Promise<void> {
    const { writer } = this.#options;
    for (const orgId of await this.#openOrgs()) {
      // Seals where an epoch is full already; a crash after that leaves it sealed.
      await writer.run(() => this.#org(orgId));
    }
  }

  /** Where an organization's ledger ends. Only within the writer. */
  async end(orgId: string): Promise<LedgerEnd> {
    const { tail, open } = await this.#org(orgId);
    const room = this.#options.epochMaxLeaves - (open?.leafCount ?? 0);
    // The setting may have been lowered below what is open already.
    return { lastSeqNo: tail.lastSeqNo, room: Math.max(1, room) };
  }

  /** How many records of an organization are sealed, as far as is known in memory; null where it is not. For answers: it may grow at any moment. */
  sealed(orgId: string): number | null {
    const org = this.#orgs.get(orgId);
    return org === undefined ? null : (org.tail.lastEpoch?.lastSeqNo ?? 0);
  }

  /** Adds committed records to their organizations' open epochs, and seals those that are full. Only within the writer. */
  async extend(rows: readonly NewOperationRow[]): Promise<void> {
    const grown = new Map<string, OrgLedger>();
    for (const row of rows) {
      const org = this.#orgs.get(row.orgId) ?? (await this.#org(row.orgId));
      org.tail = { ...org.tail, lastSeqNo: row.seqNo };
      this.#addLeaf(row.orgId, org, row.seqNo, row);
      grown.set(row.orgId, org);
    }
    for (const [orgId, org] of grown) if (this.#isFull(org)) await this.#seal(orgId, org);
  }

  #addLeaf(orgId: string, org: OrgLedger, seqNo: number, leaf: OpenLeaf): void {
    if (org.open === null) {
      org.open = new OpenEpoch(seqNo, leaf.receivedAt);
      this.#startTimer(orgId, org);
    }
    org.open.add(leaf);
    org.log.append(leaf.leafHash);
  }

  #isFull({ open }: OrgLedger): boolean {
    return open !== null && open.leafCount >= this.#options.epochMaxLeaves;
  }

  /** An organization's ledger in memory, read at first use. Only within the writer. */
  async #org(orgId: string): Promise<OrgLedger> {
    const known = this.#orgs.get(orgId);
    if (known !== undefined) return known;
    const { store } = this.#options;
    const tail = await store.tail(orgId);
    const sealed = tail.lastEpoch?.lastSeqNo ?? 0;
    const org: OrgLedger = { tail, log: await store.logTree(orgId, sealed), open: null, timer: null };
    let seqNo = sealed + 1;
    for (const leaf of await store.openLeaves(orgId)) this.#addLeaf(orgId, org, seqNo++, leaf);
    if (this.#isFull(org)) await this.#seal(orgId, org);
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
        if (!isHeldByClock(error)) this.#options.onError(error);
        if (!this.#closed) this.#sealAfter(orgId, org, SEAL_RETRY_MS);
      });
    }, delay);
    org.timer.unref();
  }

  /**
   * Seals the open epoch of an organization, where there is one (protocol F70 and F73).
   * @param announce called right before, with the number that the epoch will have; not where there is none to seal
   * @returns where its ledger ends then: every record up to there is sealed
   */
  sealNow(orgId: string, announce?: (epochNo: number) => Promise<void>): Promise<LedgerHead> {
    return this.#options.writer.run(() => this.#sealedHead(orgId, announce));
  }

  /**
   * Seals the open epoch, where there is one, and runs a task at that very moment: nothing is committed before it has ended.
   * @param task takes where the ledger ends
   */
  sealThen<T>(orgId: string, task: (head: LedgerHead) => Promise<T>): Promise<T> {
    return this.#options.writer.run(async () => task(await this.#sealedHead(orgId)));
  }

  /** Seals all open epochs, and runs a task at that very moment. */
  sealAllThen<T>(task: () => T | Promise<T>): Promise<T> {
    return this.#options.writer.run(async () => {
      for (const orgId of await this.#openOrgs()) await this.#sealedHead(orgId);
      return task();
    });
  }

  async #openOrgs(): Promise<readonly string[]> {
    return this.#options.isStandby ? [] : this.#options.store.orgsWithOpenLeaves();
  }

  /** Only within the writer. */
  async #sealedHead(orgId: string, announce?: (epochNo: number) => Promise<void>): Promise<LedgerHead> {
    if (this.#options.isStandby) {
      const { lastEpoch } = await this.#options.store.tail(orgId);
      return { seqNo: lastEpoch?.lastSeqNo ?? 0, epochNo: lastEpoch?.epochNo ?? 0 };
    }
    const org = await this.#org(orgId);
    if (org.open !== null) await announce?.((org.tail.lastEpoch?.epochNo ?? 0) + 1);
    try {
      await this.#seal(orgId, org);
    } catch (error) {
      // As with records: whether the epoch was kept only the database knows now.
      this.forget([orgId]);
      throw error;
    }
    const { lastSeqNo, lastEpoch } = org.tail;
    return { seqNo: lastSeqNo, epochNo: lastEpoch?.epochNo ?? 0 };
  }

  async #seal(orgId: string, org: OrgLedger): Promise<void> {
    const { open, tail } = org;
    if (open === null) return;
    const { store, key, stamp } = this.#options;
    const statement: EpochStatement = {
      epoch_id: randomUUID(),
      epoch_no: (tail.lastEpoch?.epochNo ?? 0) + 1,
      org_id: orgId,
      start_time: formatTime(open.startedAt),
      end_time: formatTime(stamp()),
      first_seq_no: open.firstSeqNo,
      last_seq_no: open.lastSeqNo,
      leaf_count: open.leafCount,
      root_hash: formatDigest(open.root()),
      log_root: org.log.root(),
      hash_alg: 'SHA-256',
      prev_epoch_hash: tail.lastEpoch?.epochHash ?? null,
      admin_head_hash: await store.adminHeadHash(orgId),
      service_kid: key.kid,
    };
    const signedBytes = epochSignedBytes(statement);
    const signature = toBase64Url(key.sign(signedBytes));
    await store.appendEpoch({ statement, signature, subtrees: org.log.grown });
    org.log.kept();
    // A crash here loses nothing: the next start reads the sealed epoch as the newest one.
    this.#options.onCommit?.([]);
    if (org.timer !== null) clearTimeout(org.timer);
    org.timer = null;
    org.open = null;
    org.tail = {
      ...tail,
      lastEpoch: {
        epochNo: statement.epoch_no,
        lastSeqNo: statement.last_seq_no,
        epochHash: epochHash(signedBytes, nodeCrypto.sha256),
      },
    };
  }

  /** Has what memory holds of these read again: whether something was kept only the database knows now. */
  forget(orgIds: readonly string[]): void {
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

  /** Seals what is open, and starts nothing any more. */
  async close(): Promise<void> {
    this.#closed = true;
    // Asked of the database: an organization whose sealing failed before is not in memory.
    for (const orgId of await this.#openOrgs()) {
      try {
        await this.sealNow(orgId);
      } catch (error) {
        // Left open: the next start resumes it.
        if (!isHeldByClock(error)) throw error;
      }
    }
    for (const { timer } of this.#orgs.values()) if (timer) clearTimeout(timer);
  }
}
