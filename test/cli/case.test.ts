// docs/case-room.md, Checking a saved case on the command line: exit codes, findings with their places.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/node/index.ts';
import {
  canonicalBytes,
  custodyHash,
  fingerprintDigits,
  type Json,
  parseJson,
  publicKeyOf,
  thumbprint,
} from '../../src/protocol/index.ts';
import { type CustodyEntry, readEntry } from '../../src/service/cases/custody/custody-entry.ts';
import { checkCaseFile } from '../../src/service/cases/sealed/check-case-file.ts';
import { derived } from '../support/bundle-maker.ts';
import { BUNDLE, IDS, ISSUER, reportBy, SVG } from '../support/case-evidence.ts';
import {
  addItem,
  archiveOf,
  type Entry,
  type Examiner,
  entriesOf,
  examiner,
  itemsOf,
  openCase,
  registered,
  saveCase,
  signerOf,
  signOwn,
} from '../support/case-items.ts';
import { importCase, settled } from '../support/cases.ts';
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
      const { code, said } = await checked(file, '--trust', ISSUER, '--examiner', `${key}=${ada.email}`);
      expect(said).toMatchObject({ verdict: 'verified', reasons: [], findings: [], sealed_with: kid });
      expect(code).toBe(0);
    }
  });

  it('is incomplete as long as either is not named', async () => {
    const { code, said } = await checked(file, '--examiner', `${kid}=${ada.email}`);
    expect([code, said['verdict']]).toEqual([3, 'incomplete']);
    expect((await checked(file, '--trust', ISSUER)).code).toBe(3);
  });

  it('finds a changed note by its line and by the entry that has another', async () => {
    const bytes = forged('notes.jsonl', (lines) =>
      lines.map((line, n) => (n === 1 ? line.replace('About', 'Above') : line)),
    );
    const { code, said } = await checked(bytes, '--trust', ISSUER, '--examiner', `${kid}=${ada.email}`);
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

  it('is what verify sends a case file to', async () => {
    const path = join(folder, 'verified.cscase');
    writeFileSync(path, file);
    const { code, stderr } = await run('verify', path, '--no-trust-store');
    expect([code, stderr]).toEqual([2, `countersign verify: ${path}: is a case file, which countersign case checks\n`]);
  });

  it('is no judgement of what is no case file', async () => {
    const { code, said } = await checked(BUNDLE);
    expect([code, said['code']]).toEqual([2, 'NOT_A_CASE_FILE']);
    expect((await run('case', join(folder, 'nowhere'))).code).toBe(2);
    expect((await run('case')).code).toBe(2);
  });
});

// A case of two examiners, both of whom the reader knows, and what one of them can make of it alone.
describe('countersign case, of two examiners', async () => {
  const bob = await examiner(service, ada);
  const shared = await importCase(client, { name: 'second', bytes: BUNDLE }, { trusted_kids: [ISSUER] });
  const params = { case_id: shared.case_id };
  const [one = '', two = ''] = IDS;
  await bob.client.ok('annotate', { params: { ...params, operation_id: one }, body: { note: 'It was approved.' } });
  await client.ok('annotate', { params: { ...params, operation_id: two }, body: { note: 'It was not approved.' } });
  await itemsOf(client, shared.case_id);
  for (const person of [bob, ada]) await signOwn(person, shared.case_id, shared.sha256);
  const honest = await saveCase(bob.client, shared.case_id, bob);
  const bobs = thumbprint(bob.publicKey);
  const both = ['--trust', ISSUER, '--examiner', `${kid}=${ada.email}`, '--examiner', `${bobs}=${bob.email}`];

  type Signer = Pick<Examiner, 'publicKey' | 'sign'>;

  /** What Bob makes of Ada's note: the last entry of the log, signed by another key in her name, under his own seal. */
  function rewritten(by: Signer | null, note: string, sealer: Signer = bob): Buffer {
    const parts = new Map(entriesOf(honest).map(({ name, bytes }) => [name, bytes.toString()]));
    const lines = (parts.get('custody.jsonl') ?? '').trimEnd().split('\n');
    const at = lines.findLastIndex((line) => line.includes('annotation.set'));
    const written = JSON.parse(lines[at] ?? '') as Record<string, unknown> & { readonly entry: string };
    const entry = readEntry(written.entry) as CustodyEntry;
    expect([entry.by, at]).toEqual([ada.email, lines.length - 1]);
    const changed = { ...entry, details: { ...entry.details, note } };
    const entry_hash = custodyHash(changed);
    const log = { log_id: shared.case_id, case_sha256: shared.sha256, entry_no: entry.entry_no, entry_hash };
    const signature = by === null ? null : by.sign({ type: 'countersign.custody-signature.v1', ...log });
    const text = Buffer.from(canonicalBytes(changed as unknown as Json)).toString();
    lines[at] = Buffer.from(
      canonicalBytes({ ...written, entry: text, entry_hash, signature } as unknown as Json),
    ).toString();
    parts.set('custody.jsonl', `${lines.join('\n')}\n`);
    parts.set('notes.jsonl', (parts.get('notes.jsonl') ?? '').replace('It was not approved.', note));
    return sealed(parts, { head_hash: entry_hash }, sealer);
  }

  /** The file with its manifest made to fit its parts, and sealed as Bob. */
  function sealed(parts: ReadonlyMap<string, string>, custody: object, sealer: Signer): Buffer {
    const manifest = parseJson(parts.get('manifest.json') ?? '') as Record<string, Record<string, unknown>>;
    for (const member of ['custody', 'notes']) {
      const bytes = Buffer.from(parts.get(`${member}.jsonl`) ?? '');
      const sha256 = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
      const own = member === 'custody' ? custody : {};
      manifest[member] = { ...manifest[member], ...own, bytes: bytes.length, sha256 };
    }
    const bytes = Buffer.from(canonicalBytes(manifest as Json));
    const manifest_sha256 = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    const seal = sealer.sign({ type: 'countersign.case-signature.v1', case_sha256: shared.sha256, manifest_sha256 });
    const made = new Map<string, Buffer>([...parts].map(([name, text]) => [name, Buffer.from(text)]));
    for (const { name, bytes: kept } of entriesOf(honest)) if (name.startsWith('items/')) made.set(name, kept);
    made.set('manifest.json', bytes);
    made.set('seal.json', Buffer.from(canonicalBytes(seal as unknown as Json)));
    return archiveOf([...made].map(([name, content]) => ({ name, bytes: content })));
  }

  /** Bob's key under Ada's address, as a program of his signs with it. */
  const asAda: Signer = { ...bob, sign: signerOf(ada.email, bob.email).sign };

  it('is verified where each key is named for its person, and says who signed', async () => {
    const { code, said } = await checked(honest, ...both);
    expect(said).toMatchObject({ verdict: 'verified', persons: [] });
    expect(said).toMatchObject({
      custody: { examiners: expect.arrayContaining([expect.objectContaining({ signer: ada.email, state: 'named' })]) },
    });
    expect(code).toBe(0);
  });

  it('fails where one examiner signed what another did, whether the reader named the keys or not', async () => {
    const bytes = rewritten(asAda, 'It was approved, on reflection.');
    const { code, said } = await checked(bytes, ...both);
    expect([code, said['verdict']]).toEqual([1, 'failed']);
    expect(said.findings).toMatchObject([{ code: 'KEY_SHARED', entry_no: expect.any(Number) }]);
    expect(said['persons']).toMatchObject([{ code: 'KEY_OF_ANOTHER', kid: bobs }]);
    expect((await checked(bytes, '--trust', ISSUER)).code).toBe(1);
  });

  it('fails where the reader named the key for somebody else, though it signed nothing in that name', async () => {
    const { code, said } = await checked(honest, '--trust', ISSUER, '--examiner', `${bobs}=carol@example.com`);
    expect(code).toBe(1);
    expect(said.reasons).toContainEqual(expect.stringContaining('KEY_OF_ANOTHER'));
  });

  it('fails where the manifest alone is signed by a key that the reader named for somebody else', async () => {
    const parts = new Map(entriesOf(honest).map(({ name, bytes }) => [name, bytes.toString()]));
    const carols = signerOf(bob.email, "carol's key");
    const named = ['--examiner', `${thumbprint(carols.publicKey)}=carol@example.com`];
    const { code, said } = await checked(sealed(parts, {}, carols), ...both, ...named);
    expect([code, said.findings]).toEqual([1, []]);
    expect(said['persons']).toMatchObject([{ code: 'KEY_OF_ANOTHER', kid: thumbprint(carols.publicKey) }]);
  });

  it('is incomplete where a second key signed in the name of an examiner, and says so', async () => {
    const second = signerOf(ada.email, 'a second key');
    const after = await checked(rewritten(second, 'It was approved, on reflection.'), ...both);
    expect([after.code, after.said['persons']]).toMatchObject([3, [{ code: 'KEY_NOT_NAMED' }]]);
    const named = ['--examiner', `${thumbprint(second.publicKey)}=${ada.email}`];
    expect((await checked(rewritten(second, 'It was approved, on reflection.'), ...both, ...named)).code).toBe(0);
  });

  /** A case of Ada with a report, saved and signed by her. */
  async function withReport(report: Buffer): Promise<Buffer> {
    const { case_id: id, sha256: digest } = await importCase(
      client,
      { name: 'third', bytes: BUNDLE },
      { trusted_kids: [ISSUER] },
    );
    await addItem(client, id, { name: 'report.html', bytes: report });
    await itemsOf(client, id);
    await signOwn(ada, id, digest);
    return saveCase(client, id, ada);
  }

  it('holds who signed a report of the case against the named keys, as it does entries', async () => {
    const reporters = thumbprint(publicKeyOf(derived('a key for reports')));
    const saved = await withReport(await reportBy('Grace Hopper', [{ seq_no: 2 }], 'a key for reports'));
    const said = async (...examiners: string[]) => {
      const named = [`${kid}=${ada.email}`, ...examiners].flatMap((text) => ['--examiner', text]);
      const { code, said: judged } = await checked(saved, '--trust', ISSUER, ...named);
      const [, item] = judged['items'] as { readonly verdict: string; readonly summary: string }[];
      return [code, item?.verdict];
    };
    expect(await said(`${reporters}=Grace Hopper`)).toEqual([0, 'verified']);
    expect(await said(`${reporters}=Grace Hopper <grace@example.com>`)).toEqual([0, 'verified']);
    expect(await said(`${reporters}=grace@example.com`)).toEqual([1, 'failed']);
    expect(await said()).toEqual([3, 'incomplete']);
  });

  it('finds a report in the name of one person of the log by the key of another, whoever named the keys', async () => {
    const { case_id: id, sha256: digest } = await importCase(
      client,
      { name: 'fourth', bytes: BUNDLE },
      { trusted_kids: [ISSUER] },
    );
    const forgery = await reportBy(ada.email, [{ seq_no: 2 }], bob.email);
    await addItem(bob.client, id, { name: 'forged.html', bytes: forgery });
    await addItem(client, id, { name: 'plan.svg', bytes: SVG });
    await itemsOf(client, id);
    for (const person of [bob, ada]) await signOwn(person, id, digest);
    const { code, said } = await checked(await saveCase(bob.client, id, bob), '--trust', ISSUER);
    expect([code, said.findings]).toMatchObject([1, [{ code: 'KEY_SHARED', item_no: 2 }]]);
    const items = await itemsOf(client, id);
    expect(items[1]?.signed_by).toMatchObject({ examiner: ada.email, kid: bobs, key: 'other' });
  });

  it('still names a key of two persons where the seal of a file showed it, once the case was opened from that', async () => {
    const parts = new Map(entriesOf(honest).map(({ name, bytes }) => [name, bytes.toString()]));
    parts.set(
      'manifest.json',
      (parts.get('manifest.json') ?? '').replace(`"made_by":"${bob.email}"`, `"made_by":"${ada.email}"`),
    );
    const forged = sealed(parts, {}, asAda);
    expect((await checked(forged, ...both)).said.findings).toMatchObject([{ code: 'KEY_SHARED', file: 'seal.json' }]);
    const { body } = await openCase(client, forged, { trusted_kids: [ISSUER] });
    const { case_id: moved } = await settled(client, (body as { case_id: string }).case_id);
    const { damage, data } = await client.ok('custody', { params: { case_id: moved } });
    expect(damage).toEqual([{ entry_no: data[0]?.entry_no, code: 'KEY_SHARED' }]);
    const again = await checked(await saveCase(client, moved, ada), ...both);
    expect(again.said.findings).toMatchObject([{ code: 'KEY_SHARED', entry_no: data[0]?.entry_no }]);
  });

  it('finds a note that says another author than the log', async () => {
    const parts = new Map(entriesOf(honest).map(({ name, bytes }) => [name, bytes.toString()]));
    parts.set('notes.jsonl', (parts.get('notes.jsonl') ?? '').replace(bob.email, ada.email));
    const { code, said } = await checked(sealed(parts, {}, bob), ...both);
    expect([code, said.findings]).toMatchObject([1, [{ code: 'NOTE_CHANGED' }]]);
  });

  it('takes no key without its person, and none for two', async () => {
    for (const given of [[kid], [`${kid}=`], [`nobody=${ada.email}`], [`${kid}=a`, `${kid}=b`]]) {
      const args = given.flatMap((text) => ['--examiner', text]);
      expect((await run('case', join(folder, 'a.cscase'), '--no-trust-store', ...args)).code).toBe(2);
    }
  });

  it('never says as a fact who signed what nobody confirmed', async () => {
    const path = join(folder, 'said.cscase');
    writeFileSync(path, honest);
    const { stdout } = await run('case', path, '--no-trust-store', '--trust', ISSUER);
    expect(stdout).toContain(`${bob.email}, as the file says`);
    expect(stdout).toContain('by a key that you did not name');
  });
});
