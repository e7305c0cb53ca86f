import {
  assembleRecordProof,
  type CarriedFiles,
  type ProvenRecords,
  parseBundleRecord,
  RecordProofError,
  utf8,
} from '../../../protocol/index.ts';
import { correctedTimesOf } from '../../ledger/admin-log/clock-corrections.ts';
import { epochOf } from '../../ledger/epochs/epoch-queries.ts';
import { logNodes } from '../../ledger/epochs/log-subtrees.ts';
import { listServiceKeys } from '../../ledger/keys/service-keys.ts';
import { bundleAgents } from '../../people/agents/registry.ts';
import { openReadOnly } from '../../store/open-read-only.ts';
import { EXPORT_COLUMNS, type ExportRow, receiptStatement, recordText } from '../exports/export-record-text.ts';
import { NO_REDACTION, withholder } from '../exports/redaction.ts';

/**
 * The proof of some stored records (protocol R1), of one moment of the ledger: not for the service's own thread.
 * @param ledgerPath the ledger's database, which is only read
 * @param seqNos 1 to 1000 sequence numbers, each once
 * @param carried what others said of the log
 * @throws RecordProofError
 */
export function proveStored(
  ledgerPath: string,
  orgId: string,
  seqNos: readonly number[],
  carried: CarriedFiles,
): ProvenRecords {
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
    const last = Math.max(...seqNos);
    const epoch = epochOf(store, orgId, last);
    if (epoch === null) throw new RecordProofError('NOT_PROVABLE', `no epoch seals record ${last} yet`);
    const shown = withholder(NO_REDACTION);
    const records = rows.map((row) => parseBundleRecord(utf8(recordText(row, shown(row), receiptStatement(row), []))));
    const directory = {
      orgId,
      agents: bundleAgents(store, orgId, null),
      serviceKeys: listServiceKeys(store),
    };
    const proof = assembleRecordProof(directory, records, epoch, logNodes(store, orgId), carried);
    return { proof, correctedTimes: correctedTimesOf(store, orgId) };
  } finally {
    store.close();
  }
}
