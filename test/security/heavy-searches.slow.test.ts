import { describe, expect, it } from 'vitest';
import { type Answer, errorOf } from '../support/client.ts';
import { SeededRandom } from '../support/random.ts';
import { type Account, registerAgent, TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

/* One program that searches as expensively as the language allows, and often, holds up nobody else (docs/security.md). */

const RECORDS = 400;

let asked = 0;

/**
 * A query that was never asked before. To read all records for one of its parts takes a second and more: one question gets one and
 * a half for all of them.
 */
function newQuery(): string {
  asked++;
  return Array.from({ length: 20 }, (_, n) => `insession(/.*a.{${200 + n}}[0-9]{1,${asked}}/)`).join(' or ');
}

/** For an automaton each place in it may be the one that counts. */
const LETTERS = Array.from({ length: 16_000 }, (_, n) => 'ab'[((n * n) % 7) % 2]).join('');

/** An organization with records whose payloads are long texts of two letters. */
async function withRecords(account: Account): Promise<Account> {
  const signer = await registerAgent(account);
  for (let from = 0; from < RECORDS; from += 100) {
    const records = Array.from({ length: 100 }, (_, n) => signer.next({ payload: { n: from + n, text: LETTERS } }));
    await account.client.ok('submitBatch', { body: { records } });
  }
  return account;
}

/** @param limitMs after which the client is gone */
function heavy({ client }: Account, gone?: AbortSignal): Promise<Answer<unknown>> {
  const headers = { 'content-type': 'application/json' };
  return client.send({
    method: 'POST',
    path: '/v1/audit/query',
    headers,
    limitMs: 300_000,
    ...(gone && { gone }),
    body: JSON.stringify({ query: newQuery() }),
  });
}

const light = ({ client }: Account) => client.ok('auditQuery', { body: { query: 'n = 1', limit: 1 } });

/** Asks many times at once, and collects the answers as they come. */
function many(account: Account, count: number) {
  const answers: Answer<unknown>[] = [];
  const all = Array.from({ length: count }, () => heavy(account).then((answer) => void answers.push(answer)));
  return { answers, all: Promise.all(all) };
}

describe('searches that are expensive', async () => {
  const service = await TestService.start();
  const home = await withRecords(await service.signUp());
  const guest = await withRecords(await service.signUpGuest());
  const other = await withRecords(await service.signUpGuest('other'));
  // The indexes are made: from here on a question is answered by reading.
  for (const account of [home, guest, other]) await light(account);
  const readers = async (): Promise<string> => (await service.client().call('deepHealth')).body.checks.readers.detail;

  it('of a guest keep neither the home organization nor another guest waiting for all of them', async () => {
    const theirs = many(guest, 5);
    await light(home);
    const atHome = theirs.answers.length;
    await light(other);
    const atTheOther = theirs.answers.length;
    await theirs.all;
    expect([atHome, atTheOther].map((answered) => answered < 5)).toEqual([true, true]);
    expect(theirs.answers.map(({ status }) => status)).toEqual(new Array(5).fill(200));
  });

  it('get the time for reading that one question has, however many questions are within', async () => {
    const { body } = await heavy(guest);
    expect(body).toMatchObject({ coverage: { complete: false } });
  });

  it('are stopped in the middle of one record that takes longer than all the time there is', async () => {
    const slow = Array.from({ length: 16 }, (_, n) => `/.*a.{${500 + n}}[0-9]/`).join(' or ');
    const signer = await registerAgent(other);
    await other.client.ok('submitOperation', { body: signer.next({ payload: { text: LETTERS.repeat(4) } }) });
    const { coverage } = await other.client.ok('auditQuery', { body: { query: slow } });
    expect(coverage).toMatchObject({ complete: false });
    const found = await other.client.ok('auditQuery', { body: { query: 'text: aba*', limit: 1 } });
    expect(found.coverage).toMatchObject({ pending: 0 });
  });

  it('find older records behind one that takes longer, once they are asked again', async () => {
    const account = await service.signUpGuest();
    const signer = await registerAgent(account);
    const submit = (text: string) => account.client.ok('submitOperation', { body: signer.next({ payload: { text } }) });
    const { operation_id } = await submit(`a${'b'.repeat(500)}1`);
    // Letters in no order: after each of them another set of states may be the one that counts.
    const random = new SeededRandom(1);
    await submit(Array.from({ length: 240_000 }, () => 'ab'[random.below(2)]).join(''));
    const query = Array.from({ length: 16 }, (_, n) => `/.*a.{${500 + n}}[0-9]/`).join(' or ');
    const ask = () => account.client.ok('auditQuery', { body: { query } });
    expect(await ask()).toMatchObject({ data: [], coverage: { complete: false } });
    const { data, coverage } = await ask();
    expect(data.map((found) => found.operation_id)).toEqual([operation_id]);
    expect(coverage?.complete).toBe(false);
  });

  it('end once their clients are gone, and none that waits is begun', async () => {
    const leave = new AbortController();
    const gone = Array.from({ length: 40 }, () => heavy(guest, leave.signal).catch(() => null));
    await until('they wait', async () => /of guests [1-9]\d* waiting, .*being answered/.test(await readers()));
    leave.abort();
    await Promise.all(gone);
    await until('nothing waits', async () => (await readers()).startsWith('ledger: 0 waiting;'));
    await light(guest);
  });

  it('are refused to an organization of which too many wait, and to no other', async () => {
    const theirs = Array.from({ length: 100 }, () => heavy(guest, AbortSignal.timeout(3000)).catch(() => null));
    await light(home);
    await light(other);
    const refused = (await Promise.all(theirs)).filter((answer) => answer?.status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(new Set(refused.map((answer) => answer && errorOf(answer).code))).toEqual(new Set(['RATE_LIMITED']));
  });
});

it('a stop waits for no answer to them', async () => {
  const service = await TestService.start();
  const home = await withRecords(await service.signUp());
  await light(home);
  const theirs = many(home, 40);
  await until('they wait', async () => {
    const { body } = await service.client().call('deepHealth');
    return body.checks.readers.detail.includes('being answered');
  });
  await service.stop();
  await theirs.all;
  const statuses = theirs.answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 503).length).toBeGreaterThan(0);
  expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
});
