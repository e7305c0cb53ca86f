import type Database from 'better-sqlite3';
import type { InvestigationRules } from '../../actions/index.ts';
import type { NamedAgent } from '../../actions/profile/index.ts';
import { nodeCrypto } from '../../node/index.ts';
import {
  type BundleAgent,
  decodeUtf8,
  type Edges,
  formatTime,
  type JsonObject,
  type Manifest,
  parseBundleRecord,
  parseTime,
} from '../../protocol/index.ts';
import type { Extent, RecordPlace, RecordSource, SourceRecord } from '../search/content-index/record-source.ts';
import { ArchivedRecords, isArchive } from './archived/archived-records.ts';

interface StoredText extends Partial<FoundHead> {
  readonly n: number;
  readonly text: Uint8Array;
}

/** What the index has of an action that was found and signed by nobody; null members of a signed record. */
interface FoundHead {
  readonly seqNo: number;
  readonly operationId: string | null;
  readonly agentId: string;
  readonly operationType: string;
  readonly subject: string;
  readonly action: string;
  readonly issuedMs: number;
}

/** An action that was found, in the form of a record: it has no key, no chain and no receipt. */
function foundRecord(n: number, { issuedMs, ...head }: FoundHead, payload: JsonObject | null): SourceRecord {
  return {
    n,
    ...head,
    operationId: head.operationId ?? '',
    kid: '',
    isFirstOfAgent: false,
    issuedAt: formatTime(issuedMs),
    issuedMs,
    receivedMs: issuedMs,
    payload,
    disclosures: {},
    isUnsigned: true,
  };
}

function recordOf({ n, text, operationId, ...head }: StoredText): SourceRecord {
  if (operationId != null) {
    return foundRecord(n, { ...(head as FoundHead), operationId }, JSON.parse(decodeUtf8(text)) as JsonObject);
  }
  const { eor, ear, disclosures } = parseBundleRecord(text);
  return {
    n,
    seqNo: ear.seq_no,
    operationId: eor.operation_id,
    agentId: eor.agent_id,
    kid: eor.agent_pubkey_kid,
    isFirstOfAgent: eor.prev_chain_hash === null,
    operationType: eor.operation_type,
    subject: eor.subject,
    action: eor.action,
    issuedAt: eor.issued_at,
    issuedMs: parseTime(eor.issued_at),
    receivedMs: parseTime(ear.server_received_at),
    payload: eor.payload ?? null,
    disclosures: disclosures ?? {},
  };
}

/** The records of a case, in the order of its file. */
export class CaseRecords implements RecordSource {
  readonly owner = '';
  readonly #statements: ReturnType<typeof prepare>;
  readonly #rules: () => InvestigationRules;
  readonly #archive: ArchivedRecords | null;

  /**
   * @param index of the case, open; of an archive where it has runs
   * @param mostKept of an archive, how many unpacked stretches of its runs
   */
  constructor(index: Database.Database, rules: () => InvestigationRules, mostKept?: number) {
    this.#rules = rules;
    this.#statements = prepare(index);
    this.#archive = isArchive(index) ? new ArchivedRecords(index, mostKept) : null;
  }

  last(): number {
    return this.#archive?.last() ?? (this.#statements.last.get() as number | null) ?? 0;
  }

  after(n: number, limit: number): SourceRecord[] {
    if (this.#archive === null) return (this.#statements.after.all(n, limit) as StoredText[]).map(recordOf);
    return this.#archive.lines(n + 1, n + limit).map((one) => this.#archived(one.n, one.line));
  }

  /** @param line in the run of an archive, where it is known @throws ServiceError CONFLICT where its run is gone or has other bytes */
  textOf(n: number, line?: number): Uint8Array {
    const archived = this.#archive?.text(n, line) ?? null;
    if (archived !== null) return archived;
    const found = this.#statements.record.get(n) as StoredText | undefined;
    if (found === undefined) throw new Error(`the index of the case has no text of record ${n}`);
    return found.text;
  }

  /** A record of an archive: its number is that of the archive, where several ledgers have the same. */
  #archived(n: number, line?: number): SourceRecord {
    return { ...recordOf({ n, text: this.textOf(n, line) }), seqNo: n, ...this.#ledger(n) };
  }

  #ledger(n: number): Pick<SourceRecord, 'ledger'> {
    return this.#archive === null ? {} : { ledger: this.#archive.ledger(n) };
  }

  record(n: number): SourceRecord | null {
    if (this.#archive !== null) return n >= 1 && n <= this.last() ? this.#archived(n) : null;
    const found = this.#statements.record.get(n) as StoredText | undefined;
    return found === undefined ? null : recordOf(found);
  }

  heads(from: number, to: number): SourceRecord[] {
    const rows = this.#statements.heads.all(from, to) as (Omit<SourceRecord, 'receivedMs'> & { receivedAt: string })[];
    const signed = rows.map(({ receivedAt, ...row }) => ({
      ...row,
      receivedMs: parseTime(receivedAt),
      payload: null,
      disclosures: {},
      ...this.#ledger(row.n),
    }));
    if (this.#archive !== null) return signed;
    const found = this.#statements.foundHeads.all(from, to) as (FoundHead & { readonly n: number })[];
    return [...signed, ...found.map(({ n, ...head }) => foundRecord(n, head, null))];
  }

  leafHash(n: number): Uint8Array | null {
    const signed = this.#statements.leafHash.get(n) as Uint8Array | undefined;
    if (signed !== undefined || this.#archive !== null) return signed ?? null;
    const found = this.#statements.record.get(n) as StoredText | undefined;
    return found === undefined ? null : Buffer.from(nodeCrypto.sha256(found.text));
  }

  place(n: number): RecordPlace | null {
    const found = this.#statements.place.get(n) as Omit<RecordPlace, 'orgId' | 'serviceKid'> | undefined;
    if (found === undefined) return null;
    const { chainHash, leafHash, epochNo } = found;
    const { ear } = parseBundleRecord(this.textOf(n));
    return { orgId: ear.org_id, serviceKid: ear.service_kid, chainHash, leafHash, epochNo };
  }

  /** A file never changes: erasing is for whoever has the ledger. */
  erasedAfter(): { readonly ns: readonly number[]; readonly to: number } {
    return { ns: [], to: 0 };
  }

  rules(): InvestigationRules {
    return this.#rules();
  }

  extent(): Extent {
    // A host may have sealed more, which is on its way.
    if (this.#archive !== null) return { allAgents: true, toHead: false };
    const manifest = this.#fact('manifest') as Manifest | undefined;
    const edges = this.#fact('edges') as Edges | undefined;
    return { allAgents: manifest?.filter.agent_id === null, toHead: edges?.after === null };
  }

  #fact(name: string): unknown {
    const text = this.#statements.fact.get(name) as string | undefined;
    return text === undefined ? undefined : JSON.parse(text);
  }

  agent(agentId: string): NamedAgent | undefined {
    const text = this.#statements.agent.get(agentId) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as BundleAgent);
  }
}

const FOUND_HEAD = `seq_no AS seqNo, operation_id AS operationId, agent_id AS agentId, operation_type AS operationType, subject, action,
  issued_at_ms AS issuedMs`;
const TEXTS = `SELECT n, text, ${FOUND_HEAD} FROM texts LEFT JOIN found USING (n)`;

function prepare(index: Database.Database) {
  return {
    last: index.prepare('SELECT max(n) FROM texts').pluck(),
    after: index.prepare(`${TEXTS} WHERE n > ? ORDER BY n LIMIT ?`),
    record: index.prepare(`${TEXTS} WHERE n = ?`),
    fact: index.prepare('SELECT value FROM facts WHERE name = ?').pluck(),
    agent: index.prepare('SELECT agent FROM agents WHERE agent_id = ? ORDER BY n DESC').pluck(),
    heads: index.prepare(
      `SELECT n, seq_no AS seqNo, operation_id AS operationId, agent_id AS agentId, operation_type AS operationType, subject,
              action, issued_at AS issuedAt, issued_at_ms AS issuedMs, server_received_at AS receivedAt, agent_pubkey_kid AS kid,
              prev_chain_hash IS NULL AS isFirst
       FROM records WHERE n BETWEEN ? AND ? ORDER BY n`,
    ),
    foundHeads: index.prepare(`SELECT n, ${FOUND_HEAD} FROM found WHERE n BETWEEN ? AND ? ORDER BY n`),
    place: index.prepare(
      `SELECT chain_hash AS chainHash, leaf_hash AS leafHash,
              (SELECT epoch_no FROM epochs WHERE last_seq_no >= seq_no AND first_seq_no <= seq_no
               ORDER BY last_seq_no LIMIT 1) AS epochNo
       FROM records WHERE n = ?`,
    ),
    leafHash: index.prepare('SELECT leaf_hash FROM records WHERE n = ?').pluck(),
  };
}
