import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import type { Finding, TreeLevels, VerificationReport } from '../../../protocol/index.ts';
import { ServiceError } from '../../base/errors.ts';
import { openAnnotations } from '../annotations-file.ts';
import { NAMES } from '../case-file.ts';
import { openIndex } from '../case-index-file.ts';

/** Trees of epochs that are kept for the next proof: some 64 bytes a record. */
const KEPT_TREES = 4;

/** A case as its reads need it, on the thread that reads. */
export class OpenCase {
  readonly index: Database.Database;
  readonly annotations: Database.Database;
  readonly trees = new Map<number, TreeLevels>();
  readonly #reportPath: string;
  readonly #statements = new Map<string, Database.Statement>();
  #findings: readonly Finding[] | null = null;
  #bySeqNo: ReadonlyMap<number, number> | null = null;

  /** @throws ServiceError CONFLICT where the index is none of this version */
  constructor(folder: string) {
    const index = openIndex(join(folder, NAMES.index));
    if (index === null) throw new ServiceError('CONFLICT', 'the case has no index of this version: verify it again');
    this.index = index;
    try {
      this.annotations = openAnnotations(join(folder, NAMES.annotations));
    } catch (error) {
      index.close();
      throw error;
    }
    this.#reportPath = join(folder, NAMES.report);
  }

  /** A statement over the index, prepared once. Its text is ours, never a caller's. */
  statement(sql: string): Database.Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.index.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  keepTree(epochRow: number, tree: TreeLevels): void {
    const [oldest] = this.trees.keys();
    if (oldest !== undefined && this.trees.size >= KEPT_TREES) this.trees.delete(oldest);
    this.trees.set(epochRow, tree);
  }

  get findings(): readonly Finding[] {
    this.#findings ??= (JSON.parse(readFileSync(this.#reportPath, 'utf8')) as VerificationReport).findings;
    return this.#findings;
  }

  /** How many findings name a record. */
  findingsAt(seqNo: number): number {
    if (this.#bySeqNo === null) {
      const counts = new Map<number, number>();
      for (const { where } of this.findings) {
        if (where.seq_no !== undefined) counts.set(where.seq_no, (counts.get(where.seq_no) ?? 0) + 1);
      }
      this.#bySeqNo = counts;
    }
    return this.#bySeqNo.get(seqNo) ?? 0;
  }

  close(): void {
    this.index.close();
    this.annotations.close();
  }
}
