import {
  assembleRecordProof,
  type Epoch,
  formatDigest,
  type ProvenRecord,
  parseBundleRecord,
  type RecordProof,
  RecordProofError,
  TreeLevels,
  utf8,
} from '../../../protocol/index.ts';
import { nodeCrypto } from '../../../runtime/index.ts';
import { bundleAgents } from '../../agents/registry.ts';
import { epochOf, leavesOf } from '../../ledger/epochs/epoch-queries.ts';
import { listServiceKeys } from '../../ledger/keys/service-keys.ts';
import type { Store } from '../../store/open.ts';
import { openReadOnly } from '../../store/open-read-only.ts';
import { EXPORT_COLUMNS, type ExportRow, receiptStatement, recordText } from '../exports/export-record-text.ts';
import { NO_REDACTION, withholder } from '../exports/redaction.ts';

/** The epochs of records that come in ascending order, with the tree of one at a time. */
class Seals {
  readonly #store: Store;
  readonly #orgId: string;
  readonly epochs: Epoch[] = [];
  #levels: TreeLevels | null = null;

  constructor(store: Store, orgId: string) {
    this.#store = store;
    this.#orgId = orgId;
  }

  /** @throws RecordProofError NOT_PROVABLE */
  inclusionOf(seqNo: number): ProvenRecord['inclusion'] {
    let epoch = this.epochs.at(-1);
    if (epoch === undefined || seqNo > epoch.last_seq_no) {
      epoch = epochOf(this.#store, this.#orgId, seqNo) ?? undefined;
      if (epoch === undefined) throw new RecordProofError('NOT_PROVABLE', `no epoch seals record ${seqNo} yet`);
      this.epochs.push(epoch);
      this.#levels = new TreeLevels(leavesOf(this.#store, epoch), nodeCrypto.sha256);
    }
    const index = seqNo - epoch.first_seq_no;
    return { epoch_id: epoch.epoch_id, leaf_index: index, path: this.#levels?.path(index).map(formatDigest) ?? [] };
  }
}

/**
 * The proof of some stored records (protocol §13), of one moment of the ledger. Reads the leaves of each of their epochs: not
 * for the service's own thread.
 * @param ledgerPath the ledger's database, which is only read
 * @param seqNos 1 to 1000 sequence numbers, each once
 * @throws RecordProofError
 */
export function proveStored(ledgerPath: string, orgId: string, seqNos: readonly number[]): RecordProof {
  const store = openReadOnly(ledgerPath);
  try {
    store.sqlite.exec('BEGIN');
    const rows = store
      .statement(
        `SELECT ${EXPORT_COLUMNS} FROM operations
         WHERE org_id = @orgId AND seq_no IN (SELECT value FROM json_each(@numbers)) ORDER BY seq_no`,
      )
      .all({ orgId, numbers: JSON.stringify(seqNos) }) as ExportRow[];
    const found = new Set(rows.map(({ seqNo }) => seqNo));
    const missing = seqNos.filter((seqNo) => !found.has(seqNo));
    if (missing.length > 0) {
      throw new RecordProofError('NO_SUCH_RECORD', `the ledger has no record ${missing.slice(0, 10).join(', ')}`);
    }
    const seals = new Seals(store, orgId);
    const shown = withholder(NO_REDACTION);
    const records = rows.map((row): ProvenRecord => {
      const inclusion = seals.inclusionOf(row.seqNo);
      const text = recordText(row, shown(row), receiptStatement(row), inclusion);
      return { ...parseBundleRecord(utf8(text)), inclusion };
    });
    const name = store.statement('SELECT name FROM organizations WHERE org_id = ?').pluck().get(orgId);
    const directory = {
      org: { org_id: orgId, name: String(name ?? '') },
      epochs: seals.epochs,
      agents: bundleAgents(store, orgId, null),
      serviceKeys: listServiceKeys(store),
    };
    return assembleRecordProof(directory, records);
  } finally {
    store.close();
  }
}
