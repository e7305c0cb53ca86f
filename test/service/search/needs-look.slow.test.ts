// What needs a look, over the live ledger: docs/interface.md (Investigation). That a case answers alike, cases/same-answers.test.ts shows.
import { describe, expect, it } from 'vitest';
import type { AnswerOf, LookKind } from '../../../src/api/index.ts';
import type { JsonObject } from '../../../src/protocol/index.ts';
import { action, actionId, asked, completed, decided, type Members, started } from '../../support/agent-actions.ts';
import { agentName, makeBundle, START } from '../../support/bundle-maker.ts';
import { importCase } from '../../support/cases.ts';
import { expectError } from '../../support/client.ts';
import { bundleOf, registerAgent, TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await TestService.start({ epochMaxLeaves: 1000 });
const owner = await service.signUp();
const { client } = owner;
const payer = await registerAgent(owner, 'payer');
const ada = await registerAgent(owner, 'ada');

async function add(payload: Members, signer = payer): Promise<string> {
  const body = signer.next({ payload: payload as JsonObject });
  await client.ok('submitOperation', { body });
  return body.operation_id;
}

async function needsLook(body: object = {}) {
  await until('all records to be judged', async () => {
    const { coverage } = await client.ok('needsLook', { body: {} });
    return coverage.pending === 0 && coverage.complete;
  });
  return client.ok('needsLook', { body });
}

async function itemsOf(kind: LookKind): Promise<AnswerOf<'needsLook'>['data']> {
  return (await needsLook({ kinds: [kind] })).data;
}

const failed = (label: string, given: Members = {}) =>
  action('failed', {
    action_id: actionId(label),
    outcome: { status: 'error', error: { message: 'no route' } },
    ...given,
  });

describe('what needs a look', () => {
  it('is a call that was carried out though it was denied, with the records that show it', async () => {
    await add(asked('pay', { amount: 5 }));
    const denied = await add(decided('pay', { amount: 5 }, { outcome: 'denied' }), ada);
    const begun = await add(started('pay', { amount: 5 }));
    await add(completed('pay'));
    const [item] = await itemsOf('decision');
    expect(item).toMatchObject({ code: 'EXECUTED_THOUGH_DENIED', agent_id: 'payer', seen: null });
    expect(item?.sentence).toMatch(/^payer: /);
    expect(item?.evidence.map(({ operation_id: id }) => id)).toEqual([begun, denied]);
  });

  it('is asked for by when it was', async () => {
    const { total, data } = await needsLook();
    const times = data.map(({ at }) => at).sort();
    const [first = '', last = ''] = [times[0], times.at(-1)];
    const after = new Date(Date.parse(last) + 1).toISOString();
    expect(await needsLook({ startTime: first, endTime: after })).toMatchObject({ total });
    expect(await needsLook({ endTime: first })).toMatchObject({ total: 0, unseen: 0, kinds: [], data: [] });
    expect(await needsLook({ startTime: after })).toMatchObject({ total: 0, data: [] });
  });

  it('is a call that failed, and not one that was tried again', async () => {
    const tool = { name: 'fetch' };
    await add(started('one', { n: 1 }, { tool }));
    await add(failed('one'));
    await add(started('two', { n: 1 }, { tool }));
    const last = await add(failed('two'));
    const items = await itemsOf('failed');
    expect(items.map(({ evidence }) => evidence[0]?.operation_id)).toEqual([last]);
    expect(items[0]?.sentence).toBe(
      'payer: the call failed: no route. No later record calls the tool again outside a session.',
    );
    await add(started('three', { n: 1 }, { tool }));
    await add(completed('three'));
    expect(await itemsOf('failed')).toEqual([]);
  });

  it('is a submission that was refused, once for each day, agent and reason', async () => {
    const body = payer.next({ payload: {} });
    await client.ok('submitOperation', { body });
    const replayed = await client.call('submitOperation', { body: { ...body, action: 'other' } });
    expectError(replayed, 'INVALID_SIGNATURE');
    await client.ok('listRefusals');
    const [item] = await itemsOf('refused');
    expect(item).toMatchObject({ code: 'INVALID_SIGNATURE', agent_id: 'payer', evidence: [] });
  });
});

/** A case with a record a day of each of two agents; the second pauses, then ends before the first. */
async function silentCase(): Promise<{ readonly case_id: string }> {
  const days = Array.from({ length: 40 }, (_, n) => n);
  const issued = [
    ...days.map((day) => [0, day] as const),
    ...days.filter((day) => day < 9 || (day > 13 && day < 30)).map((day) => [1, day] as const),
  ].sort(([agent, day], [other, otherDay]) => day - otherDay || agent - other);
  const { text } = makeBundle({
    agents: 2,
    epochs: [issued.length],
    record: (draft, n) => {
      const [agent = 0, day = 0] = issued[n] ?? [];
      return { ...draft, agent_id: agentName(agent), issued_at: new Date(START + day * 86_400_000).toISOString() };
    },
  });
  return importCase(client, { name: 'silent', bytes: Buffer.from(text) }, {});
}

describe('an agent that is silent by its own rhythm', () => {
  it('needs a look, with the records around the silence, and where it is silent to the end', async () => {
    const params = await silentCase();
    const { data } = await client.ok('caseNeedsLook', { params, body: { kinds: ['silent'] } });
    expect(data.map(({ agent_id, evidence }) => [agent_id, evidence.length])).toEqual([
      ['agent-2', 1],
      ['agent-2', 2],
    ]);
    expect(data.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/^agent-2: no records since this record\. /),
      expect.stringMatching(
        /^agent-2: no records for 143 hours\. By its usual rhythm, it would have been active in about \d+ hours? of this time; 95 % of its pauses cover (?:less than one hour|at most \d+ hours?) of usual activity\.$/,
      ),
    ]);
  });
});

describe('what was looked at', () => {
  it('comes last, with who looked and when, and stays so after all records are judged again', async () => {
    const before = await needsLook();
    const [worst] = before.data;
    const id = worst?.item_id ?? expect.fail();
    expect(await client.ok('markLooked', { body: { item_ids: [id], seen: true } })).toEqual({ changed: 1 });
    await client.ok('setInvestigationRules', { body: { rules: { version: 1, people: ['/by'] } } });
    const after = await needsLook();
    expect(after.total).toBe(before.total);
    expect(after.unseen).toBe(before.unseen - 1);
    expect(after.data.at(-1)).toMatchObject({ item_id: id, seen: { by: owner.email } });
    expect((await needsLook({ seen: true })).data.map(({ item_id }) => item_id)).toEqual([id]);
  });

  it('is in the log of what people write, also where somebody takes it back', async () => {
    const [item] = (await needsLook({ seen: true })).data;
    const body = { item_ids: [item?.item_id ?? ''], seen: false };
    expect(await client.ok('markLooked', { body })).toEqual({ changed: 1 });
    expect(await client.ok('markLooked', { body })).toEqual({ changed: 0 });
    const { data, damage } = await client.ok('annotationLog');
    expect(damage).toEqual([]);
    expect(data.map(({ entry }) => [entry?.action, entry?.details['seen'], entry?.details['item_id']])).toEqual([
      ['look.mark', false, item?.item_id],
      ['look.mark', true, item?.item_id],
    ]);
    expect((await needsLook({ seen: true })).data).toEqual([]);
  });

  it('needs a look again once more was refused on that day', async () => {
    const [refused] = await itemsOf('refused');
    await client.ok('markLooked', { body: { item_ids: [refused?.item_id ?? ''], seen: true } });
    expect((await itemsOf('refused'))[0]?.seen).not.toBeNull();
    const body = payer.next({ payload: {} });
    await client.ok('submitOperation', { body });
    expectError(await client.call('submitOperation', { body: { ...body, action: 'other' } }), 'INVALID_SIGNATURE');
    await client.ok('listRefusals');
    const [again] = await itemsOf('refused');
    expect(again).toMatchObject({ item_id: refused?.item_id, seen: null });
    expect(again?.sentence).toMatch(/^2 submissions/);
  });

  it('cannot be what is not there', async () => {
    expectError(await client.call('markLooked', { body: { item_ids: ['SILENT:999999'], seen: true } }), 'NOT_FOUND');
  });

  it('moves with a case, and is in its custody log', async () => {
    const bytes = Buffer.from(await bundleOf(owner));
    const { case_id } = await importCase(client, { name: 'looked', bytes }, { trusted_kids: [service.kid] });
    const params = { case_id };
    const [item] = (await client.ok('caseNeedsLook', { params, body: { kinds: ['decision'] } })).data;
    const item_ids = [item?.item_id ?? expect.fail()];
    await client.ok('caseMarkLooked', { params, body: { item_ids, seen: true } });
    const { data } = await client.ok('custody', { params, query: { limit: '1' } });
    expect(data[0]?.entry).toMatchObject({ action: 'look.mark', details: { item_id: item_ids[0], seen: true } });
    const seen = (await client.ok('caseNeedsLook', { params, body: { seen: true } })).data;
    expect(seen.map(({ item_id }) => item_id)).toEqual(item_ids);
  });
});

describe('a page of what needs a look', () => {
  it('is followed by the rest, each item once', async () => {
    const all = (await needsLook({ limit: 200 })).data.map(({ item_id }) => item_id);
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await needsLook({ limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      paged.push(...page.data.map(({ item_id }) => item_id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(paged).toEqual(all);
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('what needs a look of one kind', () => {
  it('has what contradicts a decision before what lacks one, however old', async () => {
    await client.ok('setInvestigationRules', { body: { rules: { version: 1, approvals: [{ tool: 'buy' }] } } });
    await add(started('buy', { n: 1 }, { tool: { name: 'buy' } }));
    await add(completed('buy'));
    const codes = (await itemsOf('decision')).map(({ code }) => code);
    expect([...new Set(codes)]).toEqual(['EXECUTED_THOUGH_DENIED', 'APPROVAL_RULE_BROKEN']);
  });
});
