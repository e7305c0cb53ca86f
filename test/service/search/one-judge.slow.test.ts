// The live ledger and a case of the same records are judged alike: docs/agent-actions.md (Coherence), docs/interface.md (Marks).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { MARKS } from '../../../src/actions/index.ts';
import type { AnswerOf } from '../../../src/api/index.ts';
import type { JsonObject } from '../../../src/protocol/index.ts';
import {
  action,
  actionId,
  asked,
  completed,
  decided,
  input,
  type Members,
  started,
} from '../../support/agent-actions.ts';
import { submitAirlineActions } from '../../support/airline-actions.ts';
import { enterWorkstation, importCase } from '../../support/cases.ts';
import { SeededRandom } from '../../support/random.ts';
import { type Account, bundleOf, registerAgent, signInAt, TestService } from '../../support/service.ts';
import type { Signer } from '../../support/signer.ts';
import { until } from '../../support/until.ts';

type Finding = NonNullable<AnswerOf<'coherence'>['report']>['findings'][number];

const service = await TestService.start();
const home = { account: await service.signUp('home'), signers: [] as Signer[] };
const guest = { account: await service.signUpGuest(), signers: [] as Signer[] };
for (const org of [home, guest]) {
  for (const name of ['coder', 'payer', 'ada']) org.signers.push(await registerAgent(org.account, name));
}
type Org = typeof home;

/** How one call goes: by whom each record is, and what it says. */
type Course = (label: string, members: Members) => readonly (readonly [signer: 0 | 1 | 2, payload: Members])[];

const failed = (label: string, members: Members): Members =>
  action('failed', { action_id: actionId(label), outcome: { status: 'error' }, ...members });

const COURSES: readonly Course[] = [
  // Denied and carried out all the same.
  (label, members) => [
    [0, { ...asked(label, 5), ...members }],
    [2, decided(label, 5, { outcome: 'denied' })],
    [0, started(label, 5, members)],
    [0, completed(label)],
  ],
  // Nobody decided.
  (label, members) => [
    [1, { ...asked(label, 5), ...members }],
    [1, started(label, 5, members)],
    [1, completed(label)],
  ],
  // Decided too late.
  (label, members) => [
    [1, { ...asked(label, 5), ...members }],
    [1, started(label, 5, members)],
    [1, completed(label)],
    [2, decided(label, 5)],
  ],
  // Approved, and other than that.
  (label, members) => [
    [0, { ...asked(label, { amount: 5 }), ...members }],
    [2, decided(label, { amount: 5 })],
    [0, started(label, { amount: 50 }, members)],
    [0, completed(label)],
  ],
  // Tried again.
  (label, members) => [
    [0, started(label, 1, members)],
    [0, failed(label, {})],
    [0, started(`${label} again`, 1, members)],
    [0, completed(`${label} again`)],
  ],
  // Never ended.
  (label, members) => [[1, started(label, 7, members)]],
  // Two things that cannot both be.
  (label, members) => [
    [0, started(label, 7, members)],
    [0, completed(label)],
    [0, completed(label, { output: input('twice') })],
  ],
  // Nothing unusual.
  (label, members) => [
    [0, started(label, 7, members)],
    [0, completed(label)],
  ],
  // By no profile.
  (label) => [
    [1, { session: 'plain', tool: 'pay', arguments: { label }, result: 'Error: no money' }],
    [1, { session: 'plain', tool: 'pay', arguments: { label }, result: 'ok' }],
  ],
];

let calls = 0;

/** Submits calls of all kinds, whose records stand between each other's. */
async function add({ account, signers }: Org, count: number, seed: number): Promise<string[]> {
  const random = new SeededRandom(seed);
  const courses = Array.from({ length: count }, (_, i) => {
    const session = { session: { id: `s${random.below(4)}` } };
    return [...(COURSES[i % COURSES.length] as Course)(`call ${++calls}`, session)];
  });
  const ids: string[] = [];
  while (courses.some((left) => left.length > 0)) {
    const open = courses.filter((left) => left.length > 0).slice(0, 4);
    const [signer, payload] = open[random.below(open.length)]?.shift() ?? [];
    if (signer === undefined || payload === undefined) continue;
    const by = signers[signer] as Signer;
    const isSalted = random.below(3) === 0;
    const body = isSalted ? by.nextSalted(payload as JsonObject) : by.next({ payload: payload as JsonObject });
    await account.client.ok('submitOperation', { body });
    ids.push(body.operation_id);
  }
  return ids;
}

async function judged({ client }: Account): Promise<NonNullable<AnswerOf<'coherence'>['report']>> {
  return until('all records to be judged', async () => {
    const { pending, report } = await client.ok('coherence');
    return pending === 0 && report !== null && report;
  });
}

/** Asks the live ledger and a case made of it the same, and finds no difference. */
async function alike(account: Account): Promise<readonly Finding[]> {
  const { client } = account;
  const report = await judged(account);
  const desk = await enterWorkstation(service);
  const { case_id } = await importCase(desk, { name: 'bundle', bytes: await bundleOf(account) });
  const params = { case_id };
  expect(report).toEqual(await desk.ok('caseCoherence', { params }));
  const facets = { body: { fields: ['mark'], values: MARKS.length } };
  expect((await client.ok('facets', facets)).facets).toEqual(
    (await desk.ok('caseFacets', { params, ...facets })).facets,
  );
  for (const operation_id of new Set(report.findings.map(({ where }) => where.operation_id).slice(0, 40))) {
    const live = await client.ok('operationReading', { params: { operation_id } });
    expect(live).toEqual(await desk.ok('caseOperationReading', { params: { case_id, operation_id } }));
    const own = report.findings.filter(({ where }) => where.operation_id === operation_id);
    // Every finding is a mark of its record, in the same words.
    expect(live.marks).toEqual(
      expect.arrayContaining(own.map(({ code, message }) => expect.objectContaining({ code, why: message }))),
    );
  }
  return report.findings;
}

const codesIn = (findings: readonly Finding[]): Set<string> => new Set(findings.map(({ code }) => code));
const ALL = [
  'EXECUTED_THOUGH_DENIED',
  'APPROVAL_MISSING',
  'APPROVED_AFTER',
  'EXECUTED_OTHER_THAN_APPROVED',
  'RETRIED',
  'STARTED_NEVER_ENDED',
  'ENDED_TWICE',
];

it('finds the same in each of two organizations as in a case of it', async () => {
  await add(home, 27, 1);
  await add(guest, 18, 2);
  const [ours, theirs] = [await alike(home.account), await alike(guest.account)];
  expect([...codesIn(ours)]).toEqual(expect.arrayContaining(ALL));
  expect(ours.length).toBeGreaterThan(theirs.length);
});

it('continues after a restart, with the state of the judge, without it, and where it is damaged', async () => {
  for (const becomes of [null, 'DELETE FROM judge_states', 'UPDATE judge_states SET state = zeroblob(9)']) {
    await service.stop();
    if (becomes !== null) {
      const catalog = new Database(join(service.dataDir, 'content.sqlite'));
      expect(catalog.prepare(becomes).run().changes).toBeGreaterThan(0);
      catalog.close();
    }
    await service.restart();
    for (const org of [home, guest]) org.account = await signInAt(service.url, org.account);
    await add(home, 9, 3);
    await add(guest, 9, 4);
    await alike(guest.account);
    expect([...codesIn(await alike(home.account))]).toEqual(expect.arrayContaining(ALL));
  }
});

it('says of what is left after an erasure what a case of it says, and keeps nothing of what was erased', async () => {
  const secret = 'Zwetschgenknoedel';
  const label = 'with a secret';
  const [coder] = home.signers;
  if (coder === undefined) throw new Error('no agent');
  const ids: string[] = [];
  for (const value of [1, 2]) {
    const payload = { ...started(label, { [secret]: value }), phase: value === 1 ? 'proposed' : 'started' };
    const body = coder.next({ payload: payload as JsonObject });
    await home.account.client.ok('submitOperation', { body });
    ids.push(body.operation_id);
  }
  // The judge writes its state when the service stops.
  await judged(home.account);
  await service.restart();
  home.account = await signInAt(service.url, home.account);
  const { client } = home.account;
  const catalog = (): Buffer =>
    Buffer.concat(['', '-wal'].map((ending) => readFileSync(join(service.dataDir, `content.sqlite${ending}`))));
  const before = await alike(home.account);
  expect(before.map(({ where: { pointer } }) => pointer)).toContain(`/input/value/${secret}`);
  expect(catalog().includes(secret)).toBe(true);
  const others = before.filter(({ code }) => code === 'EXECUTED_THOUGH_DENIED').slice(0, 2);
  for (const id of [...ids, ...others.map(({ where }) => where.operation_id)]) {
    await client.ok('eraseOperation', { params: { operation_id: id }, body: { reason: 'asked for' } });
  }
  expect(catalog().includes(secret)).toBe(false);
  const after = await alike(home.account);
  const erased = new Set([...ids, ...others.map(({ where }) => where.operation_id)]);
  expect(after.filter(({ where }) => erased.has(where.operation_id))).toEqual([]);
  expect(catalog().includes(secret)).toBe(false);
});

it('finds the same over the sample of agents at an airline', async () => {
  const account = await service.signUpGuest('airline');
  await submitAirlineActions(account);
  expect(await alike(account)).toEqual([]);
  const { total } = await account.client.ok('facets', { body: { query: 'mark = Retried', fields: ['tool'] } });
  expect(total).toBe(63);
});
