import { spawnSync } from 'node:child_process';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Disclosure } from '../../src/protocol/index.ts';
import { share } from '../support/extent.ts';
import { contentsBelow } from '../support/folders.ts';
import { ALWAYS, bundleOf, exportOf, registerAgent, TestService, verifyWith } from '../support/service.ts';
import { inFile } from '../support/two-verifiers.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const hasPython = spawnSync('python3', ['--version']).status === 0;
/** Five hundred nightly. */
const RECORDS = share(500);

/** Which of some texts, all of one length and each unit a byte, stand in a file. */
function found(texts: ReadonlySet<string>, length: number, bytes: Buffer): string[] {
  // A text is only made where two bytes are those that one begins with: of every place it would take most of the test's time.
  const beginnings = new Uint8Array(65_536);
  for (const text of texts) beginnings[text.charCodeAt(0) * 256 + text.charCodeAt(1)] = 1;
  const hits: string[] = [];
  for (let from = 0; from + length <= bytes.length; from++) {
    if (beginnings[(bytes[from] ?? 0) * 256 + (bytes[from + 1] ?? 0)] !== 1) continue;
    const text = bytes.toString('latin1', from, from + length);
    if (texts.has(text)) hits.push(text);
  }
  return hits;
}

it(`leaves no byte of a member that was erased in ${RECORDS} records, and every verifier says verified`, async () => {
  const service = await TestService.start({ epochMaxLeaves: 64 });
  // A second ledger whose records come in between: rows of one table next to rows of another organization.
  const [owner, other] = [await service.signUp('owner'), await service.signUp('other')];
  const [signer, stranger] = [await registerAgent(owner), await registerAgent(other)];
  const secrets = new Set<string>();
  const salts = new Set<string>();
  /** What an index of words would keep of each. */
  const words = new Set<string>();
  const ids: string[] = [];
  for (let from = 0; from < RECORDS; from += 50) {
    const records = Array.from({ length: 50 }, (_, n) => {
      const word = `vanish${String(from + n).padStart(6, '0')}`;
      const secret = `«${word} must go»`;
      words.add(word);
      secrets.add(Buffer.from(secret).toString('latin1'));
      const body = signer.nextSalted({ secret, stays: `stays ${from + n}`, pad: 'p'.repeat(((from + n) * 61) % 6000) });
      const [salt] = body.disclosures['secret'] as Disclosure;
      salts.add(salt);
      ids.push(body.operation_id);
      return body;
    });
    await owner.client.ok('submitBatch', { body: { records } });
    await other.client.ok('submitBatch', { body: { records: [stranger.nextSalted({ theirs: from })] } });
  }
  await exportOf(owner);
  await exportOf(owner, { ...ALWAYS, format: 'pdf' });
  const length = Buffer.from([...secrets][0] ?? '', 'latin1').length;
  const before = Array.from(contentsBelow(service.dataDir), ({ bytes }) => found(secrets, length, bytes)).flat();
  expect(new Set(before).size).toBe(RECORDS);
  const [known = ''] = words;
  expect((await owner.client.ok('auditQuery', { body: { query: known } })).data).toHaveLength(1);

  for (const operation_id of ids) {
    const body = { reason: 'asked for by the person', members: ['secret'] };
    await owner.client.ok('eraseOperation', { params: { operation_id }, body });
  }
  for (const { path, bytes } of contentsBelow(service.dataDir)) {
    expect([path, ...found(secrets, length, bytes)]).toEqual([path]);
    expect([path, ...found(salts, 22, bytes)]).toEqual([path]);
    expect([path, ...found(words, known.length, bytes)]).toEqual([path]);
    // So that connections that the service ended meanwhile are known to be gone.
    await setImmediate();
  }
  expect((await owner.client.ok('auditQuery', { body: { query: known } })).data).toEqual([]);

  const bundle = await bundleOf(owner);
  expect(bundle.includes(`stays ${RECORDS - 1}`)).toBe(true);
  const report = await verifyWith(service.kid, bundle);
  expect(report).toMatchObject({ verdict: 'verified', bundle: { records: RECORDS, redacted: RECORDS } });
  expect(report.withheld).toEqual({ runs: [{ first_seq_no: 1, last_seq_no: RECORDS, salted: true }], joined: 0 });
  const args = [inFile(bundle), '--trust', service.kid];
  const single = spawnSync(process.execPath, [at('../../resources/verifier/verify-bundle.mjs'), ...args]);
  expect([single.status, single.stderr.toString()]).toEqual([0, '']);
  if (hasPython) {
    const python = spawnSync('python3', [at('verify_bundle.py'), ...args]);
    expect([python.status, python.stderr.toString()]).toEqual([0, '']);
  }
}, 400_000);
