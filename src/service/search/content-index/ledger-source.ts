import type Database from 'better-sqlite3';
import type { InvestigationRules } from '../../../actions/index.ts';
import type { NamedAgent } from '../../../actions/profile/index.ts';
import { parseRuns } from '../../../protocol/index.ts';
import { type JsonObject, parseJson, unlessRefused } from '../../../protocol/light.ts';
import { readDisclosures } from '../../ledger/operations/disclosures-table.ts';
import { rulesFrom } from './default-rules.ts';
import type { Extent, RecordPlace, RecordSource, SourceRecord } from './record-source.ts';

interface StoredRecord extends Omit<SourceRecord, 'payload' | 'disclosures' | 'n' | 'isFirstOfAgent'> {
  readonly isFirst: 0 | 1;
  readonly payload: string | null;
  readonly disclosures: string | null;
}

const HEAD = `seq_no AS seqNo, operation_id AS operationId, agent_id AS agentId, agent_pubkey_kid AS kid,
  prev_chain_hash IS NULL AS isFirst, operation_type AS operationType,
  subject, action, issued_at AS issuedAt, issued_at_ms AS issuedMs, received_at AS receivedMs`;
const COLUMNS = `${HEAD}, payload,
  (SELECT text FROM disclosures d WHERE d.disclosures_no = operations.disclosures_no) AS disclosures`;

/** A payload as it was stored; null also where somebody wrote something else into the file, as the verification of the ledger tells. */
function payloadOf(text: string | null): JsonObject | null {
  return text === null ? null : unlessRefused(() => parseJson(text) as JsonObject, null);
}

function recordOf({ payload, disclosures, isFirst, ...rest }: StoredRecord): SourceRecord {
  return {
    ...rest,
    isFirstOfAgent: isFirst === 1,
    n: rest.seqNo,
    payload: payloadOf(payload),
    disclosures: readDisclosures(disclosures),
  };
}

/** The sequence numbers that an event names: one of a single erasure, runs of a sweep. */
function erasedNumbers(details: string): number[] {
  const { seq_no: seqNo } = JSON.parse(details) as { readonly seq_no: number | string };
  return parseRuns(String(seqNo)).flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, n) => first + n),
  );
}

/** The records of an organization in the ledger, read by a connection of the caller's. */
export class LedgerSource implements RecordSource {
  readonly owner: string;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(ledger: Database.Database, orgId: string) {
    this.owner = orgId;
    this.#statements = prepare(ledger);
  }

  last(): number {
    return (this.#statements.last.get(this.owner) as number | null) ?? 0;
  }

  after(n: number, limit: number): SourceRecord[] {
    return (this.#statements.after.all(this.owner, n, limit) as StoredRecord[]).map(recordOf);
  }

  record(n: number): SourceRecord | null {
    const found = this.#statements.record.get(this.owner, n) as StoredRecord | undefined;
    return found === undefined ? null : recordOf(found);
  }

  heads(from: number, to: number): SourceRecord[] {
    return (this.#statements.heads.all(this.owner, from, to) as StoredRecord[]).map(recordOf);
  }

  leafHash(n: number): Uint8Array | null {
    return (this.#statements.leafHash.get(this.owner, n) as Uint8Array | undefined) ?? null;
  }

  place(n: number): RecordPlace | null {
    return (this.#statements.place.get(this.owner, n) as RecordPlace | undefined) ?? null;
  }

  erasedAfter(event: number): { readonly ns: readonly number[]; readonly to: number } {
    const to = (this.#statements.lastEvent.get(this.owner) as number | null) ?? 0;
    if (to <= event) return { ns: [], to: event };
    const details = this.#statements.erased.all(this.owner, event, to) as string[];
    return { ns: details.flatMap(erasedNumbers), to };
  }

  rules(): InvestigationRules {
    return rulesFrom(this.#statements.rules.get(this.owner) as string | null | undefined);
  }

  extent(): Extent {
    return { allAgents: true, toHead: true };
  }

  agent(agentId: string): NamedAgent | undefined {
    const type = this.#statements.agentType.get(this.owner, agentId);
    if (typeof type !== 'string') return undefined;
    const keys = this.#statements.keys.all(this.owner, agentId) as NamedAgent['keys'];
    return { agent_id: agentId, integration_type: type, keys };
  }
}

function prepare(ledger: Database.Database) {
  return {
    last: ledger.prepare('SELECT max(seq_no) FROM operations WHERE org_id = ?').pluck(),
    after: ledger.prepare(`SELECT ${COLUMNS} FROM operations WHERE org_id = ? AND seq_no > ? ORDER BY seq_no LIMIT ?`),
    record: ledger.prepare(`SELECT ${COLUMNS} FROM operations WHERE org_id = ? AND seq_no = ?`),
    heads: ledger.prepare(
      `SELECT ${HEAD}, NULL AS payload, NULL AS disclosures FROM operations
       WHERE org_id = ? AND seq_no BETWEEN ? AND ? ORDER BY seq_no`,
    ),
    leafHash: ledger.prepare('SELECT leaf_hash FROM operations WHERE org_id = ? AND seq_no = ?').pluck(),
    place: ledger.prepare(
      `SELECT org_id AS orgId, service_kid AS serviceKid, chain_hash AS chainHash, leaf_hash AS leafHash,
              (SELECT epoch_no FROM epochs WHERE epochs.org_id = operations.org_id AND last_seq_no >= seq_no
               ORDER BY last_seq_no LIMIT 1) AS epochNo
       FROM operations WHERE org_id = ? AND seq_no = ?`,
    ),
    agentType: ledger.prepare('SELECT integration_type FROM agents WHERE org_id = ? AND agent_id = ?').pluck(),
    keys: ledger.prepare('SELECT kid, created_at FROM agent_keys WHERE org_id = ? AND agent_id = ?'),
    rules: ledger.prepare('SELECT rules FROM investigation_rules WHERE org_id = ?').pluck(),
    lastEvent: ledger.prepare('SELECT max(event_no) FROM admin_events WHERE org_id = ?').pluck(),
    erased: ledger
      .prepare(
        `SELECT details FROM admin_events
         WHERE org_id = ? AND event_no > ? AND event_no <= ? AND action IN ('operation.erase', 'retention.erase')`,
      )
      .pluck(),
  };
}
