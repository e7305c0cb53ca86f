import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import packageJson from '../../../../package.json' with { type: 'json' };
import { RequestThread, workerUrl, writeDurably } from '../../../node/index.ts';
import { hasCode } from '../../../protocol/light.ts';
import { Errand, type ErrandContext, ErrandFailed } from '../../jobs/errand.ts';
import { homeOf } from '../../people/organizations/home.ts';
import type { LedgerReads } from '../../search/queries/ledger-reads.ts';
import type { Store } from '../../store/open.ts';
import type { Settings } from '../../store/settings/settings-type.ts';
import type { Writer } from '../../store/writer.ts';
import type { SyslogBatch, SyslogRefusal } from './syslog-worker.ts';

export interface SyslogContext extends ErrandContext {
  readonly settings: Settings;
  readonly store: Store;
  readonly writer: Pick<Writer, 'flushed'>;
  readonly content: LedgerReads;
}

/** How often it is looked for new records, in milliseconds. */
const EVERY_MS = 2000;
const MOST_WAIT_MS = 10 * 60_000;
/** How long the thread stays that has nothing to send, in milliseconds. */
const IDLE_MS = 60_000;
/** Its heap holds a page of records, as JSON and as messages. */
const LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 };

/** The newest record that a receiver has for certain. */
const cursorShape = z.strictObject({
  to: z.string(),
  org_id: z.string(),
  seq_no: z.int().min(0),
  operation_id: z.string(),
});

/** Up to which record the receiver has all. */
export interface SyslogSent {
  readonly seqNo: number;
}

const LAST = 'SELECT max(seq_no) FROM operations WHERE org_id = ?';
const OPERATION = 'SELECT operation_id FROM operations WHERE org_id = ? AND seq_no = ?';
const NAME = 'SELECT name FROM organizations WHERE org_id = ?';

/**
 * Sends the records of the home organization to a syslog server, each as a message over TLS (RFC 5424, RFC 5425), in the order of the
 * ledger. Owns the cursor, a file of the data folder: it moves once the receiver has taken a page and closed the connection. A crash
 * before that sends the page again: a message may come twice, and names its record.
 */
export class SyslogFeed extends Errand<SyslogSent> {
  readonly #context: SyslogContext;
  readonly #thread = new RequestThread<SyslogBatch, void, never, SyslogRefusal>({
    url: workerUrl(import.meta.url, 'syslog-worker'),
    resourceLimits: LIMITS,
    idleMs: IDLE_MS,
    refused: (refusal) => new ErrandFailed(refusal),
  });

  constructor(context: SyslogContext) {
    super(context, {
      lane: 'syslog',
      isSet: () => context.settings.syslogTo !== null,
      everyMs: EVERY_MS,
      mostWaitMs: MOST_WAIT_MS,
      otherwise: 'SYSLOG_FAILED',
      run: (signal) => this.#send(signal),
    });
    this.#context = context;
  }

  /** How many records the receiver has not got yet. */
  get waiting(): number {
    const orgId = homeOf(this.#context.store);
    return orgId === null ? 0 : this.#last(orgId) - this.#cursor(orgId);
  }

  async #send(signal: AbortSignal): Promise<SyslogSent> {
    const { settings, store, writer, content, now } = this.#context;
    const orgId = homeOf(store);
    if (orgId === null) return { seqNo: 0 };
    const target = {
      to: settings.syslogTo ?? '',
      ca: settings.syslogCa,
      cert: settings.syslogCert,
      key: settings.syslogKey,
    };
    const name = String(store.statement(NAME).pluck().get(orgId));
    const of = { name, digest: null, version: packageJson.version };
    for (;;) {
      const after = this.#cursor(orgId);
      const to = this.#last(orgId);
      await writer.flushed;
      if (after >= to) return { seqNo: after };
      const place = { after, to };
      const page = await content.ask({ orgId, signal }, 'handedRecords', { filter: {} }, place, { now: now() });
      // The index is behind: the rest comes with the next look.
      if (!page.isSettled) return { seqNo: after };
      if (page.count > 0) await this.#thread.ask({ ...target, of, lines: page.lines }, { signal });
      await this.#keep(orgId, page.next?.after ?? to);
    }
  }

  #last(orgId: string): number {
    return Number(this.#context.store.statement(LAST).pluck().get(orgId) ?? 0);
  }

  get #path(): string {
    return join(this.#context.settings.dataDir, 'syslog.json');
  }

  /** 0 where nothing is known: for another receiver, and for a ledger that was set back behind what this one was sent. */
  #cursor(orgId: string): number {
    const { store, settings } = this.#context;
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return 0;
      throw error;
    }
    const { success, data } = cursorShape.safeParse(JSON.parse(text));
    if (!success || data.to !== settings.syslogTo || data.org_id !== orgId) return 0;
    return store.statement(OPERATION).pluck().get(orgId, data.seq_no) === data.operation_id ? data.seq_no : 0;
  }

  async #keep(orgId: string, seqNo: number): Promise<void> {
    const { store, settings } = this.#context;
    const operationId = String(store.statement(OPERATION).pluck().get(orgId, seqNo));
    const cursor = { to: settings.syslogTo, org_id: orgId, seq_no: seqNo, operation_id: operationId };
    await writeDurably(this.#path, `${JSON.stringify(cursor)}\n`);
  }

  /** Once its job is over. */
  async end(): Promise<void> {
    this.close();
    await this.#context.jobs.close();
    await this.#thread.end();
  }
}
