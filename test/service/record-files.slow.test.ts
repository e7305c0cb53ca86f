// docs/export-formats.md: records as files for other programs, from the live ledger and from a case.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { NOT_EVIDENCE, RECORD_COLUMN_NAMES, RECORD_FORM_NAMES, RECORD_FORMS } from '../../src/actions/index.ts';
import type { JsonObject } from '../../src/protocol/index.ts';
import { importCase } from '../support/cases.ts';
import { expectError, pathOf, send } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { bundleOf, eventsOf, registerAgent, submitNext, TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

type Members = Readonly<Record<string, unknown>>;

const service = await TestService.start({ maxPayloadBytes: 2_000_000 });
const owner = await service.signUp();
const { client } = owner;
const signer = await registerAgent(owner, 'agent-1');
const SECRET = 'the-salted-secret';
const ERASED = 'the-erased-secret';
const LONG = 'x'.repeat(1_000_000);

const hostile: readonly JsonObject[] = [
  { tool: '=HYPERLINK("http://evil")', note: 'a,b\r\n"c"' },
  { tool: '@SUM(1)', note: 'nul \u0000, right-to-left \u202e, line \u2028 end' },
  { tool: '送金', note: 'नमस्ते، مرحبا', amount: '12345678901234567890.10' },
  { tool: 'plain', error: 'no', amount: 12.5 },
  { note: LONG },
];
for (const payload of hostile) await submitNext(owner, signer, { payload, subject: 'Straße 7' });
await client.ok('submitOperation', { body: signer.nextSalted({ profile: 'notes/1', person: SECRET, tool: SECRET }) });
const erased = await submitNext(owner, signer, { payload: { note: ERASED } });
await client.ok('eraseOperation', { params: { operation_id: erased.operation_id }, body: { reason: 'for the test' } });
await client.ok('closeEpoch');
await until('the records to be indexed', async () => {
  return (await client.ok('facets', { body: { fields: ['agent'] } })).coverage.pending === 0;
});
const COUNT = hostile.length + 2;

const folder = temporaryFolder();

async function fileOf(format: string, body: object = {}): Promise<Buffer> {
  const { status, bytes } = await client.call('recordFile', { body: { format, ...body } });
  expect(status, bytes.toString('utf8').slice(0, 300)).toBe(200);
  return bytes;
}

const linesOf = (bytes: Buffer): string[] => bytes.toString('utf8').split('\n').slice(0, -1);
const jsonOf = (line: string): Members => JSON.parse(line) as Members;

function rowsOfParquet(bytes: Buffer): Promise<Members[]> {
  const file = Uint8Array.from(bytes).buffer;
  return parquetReadObjects({ file, compressors: { ZSTD: (input) => zstdDecompressSync(input) }, utf8: true });
}

/** Fields of RFC 4180, told by somebody else than who writes them. */
function rowsOfCsv(bytes: Buffer): Members[] {
  const path = join(folder, 'records.csv');
  writeFileSync(path, bytes);
  const program = `import csv,json,sys
csv.field_size_limit(1<<30)
print(json.dumps(list(csv.DictReader(open(sys.argv[1], encoding='utf-8', newline='')))))`;
  return JSON.parse(execFileSync('python3', ['-c', program, path], { maxBuffer: 1 << 28 }).toString()) as Members[];
}

/** A message of RFC 5424 that has neither host nor structured data, as its parts. */
function messageOf(line: string): { readonly priority: number; readonly time: string; readonly body: Members } {
  const match =
    /^<(\d{1,3})>1 (\S+) - countersign - ([\x21-\x7e]{1,32}) - \ufeff(.*)$/u.exec(line) ?? expect.fail(line);
  return { priority: Number(match[1]), time: match[2] ?? '', body: jsonOf(match[4] ?? '') };
}

/** Rows of a file with the members that all forms have. */
const READERS = {
  parquet: rowsOfParquet,
  csv: rowsOfCsv,
  timesketch: (bytes: Buffer) => linesOf(bytes).map(jsonOf),
  ocsf: (bytes: Buffer) =>
    linesOf(bytes).map((line) => {
      const { unmapped, raw_data: payload = null } = jsonOf(line);
      const row: Members = { ...(unmapped as Members), payload };
      return row;
    }),
  syslog: (bytes: Buffer) => linesOf(bytes).map((line) => messageOf(line).body),
} as const satisfies Record<(typeof RECORD_FORM_NAMES)[number], unknown>;

describe('a file of records', () => {
  it.each(RECORD_FORM_NAMES)(
    'as %s holds each record once, in order, and says that it is no evidence',
    async (form) => {
      const bytes = await fileOf(form);
      const rows = await READERS[form](bytes);
      expect(rows.map(({ seq_no }) => Number(seq_no))).toEqual(Array.from({ length: COUNT }, (_, n) => n + 1));
      const { data } = await client.ok('auditQuery', { body: { order: 'oldest' } });
      expect(rows.map(({ operation_id }) => operation_id)).toEqual(data.map(({ operation_id }) => operation_id));
      expect(new Set(rows.map(({ org_id }) => org_id))).toEqual(new Set([owner.orgId]));
      expect(rows.map(({ subject }) => subject).slice(0, 2)).toEqual(['Straße 7', 'Straße 7']);
      if (form === 'parquet') {
        const kept = parquetMetadata(Uint8Array.from(bytes).buffer).key_value_metadata ?? [];
        expect(kept).toContainEqual({ key: 'countersign.evidence', value: NOT_EVIDENCE });
      } else expect(rows.every(({ evidence }) => evidence === NOT_EVIDENCE)).toBe(true);
    },
  );

  it.each(RECORD_FORM_NAMES)('as %s has nothing of what was salted or erased', async (form) => {
    const bytes = await fileOf(form);
    const rows = await READERS[form](bytes);
    const text = JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    expect(text).toContain('Straße 7');
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(ERASED);
    expect(rows.at(-1)?.['payload'] ?? '').toBe('');
    expect(String(rows.at(-2)?.['payload'])).toContain('_sd');
  });

  it('keeps payloads to the character, numbers that are texts among them', async () => {
    const rows = await rowsOfParquet(await fileOf('parquet'));
    expect(rows.slice(0, hostile.length).map(({ payload }) => JSON.parse(String(payload)) as unknown)).toEqual(hostile);
    const csv = rowsOfCsv(await fileOf('csv'));
    expect(csv.map(({ payload }) => payload).slice(0, 5)).toEqual(rows.map(({ payload }) => payload).slice(0, 5));
  });

  it('guards formulas in CSV', async () => {
    const rows = rowsOfCsv(await fileOf('csv'));
    expect(rows.map(({ tool }) => tool).slice(0, 3)).toEqual(['\'=HYPERLINK("http://evil")', "'@SUM(1)", '送金']);
    expect(Object.keys(rows[0] ?? {})).toEqual([...RECORD_COLUMN_NAMES, 'evidence']);
  });

  it('escapes in lines of JSON whatever is not seen', async () => {
    for (const form of ['timesketch', 'ocsf', 'syslog'] as const) {
      const text = (await fileOf(form)).toString('utf8').replaceAll(' - \ufeff{', ' - {');
      expect(text.match(/[^\n\P{C}]|[\u2028\u2029]/u)).toBeNull();
      expect(linesOf(Buffer.from(text))).toHaveLength(COUNT);
    }
  });

  it('holds what a search finds: its language, its filters and its times', async () => {
    const found = async (body: object) =>
      (await rowsOfParquet(await fileOf('parquet', body))).map(({ seq_no }) => Number(seq_no));
    expect(await found({ query: 'tool:送金' })).toEqual([3]);
    expect(await found({ query: 'not tool:plain', beforeSeq: 5 })).toEqual([1, 2, 3]);
    expect(await found({ startTime: '2100-01-01T00:00:00Z' })).toEqual([]);
    expect(await found({ seqNos: [4, 2] })).toEqual([2, 4]);
    expectError(await client.call('recordFile', { body: { format: 'csv', seqNos: [99] } }), 'CONFLICT');
    expectError(await client.call('recordFile', { body: { format: 'csv', query: 'tool:(' } }), 'VALIDATION_ERROR');
    expectError(await client.call('recordFile', { body: { format: 'plaso' } }), 'VALIDATION_ERROR');
  });

  it.each(RECORD_FORM_NAMES)('as %s is whole where nothing is found', async (form) => {
    const rows = await READERS[form](await fileOf(form, { query: 'tool:nothing' }));
    expect(rows).toEqual([]);
  });

  it('has bounds for the times, and none for the operation, of which readers have different orders', async () => {
    const { row_groups: groups } = parquetMetadata(Uint8Array.from(await fileOf('parquet')).buffer);
    const metaOf = (name: string) =>
      groups[0]?.columns.map(({ meta_data }) => meta_data).find((meta) => meta?.path_in_schema[0] === name);
    expect(metaOf('operation_id')?.statistics).toBeUndefined();
    expect(metaOf('issued_at')?.statistics?.min_value).toBeInstanceOf(Date);
    expect(metaOf('payload')?.codec).toBe('ZSTD');
  });

  it('is a valid API Activity of OCSF in each line', async () => {
    const schema = JSON.parse(
      readFileSync(new URL('../support/ocsf-api-activity.schema.json', import.meta.url), 'utf8'),
    ) as object;
    const validate = new Ajv2020({ allErrors: true }).compile(schema);
    for (const line of linesOf(await fileOf('ocsf')))
      expect(validate(jsonOf(line)), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ class_uid: 6003 })).toBe(false);
  });

  it('has in each line of Timesketch what its importer needs', async () => {
    for (const row of READERS.timesketch(await fileOf('timesketch'))) {
      expect(row).toMatchObject({
        message: expect.stringContaining('agent-1: '),
        timestamp_desc: 'Issued by the agent',
      });
      expect(Date.parse(String(row['datetime'])) * 1000).toBe(row['timestamp']);
    }
  });

  it('warns in syslog of what failed, and leaves long payloads out by name', async () => {
    const messages = linesOf(await fileOf('syslog')).map(messageOf);
    expect(messages.map(({ priority }) => priority).slice(0, 4)).toEqual([110, 110, 110, 108]);
    expect(messages[4]?.body).toMatchObject({ payload: null, payload_left_out_bytes: LONG.length + 11 });
  });

  it('is named by the ledger, and noted in the administrative log', async () => {
    const { headers } = await client.call('recordFile', { body: { format: 'ocsf', query: 'tool:plain' } });
    expect(headers['content-type']).toBe(RECORD_FORMS.ocsf.contentType);
    expect(headers['content-disposition']).toMatch(/^attachment; filename="records_.*\.ocsf\.jsonl"/);
    const [event] = await eventsOf(owner, 'report.create');
    expect(event?.details).toEqual({ format: 'ocsf', records: 1 });
  });

  it('of a case is that of the ledger, and names the file that it is from', async () => {
    const bytes = await bundleOf(owner);
    const { case_id, name, sha256 } = await importCase(client, { name: 'ledger.csbundle', bytes });
    const answer = await client.call('caseRecordFile', { params: { case_id }, body: { format: 'parquet' } });
    const withoutName = (rows: readonly Members[]) => rows.map(({ ledger: _, ...row }) => row);
    expect(withoutName(await rowsOfParquet(answer.bytes))).toEqual(
      withoutName(await rowsOfParquet(await fileOf('parquet'))),
    );
    const { key_value_metadata: kept = [] } = parquetMetadata(Uint8Array.from(answer.bytes).buffer);
    expect(kept).toContainEqual({ key: 'countersign.source', value: name });
    expect(kept).toContainEqual({ key: 'countersign.source_digest', value: sha256 });
    const { data } = await client.ok('custody', { params: { case_id } });
    const details = { format: 'parquet', records: COUNT };
    expect(data.map(({ entry }) => entry)).toContainEqual(expect.objectContaining({ action: 'report.make', details }));
  });

  it('leaves no file behind, however its request ends', async () => {
    const uploads = join(service.dataDir, 'cases', 'uploads');
    const left = () => readdirSync(uploads);
    const headers = { authorization: `Bearer ${client.token ?? ''}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ format: 'csv' });
    const gone = new AbortController();
    const asked = send(service.url, { method: 'POST', path: pathOf('recordFile'), headers, body, gone: gone.signal });
    // As soon as there is a file.
    const watcher = watch(uploads, () => gone.abort());
    await expect(asked).rejects.toThrow();
    watcher.close();
    const begun = await fetch(service.url + pathOf('recordFile'), { method: 'POST', headers, body });
    await begun.body?.cancel();
    await fileOf('csv');
    await until('no file to be left', async () => left().length === 0);
  });
});
