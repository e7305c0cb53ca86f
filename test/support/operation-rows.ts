import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { formatTime } from '../../src/protocol/index.ts';
import { getTableColumns } from '../../src/service/store/drizzle.ts';
import { type OpenStore, openStore } from '../../src/service/store/open.ts';
import { type OperationRow, operations, organizations } from '../../src/service/store/schema.ts';
import { atEnd } from './cleanup.ts';
import { temporaryFolder } from './folders.ts';

/** A ledger whose rows are made up: nothing is signed, for tests of what only finds rows. */
export interface RowLedger {
  readonly folder: string;
  readonly ledgerPath: string;
  readonly indexPath: string;
  readonly store: OpenStore;
}

/** An empty ledger with organizations, in a folder of its own. */
export function rowLedger(...orgIds: readonly string[]): RowLedger {
  const folder = temporaryFolder();
  const ledgerPath = join(folder, 'ledger.sqlite');
  const store = openStore(ledgerPath);
  atEnd(() => store.close());
  // The rows' agents and keys are not there.
  store.sqlite.pragma('foreign_keys = OFF');
  for (const orgId of orgIds) store.db.insert(organizations).values({ orgId, name: 'Org', createdAt: 0 }).run();
  return { folder, ledgerPath, indexPath: join(folder, 'index.sqlite'), store };
}

/** A row; what is not given is unlike that of any other. */
export function operationRow(given: Partial<OperationRow> & Pick<OperationRow, 'orgId' | 'seqNo'>): OperationRow {
  const issuedAtMs = given.issuedAtMs ?? given.receivedAt ?? 1_700_000_000_000 + given.seqNo;
  return {
    operationId: randomUUID(),
    agentId: 'agent',
    issuedAt: formatTime(issuedAtMs),
    issuedAtMs,
    ttlMs: 60_000,
    nonce: randomBytes(12).toString('hex'),
    operationType: 'file.write',
    subject: 'file 1',
    action: 'write',
    payload: '{}',
    payloadHash: randomBytes(32),
    prevChainHash: null,
    agentPubkeyKid: 'key-1',
    signature: randomBytes(64),
    receiptId: randomUUID(),
    chainHash: randomBytes(32),
    receivedAt: 1_700_000_000_000 + given.seqNo,
    serviceKid: 'service-key',
    serviceSignature: randomBytes(64),
    leafHash: randomBytes(32),
    disclosuresNo: null,
    ...given,
  };
}

/** Writes rows to the ledger, in one commit. */
export function insertRows({ store: { sqlite } }: Pick<RowLedger, 'store'>, rows: readonly OperationRow[]): void {
  const columns = Object.entries(getTableColumns(operations));
  const names = columns.map(([, { name }]) => name);
  const insert = sqlite.prepare(`INSERT INTO operations (${names.join()}) VALUES (${names.map(() => '?').join()})`);
  sqlite.transaction(() => {
    for (const row of rows) insert.run(columns.map(([key]) => row[key as keyof OperationRow]));
  })();
}
