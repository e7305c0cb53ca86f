import type { FactPhase, RecordOutcome } from '../facts/record-facts.ts';

/** What every file of such a form says of itself. */
export const NOT_EVIDENCE =
  'A copy without proof. The evidence is the record of this operation_id, seq_no and chain_hash in its ledger or bundle.';

/** The type of a column of Parquet. */
type ColumnType = 'STRING' | 'INT64' | 'UUID' | 'TIMESTAMP' | 'HASH' | 'STRINGS';

interface RecordColumn {
  readonly type: ColumnType;
  /** Whether a record may have none. */
  readonly optional?: true;
  /** For the documentation. */
  readonly is: string;
}

/** The columns of a record that is handed over, in their order. */
export const RECORD_COLUMNS = {
  ledger: { type: 'STRING', is: 'the ledger or the file that the records are from' },
  issuer_kid: { type: 'STRING', optional: true, is: 'the service key of the receipt' },
  org_id: { type: 'STRING', optional: true, is: 'the organization' },
  seq_no: { type: 'INT64', is: 'the place in the ledger' },
  epoch_no: { type: 'INT64', optional: true, is: 'the epoch that seals the record' },
  operation_id: { type: 'UUID', optional: true, is: 'the operation' },
  agent_id: { type: 'STRING', is: 'the agent that issued the record' },
  operation_type: { type: 'STRING', is: 'the operation type' },
  subject: { type: 'STRING', is: 'the subject' },
  action: { type: 'STRING', is: 'the action' },
  phase: { type: 'STRING', is: 'the moment of an action; `record` where the payload is of no profile' },
  call: { type: 'STRING', optional: true, is: 'the call that the record belongs to' },
  tool: { type: 'STRING', optional: true, is: 'what was called' },
  session: { type: 'STRING', optional: true, is: 'the session' },
  outcome: { type: 'STRING', optional: true, is: 'what became of the call' },
  person: { type: 'STRING', optional: true, is: 'on whose behalf the agent acted' },
  hosts: { type: 'STRINGS', is: 'the hosts that the call was given' },
  issued_at: { type: 'TIMESTAMP', is: 'when the agent issued the record, by its clock' },
  received_at: { type: 'TIMESTAMP', is: 'when the service received the record, by its clock' },
  chain_hash: { type: 'HASH', optional: true, is: 'the chain hash of the receipt' },
  leaf_hash: { type: 'HASH', optional: true, is: 'the leaf of the log' },
  payload: {
    type: 'STRING',
    optional: true,
    is: 'the payload as canonical JSON, salted members as their digests; null where it is withheld or erased',
  },
} as const satisfies Readonly<Record<string, RecordColumn>>;

type Columns = typeof RECORD_COLUMNS;
export type RecordColumnName = keyof Columns;
export const RECORD_COLUMN_NAMES = Object.keys(RECORD_COLUMNS) as readonly RecordColumnName[];

/** What the columns say, as text and numbers: hashes in hexadecimal, times in milliseconds since 1970. */
type ColumnValues = {
  readonly [N in RecordColumnName]:
    | (Columns[N]['type'] extends 'INT64' | 'TIMESTAMP'
        ? number
        : Columns[N]['type'] extends 'STRINGS'
          ? readonly string[]
          : string)
    | (Columns[N] extends { optional: true } ? null : never);
};

/** A record as it is handed to other programs: what it says itself, and nothing of what other records add to it. */
export interface HandedRecord extends Omit<ColumnValues, 'ledger'> {
  readonly phase: FactPhase;
  readonly outcome: RecordOutcome | null;
  /** One line for people. */
  readonly summary: string;
}
