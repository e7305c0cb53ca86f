import type Database from 'better-sqlite3';
import { nodeCrypto } from '../../node/index.ts';
import {
  type BundleContent,
  parseDigest,
  parseTime,
  receiptLeafHash,
  receiptSignedBytes,
} from '../../protocol/index.ts';
import { keepCaseLog, packed } from './case-log.ts';
import { refuseUnreadable } from './unreadable-records.ts';

/** Rows of one transaction: each holds back some memory until it ends. */
const BATCH = 2000;

/** Everything but records that a bundle may hold, as the verifier bounds it too: whoever sends it chooses how much. */
const MAX_DIRECTORY_ROWS = 1_000_000;

function prepare(sqlite: Database.Database, archived: ArchivedPlace | null) {
  const ofLedger = archived === null ? '' : `, ${archived.ledgerNo}`;
  const marks = (count: number): string => Array(count).fill('?').join(', ');
  return {
    record: sqlite.prepare(`INSERT INTO records VALUES (${marks(archived === null ? 16 : 17)})`),
    text: sqlite.prepare('INSERT INTO texts VALUES (?, ?)'),
    epoch: sqlite.prepare(`INSERT INTO epochs VALUES (NULL, ?, ?, ?, ?, ?${ofLedger})`),
    agent: sqlite.prepare(`INSERT INTO agents VALUES (NULL, ?, ?, ?${ofLedger})`),
    event: sqlite.prepare(`INSERT INTO admin_events VALUES (NULL, ?${ofLedger})`),
    serviceKey: sqlite.prepare(`INSERT INTO service_keys VALUES (NULL, ?, ?, ?${ofLedger})`),
    fact: sqlite.prepare('INSERT OR REPLACE INTO facts VALUES (?, ?)'),
  };
}

/** Where a run is in the index of an archive. */
export interface ArchivedPlace {
  readonly ledgerNo: number;
  /** How many records the index has before it. */
  readonly before: number;
  /** What is added to a sequence number to come to the record's number in the archive. */
  readonly shift: number;
  /** Whether texts are copied: of a run that cannot be unpacked in parts. */
  readonly keepsTexts: boolean;
}

/** Fills the index of a case with what could be read of a bundle, whatever the verification says of it. */
export class IndexWriter {
  readonly #sqlite: Database.Database;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #archived: ArchivedPlace | null;
  #records: number;
  #directoryRows = 0;
  #unreadable = 0;
  #pending = 0;

  /** @param archived of a run of an archive, which is written within a transaction of the caller's */
  constructor(sqlite: Database.Database, archived: ArchivedPlace | null = null) {
    this.#sqlite = sqlite;
    this.#archived = archived;
    this.#records = archived?.before ?? 0;
    this.#statements = prepare(sqlite, archived);
  }

  get records(): number {
    return this.#records;
  }

  add(content: BundleContent): void {
    if (this.#archived !== null) {
      this.#insert(content);
      return;
    }
    if (this.#pending === 0) this.#sqlite.exec('BEGIN');
    this.#insert(content);
    this.#pending++;
    if (this.#pending >= BATCH) this.#commit();
  }

  /** To be called once, at the end of the bundle. */
  finish(): void {
    this.#commit();
    this.#statements.fact.run('records', String(this.#records));
    this.#statements.fact.run('unreadable', String(this.#unreadable));
    this.#sqlite.exec('BEGIN');
    keepCaseLog(this.#sqlite);
    this.#sqlite.exec('COMMIT');
  }

  #commit(): void {
    if (this.#pending > 0) this.#sqlite.exec('COMMIT');
    this.#pending = 0;
  }

  #insert(content: BundleContent): void {
    const { epoch, agent, event, serviceKey, fact } = this.#statements;
    if (content.kind === 'record') {
      this.#insertRecord(content);
      return;
    }
    if (content.kind === 'unreadable') {
      refuseUnreadable(this.#records, ++this.#unreadable);
      return;
    }
    this.#directoryRows++;
    if (this.#directoryRows > MAX_DIRECTORY_ROWS || content.kind === 'broken') return;
    const text = JSON.stringify(content.value);
    if (content.kind === 'epoch') {
      const { epoch_id, epoch_no, first_seq_no, last_seq_no } = content.value;
      const shift = this.#archived?.shift ?? 0;
      epoch.run(epoch_id, epoch_no, first_seq_no + shift, last_seq_no + shift, text);
    } else if (content.kind === 'agent') agent.run(content.value.agent_id, content.value.status, text);
    else if (content.kind === 'admin_event') event.run(text);
    else if (content.kind === 'service_key') serviceKey.run(content.value.kid, content.value.public_key, text);
    // Of a withheld event there is nothing to show: the report counts those.
    else if (content.kind !== 'withheld_event') fact.run(content.kind, text);
  }

  #insertRecord({ line, value: { eor, ear, gap }, text }: BundleContent & { readonly kind: 'record' }): void {
    const n = ++this.#records;
    const archived = this.#archived;
    // Numbers in an archive count all that was accepted, whose ledger it ever is.
    if (archived !== null && ear.seq_no + archived.shift !== n)
      throw new Error(`record ${ear.seq_no} of a run is out of order`);
    this.#statements.record.run(
      ...[
        n,
        line,
        archived === null ? ear.seq_no : n,
        eor.operation_id,
        eor.agent_id,
        eor.operation_type,
        eor.subject,
        eor.action,
      ],
      ...[eor.issued_at, parseTime(eor.issued_at), ear.server_received_at, Buffer.from(parseDigest(ear.chain_hash))],
      eor.prev_chain_hash === null ? null : Buffer.from(parseDigest(eor.prev_chain_hash)),
      eor.agent_pubkey_kid,
      Buffer.from(receiptLeafHash(receiptSignedBytes(ear), nodeCrypto.sha256)),
      packed(gap),
      ...(archived === null ? [] : [archived.ledgerNo]),
    );
    if (archived?.keepsTexts ?? true) this.#statements.text.run(n, text);
  }
}
