// docs/retention.md: which rule decides about a record, what a hold covers, and what is refused meanwhile.
import { describe, expect, it } from 'vitest';
import {
  DAY_MS,
  judgeRetentionCertificate,
  type Receipt,
  type RetentionCertificate,
} from '../../../../src/protocol/index.ts';
import { planRules } from '../../../../src/service/evidence/retention/rules.ts';
import { importCase } from '../../../support/cases.ts';
import { expectError } from '../../../support/client.ts';
import { AT_ONCE, certificateOf, ended, sweep } from '../../../support/retention.ts';
import { type Account, bundleOf, eventsOf, registerAgent, submitNext, TestService } from '../../../support/service.ts';
import type { Signer } from '../../../support/signer.ts';

const service = await TestService.start();

interface Ledger {
  readonly owner: Account;
  readonly signer: Signer;
  readonly submit: (payload: object, members?: object) => Promise<Receipt>;
  readonly stateOf: (receipt: Receipt) => Promise<string>;
}

async function ledger(): Promise<Ledger> {
  const owner = await service.signUp('keeper');
  const signer = await registerAgent(owner);
  return {
    owner,
    signer,
    submit: (payload, members = {}) => submitNext(owner, signer, { payload: payload as never, ...members }),
    stateOf: async ({ operation_id }) =>
      (await owner.client.ok('operationRetention', { params: { operation_id } })).state,
  };
}

const setRules = ({ client }: Account, rules: readonly object[]) => client.ok('setRetentionRules', { body: { rules } });
const hold = async ({ client }: Account, selection: object) =>
  (await client.ok('placeHold', { body: { selection, reason: 'Matter 1' } })).hold;

/** What the whole ledger of an account says of a certificate. */
async function judgedBy(owner: Account, certificate: RetentionCertificate) {
  const bundle = await bundleOf(owner);
  const means = { trustedKids: [service.kid], against: [{ name: 'ledger', source: () => [bundle] }] };
  const { verdict, statements } = await judgeRetentionCertificate(certificate, means);
  const open = statements.filter(({ state }) => state !== 'confirmed').map(({ statement }) => statement);
  return { verdict, open, statements };
}

describe('the rules', () => {
  it('decide by the first that matches, and say until when', async () => {
    const { owner, submit, signer } = await ledger();
    await setRules(owner, [
      { name: 'Exact', operation_type: 'mail.send', ceiling_days: 400 },
      { name: 'Prefix', operation_type: 'mail.*', ceiling_days: 200 },
      { name: 'Profile', profile: 'p/1', ceiling_days: null },
      { name: 'Agent', agent_id: signer.agentId, operation_type: 'note', floor_days: 10, ceiling_days: 20 },
    ]);
    const told = async (payload: object, operation_type: string) => {
      const { operation_id } = await submit(payload, { operation_type });
      const { rule, due_at, not_before } = await owner.client.ok('operationRetention', { params: { operation_id } });
      return { rule, due: due_at !== null, floor: not_before !== null };
    };
    expect(await told({ n: 1 }, 'mail.send')).toEqual({ rule: 'Exact', due: true, floor: true });
    expect(await told({ n: 2 }, 'mail.send.later')).toEqual({ rule: 'Prefix', due: true, floor: true });
    expect(await told({ n: 3, profile: 'p/1' }, 'note')).toEqual({ rule: 'Profile', due: false, floor: true });
    expect(await told({ n: 4 }, 'note')).toEqual({ rule: 'Agent', due: true, floor: true });
    expect(await told({ n: 5 }, 'mailing')).toEqual({ rule: null, due: false, floor: false });
  });

  it('have a floor of half a year, and erase nothing that is younger', async () => {
    const { owner, submit, stateOf } = await ledger();
    const { rules } = await setRules(owner, [{ name: 'All', ceiling_days: 183 }]);
    expect(rules).toEqual([{ name: 'All', floor_days: 183, ceiling_days: 183 }]);
    const receipt = await submit({ n: 1 });
    expect(await sweep(owner)).toMatchObject({ status: 'completed', erased: 0, to_examine: 0 });
    expect(await stateOf(receipt)).toBe('kept');
    // Whatever a list of rules says that came by another way.
    const now = 1000 * DAY_MS;
    expect(planRules([{ name: 'Bad', floor_days: 183, ceiling_days: 1 }], now)[0]?.before).toBe(now - 183 * DAY_MS);
  });

  it.each([
    ['ceiling_days', { name: 'A', floor_days: 10, ceiling_days: 9 }],
    ['ceiling_days', { name: 'A', ceiling_days: 100 }],
    ['operation_type', { name: 'A', operation_type: '*' }],
    ['floor_days', { name: 'A', floor_days: -1 }],
    ['name', { ceiling_days: 200 }],
    ['other', { name: 'A', other: 1 }],
  ])('are refused where %s is wrong', async (member, rule) => {
    const { client } = await service.signUp();
    expectError(await client.call('setRetentionRules', { body: { rules: [rule] } }), 'VALIDATION_ERROR', member);
    expect((await client.ok('retentionRules')).rules).toEqual([]);
  });
});

describe('a legal hold', () => {
  const PERSON = 'Ann.Lee@example.org';

  it.each<[string, object, object, object]>([
    ['a person, by the subject', { kind: 'person', person: PERSON }, {}, { subject: 'ann.lee@EXAMPLE.org' }],
    ['a person, within a text', { kind: 'person', person: PERSON }, { to: `Ann Lee <${PERSON}>, others` }, {}],
    ['a person, within JSON in a text', { kind: 'person', person: 'Ånn' }, { in: '{"who":"\\u00c5nn"}' }, {}],
    ['a person, as a member’s name', { kind: 'person', person: PERSON }, { [PERSON]: { n: 1 } }, {}],
    ['a person, by a number', { kind: 'person', person: '4417' }, { user_id: 4417 }, {}],
    ['a session', { kind: 'session', session: 's-1' }, { anywhere: ['s-1'] }, {}],
  ])('covers %s, and nothing else', async (_, selection, payload, members) => {
    const { owner, submit, stateOf } = await ledger();
    await setRules(owner, [{ name: 'All', ...AT_ONCE }]);
    const [covered, other] = [await submit(payload, members), await submit({ to: 'xAnn.Lee@example.org4417 s-1s' })];
    const { hold_id } = await hold(owner, selection);
    expect([await stateOf(covered), await stateOf(other)]).toEqual(['held', 'due']);
    const late = await submit(payload, members);
    expect(await sweep(owner)).toMatchObject({ erased: 1, held: 2 });
    expect([await stateOf(covered), await stateOf(other), await stateOf(late)]).toEqual(['held', 'erased', 'held']);

    const params = { operation_id: covered.operation_id };
    expectError(await owner.client.call('eraseOperation', { params, body: { reason: 'x' } }), 'RECORD_HELD', hold_id);
    await owner.client.ok('releaseHold', { params: { hold_id }, body: { reason: 'Settled' } });
    await owner.client.ok('eraseOperation', { params, body: { reason: 'x' } });
    expectError(await owner.client.call('releaseHold', { params: { hold_id }, body: { reason: 'x' } }), 'CONFLICT');
  });

  it.each([
    ['a line break', 'Ada Lovelace', 'Dear Ada\nLovelace'],
    ['a line break that is an escape', 'Ada Lovelace', 'print("Dear Ada\\nLovelace")'],
    ['a double blank', 'Ada Lovelace', 'Dear Ada  Lovelace'],
    ['an underscore', 'Zoë Müller', '/home/zoë_müller/x'],
    ['no accents', 'Zoë Müller', 'zoe muller'],
    ['nothing between', 'Ada Lovelace', '@AdaLovelace'],
    ['a soft hyphen', 'Ada Lovelace', 'Ada Love\u00adlace'],
    ['zero width between', 'Ada Lovelace', 'Ada\u200bLovelace'],
    ['percent escapes', 'ada@corp.example', 'https://x.example/?to=ada%40corp.example'],
    ['percent escapes in the name', 'ada%40corp.example', 'ada@corp.example'],
    ['capitals of ß', 'straße', 'STRASSE'],
    ['Turkish capitals', 'ipek', 'İPEK'],
    ['HTML escapes', 'Zoë Müller', 'Zo&euml;&nbsp;M&#252;ller'],
    ['HTML tags', 'Ada Lovelace', 'Ada <b class="x">Lovelace</b>'],
    ['letters of another script', 'paypal', 'p\u0430ypal'],
    ['a Korean particle', '김철수', '김철수가 왔다'],
    ['a Chinese sentence', '王小明', '见到王小明先生'],
    ['colours', 'Ada Lovelace', '\u001b[31mAda\u001b[0m Lovelace'],
    ['a path of Windows', 'nora m', 'C:\\Users\\nora%20m'],
    ['signs alone', '★★', 'rated ★★ by all'],
  ])('covers a person whose name is written with %s', async (_, person, text) => {
    const { owner, submit, stateOf } = await ledger();
    await setRules(owner, [{ name: 'All', ...AT_ONCE }]);
    const covered = [await submit({ a: [{ text }] }), await submit({ [text]: 1 })];
    const others = [await submit({ text: 'Adam Lovelaces' }), await submit({ text: '!?' })];
    await hold(owner, { kind: 'person', person });
    expect(await Promise.all(covered.map(stateOf))).toEqual(['held', 'held']);
    expect(await Promise.all(others.map(stateOf))).toEqual(['due', 'due']);
  });

  it.each<[string, object, object]>([
    ['two members', { first: 'Ada', last: 'Lovelace' }, {}],
    ['members that say more', { given: 'Ada King', family: 'Countess of Lovelace' }, {}],
    ['an array and a member', { name: [{ given: ['Ada', 'Augusta'], family: 'Lovelace' }] }, {}],
    ['a text that is JSON', { args: '{"first":"ADA","last":"love\u00adlace"}' }, {}],
    ['the other order', { name: 'Lovelace, Ada' }, {}],
    ['its subject and a member', { last: 'Lovelace' }, { subject: 'customer ada' }],
  ])('covers a person whose name is in %s', async (_, payload, members) => {
    const { owner, submit, stateOf } = await ledger();
    await setRules(owner, [{ name: 'All', ...AT_ONCE }]);
    const covered = await submit(payload, members);
    const others = [
      await submit({ first: 'Adam', last: 'Lovelace' }),
      await submit({ a: { of: { first: 'Ada' } }, b: { of: { last: 'Lovelace' } } }),
      await submit({ text: 'Ada wrote a long letter about engines to the late Mr Lovelace' }),
    ];
    await hold(owner, { kind: 'person', person: 'Ada Lovelace' });
    expect(await stateOf(covered)).toBe('held');
    expect(await Promise.all(others.map(stateOf))).toEqual(['due', 'due', 'due']);
  });

  it('covers salted members too, of which no single one is erased', async () => {
    const { owner, signer } = await ledger();
    const body = signer.nextSalted({ to: PERSON, text: 'Dear' });
    await owner.client.ok('submitOperation', { body });
    const { hold_id } = await hold(owner, { kind: 'person', person: PERSON });
    const params = { operation_id: body.operation_id };
    const asked = { params, body: { reason: 'x', members: ['text'] } };
    expectError(await owner.client.call('eraseOperation', asked), 'RECORD_HELD', hold_id);
  });

  it('covers ranges of numbers and times, and agents, into the future', async () => {
    const { owner, submit, stateOf, signer } = await ledger();
    const first = await submit({ n: 1 });
    const second = await submit({ n: 2 });
    const { hold_id: range } = await hold(owner, { kind: 'range', from_seq_no: 2 });
    expect([await stateOf(first), await stateOf(second), await stateOf(await submit({ n: 3 }))]).toEqual([
      ...['kept', 'held', 'held'],
    ]);
    await owner.client.ok('releaseHold', { params: { hold_id: range }, body: { reason: 'x' } });
    const past = await hold(owner, { kind: 'range', to_time: second.server_received_at });
    expect(await stateOf(second)).toBe('kept');
    await owner.client.ok('releaseHold', { params: { hold_id: past.hold_id }, body: { reason: 'x' } });
    await hold(owner, { kind: 'agent', agent_id: signer.agentId });
    expect(await stateOf(first)).toBe('held');
  });

  it('covers the records of a case that are in this ledger, and refuses a case that has none', async () => {
    const { owner, submit, stateOf } = await ledger();
    const other = await service.signUp();
    await submitNext(other, await registerAgent(other));
    const first = await submit({ n: 1 });
    const { case_id } = await importCase(owner.client, { name: 'a.csbundle', bytes: await bundleOf(owner) });
    const second = await submit({ n: 2 });
    expect(await hold(owner, { kind: 'case', case_id })).toMatchObject({ records: 1 });
    expect([await stateOf(first), await stateOf(second)]).toEqual(['held', 'kept']);
    const foreign = await importCase(owner.client, { name: 'b.csbundle', bytes: await bundleOf(other) });
    const body = { selection: { kind: 'case', case_id: foreign.case_id }, reason: 'x' };
    expectError(await owner.client.call('placeHold', { body }), 'VALIDATION_ERROR', 'selection.case_id');
    expectError(await other.client.call('placeHold', { body }), 'NOT_FOUND');
  });

  it('covers records by their numbers, none that comes later, and says which in the administrative log', async () => {
    const { owner, submit, stateOf } = await ledger();
    await setRules(owner, [{ name: 'All', ...AT_ONCE }]);
    const receipts = [];
    for (let n = 0; n < 5; n++) receipts.push(await submit({ n }));
    const runs = '2-3,5';
    const { hold_id, records, selection_digest } = await hold(owner, { kind: 'records', runs });
    expect(records).toBe(3);
    const late = await submit({ n: 5 });
    const states = await Promise.all([...receipts, late].map(stateOf));
    expect(states).toEqual(['due', 'held', 'held', 'due', 'held', 'due']);
    const [event] = await eventsOf(owner, 'retention.hold');
    const selection = { kind: 'records', runs };
    expect(event?.details).toEqual({ reason: 'Matter 1', kind: 'records', selection, selection_digest, records: 3 });
    const params = { operation_id: receipts[1]?.operation_id ?? '' };
    expectError(await owner.client.call('eraseOperation', { params, body: { reason: 'x' } }), 'RECORD_HELD', hold_id);
    const certificate = await certificateOf(owner, await sweep(owner));
    expect(certificate).toMatchObject({ records: 3, holds: [{ hold_id, kind: 'records' }] });
    // A stranger can tell from the log alone that none of them was held.
    expect(await judgedBy(owner, certificate)).toMatchObject({ verdict: 'verified', open: [] });
  });

  it('counts what it covers before it is placed, and as much as a sweep keeps', async () => {
    const { owner, submit, signer } = await ledger();
    const other = await registerAgent(owner);
    await setRules(owner, [{ name: 'All', ...AT_ONCE }]);
    await submit({ to: PERSON });
    await submit({ n: 1, session: 's-1' }, { subject: PERSON });
    await submitNext(owner, other, { payload: { n: 2 } });
    await submit({ n: 3 });
    const { case_id } = await importCase(owner.client, { name: 'a.csbundle', bytes: await bundleOf(owner) });
    const counted = async (selection: object) => {
      const { records, examined, last } = await owner.client.ok('countHeld', { body: { selection } });
      expect(examined).toBe(last);
      return records;
    };
    const selections: readonly (readonly [object, number])[] = [
      [{ kind: 'person', person: PERSON }, 2],
      [{ kind: 'session', session: 's-1' }, 1],
      [{ kind: 'agent', agent_id: signer.agentId }, 3],
      [{ kind: 'range', from_seq_no: 3 }, 2],
      [{ kind: 'range', to_time: '2000-01-01T00:00:00Z' }, 0],
      [{ kind: 'records', runs: '1,4' }, 2],
      [{ kind: 'case', case_id }, 4],
    ];
    for (const [selection, records] of selections) {
      expect({ selection, records: await counted(selection) }).toEqual({ selection, records });
      const { hold_id } = await hold(owner, selection);
      const { held } = await sweep(owner, { dry_run: true });
      expect({ selection, held }).toEqual({ selection, held: records });
      await owner.client.ok('releaseHold', { params: { hold_id }, body: { reason: 'x' } });
    }
    const rest = await owner.client.ok('countHeld', { body: { selection: selections[0]?.[0], after: 1 } });
    expect(rest).toEqual({ records: 1, examined: 4, last: 4 });
  });

  it('leaves no name of a person in the administrative log', async () => {
    const { owner } = await ledger();
    const { selection_digest } = await hold(owner, { kind: 'person', person: PERSON });
    const [event] = await eventsOf(owner, 'retention.hold');
    expect(event?.details).toEqual({ reason: 'Matter 1', kind: 'person', selection_digest });
  });

  it.each([
    ['selection', { kind: 'everything' }],
    ['to_seq_no', { kind: 'range', from_seq_no: 5, to_seq_no: 4 }],
    ['to_time', { kind: 'range', from_time: '2026-01-02T00:00:00Z', to_time: '2026-01-01T00:00:00Z' }],
    ['person', { kind: 'person', person: ' ' }],
    ['runs', { kind: 'records', runs: '' }],
    ['runs', { kind: 'records', runs: '2,1' }],
    ['runs', { kind: 'records', runs: '1,1' }],
    ['runs', { kind: 'records', runs: '1-10001' }],
    ['runs', { kind: 'records', runs: '01' }],
    ['runs: the ledger ends with record 0', { kind: 'records', runs: '1' }],
  ])('is refused where %s is wrong', async (member, selection) => {
    const { client } = await service.signUp();
    const answer = await client.call('placeHold', { body: { selection, reason: 'x' } });
    expectError(answer, 'VALIDATION_ERROR', member);
  });
});

describe('a sweep', () => {
  it('ends with a certificate for what it erased where its rules are changed or it is stopped', async () => {
    const { owner, submit } = await ledger();
    await setRules(owner, [{ name: 'All', ...AT_ONCE }]);
    for (let n = 0; n < 3; n++) await submit({ n });
    const { sweep: begun } = await owner.client.ok('beginSweep', { body: {} });
    const stopped = await owner.client.call('stopSweep', { params: { sweep_id: begun.sweep_id } });
    const end = await ended(owner, begun);
    if (stopped.status === 202) expect(end).toMatchObject({ status: 'stopped', stopped_because: 'asked' });
    const certificate = await certificateOf(owner, end);
    expect(certificate.records).toBe(end.erased);
    const stops = (await eventsOf(owner, 'retention.stop')).filter(({ target_id: id }) => id === end.sweep_id);
    expect(stops.length).toBe(end.stopped_because === 'asked' ? 1 : 0);
    expect(await judgedBy(owner, certificate)).toMatchObject({ verdict: 'verified', open: [] });
  });

  it('leaves a certificate of which the ledger confirms all but what a hold on a person covered', async () => {
    const { owner, submit } = await ledger();
    await setRules(owner, [{ name: 'All', ...AT_ONCE }]);
    for (let n = 0; n < 4; n++) await submit({ n, of: n === 2 ? 'Ada Lovelace' : 'nobody' });
    const { hold_id: held } = await hold(owner, { kind: 'person', person: 'Ada Lovelace' });
    const certificate = await certificateOf(owner, await sweep(owner));
    expect(certificate.records).toBe(3);
    expect(await judgedBy(owner, certificate)).toMatchObject({ verdict: 'incomplete', open: ['held'] });
    const invented = { ...certificate, holds: certificate.holds.filter(({ hold_id: id }) => id !== held) };
    expect(await judgedBy(owner, invented)).toMatchObject({ verdict: 'failed' });
  });

  it('is one at a time, and its preview has no certificate', async () => {
    const { owner, submit } = await ledger();
    await submit({ n: 1 });
    const [one, two] = await Promise.all([
      owner.client.call('beginSweep', { body: {} }),
      owner.client.call('beginSweep', { body: {} }),
    ]);
    expect([one.status, two.status].toSorted()).toEqual([202, 409]);
    await ended(owner, (one.status === 202 ? one : two).body.sweep);
    const preview = await sweep(owner, { dry_run: true });
    const params = { sweep_id: preview.sweep_id };
    expectError(await owner.client.call('retentionCertificate', { params }), 'CONFLICT', 'preview');
    const stranger = await service.signUp();
    expectError(await stranger.client.call('getSweep', { params }), 'NOT_FOUND');
  });
});
