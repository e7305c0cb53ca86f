import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { constants, zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import {
  type HandedRecord,
  NOT_EVIDENCE,
  RECORD_COLUMN_NAMES,
  RECORD_COLUMNS,
  type RecordColumnName,
  type RecordFormName,
} from '../../../actions/index.ts';
import { type RecordsOf, TEXT_FORMS } from './text-forms.ts';

/** What writes the records of a file, some at a time. */
interface FormWriter {
  readonly add: (records: readonly HandedRecord[]) => void;
  readonly end: () => void;
}

type Write = (bytes: Uint8Array) => void;

const GROUP = 8192;
/** Characters of payloads after which a row group ends early: they are in memory until then. */
const GROUP_TEXT = 32 * 1024 * 1024;

type Cell = string | number | bigint | Uint8Array | readonly string[] | undefined;

/** The elements of one column (Parquet, LogicalTypes.md). */
function elementsOf(name: RecordColumnName): SchemaElement[] {
  const { type, ...column } = RECORD_COLUMNS[name];
  const repetition_type = 'optional' in column ? 'OPTIONAL' : 'REQUIRED';
  const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
  switch (type) {
    case 'STRING':
      return [{ name, repetition_type, ...text }];
    case 'INT64':
      return [{ name, repetition_type, type: 'INT64' }];
    case 'UUID':
      return [{ name, repetition_type, type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } }];
    case 'HASH':
      return [{ name, repetition_type, type: 'FIXED_LEN_BYTE_ARRAY', type_length: 32 }];
    case 'TIMESTAMP': {
      const logical_type = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' } as const;
      return [{ name, repetition_type, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS', logical_type }];
    }
    case 'STRINGS':
      return [
        { name, repetition_type, converted_type: 'LIST', num_children: 1, logical_type: { type: 'LIST' } },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', repetition_type: 'REQUIRED', ...text },
      ];
  }
}

/** A value as the writer of the column takes it. */
function cellOf(name: RecordColumnName, value: string | number | readonly string[] | null): Cell {
  if (value === null) return undefined;
  if (RECORD_COLUMNS[name].type === 'HASH') return Buffer.from(String(value), 'hex');
  return typeof value === 'number' ? BigInt(value) : value;
}

function parquetWriter(write: Write, of: RecordsOf): FormWriter {
  const bytes = new ByteWriter();
  // Bytes go to the file with each row group; `offset` counts on.
  const flush = (): void => {
    write(bytes.getBytes());
    bytes.index = 0;
  };
  const level = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
  const writer = new ParquetWriter({
    writer: bytes,
    schema: [
      { name: 'records', num_children: RECORD_COLUMN_NAMES.length },
      ...RECORD_COLUMN_NAMES.flatMap((name) => elementsOf(name)),
    ],
    codec: 'ZSTD',
    compressors: { ZSTD: (input) => zstdCompressSync(input, level) },
    createdBy: `Countersign version ${of.version}`,
    kvMetadata: [
      { key: 'countersign.schema', value: '1' },
      { key: 'countersign.source', value: of.name },
      ...(of.digest === null ? [] : [{ key: 'countersign.source_digest', value: of.digest }]),
      { key: 'countersign.evidence', value: NOT_EVIDENCE },
    ],
  });
  const empty = (): Map<RecordColumnName, Cell[]> => new Map(RECORD_COLUMN_NAMES.map((name) => [name, []]));
  let columns = empty();
  let rows = 0;
  let text = 0;
  const group = (): void => {
    if (rows === 0) return;
    // Readers order UUIDs differently, and some refuse bounds in the order of others.
    const columnData = [...columns].map(([name, data]) => ({
      name,
      data,
      statistics: RECORD_COLUMNS[name].type !== 'UUID',
    }));
    // It waits for a flush alone, and this one is done at once.
    void writer.write({ columnData, rowGroupSize: rows });
    flush();
    columns = empty();
    rows = 0;
    text = 0;
  };
  return {
    add: (records) => {
      for (const record of records) {
        const values = { ledger: of.name, ...record };
        for (const [name, data] of columns) data.push(cellOf(name, values[name]));
        rows++;
        text += record.payload?.length ?? 0;
        if (rows >= GROUP || text >= GROUP_TEXT) group();
      }
    },
    end: () => {
      group();
      void writer.finish();
      flush();
    },
  };
}

function textWriter(form: Exclude<RecordFormName, 'parquet'>, write: Write, of: RecordsOf): FormWriter {
  const { head, line } = TEXT_FORMS[form];
  const encoded = (text: string): void => write(Buffer.from(text));
  if (head !== '') encoded(head);
  return {
    add: (records) => encoded(records.map((record) => line(record, of)).join('')),
    end: () => undefined,
  };
}

/** A file of records in one of the forms for other programs, written as they come: no more than a row group is in memory. */
export class RecordFile {
  readonly #file: number;
  readonly #writer: FormWriter;

  /** @param path of a file that does not exist yet */
  constructor(path: string, form: RecordFormName, of: RecordsOf) {
    this.#file = openSync(path, 'wx', 0o600);
    const write: Write = (bytes) => {
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#file, bytes, done);
    };
    try {
      this.#writer = form === 'parquet' ? parquetWriter(write, of) : textWriter(form, write, of);
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  /** @param lines records as JSON, one a line */
  add(lines: Uint8Array): void {
    const texts = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength).toString().split('\n').slice(0, -1);
    this.#writer.add(texts.map((text) => JSON.parse(text) as HandedRecord));
  }

  /** Writes what a file of the form ends with, and keeps all of it on the disk. */
  end(): void {
    this.#writer.end();
    fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }
}
