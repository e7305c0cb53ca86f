import {
  csvLine,
  type HandedRecord,
  NOT_EVIDENCE,
  RECORD_COLUMN_NAMES,
  type RecordColumnName,
  type RecordFormName,
} from '../../../actions/index.ts';
import { formatTime } from '../../../protocol/index.ts';

/** Where the records of a file are from. */
export interface RecordsOf {
  /** As people call it. */
  readonly name: string;
  /** Of the file that the records are in, "sha256:" and hexadecimal; null of a ledger, which grows. */
  readonly digest: string | null;
  /** Of the program that writes. */
  readonly version: string;
}

type ColumnTexts = { readonly [N in RecordColumnName]: string | number | readonly string[] | null };

/** The columns of a record with its times as text. */
function columnsOf(record: HandedRecord, of: RecordsOf): ColumnTexts {
  const { summary: _, ...columns } = record;
  return {
    ledger: of.name,
    ...columns,
    issued_at: formatTime(record.issued_at),
    received_at: formatTime(record.received_at),
  };
}

/** JSON on one line, in which nothing that is not seen stands for itself: line ends, directions of writing, U+0000. */
function jsonLine(value: object): string {
  const escaped = (unseen: string): string =>
    Array.from({ length: unseen.length }, (_, at) => `\\u${unseen.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    );
  return JSON.stringify(value).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, escaped);
}

const csv = (record: HandedRecord, of: RecordsOf): string => {
  const columns = columnsOf(record, of);
  const values = RECORD_COLUMN_NAMES.map((name) => {
    const value = columns[name];
    return typeof value === 'object' && value !== null ? value.join(' ') : value;
  });
  return csvLine([...values, NOT_EVIDENCE]);
};

/** Timesketch, Import data: `message`, `datetime` and `timestamp_desc` are needed; `timestamp` and `data_type` are what Plaso has besides. */
const timesketch = (record: HandedRecord, of: RecordsOf): string => {
  const columns = columnsOf(record, of);
  return `${jsonLine({
    message: `${record.agent_id}: ${record.summary}`,
    datetime: columns.issued_at,
    timestamp: record.issued_at * 1000,
    timestamp_desc: 'Issued by the agent',
    data_type: 'countersign:record',
    ...columns,
    evidence: NOT_EVIDENCE,
  })}\n`;
};

/** `status_id` of OCSF: 1 Success, 2 Failure, 0 Unknown. */
const STATUS = { ok: 1, failed: 2, refused: 2, unknown: 0 } as const;

const OTHER = 99;

/** OCSF 1.8.0, API Activity: what is not known is `unknown`, and what OCSF has no member for is in `unmapped`. */
const ocsf = (record: HandedRecord, of: RecordsOf): string => {
  const { payload, ...columns } = columnsOf(record, of);
  const status = record.outcome === null ? 0 : STATUS[record.outcome];
  const [host] = record.hosts;
  return `${jsonLine({
    class_uid: 6003,
    category_uid: 6,
    activity_id: OTHER,
    activity_name: record.action,
    type_uid: 6003 * 100 + OTHER,
    severity_id: 1,
    status_id: status,
    time: record.issued_at,
    message: record.summary,
    metadata: {
      version: '1.8.0',
      product: { name: 'Countersign', vendor_name: 'Countersign', version: of.version },
      log_name: of.name,
      sequence: record.seq_no,
      original_time: columns.issued_at,
      logged_time: record.received_at,
      ...(record.operation_id === null ? {} : { uid: record.operation_id }),
      ...(record.org_id === null ? {} : { tenant_uid: record.org_id }),
      ...(record.session === null ? {} : { correlation_uid: record.session }),
    },
    actor: { app_name: record.agent_id, ...(record.person === null ? {} : { user: { name: record.person } }) },
    api: { operation: record.tool ?? record.action, service: { name: record.operation_type } },
    src_endpoint: { name: 'unknown' },
    ...(host === undefined ? {} : { dst_endpoint: { hostname: host } }),
    ...(payload === null ? {} : { raw_data: payload }),
    unmapped: { ...columns, evidence: NOT_EVIDENCE },
  })}\n`;
};

/** Facility 13, log audit; severity 6, informational, or 4, a warning (RFC 5424, 6.2.1). */
const AUDIT = 13 * 8;
const SYSLOG_PAYLOAD = 8192;

/** RFC 5424, one message a line: receivers need not take long ones, so a long payload stays out, and its length says so. */
const syslog = (record: HandedRecord, of: RecordsOf): string => {
  const { payload, ...columns } = columnsOf(record, of);
  const isBad = record.outcome === 'failed' || record.outcome === 'refused';
  const id = record.operation_type.replaceAll(/[^\x21-\x7e]/g, '_').slice(0, 32) || '-';
  const bytes = record.payload === null ? 0 : Buffer.byteLength(record.payload);
  const shown = bytes > SYSLOG_PAYLOAD ? { payload: null, payload_left_out_bytes: bytes } : { payload };
  const message = jsonLine({ message: record.summary, ...columns, ...shown, evidence: NOT_EVIDENCE });
  return `<${AUDIT + (isBad ? 4 : 6)}>1 ${columns.issued_at} - countersign - ${id} - \ufeff${message}\n`;
};

/** The forms that are text, a record a line, and what their files begin with. */
export const TEXT_FORMS: Readonly<
  Record<
    Exclude<RecordFormName, 'parquet'>,
    { readonly head: string; readonly line: (record: HandedRecord, of: RecordsOf) => string }
  >
> = {
  csv: { head: csvLine([...RECORD_COLUMN_NAMES, 'evidence']), line: csv },
  timesketch: { head: '', line: timesketch },
  ocsf: { head: '', line: ocsf },
  syslog: { head: '', line: syslog },
};
