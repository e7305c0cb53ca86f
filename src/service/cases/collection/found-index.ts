import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import Database from 'better-sqlite3';
import { AlterationSearch } from '../../../actions/found/index.ts';
import { LOG_READERS } from '../../../actions/logs/index.ts';
import { TRANSCRIPTS, type TranscriptLine } from '../../../actions/transcripts/index.ts';
import type { FoundNote } from '../../../api/index.ts';
import { DamagedArchive, nodeCrypto, opencodeRows } from '../../../node/index.ts';
import { type CancelSignal, utf8 } from '../../../protocol/index.ts';
import { isStorageFull } from '../../store/sqlite-errors.ts';
import { CaseRefused } from '../case-source.ts';
import { bytesToSpare } from '../disk-space.ts';
import { corroborate } from './corroborate.ts';
import { differencesWithLedger } from './differences.ts';
import type { FoundFile, FoundItem } from './found-files.ts';
import { type FoundRecord, FoundRecords, isTime } from './found-record.ts';
import { FOUND_INDEXES, STAGING_TABLES } from './found-tables.ts';
import { linesOf, MAX_LINE_BYTES, textsOf } from './found-texts.ts';
import { bytesOf } from './read-collection.ts';

/**
 * The lines of a store of opencode: a file of rows, or the database itself, which is copied for that. What its program had not put into
 * it yet, in the file next to it, is read as well.
 * @param all the files of the item
 * @throws SqliteError where it is damaged
 */
async function* storeLines(file: FoundFile, all: readonly FoundFile[]): AsyncGenerator<TranscriptLine> {
  const { value: head } = await bytesOf(file, { ...file, bytes: Math.min(file.bytes, 1) }).next();
  if (head?.[0] !== 'S'.charCodeAt(0)) {
    yield* linesOf(file);
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'countersign-store-'));
  const copied = join(folder, 'store.db');
  try {
    await pipeline(bytesOf(file, file), createWriteStream(copied, { mode: 0o600 }));
    const wal = all.find(({ foundAt }) => foundAt === `${file.foundAt}-wal`);
    if (wal !== undefined) await pipeline(bytesOf(wal, wal), createWriteStream(`${copied}-wal`, { mode: 0o600 }));
    let line = 1;
    for (const row of opencodeRows(copied)) yield cut(row, line++);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function cut(row: string, line: number): TranscriptLine {
  if (row.length <= MAX_LINE_BYTES) return { line, text: row };
  const sha256 = createHash('sha256').update(row).digest('hex');
  return { line, text: row.slice(0, MAX_LINE_BYTES), cut: { bytes: Buffer.byteLength(row), sha256 } };
}

/** Of one file: how many things that could not be read are told one by one. */
const MAX_NOTES = 200;
/** Rows between two looks at whether the work was cancelled. */
const ROWS = 2_000;

export interface FoundIndexMeans {
  readonly signal: CancelSignal;
  /** Is told how many bytes of the items were read, and how many actions there are. */
  readonly onProgress: (bytes: number, actions: number) => void;
}

function prepare(sqlite: Database.Database) {
  const marks = (count: number): string => Array(count).fill('?').join(', ');
  return {
    file: sqlite.prepare(
      `INSERT INTO found_files (file_id, item_no, file_no, found_at, bytes, sha256, modified_ms, changed, kind, program)
       VALUES (${marks(10)})`,
    ),
    staged: sqlite.prepare(`INSERT INTO staged VALUES (NULL, ${marks(14)}) ON CONFLICT (name) DO NOTHING`),
    known: sqlite.prepare('SELECT digest, file_id FROM staged WHERE name = ?'),
    note: sqlite.prepare('INSERT INTO found_notes VALUES (NULL, ?, ?, ?, ?)'),
    event: sqlite.prepare('INSERT INTO log_events VALUES (NULL, ?, ?, ?)'),
    fact: sqlite.prepare('INSERT OR REPLACE INTO facts VALUES (?, ?)'),
    counts: sqlite.prepare(
      `UPDATE found_files SET sessions = @sessions, actions = @actions, events = @events, repeated = @repeated, signs = @signs,
         unread = @unread WHERE file_id = @fileId`,
    ),
  };
}

interface Counts {
  sessions: number;
  actions: number;
  events: number;
  repeated: number;
  signs: number;
  unread: number;
}

/**
 * Fills the index of a case with what files say that were found: actions in the order of their times, after the records of the bundle.
 * Files that cannot be read are said and passed over.
 */
export class FoundIndex {
  readonly #sqlite: Database.Database;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #means: FoundIndexMeans;
  readonly #folder: string;
  /** The files of the item that is read: a store has more than one. */
  #store: readonly FoundFile[] = [];
  #files = 0;
  #bytes = 0;
  #actions = 0;
  #rows = 0;

  constructor(sqlite: Database.Database, means: FoundIndexMeans) {
    this.#sqlite = sqlite;
    this.#folder = dirname(sqlite.name);
    this.#means = means;
    sqlite.exec(STAGING_TABLES);
    this.#statements = prepare(sqlite);
    sqlite.exec('BEGIN');
  }

  /** Reads the files of an item. */
  async add({ itemNo: of, manifest, files }: FoundItem): Promise<void> {
    this.#store = files;
    if (manifest !== null) {
      const { collected_at: at, collected_by: by, host } = manifest;
      this.#statements.fact.run(`collected ${of}`, JSON.stringify({ at, by, host }));
    }
    for (const file of files) {
      const fileId = ++this.#files;
      const { itemNo, fileNo, foundAt, bytes, sha256, modifiedMs, changed, kind } = file;
      const of = kind === null ? null : kind.of === 'log' ? kind.log : kind.of;
      const program = kind?.of === 'transcript' ? kind.program : null;
      this.#statements.file.run(
        ...[fileId, itemNo, fileNo, foundAt, bytes, sha256, modifiedMs, changed ? 1 : 0, of, program],
      );
      const counts: Counts = { sessions: 0, actions: 0, events: 0, repeated: 0, signs: 0, unread: 0 };
      try {
        if (kind?.of === 'transcript') await this.#transcript(file, fileId, kind.program, counts);
        else if (kind?.of === 'log') await this.#log(file, fileId, kind.log, counts);
        else if (kind === null) this.#unread(fileId, 1, 'no transcript or log that is known', counts);
      } catch (error) {
        const isOfFile =
          error instanceof DamagedArchive ||
          (error instanceof CaseRefused && error.code !== 'STORAGE_FULL') ||
          error instanceof Database.SqliteError ||
          // Nested deeper than the stack: nobody wrote that for a reader.
          error instanceof RangeError;
        if (!isOfFile || isStorageFull(error)) throw error;
        this.#unread(fileId, 1, error.message, counts);
      }
      this.#statements.counts.run({ ...counts, fileId });
      this.#bytes += bytes;
      this.#tell();
    }
  }

  #tell(): void {
    this.#means.signal.throwIfAborted();
    this.#means.onProgress(this.#bytes, this.#actions);
  }

  async #step(): Promise<void> {
    if (++this.#rows % ROWS !== 0) return;
    this.#tell();
    if ((await bytesToSpare(this.#folder)) < 0) {
      throw new CaseRefused('STORAGE_FULL', 'the disk has no room for what was found in these files');
    }
  }

  #unread(fileId: number, line: number, reason: string, counts: Counts): void {
    if (counts.unread++ < MAX_NOTES) this.#note(fileId, line, 'UNREAD', reason);
  }

  /** The interface has a name for each code. */
  #note(fileId: number, line: number, code: FoundNote['code'], message: string): void {
    this.#statements.note.run(fileId, line, code, message);
  }

  async #transcript(file: FoundFile, fileId: number, program: keyof typeof TRANSCRIPTS, counts: Counts): Promise<void> {
    const reader = TRANSCRIPTS[program].open(file.foundAt);
    const records = new FoundRecords(file, program);
    const search = new AlterationSearch(program);
    const take = (item: Parameters<FoundRecords['take']>[0]): void => {
      if (item.kind === 'unread') this.#unread(fileId, item.line, item.reason, counts);
      const record = records.take(item);
      if (record !== null) this.#stage(record, program, fileId, counts);
    };
    for await (const line of program === 'opencode' ? storeLines(file, this.#store) : linesOf(file)) {
      await this.#step();
      for (const { code, line: at, message } of search.take(line.cut === undefined ? line.text : null, line.line)) {
        if (counts.signs++ < MAX_NOTES) this.#note(fileId, at, code, message);
      }
      if (line.text.trim() !== '') reader.take(line).forEach(take);
    }
    reader.open().forEach(take);
  }

  /** One call of one session is one action, in however many files a program or a person has it. */
  #stage(record: FoundRecord, program: string, fileId: number, counts: Counts): void {
    const { operationId, agentId, operationType, subject, action, atMs, payload, line, endLine, session, callId, key } =
      record;
    const name = key === null ? null : JSON.stringify([program, session, key]);
    const text = utf8(JSON.stringify(payload));
    // Ids of actions are made of the file, and so differ from one to the next.
    const { tool, input, output, outcome, told } = payload;
    const said = { tool, input, output, outcome, told };
    const digest = Buffer.from(nodeCrypto.sha256(utf8(JSON.stringify(said))));
    const { changes } = this.#statements.staged.run(
      ...[
        name,
        digest,
        operationId,
        agentId,
        operationType,
        subject,
        action,
        atMs,
        fileId,
        line,
        endLine,
        session,
        callId,
      ],
      text,
    );
    if (changes === 1) {
      this.#actions++;
      if (action === 'session_started') counts.sessions++;
      else if (action !== 'told') counts.actions++;
      return;
    }
    counts.repeated++;
    const known = this.#statements.known.get(name) as { readonly digest: Buffer; readonly file_id: number };
    if (known.digest.equals(digest) || action === 'session_started') return;
    const what = callId === null ? 'this entry' : `the call ${callId}`;
    const message =
      known.file_id === fileId
        ? `The file tells ${what} of one session more than once, and not in the same way.`
        : `Another file (number ${known.file_id}) tells ${what} of the same session in another way.`;
    if (counts.signs++ < MAX_NOTES) this.#note(fileId, line, 'FILES_DIFFER', message);
  }

  async #log(file: FoundFile, fileId: number, kind: string, counts: Counts): Promise<void> {
    const reader = LOG_READERS.find((one) => one.kind === kind);
    if (reader === undefined) throw new Error(`no reader for logs of the kind ${kind}`);
    for await (const item of reader.read(textsOf(file))) {
      await this.#step();
      if (item.kind === 'unread') this.#unread(fileId, item.line, item.reason, counts);
      else if (!isTime(item.event.at))
        this.#unread(fileId, item.event.line, 'a time that nothing here can name', counts);
      else {
        counts.events++;
        this.#statements.event.run(fileId, Math.round(item.event.at), JSON.stringify(item.event));
      }
    }
  }

  /** To be called once, after all items: puts the actions in order, and holds them against the ledger and the logs. */
  finish(): void {
    const sqlite = this.#sqlite;
    const last = sqlite
      .prepare('SELECT coalesce(max(n), 0) AS n, coalesce(max(seq_no), 0) AS seqNo FROM records')
      .get() as {
      readonly n: number;
      readonly seqNo: number;
    };
    // Numbers of a hostile bundle may leave no room above them: then these begin at 1 as well, as any number may be there twice.
    const seqNo = last.seqNo > Number.MAX_SAFE_INTEGER / 2 ? 0 : last.seqNo;
    sqlite.exec(
      `CREATE TEMP TABLE places AS SELECT ordinal, row_number() OVER (ORDER BY at, ordinal) AS place FROM staged`,
    );
    sqlite
      .prepare(
        `INSERT INTO found SELECT place + @n, place + @seqNo, operation_id, agent_id, operation_type, subject, action, at, file_id, line,
           end_line, session, call_id FROM places JOIN staged USING (ordinal) ORDER BY place`,
      )
      .run({ n: last.n, seqNo });
    sqlite
      .prepare('INSERT INTO texts SELECT place + @n, text FROM places JOIN staged USING (ordinal) ORDER BY place')
      .run({ n: last.n });
    sqlite.exec(FOUND_INDEXES);
    differencesWithLedger(sqlite, this.#means.signal);
    corroborate(sqlite, this.#means.signal);
    sqlite.exec('DROP TABLE places; DROP TABLE staged; DROP TABLE staged_calls; COMMIT');
  }
}
