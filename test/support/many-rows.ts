import { join } from 'node:path';
import Database from 'better-sqlite3';
import { agentKey } from '../../src/service/ledger/operation-index/record-keys.ts';
import { SEGMENT_SIZE } from '../../src/service/ledger/operation-index/segments.ts';
import { Catalog, segmentPath } from '../../src/service/search/content-index/catalog.ts';
import { coded } from '../../src/service/search/content-index/coded-values.ts';
import { type Columns, encodeColumns } from '../../src/service/search/content-index/columns.ts';
import { LedgerSource } from '../../src/service/search/content-index/ledger-source.ts';
import { SegmentWriter } from '../../src/service/search/content-index/segment-writer.ts';
import { type Account, registerAgent, type TestService } from './service.ts';

const START = 1_700_000_000_000;
const SPACING_MS = 20;

/** The numbers from 1, as a table to insert from. */
const NUMBERS = 'WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < @rows)';
const TIME = '@start + n * @spacing';

/**
 * Fills the empty ledger of an account with rows of one agent, straight into its table and signed by nobody: a service
 * that accepts the damage serves them as any others, and a list shows them without verifying. Each refers to the one
 * before it. The index gets what the agent's lists need, and nothing else; that of contents takes them for
 * taken in. A million take some seconds, where signing and indexing them would take minutes.
 */
export async function addManyRows(
  service: TestService,
  account: Account,
  agentId: string,
  rows: number,
): Promise<void> {
  await registerAgent(account, agentId);
  const { kid } = service;
  await service.stop();
  const given = { rows, orgId: account.orgId, start: START, spacing: SPACING_MS };
  addRows(service.sql, { ...given, agentId, kid });
  const index = new Database(join(service.dataDir, 'index.sqlite'));
  addRecordsOf(index, given, agentKey(account.orgId, agentId));
  index.close();
  passOverContents(service, given);
  await service.restart({ acceptDamage: true });
}

/** Records in one segment of the index of contents. */
const SEGMENT_ROWS = 131_072;

/** Has the index of contents find no words in the rows: there are none in them. It knows when each was issued, for counts over time. */
function passOverContents({ sql, dataDir }: TestService, { orgId, rows, start, spacing }: Given): void {
  const source = new LedgerSource(sql, orgId);
  const catalog = Catalog.open(dataDir);
  const { shelf } =
    catalog.shelf(orgId) ?? catalog.addShelf(orgId, JSON.stringify(source.rules()), source.erasedAfter(0).to);
  for (let first = 1; first <= rows; first += SEGMENT_ROWS) {
    const ns = Array.from({ length: Math.min(SEGMENT_ROWS, rows + 1 - first) }, (_, n) => first + n);
    const segment = catalog.takeNumber();
    const writer = new SegmentWriter(segmentPath(dataDir, segment));
    const none = coded(ns.map(() => 0));
    const columns: Columns = {
      ns,
      category: () => none,
      list: () => ({ starts: [0, ...ns.map(() => 0)], values: coded([]) }),
      time: () => ns.map((n) => start + n * spacing),
      number: (name) => (name === 'seq' ? coded(ns) : none),
    };
    encodeColumns(columns, first, (name, bytes) => writer.column(name, bytes));
    const last = first + ns.length - 1;
    catalog.addSegment(shelf, { segment, base: first, last, records: ns.length, bytes: writer.finish() });
  }
  const update = catalog.sqlite.prepare('UPDATE shelves SET indexed_to = ?, leaf_hash = ? WHERE shelf = ?');
  update.run(rows, source.leafHash(rows), shelf);
  catalog.close();
}

interface Given {
  readonly rows: number;
  readonly orgId: string;
  readonly start: number;
  readonly spacing: number;
}

function addRows(sql: Database.Database, given: Given & { readonly agentId: string; readonly kid: string }): void {
  sql.pragma('synchronous = OFF');
  sql.pragma('foreign_keys = OFF');
  const statement = sql.prepare(
    `INSERT INTO operations (org_id, seq_no, operation_id, agent_id, issued_at, issued_at_ms, ttl_ms, nonce,
       operation_type, subject, action, payload, payload_hash, prev_chain_hash, agent_pubkey_kid, signature, receipt_id,
       chain_hash, received_at, service_kid, service_signature, leaf_hash)
     ${NUMBERS}
     SELECT @orgId, n, printf('00000000-0000-4000-8000-%012x', n), @agentId,
       strftime('%Y-%m-%dT%H:%M:%fZ', (${TIME}) / 1000.0, 'unixepoch'), ${TIME}, 60000, printf('%024x', n),
       'file.write', 'file ' || (n % 1000), 'write', '{}', zeroblob(32),
       CASE WHEN n = 1 THEN NULL ELSE unhex(printf('%064x', n - 1)) END, 'key-1', zeroblob(64),
       printf('10000000-0000-4000-8000-%012x', n), unhex(printf('%064x', n)), ${TIME}, @kid, zeroblob(64),
       unhex(printf('%064x', n))
     FROM numbers`,
  );
  statement.run(given);
}

function addRecordsOf(index: Database.Database, { orgId, ...given }: Given, key: number): void {
  index.pragma('synchronous = OFF');
  const org = index.prepare('SELECT org_no FROM orgs WHERE org_id = ?').pluck();
  if (org.get(orgId) === undefined) {
    index.prepare('INSERT INTO orgs (org_id, indexed_seq, records) VALUES (?, 0, 0)').run(orgId);
  }
  const orgNo = org.get(orgId) as number;
  index.transaction(() => {
    const { rows } = given;
    index
      .prepare(`INSERT INTO agents ${NUMBERS} SELECT (n - 1) / ${SEGMENT_SIZE}, @key, n FROM numbers`)
      .run({ rows, key });
    const addSegment = index.prepare('INSERT INTO segments (segment, records) VALUES (?, ?)');
    const addStretch = index.prepare('INSERT INTO stretches (org_no, first_seq, segment) VALUES (?, ?, ?)');
    for (let done = 0; done < rows; done += SEGMENT_SIZE) {
      addSegment.run(done / SEGMENT_SIZE, Math.min(SEGMENT_SIZE, rows - done));
      addStretch.run(orgNo, done + 1, done / SEGMENT_SIZE);
    }
    const leafHash = Buffer.from(rows.toString(16).padStart(64, '0'), 'hex');
    index
      .prepare('UPDATE orgs SET indexed_seq = ?, leaf_hash = ?, records = ? WHERE org_no = ?')
      .run(rows, leafHash, rows, orgNo);
  })();
}
