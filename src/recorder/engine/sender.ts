import { dirname, join } from 'node:path';
import { AgentError, ReceiptsFile, ServiceConnection } from '../../agent/light.ts';
import { codeOf, messageOf, type Receipt } from '../../protocol/light.ts';
import type { AgentFile } from '../base/agent-file.ts';
import type { Spool } from '../spool/spool.ts';
import type { WaitingRecord } from '../spool/waiting.ts';
import type { ChainSigner } from './chain-signer.ts';
import type { SignatureChecks } from './signature-checks.ts';
import { type Refusal, type Submission, submitBatch } from './submit-batch.ts';

/** Those who wait until a record of an agent is acknowledged. */
class ReceiptWaiters {
  readonly #waiters = new Set<{ readonly seq: number; readonly settle: (reason: string | null) => void }>();

  /** @returns null once the record at this place is acknowledged, else why it is not */
  wait(seq: number, timeoutMs: number): Promise<string | null> {
    return new Promise((resolve) => {
      const waiter = {
        seq,
        settle: (reason: string | null) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          resolve(reason);
        },
      };
      const late = `the service has not acknowledged the record within ${timeoutMs} ms`;
      const timer = setTimeout(() => waiter.settle(late), timeoutMs);
      this.#waiters.add(waiter);
    });
  }

  get isAwaited(): boolean {
    return this.#waiters.size > 0;
  }

  acknowledged(throughSeq: number): void {
    for (const waiter of [...this.#waiters]) if (waiter.seq <= throughSeq) waiter.settle(null);
  }

  /** Nothing more is acknowledged for now. */
  stopped(reason: string): void {
    for (const waiter of [...this.#waiters]) waiter.settle(reason);
  }
}

/** A pause that can be ended early. */
class Pause {
  #end: (() => void) | null = null;

  start(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.end(), ms);
      this.#end = () => {
        clearTimeout(timer);
        this.#end = null;
        resolve();
      };
    });
  }

  /** Ends the pause that lasts, if one does. */
  end(): void {
    this.#end?.();
  }
}

export interface SenderOptions {
  readonly agent: AgentFile;
  /** The agent's number in the spool. */
  readonly id: number;
  readonly spool: Spool;
  readonly signer: ChainSigner;
  readonly checks: SignatureChecks;
  readonly receiptsFile: string;
}

/** Why an agent's records are not sent. */
export interface Stopped {
  readonly code: string;
  readonly message: string;
  /** RFC 3339. */
  readonly since: string;
}

/** What goes out at a time: far below the service's limits for a batch. */
const BATCH = { records: 200, characters: 2 * 1024 * 1024 };
/** How long a record that nobody waits for may wait for others to go with it, in milliseconds. */
const GATHERING_MS = 150;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
/** How long until a service that refused is asked again. */
const STOPPED_MS = 30_000;
/** How often records are signed again in a row, with none of them accepted, before that is a reason to stop. */
const MAX_SIGNINGS = 8;
/** How much of the receipts file is read at the start: the newest receipt is in it. */
const RECEIPTS_END_BYTES = 64 * 1024;
/** How long a request that is under way may take to end once the recorder is being closed. */
const CLOSING_MS = 2000;

/** Sends one agent's records in order, and keeps their receipts. It never gives up: what cannot be sent now waits. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #service: ServiceConnection;
  readonly #waiters = new ReceiptWaiters();
  readonly #pause = new Pause();
  #receipts: ReceiptsFile | null = null;
  #running: Promise<void> | null = null;
  #isClosed = false;
  #pauseMs = FIRST_PAUSE_MS;
  #signings = 0;
  /** The record that has to be signed again although it builds on the right one, and whether under another id. */
  #signAgain: { readonly seq: number; readonly newId: boolean } | null = null;
  stopped: Stopped | null = null;

  constructor(options: SenderOptions) {
    this.#options = options;
    const { service_url: serviceUrl, token, service_kid: serviceKid, org_id: orgId } = options.agent;
    // All agents of an organization follow its log together: what one of them was shown, none is shown otherwise.
    const path = join(dirname(options.receiptsFile), `log-${encodeURIComponent(orgId)}`);
    const keep = { orgId, path };
    this.#service = new ServiceConnection({ serviceUrl, token, serviceKid, retryForMs: 0, keep }, options.checks);
  }

  /** There is something to send. @param now whether also a service that refused, or was away, is asked again at once */
  wake(now = false): void {
    if (this.#isClosed) return;
    if (now) this.#pause.end();
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      // What came while the last look found nothing.
      if (!this.#isClosed && this.#options.spool.waiting.lastOf(this.#options.id) !== null) this.wake();
    });
  }

  /** Sends now. @returns null once the record at this place is acknowledged, else why it is not */
  receiptFor(seq: number, timeoutMs: number): Promise<string | null> {
    const receipt = this.#waiters.wait(seq, timeoutMs);
    this.wake(true);
    return receipt;
  }

  /** Stops sending. Records that wait stay in the spool. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#pause.end();
    this.#waiters.stopped('the recorder is being closed');
    const end = new Pause();
    await Promise.race([this.#running, end.start(CLOSING_MS)]);
    end.end();
    this.#receipts?.close();
  }

  async #run(): Promise<void> {
    let isBehind = false;
    while (!this.#isClosed) {
      let wait: number;
      try {
        // One by one each would cost a request and two writes to the disk.
        if (!isBehind && !this.#waiters.isAwaited) await this.#pause.start(GATHERING_MS);
        if (this.#isClosed) return;
        const batch = this.#nextBatch();
        if (batch.length === 0) return;
        // What contradicts itself gets nothing more: it stays in the spool until somebody has looked.
        this.#service.kept?.refuseIfProven();
        // What the service has must be found here after a power cut, as it was signed.
        await this.#options.spool.flushed();
        await this.#send(batch);
        isBehind = batch.length === BATCH.records;
        continue;
      } catch (error) {
        if (this.#isClosed) return;
        wait = this.#failed(error);
      }
      await this.#pause.start(wait);
    }
  }

  /** The first records that wait. Those that do not build on what the service has are signed again, and kept so, before they go out. */
  #nextBatch(): WaitingRecord[] {
    const { spool, id, signer } = this.#options;
    const { confirmed } = spool.chains.get(id);
    const batch = spool.waiting.first(id, BATCH);
    const isSound = (record: WaitingRecord, index: number): boolean =>
      record.prev_chain_hash === (index === 0 ? confirmed : batch[index - 1]?.chain_hash) &&
      record.seq !== this.#signAgain?.seq;
    if (batch.every(isSound)) return batch;
    const signed = spool.transaction(() => {
      let prev = confirmed;
      const again = batch.map((record) => {
        const marked = this.#signAgain?.seq === record.seq ? this.#signAgain : null;
        const isSame = record.prev_chain_hash === prev && marked === null;
        const next = isSame ? record : signer.signAgain(record, prev, marked?.newId ?? false);
        if (!isSame) spool.waiting.replace(next);
        prev = next.chain_hash;
        return next;
      });
      // Those after the batch get their turn with it; only the last one of all is what a new record builds on.
      if (again.at(-1)?.seq === spool.waiting.lastOf(id)) spool.chains.setHead(id, prev);
      return again;
    });
    this.#signAgain = null;
    return signed;
  }

  async #send(batch: readonly WaitingRecord[]): Promise<void> {
    const submission = await submitBatch(this.#service, this.#options.agent, batch);
    if (this.#isClosed) return;
    await this.#acknowledge(submission);
    await this.#service.kept?.check(this.#newestReceipt());
    if (submission.refusal !== null) await this.#refused(submission.refusal);
  }

  /** Receipts are on disk before the records that they are for go. */
  async #acknowledge({ acknowledged }: Submission): Promise<void> {
    const last = acknowledged.at(-1);
    if (last === undefined) return;
    const { spool, id } = this.#options;
    await this.#receiptsFile().appendAll(acknowledged.map(({ receipt }) => receipt));
    spool.transaction(() => {
      spool.waiting.remove(id, last.record.seq);
      spool.chains.confirm(id, last.record.chain_hash, last.receipt.server_received_at);
    });
    spool.shrink();
    this.stopped = null;
    this.#signings = 0;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#waiters.acknowledged(last.record.seq);
  }

  /** A refused record left no trace at the service, so it can be signed again under its own id. */
  async #refused({ record, code, message }: Refusal): Promise<void> {
    const refusal = new RecordRefused(code, message);
    if (++this.#signings > MAX_SIGNINGS) throw refusal;
    if (code === 'PREV_HASH_MISMATCH') {
      const { spool, id, agent } = this.#options;
      const head = await this.#service.readHead(agent.agent_id, this.#newestReceipt());
      if (!this.#isClosed) spool.chains.confirm(id, head.chainHash, null);
    } else if (code === 'TTL_EXPIRED') this.#signAgain = { seq: record.seq, newId: false };
    // A record that the service has, in these very bytes, would have had its receipt: the id stands for another operation.
    else if (code === 'REPLAY_DETECTED') this.#signAgain = { seq: record.seq, newId: true };
    else throw refusal;
  }

  /** @returns how long until the next try, in milliseconds */
  #failed(error: unknown): number {
    const code = codeOf(error) ?? 'INTERNAL_ERROR';
    const message = messageOf(error);
    const since = this.stopped?.code === code ? this.stopped.since : new Date().toISOString();
    this.stopped = { code, message, since };
    this.#signings = 0;
    if (error instanceof AgentError && error.code === 'SERVICE_UNAVAILABLE') {
      // Jitter keeps recorders that lost the service together from coming back together.
      const wait = this.#pauseMs * (0.5 + Math.random());
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
      return wait;
    }
    this.#waiters.stopped(`${code}: ${message}`);
    return STOPPED_MS;
  }

  #newestReceipt(): Receipt | null {
    const { org_id, agent_id } = this.#options.agent;
    return this.#receiptsFile().newest(org_id, agent_id);
  }

  #receiptsFile(): ReceiptsFile {
    this.#receipts ??= new ReceiptsFile(this.#options.receiptsFile, RECEIPTS_END_BYTES);
    return this.#receipts;
  }
}

/** The service refused a record for a reason that signing it again does not remove. */
class RecordRefused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
