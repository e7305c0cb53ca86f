import { deserialize, serialize } from 'node:v8';
import type { PreparedRules } from '../../../actions/index.ts';
import { Judge, type JudgedFinding, type JudgeState, newJudgeState } from '../../../actions/judging/index.ts';
import { type CoherenceEnd, shownOf } from '../../../actions/profile/index.ts';
import { nodeCrypto } from '../../../node/index.ts';
import type { Catalog, Shelf } from './catalog.ts';
import { headOf, type ReadRecord } from './record-content.ts';
import type { RecordSource } from './record-source.ts';

/** The state is written again after this many records, and more where it is large: writing it costs little of what judging does. */
const SAVED_AFTER = 4096;
const BYTES_A_RECORD = 128;
/** Further behind the index than by this, what the judge knows says nothing of the ledger as it is. */
const FAR = 4096;

/**
 * The judge of one organization's records, or of a case's, and what it found: kept in the catalog, with the judge's state now and then.
 * Belongs to the thread that writes the index. What a crash takes of the state is judged again from the records, without a trace: the
 * same records give the same findings.
 */
export class ShelfJudge {
  readonly #catalog: Catalog;
  readonly #shelf: number;
  readonly #source: RecordSource;
  readonly #state: JudgeState;
  readonly #judge: Judge;
  /** The number of the last record that is in the state. */
  #place: number;
  /** Findings of records up to here are in the catalog. */
  #judgedTo: number;
  #savedTo: number;
  #bytes: number;
  /** Whether the catalog has what was found in all that is in the state: after a failure in between, the state is of no use. */
  #isKept = true;
  /** Found, and not in the catalog yet. */
  #found: JudgedFinding[] = [];
  /** Rows of what a later record may take back; null where that is not known. */
  #standing: Map<string, number> | null = null;

  constructor(catalog: Catalog, { shelf, judged_to }: Shelf, source: RecordSource, rules: PreparedRules) {
    this.#catalog = catalog;
    this.#shelf = shelf;
    this.#source = source;
    this.#judgedTo = judged_to;
    const saved = this.#saved();
    this.#state = saved.state;
    this.#place = saved.to;
    this.#savedTo = saved.to;
    this.#bytes = saved.bytes;
    const { allAgents } = source.extent();
    this.#judge = new Judge({ allAgents, sha256: nodeCrypto.sha256, rules }, this.#state);
  }

  #saved(): { readonly state: JudgeState; readonly to: number; readonly bytes: number } {
    const nothing = { state: newJudgeState(), to: 0, bytes: 0 };
    const sql = 'SELECT state_to, state FROM judge_states WHERE shelf = ?';
    const row = this.#catalog.statement(sql).get(this.#shelf) as { state_to: number; state: Buffer } | undefined;
    // A state that is ahead of what is listed is of a catalog that lost its last steps to a power cut.
    if (row === undefined || row.state_to > this.#judgedTo) return nothing;
    try {
      return { state: deserialize(row.state) as JudgeState, to: row.state_to, bytes: row.state.length };
    } catch {
      // Damaged on the disk: the records say the same once more.
      return nothing;
    }
  }

  get place(): number {
    return this.#place;
  }

  /** About what the state takes, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes the record after the last one. */
  take({ record, facts }: ReadRecord): void {
    const { sha256 } = nodeCrypto;
    this.#isKept = false;
    const found = this.#judge.take({
      head: headOf(record),
      issuedAt: record.issuedMs,
      facts,
      ledger: record.ledger === undefined ? null : `${record.ledger.issuer} ${record.ledger.organization}`,
      record: {
        seq_no: record.seqNo,
        operation_id: record.operationId,
        agent_id: record.agentId,
        kid: record.kid,
        issued_at: record.issuedMs,
        first_of_agent: record.isFirstOfAgent,
        ...shownOf(record.payload, record.disclosures, sha256),
      },
    });
    this.#place = record.n;
    // What is judged again is in the catalog already.
    if (record.n > this.#judgedTo) this.#found.push(...found);
  }

  /**
   * Writes what was found, within a transaction.
   * @param indexedTo far before it, as after an erasure, nothing is said of what stands if no record comes after
   */
  keep(indexedTo: number): void {
    this.#isKept = true;
    if (this.#place < this.#judgedTo) return;
    for (const finding of this.#found) this.#insert(finding, false);
    this.#found = [];
    const left = indexedTo - this.#place;
    const end: CoherenceEnd = {
      toHead: left === 0 && this.#source.extent().toHead,
      named: (agentId) => this.#source.agent(agentId),
    };
    if (left <= FAR) this.#keepStanding(end);
    const sql = 'UPDATE shelves SET judged_to = ?, coherence = ? WHERE shelf = ?';
    this.#catalog.statement(sql).run(this.#place, left <= FAR ? this.#report(end) : null, this.#shelf);
    this.#judgedTo = this.#place;
    if (this.#place - this.#savedTo >= SAVED_AFTER + this.#bytes / BYTES_A_RECORD) this.save();
  }

  #report(end: CoherenceEnd): string {
    return JSON.stringify({ ...this.#judge.report(end), findings: [] });
  }

  #insert({ code, severity, where, message, figures }: JudgedFinding, standing: boolean): number {
    const sql = `INSERT INTO findings
      (shelf, standing, code, severity, seq_no, operation_id, other_seq_no, pointer, message, figures)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    const { seq_no, operation_id, other_seq_no = null, pointer = null } = where;
    const given = [code, severity, seq_no, operation_id, other_seq_no, pointer, message, JSON.stringify(figures)];
    const { lastInsertRowid } = this.#catalog.statement(sql).run(this.#shelf, standing ? 1 : 0, ...given);
    return Number(lastInsertRowid);
  }

  /** Only what changed is written: most of it stands for long. */
  #keepStanding(end: CoherenceEnd): void {
    if (this.#standing === null) {
      this.#catalog.statement('DELETE FROM findings WHERE shelf = ? AND standing = 1').run(this.#shelf);
    }
    const before = this.#standing ?? new Map<string, number>();
    const now = new Map<string, number>();
    for (const finding of this.#judge.standing(end)) {
      // Of two alike, such as two causes of a record that are unknown, each has its row.
      const text = JSON.stringify(finding);
      let key = text;
      for (let same = 1; now.has(key); same++) key = `${text} ${same}`;
      now.set(key, before.get(key) ?? this.#insert(finding, true));
      before.delete(key);
    }
    for (const gone of before.values()) this.#catalog.statement('DELETE FROM findings WHERE finding = ?').run(gone);
    this.#standing = now;
  }

  /** Writes the state, if there is anything new in it. */
  save(): void {
    // A state behind what is listed is of records that are judged again: the one that is saved may be as good.
    if (!this.#isKept || this.#place === this.#savedTo || this.#place < this.#judgedTo) return;
    const state = serialize(this.#state);
    const sql = 'INSERT OR REPLACE INTO judge_states (shelf, state_to, state) VALUES (?, ?, ?)';
    this.#catalog.statement(sql).run(this.#shelf, this.#place, state);
    this.#savedTo = this.#place;
    this.#bytes = state.length;
  }
}

/** What the states of judges that are in memory may take together, in bytes as they are saved. */
const MAX_BYTES = 96 * 1024 * 1024;
/** What a judge takes at least. */
const LEAST_BYTES = 256 * 1024;

/** The judges that are in memory: those of organizations that wrote last. */
export class OpenJudges {
  readonly #open = new Map<number, ShelfJudge>();

  of(catalog: Catalog, shelf: Shelf, source: RecordSource, rules: PreparedRules): ShelfJudge {
    const known = this.#open.get(shelf.shelf);
    const judge = known ?? new ShelfJudge(catalog, shelf, source, rules);
    this.#open.delete(shelf.shelf);
    this.#open.set(shelf.shelf, judge);
    this.#letGo();
    return judge;
  }

  #letGo(): void {
    let bytes = 0;
    for (const judge of this.#open.values()) bytes += Math.max(LEAST_BYTES, judge.bytes);
    for (const [shelf, judge] of this.#open) {
      if (bytes <= MAX_BYTES || this.#open.size === 1) return;
      judge.save();
      this.#open.delete(shelf);
      bytes -= Math.max(LEAST_BYTES, judge.bytes);
    }
  }

  /** Of a shelf that is gone. */
  remove(shelf: number): void {
    this.#open.delete(shelf);
  }

  /** Writes all states, so that whoever opens the index next continues from here. */
  save(): void {
    for (const judge of this.#open.values()) judge.save();
  }
}
