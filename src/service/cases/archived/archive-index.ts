import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { gunzipped } from '../../../node/index.ts';
import { type BundleContent, type Edges, type Epoch, readContents } from '../../../protocol/index.ts';
import { IndexWriter } from '../case-index-writer.ts';
import { keepLog } from '../case-log.ts';
import { NoStretches, type Stretch, stretchesOf } from './stretches.ts';

/** A run that is to be in the index: it was verified, and has the digest that was accepted. */
export interface AcceptedFile {
  readonly kid: string;
  readonly orgId: string;
  readonly firstEpochNo: number;
  readonly lastEpochNo: number;
  /** From the archive's folder. */
  readonly path: string;
  readonly sha256: string;
}

/** What tells whether an index has some runs, in this order: of each the digest. */
export function digestOfRuns(runs: readonly { readonly sha256: string }[]): string {
  const hash = createHash('sha256');
  for (const { sha256 } of runs) hash.update(sha256);
  return hash.digest('hex');
}

export function indexedRuns(index: Database.Database): { readonly sha256: string }[] {
  return index.prepare('SELECT sha256 FROM runs ORDER BY run_no').all() as { readonly sha256: string }[];
}

/** @returns the number of the ledger */
function ledgerNo(index: Database.Database, { kid, orgId }: AcceptedFile): number {
  index.prepare('INSERT OR IGNORE INTO ledgers (kid, org_id) VALUES (?, ?)').run(kid, orgId);
  return index.prepare('SELECT ledger_no FROM ledgers WHERE kid = ? AND org_id = ?').pluck().get(kid, orgId) as number;
}

interface Begun {
  readonly writer: IndexWriter;
  readonly shift: number;
  readonly first: number;
  readonly last: number;
}

/**
 * Puts a run into the index of an archive, whole or not at all.
 * @param bytes of the file, from its beginning each time
 * @throws Error where they are not those that were accepted
 */
export async function addRun(
  index: Database.Database,
  run: AcceptedFile,
  bytes: () => AsyncIterable<Uint8Array>,
): Promise<void> {
  try {
    await addFrom(index, run, bytes, true);
  } catch (error) {
    if (!(error instanceof NoStretches)) throw error;
    await addFrom(index, run, bytes, false);
  }
}

/** @param isCut whether texts are read from stretches of the file; else they are kept @throws NoStretches */
async function addFrom(
  index: Database.Database,
  run: AcceptedFile,
  bytes: () => AsyncIterable<Uint8Array>,
  isCut: boolean,
): Promise<void> {
  const hash = createHash('sha256');
  const hashed = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes()) {
      hash.update(chunk);
      yield chunk;
    }
  };
  const stretches: Stretch[] = [];
  const cut = async function* (): AsyncGenerator<Uint8Array> {
    for await (const { text, ...stretch } of stretchesOf(hashed())) {
      stretches.push(stretch);
      yield text;
    }
  };
  index.exec('BEGIN IMMEDIATE');
  try {
    const before = (index.prepare('SELECT max(n) FROM records').pluck().get() as number | null) ?? 0;
    const ledger = ledgerNo(index, run);
    const runNo = ((index.prepare('SELECT max(run_no) FROM runs').pluck().get() as number | null) ?? 0) + 1;
    for (const table of ['agents', 'admin_events', 'service_keys'])
      index.prepare(`DELETE FROM ${table} WHERE ledger_no = ?`).run(ledger);
    const head: BundleContent[] = [];
    const epochs: Epoch[] = [];
    let edges: Edges | null = null;
    let begun: Begun | null = null;
    const begin = (): Begun => {
      const own = epochs.filter(({ epoch_no: no }) => no >= run.firstEpochNo && no <= run.lastEpochNo);
      const first = Math.min(...own.map(({ first_seq_no }) => first_seq_no));
      const last = Math.max(...own.map(({ last_seq_no }) => last_seq_no));
      const shift = before + 1 - first;
      const writer = new IndexWriter(index, { ledgerNo: ledger, before, shift, keepsTexts: !isCut });
      for (const content of head) if (content.kind !== 'epoch' || own.includes(content.value)) writer.add(content);
      return { writer, shift, first, last };
    };
    for await (const contents of readContents(isCut ? cut : () => gunzipped(hashed()))) {
      for (const content of contents) {
        if (content.kind === 'record') {
          begun ??= begin();
          const { seq_no: seqNo } = content.value.ear;
          // Others are before or behind the epochs of this run, and in another one.
          if (seqNo >= begun.first && seqNo <= begun.last) begun.writer.add(content);
        } else if (content.kind === 'org') {
          keepFact(index, `org ${ledger}`, content.value);
        } else if (content.kind === 'epoch') {
          epochs.push(content.value);
          head.push(content);
        } else if (content.kind === 'edges') edges = content.value;
        else if (content.kind === 'unreadable' || content.kind === 'broken') {
          throw new Error(`line ${content.line} of ${run.path}, which was verified, cannot be read`);
        } else if (content.kind !== 'manifest') head.push(content);
      }
    }
    // Nothing that was read holds before: the file may have been changed meanwhile.
    if (hash.digest('hex') !== run.sha256) throw otherBytes(run.path);
    if (begun === null || edges === null) throw new Error(`${run.path} has no records`);
    const { writer, shift, first } = begun;
    const insert = index.prepare('INSERT OR IGNORE INTO run_log_nodes VALUES (?, ?, ?, ?)');
    keepLog(index, { edges, epochs, before, shift, insert: (...node) => insert.run(runNo, ...node) });
    index
      .prepare('INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(runNo, ledger, run.path, run.sha256, run.firstEpochNo, run.lastEpochNo, before + 1, writer.records, first);
    const place = index.prepare('INSERT INTO stretches VALUES (?, ?, ?, ?, ?)');
    for (const { firstLine, offset, bytes: count, sha256 } of stretches)
      place.run(runNo, firstLine, offset, count, sha256);
    keepFact(index, 'records', writer.records);
    keepFact(index, 'unreadable', 0);
    index.exec('COMMIT');
  } catch (error) {
    if (index.inTransaction) index.exec('ROLLBACK');
    throw error;
  }
}

export function otherBytes(path: string): Error {
  return new Error(`${path} has other bytes than those that were accepted`);
}

/** Where the runs of the archive are: a folder may be mounted elsewhere at the next start. */
export function keepRoot(index: Database.Database, root: string): void {
  index.prepare('INSERT OR REPLACE INTO facts VALUES (?, ?)').run('from', root);
}

function keepFact(index: Database.Database, name: string, value: unknown): void {
  index.prepare('INSERT OR REPLACE INTO facts VALUES (?, ?)').run(name, JSON.stringify(value));
}
