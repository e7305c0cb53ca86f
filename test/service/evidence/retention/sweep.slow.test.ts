// docs/retention.md: a sweep over a whole ledger, with holds placed before, during and after it.
// `COUNTERSIGN_SWEPT=100000 COUNTERSIGN_PATIENCE_MS=900000` runs it over as many records.
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { isInRuns, parseRuns } from '../../../../src/protocol/index.ts';
import { placeHold } from '../../../../src/service/evidence/retention/holds.ts';
import { storeOn } from '../../../../src/service/store/open.ts';
import { importCase } from '../../../support/cases.ts';
import { contentsBelow, temporaryFolder } from '../../../support/folders.ts';
import { AT_ONCE, certificateOf, differenceOf, isShown, sweep } from '../../../support/retention.ts';
import {
  type Account,
  ALWAYS,
  bundleOf,
  exportOf,
  registerAgent,
  TestService,
  verifyWith,
} from '../../../support/service.ts';
import { inFile } from '../../../support/two-verifiers.ts';
import { until } from '../../../support/until.ts';
import type { Bundle } from '../../../support/vectors.ts';

const RECORDS = Number(process.env['COUNTERSIGN_SWEPT'] ?? '2000');
const BATCH = Math.min(500, RECORDS / 20);
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const hasPython = spawnSync('python3', ['--version']).status === 0;
/** Rejects unless the program exits with 0, which is the verdict `verified`. */
const run = promisify(execFile);
const SALT_LENGTH = 22;

const RULES = [
  { name: 'Letters', operation_type: 'mail.*', ...AT_ONCE },
  { name: 'Payments', agent_id: 'payments', ...AT_ONCE },
  { name: 'Chats', profile: 'example.chat/1', ...AT_ONCE },
  // Nothing younger than half a year.
  { name: 'Young', agent_id: 'young', ceiling_days: 183 },
];

/** What one record is, by its number: whether rules make it due, and which hold covers it. */
interface Made {
  readonly agentId: string;
  readonly type: string;
  readonly word: string;
  readonly isDue: boolean;
  readonly hold: 'person' | 'session' | 'case' | null;
}

const KINDS = [
  { agentId: 'letters', type: 'mail.send', isDue: true },
  { agentId: 'payments', type: 'payment.release', isDue: true },
  { agentId: 'chats', type: 'chat.answer', isDue: true },
  { agentId: 'young', type: 'note', isDue: false },
  { agentId: 'others', type: 'note', isDue: false },
] as const;
/** In a case, and due by the rule of letters. */
const MATTER = { agentId: 'matter', type: 'mail.send', isDue: true } as const;

function made(n: number): Made {
  const word = `vanish${String(n).padStart(6, '0')}`;
  if (n % 97 === 5) return { ...MATTER, word, hold: 'case' };
  const kind = KINDS[((n * 7) % 11) % KINDS.length] ?? KINDS[0];
  return { ...kind, word, hold: n % 23 === 0 ? 'person' : n % 31 === 0 ? 'session' : null };
}

function payloadOf(n: number, { word, hold, agentId }: Made) {
  return {
    ...(agentId === 'chats' ? { profile: 'example.chat/1' } : {}),
    secret: word,
    pad: 'p'.repeat((n * 37) % (n % 50 === 0 ? 9000 : 700)),
    ...(hold === 'person' ? { letter: JSON.stringify({ to: 'Ann <Ann.Ō@Example.org>', n }) } : {}),
    ...(hold === 'session' ? { session: 'S-7' } : {}),
  };
}

interface Filled {
  readonly byWord: Map<string, Made & { readonly seqNo: number }>;
  readonly saltsOf: Map<number, readonly string[]>;
}

async function fill(owner: Account): Promise<Filled> {
  const signers = new Map<string, Awaited<ReturnType<typeof registerAgent>>>();
  for (const { agentId } of [...KINDS, MATTER]) signers.set(agentId, await registerAgent(owner, agentId));
  const byWord: Filled['byWord'] = new Map();
  const saltsOf: Filled['saltsOf'] = new Map();
  for (let from = 0; from < RECORDS; from += BATCH) {
    const records = Array.from({ length: BATCH }, (_, offset) => {
      const n = from + offset;
      const one = made(n);
      const signer = signers.get(one.agentId);
      if (signer === undefined) throw new Error('no such agent');
      const members = { operation_type: one.type };
      byWord.set(one.word, { ...one, seqNo: n + 1 });
      if (one.agentId !== 'letters') return signer.next({ ...members, payload: payloadOf(n, one) });
      const body = signer.nextSalted(payloadOf(n, one), members);
      saltsOf.set(
        n + 1,
        Object.values(body.disclosures).map(([salt]) => salt),
      );
      return body;
    });
    await owner.client.ok('submitBatch', { body: { records } });
  }
  return { byWord, saltsOf };
}

async function turns(): Promise<void> {
  for (let left = 8; left > 0; left--) await setImmediate();
}

/** Which of some words and salts stand in any file of a folder. */
async function foundBelow(
  folder: string,
  words: ReadonlySet<string>,
  salts: ReadonlySet<string>,
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const { bytes } of contentsBelow(folder)) {
    const content = bytes.toString('latin1');
    for (const [word] of content.matchAll(/vanish\d{6}/g)) if (words.has(word)) found.add(word);
    for (const [token] of content.matchAll(/[\w-]{22,}/g)) {
      for (let from = 0; from + SALT_LENGTH <= token.length; from++) {
        const salt = token.slice(from, from + SALT_LENGTH);
        if (salts.has(salt)) found.add(salt);
      }
    }
    await turns();
  }
  return found;
}

/** Every verifier, each another program. */
async function expectVerifiedByAll(kid: string, bundle: Buffer): Promise<void> {
  expect(await verifyWith(kid, bundle)).toMatchObject({ verdict: 'verified', bundle: { records: RECORDS } });
  const args = [inFile(bundle), '--trust', kid];
  const single = await run(process.execPath, [at('../../../../resources/verifier/verify-bundle.mjs'), ...args]);
  expect(single.stderr).toBe('');
  if (!hasPython) return;
  const python = await run('python3', [at('../../../interop/verify_bundle.py'), ...args]);
  expect(python.stderr).toBe('');
}

/** The check that docs/retention.md describes, as a stranger runs it: with two exports, and nothing of the project. */
async function expectDocumentedCheck(certificate: object, before: Buffer, after: Buffer, jwks: object): Promise<void> {
  const cwd = temporaryFolder();
  const files = { certificate: JSON.stringify(certificate), jwks: JSON.stringify(jwks) };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, `${name}.json`), text);
  for (const [name, bundle] of Object.entries({ before, after })) writeFileSync(join(cwd, `${name}.csbundle`), bundle);
  const page = readFileSync(at('../../../../docs/retention.md'), 'utf8');
  const [, script = ''] = /<<'SCRIPT'\n([\s\S]*?)\nSCRIPT/.exec(page) ?? [];
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { cwd });
  expect(stdout.trim()).toBe('{ signed: true, records: true, same: true }');
}

/** Reads a bundle; and lets it be known which connections the service has ended while that kept this thread. */
async function parse(bytes: Buffer): Promise<Bundle> {
  const bundle = JSON.parse(bytes.toString('utf8')) as Bundle;
  await turns();
  return bundle;
}

/** A line for whoever runs it over very many records. */
function tell(what: object): void {
  if (RECORDS > 5000)
    process.stdout.write(`${JSON.stringify({ at: Math.round(performance.now() / 1000), ...what })}\n`);
}

it(`erases what is due among ${RECORDS} records and nothing that a hold covers`, async () => {
  /** Placed between two transactions of the sweep: over the last fifth of the ledger. */
  const late = { from: Math.floor(RECORDS * 0.8), holdId: '' };
  let transactions = 0;
  const service = await TestService.start(
    { epochMaxLeaves: 256 },
    {
      aroundCommit: (sqlite, transaction) => {
        const result = transaction();
        const newest = 'SELECT action FROM admin_events ORDER BY rowid DESC LIMIT 1';
        if (sqlite.prepare(newest).pluck().get() === 'retention.erase' && ++transactions === 1) {
          const act = { orgId: owner.orgId, actor: owner.userId, reason: 'In the middle', now: Date.now() };
          const selection = { kind: 'range', from_seq_no: late.from } as const;
          const place = sqlite.transaction(() => placeHold(storeOn(sqlite), act, selection, null));
          late.holdId = place().hold_id;
        }
        return result;
      },
    },
  );
  const owner: Account = await service.signUp();
  const { client } = owner;
  const { byWord, saltsOf } = await fill(owner);
  const matter = await bundleOf(owner, { ...ALWAYS, agentId: 'matter' });
  const { case_id } = await importCase(client, { name: 'matter.csbundle', bytes: matter });
  const before = await bundleOf(owner);
  await exportOf(owner, { ...ALWAYS, redact: { agent_ids: ['letters'] } });
  await client.ok('setRetentionRules', { body: { rules: RULES } });
  const place = async (selection: object, reason: string) =>
    (await client.ok('placeHold', { body: { selection, reason } })).hold;
  const holds = {
    person: await place({ kind: 'person', person: 'ann.ō@example.org' }, 'Matter 12'),
    session: await place({ kind: 'session', session: 's-7' }, 'Matter 13'),
    case: await place({ kind: 'case', case_id }, 'Matter 14'),
  };

  const preview = await sweep(owner, { dry_run: true });
  const all = [...byWord.values()];
  const due = all.filter(({ isDue }) => isDue);
  const heldEarly = due.filter(({ hold }) => hold !== null);
  expect(preview).toMatchObject({ status: 'completed', erased: due.length - heldEarly.length, held: heldEarly.length });
  for (const kind of ['person', 'session', 'case'] as const) {
    const held = due.filter(({ hold }) => hold === kind).length;
    expect(preview.holds).toContainEqual({ hold_id: holds[kind].hold_id, kind, held });
  }
  // A preview erases nothing.
  const bundleBefore = await parse(before);
  expect(differenceOf(bundleBefore, await parse(await bundleOf(owner))).records).toBe(0);
  await turns();
  tell({ previewed: preview.erased });

  // A run over very many records takes longer than a sign-in is fresh.
  const confirm = () => client.ok('fresh', { body: { password: owner.password } });
  await confirm();
  const began = performance.now();
  const first = await sweep(owner);
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  expect(first).toMatchObject({ status: 'completed', failure: null, examined: first.to_examine });
  tell({ erased: first.erased, in_seconds: seconds, transactions });
  const after = await bundleOf(owner);
  const certificate = await certificateOf(owner, first);
  const bundleAfter = await parse(after);
  const difference = differenceOf(bundleBefore, bundleAfter);
  await turns();
  expect(certificate).toMatchObject(difference);
  expect(certificate.records).toBe(first.erased);
  expect(certificate.holds.map(({ hold_id: id }) => id).toSorted()).toEqual(
    [...Object.values(holds).map(({ hold_id: id }) => id), late.holdId].toSorted(),
  );

  await expectDocumentedCheck(certificate, before, after, await client.ok('jwks'));

  // What is left is what is not due or is held, and what the hold in the middle came to cover.
  const shown = new Set(bundleAfter.records.filter(isShown).map(({ ear }) => ear.seq_no));
  const isHeldLate = ({ seqNo }: { readonly seqNo: number }): boolean => seqNo >= late.from;
  for (const { seqNo, isDue, hold, ...one } of all) {
    const isKept = !isDue || hold !== null || isHeldLate({ seqNo });
    if (shown.has(seqNo) !== isKept) expect({ seqNo, isDue, hold, ...one, isShown: shown.has(seqNo) }).toBe(isKept);
  }
  expect(first.holds).toContainEqual({
    hold_id: late.holdId,
    kind: 'range',
    held: due.filter(isHeldLate).length,
  });

  // Every file of the folder: the database, its log, the indexes, exports.
  const erased = all.filter(({ seqNo }) => !shown.has(seqNo));
  const words = new Set(erased.map(({ word }) => word));
  const salts = new Set(erased.flatMap(({ seqNo }) => saltsOf.get(seqNo) ?? []));
  expect([words.size, salts.size > 0]).toEqual([first.erased, true]);
  expect([...(await foundBelow(service.dataDir, words, salts))]).toEqual([]);
  const keptWords = new Set(all.filter(({ seqNo }) => shown.has(seqNo)).map(({ word }) => word));
  expect((await foundBelow(service.dataDir, keptWords, new Set())).size).toBe(keptWords.size);
  const [gone = ''] = words;
  expect((await client.ok('auditQuery', { body: { query: gone } })).data).toEqual([]);

  tell({ searched: words.size + salts.size });
  await expectVerifiedByAll(service.kid, after);
  tell({ verified: after.length });
  await client.ok('verifyLedger');
  const verified = await until(
    'the verification',
    async () => {
      const state = await client.ok('ledgerVerification');
      return state.status === 'running' ? undefined : state;
    },
    600_000,
  );
  expect(verified).toMatchObject({ status: 'completed', valid: true });

  // Placed after the sweep: it keeps what the next one would erase. The others are released.
  const last = await place({ kind: 'range', agent_id: 'payments', from_seq_no: late.from }, 'Matter 15');
  await confirm();
  for (const id of [late.holdId, holds.person.hold_id]) {
    await client.ok('releaseHold', { params: { hold_id: id }, body: { reason: 'Settled' } });
  }
  const second = await sweep(owner);
  const end = await parse(await bundleOf(owner));
  expect(await certificateOf(owner, second)).toMatchObject(differenceOf(bundleAfter, end));
  const shownAtEnd = new Set(end.records.filter(isShown).map(({ ear }) => ear.seq_no));
  for (const { seqNo, agentId, hold } of due) {
    const isHeld = hold === 'session' || hold === 'case' || (agentId === 'payments' && seqNo >= late.from);
    if (shownAtEnd.has(seqNo) !== isHeld) expect({ seqNo, agentId, hold }).toBe(isHeld);
  }
  expect(second.holds.find(({ hold_id: id }) => id === last.hold_id)?.held).toBeGreaterThan(0);

  // No number is erased twice, and the log names each.
  // Of the export, which has all: the slower the machine, the more events a sweep is.
  const named = end.admin_events.flatMap((event) =>
    'action' in event && event.action === 'retention.erase' ? [parseRuns(String(event.details['seq_no']))] : [],
  );
  if (RECORDS <= 5000) {
    for (const { seqNo } of due) {
      expect(named.filter((runs) => isInRuns(runs, seqNo)).length).toBe(shownAtEnd.has(seqNo) ? 0 : 1);
    }
  }
  tell({ records: RECORDS });
}, 3_600_000);
