// docs/case-room.md, Moving a case: whoever made a case file chose every byte of it. It is refused with a code, or opened with what it
// has, a bounded part at a time.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AnswerOf } from '../../../src/api/index.ts';
import { nodeCrypto } from '../../../src/node/index.ts';
import {
  CUSTODY_ENTRY,
  type CustodyEntry,
  canonicalize,
  custodyHash,
  type JsonObject,
} from '../../../src/protocol/index.ts';
import { CaseFileRefused, TAR_END } from '../../../src/reports/case-file/index.ts';
import { checkCaseFile } from '../../../src/service/cases/sealed/check-case-file.ts';
import { BUNDLE, ISSUER } from '../../support/case-evidence.ts';
import { openCase, saveCase, signerOf } from '../../support/case-items.ts';
import { importCase, settled } from '../../support/cases.ts';
import { expectError } from '../../support/client.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { forgedCase } from '../../support/forged-case.ts';
import { TestService } from '../../support/service.ts';

const service = await TestService.start();
const { client } = await service.signUp();
const { case_id, sha256: case_sha256 } = await importCase(
  client,
  { name: 'first.csbundle', bytes: BUNDLE },
  { trusted_kids: [ISSUER] },
);
const file = await saveCase(client, case_id, null);

const lines = (values: Iterable<object>): string =>
  Array.from(values, (value) => `${canonicalize(value as JsonObject)}\n`).join('');
const at = '2026-11-23T10:00:00.000Z';

interface Made {
  readonly details?: JsonObject;
  readonly by?: string;
  /** Of the key that signs it. */
  readonly key?: string;
}

/** Lines of a log that holds. */
function* logOf(entries: readonly Made[]) {
  let prev_hash: string | null = null;
  for (const [index, { details = {}, by = null, key }] of entries.entries()) {
    const entry_no = index + 1;
    const named = index === 0 ? { log_id: case_id } : {};
    const entry: CustodyEntry = {
      type: CUSTODY_ENTRY,
      case_sha256,
      entry_no,
      at,
      by,
      action: 'case.rename',
      details,
      prev_hash,
      ...named,
    };
    const entry_hash = custodyHash(entry);
    const subject = {
      type: 'countersign.custody-signature.v1',
      case_sha256,
      log_id: case_id,
      entry_no,
      entry_hash,
    } as const;
    const signature = key === undefined || by === null ? null : signerOf(by, key).sign(subject);
    yield { entry_no, entry: canonicalize({ ...entry }), entry_hash, signature };
    prev_hash = entry_hash;
  }
}

const custody = (values: Iterable<object>) => forgedCase(file, 'custody.jsonl', () => lines(values));
const reading = (value: object) => forgedCase(file, 'reading.json', () => lines([value]));
const noteOf = (operation_id: string, tags: readonly string[], change: object = {}) => ({
  operation_id,
  tags,
  note: '',
  bookmarked: false,
  updated_at: at,
  updated_by: null,
  ...change,
});
const search = (n: number, name: string) => ({
  search_id: `00000000-0000-4000-8000-00000000000${n}`,
  name,
  search: { query: 'seq_no = 1' },
  created_at: at,
  created_by: null,
});
const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;
const plain = (entry_no: number) => ({ entry_no, entry: '', entry_hash: case_sha256, signature: null });

/** What `countersign case` finds in a file, which makes it `failed`. */
async function findingsOfCommand(bytes: Buffer): Promise<readonly string[]> {
  const path = join(temporaryFolder(), 'forged.cscase');
  writeFileSync(path, bytes);
  const means = { crypto: nodeCrypto, signal: new AbortController().signal, trustedKids: [] };
  try {
    return (await checkCaseFile(path, means)).findings.map(({ code }) => code);
  } catch (error) {
    if (error instanceof CaseFileRefused) return error.findings.map(({ code }) => code);
    throw error;
  }
}

async function opened(bytes: Buffer): Promise<string> {
  const { status, body } = await openCase(client, bytes, { trusted_kids: [ISSUER] });
  expect(status).toBe(202);
  return (await settled(client, (body as { case_id: string }).case_id)).case_id;
}

describe('a case file that somebody made to do harm', () => {
  it('is refused with anything behind an entry that does not belong to it', async () => {
    const marked = Buffer.from(file);
    // The last byte that fills the last entry up to a block, before what ends the archive.
    marked[marked.length - TAR_END.length - 1] = 0x40;
    expect(await findingsOfCommand(marked)).toEqual(['HEADER_INVALID']);
    expectError(await openCase(client, marked), 'CASE_FILE_REFUSED');
  });

  it.each([
    ['an entry longer than any', custody(logOf([{ details: { name: 'x'.repeat(131_072) } }])), 'LINE_INVALID'],
    ['a signature longer than any', custody([{ ...plain(1), signature: { value: 'x'.repeat(4096) } }]), 'LINE_INVALID'],
    [
      'a signature that nests deeper than what is hashed',
      forgedCase(
        file,
        'custody.jsonl',
        () => `${JSON.stringify({ ...plain(1), signature: { value: nested(256) } })}\n`,
      ),
      'LINE_INVALID',
    ],
    [
      'as many entries as leave no room for another',
      custody(Array.from({ length: 100_000 }, (_, n) => plain(n + 1))),
      'TOO_MANY_ENTRIES',
    ],
    ['an entry with a number beyond all', custody([plain(100_000)]), 'TOO_MANY_ENTRIES'],
    [
      'a tag that a record has twice',
      forgedCase(file, 'notes.jsonl', () => lines([noteOf('a', ['x', 'x'])])),
      'LINE_INVALID',
    ],
    [
      'a time that is none of ours',
      forgedCase(file, 'notes.jsonl', () => lines([noteOf('a', [], { updated_at: '2026-01-01T00:00Z' })])),
      'LINE_INVALID',
    ],
    [
      'rules that are none',
      reading({ rules: { rules: { x: 1 }, changed_at: at, changed_by: null }, searches: [] }),
      'LINE_INVALID',
    ],
    ['two searches of one name', reading({ rules: null, searches: [search(1, 'a'), search(2, 'a')] }), 'LINE_INVALID'],
    ['a search twice', reading({ rules: null, searches: [search(1, 'a'), search(1, 'b')] }), 'LINE_INVALID'],
    [
      'a search longer than any',
      reading({ rules: null, searches: [{ ...search(1, 'a'), search: { query: 'x'.repeat(16_384) } }] }),
      'LINE_INVALID',
    ],
  ])('is refused with %s, by the service and by the command', async (_, bytes, finding) => {
    const answer = await openCase(client, bytes);
    expectError(answer, 'CASE_FILE_REFUSED');
    expect(answer.body).toMatchObject({ error: { finding } });
    expect(await findingsOfCommand(bytes)).toContain(finding);
  });

  it('is opened where an entry nests deeper than what is hashed, which is then one that was changed', async () => {
    const [first] = logOf([{}]);
    const entry = { ...(JSON.parse(first?.entry ?? '') as object), details: { name: nested(255) } };
    const line = JSON.stringify({ ...first, entry: JSON.stringify(entry) });
    const forged = forgedCase(file, 'custody.jsonl', () => `${line}\n`);
    expect(await findingsOfCommand(forged)).toContain('ENTRY_CHANGED');
    const moved = await opened(forged);
    const { damage } = await client.ok('custody', { params: { case_id: moved } });
    expect(damage).toContainEqual(expect.objectContaining({ code: 'ENTRY_CHANGED', entry_no: 1 }));
  });

  it('is shown with the first of its keys, on the page and on the certificate', async () => {
    const by = 'ada@example.com';
    const moved = await opened(custody(logOf(Array.from({ length: 102 }, (_, n) => ({ by, key: `key ${n}` })))));
    const log = await client.ok('custody', { params: { case_id: moved }, query: { limit: '1' } });
    expect(log).toMatchObject({ examiners_total: 102, all_registered: false, signatures: { signed: 102 }, damage: [] });
    expect(log.examiners).toHaveLength(100);
    const { status, bytes } = await client.call('caseCertificate', { params: { case_id: moved } });
    expect(status).toBe(200);
    expect(bytes.toString()).toContain('The first 100 of 102 keys');
    expect(bytes.toString().split(`<td>${by}</td>`).length - 1).toBe(100 + 102);
  });

  it('is read in pages that are not long, and to its end', async () => {
    const details = { name: 'x'.repeat(100_000) };
    const moved = await opened(custody(logOf(Array.from({ length: 25 }, () => ({ details })))));
    const numbers: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: Record<string, string> = { limit: '200', ...(cursor === '' ? {} : { cursor }) };
      const answer = await client.call('custody', { params: { case_id: moved }, query });
      expect(answer.bytes.length).toBeLessThan(1_200_000);
      const page = answer.body as AnswerOf<'custody'>;
      numbers.push(...page.data.map(({ entry_no }) => entry_no));
      cursor = page.nextCursor;
    }
    expect(numbers).toEqual(Array.from({ length: 26 }, (_, n) => 26 - n));
    const { bytes } = await client.call('caseCertificate', { params: { case_id: moved } });
    expect(bytes.length).toBeLessThan(200_000);
  });

  it('is read where its entries hold as many values as they can', async () => {
    const details = { name: Array.from({ length: 40_000 }, () => ({})) };
    const moved = await opened(custody(logOf(Array.from({ length: 20 }, () => ({ details })))));
    const log = await client.ok('custody', { params: { case_id: moved }, query: { limit: '200' } });
    expect([log.data.length, log.hasMore, log.damage]).toEqual([9, true, []]);
  });

  it('comes with the first of its tags', async () => {
    const notes = Array.from({ length: 51 }, (_, n) =>
      noteOf(
        `record ${String(n).padStart(2, '0')}`,
        Array.from({ length: 20 }, (_, m) => `tag ${n} ${m}`),
      ),
    );
    const moved = await opened(forgedCase(file, 'notes.jsonl', () => lines(notes)));
    const found = await client.ok('listAnnotations', { params: { case_id: moved } });
    expect([found.tags.length, found.tags_total]).toEqual([1000, 1020]);
  });
});
