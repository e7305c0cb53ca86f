// docs/case-room.md, Checking a saved case on the command line: exit codes, findings with their places.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canonicalBytes, fingerprintDigits, type Json, thumbprint } from '../../src/protocol/index.ts';
import { nodeCrypto } from '../../src/runtime/index.ts';
import { checkCaseFile } from '../../src/service/cases/sealed/check-case-file.ts';
import { BUNDLE, IDS, ISSUER, SVG } from '../support/case-evidence.ts';
import {
  addItem,
  archiveOf,
  type Entry,
  entriesOf,
  itemsOf,
  registered,
  saveCase,
  signOwn,
} from '../support/case-items.ts';
import { importCase } from '../support/cases.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { TestService } from '../support/service.ts';

const service = await TestService.start();
const ada = await registered(service, await service.signUp());
const { client } = ada;
const { case_id, sha256 } = await importCase(client, { name: 'first', bytes: BUNDLE }, { trusted_kids: [ISSUER] });
await addItem(client, case_id, { name: 'plan.svg', bytes: SVG });
for (const operation_id of IDS.slice(0, 3)) {
  await client.ok('annotate', { params: { case_id, operation_id }, body: { note: `About ${operation_id}.` } });
}
await itemsOf(client, case_id);
await signOwn(ada, case_id, sha256);
const file = await saveCase(client, case_id, ada);
const folder = temporaryFolder();
const kid = thumbprint(ada.publicKey);

/** What the command says of a file. */
async function checked(bytes: Buffer, ...args: string[]) {
  const path = join(folder, 'a.cscase');
  writeFileSync(path, bytes);
  const { code, stdout } = await run('case', path, '--no-trust-store', '--json', ...args);
  return { code, said: JSON.parse(stdout) as Record<string, unknown> & { findings: object[]; reasons: string[] } };
}

/** The file with lines of a part changed and its manifest made to fit, as a forger without the key can. */
function forged(name: string, change: (lines: string[]) => string[]): Buffer {
  const entries = entriesOf(file).filter((entry) => entry.name !== 'seal.json');
  const part = entries.find((entry) => entry.name === name) ?? expect.fail(name);
  const lines = change(part.bytes.toString().trimEnd().split('\n'));
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  const manifest = JSON.parse(entries[0]?.bytes.toString() ?? '') as Record<string, Record<string, unknown>>;
  const member = name.replace('.jsonl', '');
  const log = member === 'custody' ? { entries: lines.length } : {};
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  manifest[member] = { ...manifest[member], ...log, bytes: bytes.length, sha256: digest };
  const changed: Entry[] = entries.map((entry) => (entry.name === name ? { name, bytes } : entry));
  return archiveOf([
    { name: 'manifest.json', bytes: Buffer.from(canonicalBytes(manifest as Json)) },
    ...changed.slice(1),
  ]);
}

describe('countersign case', () => {
  it('tells how far it is, in bytes: each part is copied, and each item read', async () => {
    const path = join(folder, 'told.cscase');
    writeFileSync(path, file);
    const told: [number, number][] = [];
    const onProgress = (done: number, total: number): number => told.push([done, total]);
    const means = { crypto: nodeCrypto, signal: AbortSignal.timeout(60_000), trustedKids: [] };
    await checkCaseFile(path, { ...means, onProgress });
    const [done, total] = told.at(-1) ?? [];
    expect(done).toBe(total);
    expect(total).toBeGreaterThan(BUNDLE.length + SVG.length);
  });

  it('is verified under an issuer and an examiner that the reader names, by kid or by fingerprint', async () => {
    for (const key of [kid, fingerprintDigits(kid).join(' ')]) {
      const { code, said } = await checked(file, '--trust', ISSUER, '--examiner', key);
      expect(said).toMatchObject({ verdict: 'verified', reasons: [], findings: [], sealed_with: kid });
      expect(code).toBe(0);
    }
  });

  it('is incomplete as long as either is not named', async () => {
    const { code, said } = await checked(file, '--examiner', kid);
    expect([code, said['verdict']]).toEqual([3, 'incomplete']);
    expect((await checked(file, '--trust', ISSUER)).code).toBe(3);
  });

  it('finds a changed note by its line and by the entry that has another', async () => {
    const bytes = forged('notes.jsonl', (lines) =>
      lines.map((line, n) => (n === 1 ? line.replace('About', 'Above') : line)),
    );
    const { code, said } = await checked(bytes, '--trust', ISSUER, '--examiner', kid);
    expect(said.findings).toMatchObject([{ code: 'NOTE_CHANGED', file: 'notes.jsonl', line: 2 }]);
    expect(code).toBe(1);
  });

  it('finds an item that is not what the log says', async () => {
    const [first, ...others] = entriesOf(file).filter((entry) => entry.name !== 'seal.json');
    const manifest = JSON.parse(first?.bytes.toString() ?? '') as { items: Record<string, unknown>[] };
    const [one, two] = manifest.items;
    const bytes = Buffer.from(
      canonicalBytes({ ...manifest, items: [one, { ...two, added_by: 'eve@example.com' }] } as unknown as Json),
    );
    const { code, said } = await checked(archiveOf([{ name: 'manifest.json', bytes }, ...others]));
    expect(said.findings).toMatchObject([{ code: 'ITEM_CHANGED', file: 'custody.jsonl', line: 1, entry_no: 1 }]);
    expect(code).toBe(1);
  });

  it('finds an entry that was taken out of the log by its number, and one that was changed', async () => {
    const removed = await checked(
      forged('custody.jsonl', (lines) => lines.toSpliced(1, 1)),
      '--trust',
      ISSUER,
    );
    expect(removed.said.findings).toContainEqual(expect.objectContaining({ code: 'ENTRY_MISSING', entry_no: 2 }));
    expect(removed.code).toBe(1);
    const changed = await checked(
      forged('custody.jsonl', (lines) => lines.map((line, n) => (n === 2 ? line.replace('About', 'Above') : line))),
    );
    expect(changed.said.findings).toContainEqual(
      expect.objectContaining({ code: 'ENTRY_CHANGED', entry_no: 3, line: 3, file: 'custody.jsonl' }),
    );
    const cut = await checked(forged('custody.jsonl', (lines) => lines.slice(0, -1)));
    expect(cut.said.findings).toContainEqual(expect.objectContaining({ code: 'HEAD_MISMATCH' }));
  });

  it('is no judgement of what is no case file', async () => {
    const { code, said } = await checked(BUNDLE);
    expect([code, said['code']]).toEqual([2, 'NOT_A_CASE_FILE']);
    expect((await run('case', join(folder, 'nowhere'))).code).toBe(2);
    expect((await run('case')).code).toBe(2);
  });
});
