import { describe, expect, it } from 'vitest';
import { type JsonBounds, JsonCounter, recordBounds } from '../../src/service/http/json-bounds.ts';
import { expectError } from '../support/client.ts';
import { hashedHere } from '../support/hashed-here.ts';
import { parsedHere } from '../support/parsed-here.ts';
import { registerAgent, TestService } from '../support/service.ts';

/** One result of a batch. */
interface Result {
  readonly status: number;
  readonly error?: { readonly code: string; readonly message: string };
}

/** An object of so many members, as JSON. */
function wide(count: number): string {
  return `{${Array.from({ length: count }, (_, number) => `"${number.toString(36)}":0`).join(',')}}`;
}

describe('bodies that are large by what they hold', async () => {
  const service = await TestService.start();
  const owner = await service.signUp();
  const json = { 'content-type': 'application/json' };
  const post = (path: string, body: string) => owner.client.send({ method: 'POST', path, body, headers: json });

  it('are refused past 16 KiB where nobody has signed in', async () => {
    const body = JSON.stringify({ email: 'a@example.org', password: 'a'.repeat(200), extra: ' '.repeat(16_384) });
    const paths = ['/api/auth/sign-in/email', '/api/auth/sign-up/email', '/api/auth/sign-in/social'];
    for (const path of [...paths, '/v1/invitations/accept']) {
      const answer = await service.client().send({ method: 'POST', path, body, headers: json });
      expectError(answer, 'PAYLOAD_TOO_LARGE', '16384 bytes');
    }
  });

  it('are refused by the number of members and values, whatever their bytes', async () => {
    expectError(await post('/v1/exports', wide(50_000)), 'PAYLOAD_TOO_LARGE', '2000 members');
    const list = `{"a":[${'0,'.repeat(300_000)}0]}`;
    expectError(await post('/v1/agents/register', list), 'PAYLOAD_TOO_LARGE', '10000 elements');
    expectError(await post('/v1/operations', `{"payload":${wide(90_000)}}`), 'PAYLOAD_TOO_LARGE', 'members');
    const batch = `{"records":[${`{"payload":[${'[],'.repeat(100_000)}0]},`.repeat(6)}{}]}`;
    expectError(await post('/v1/operations/batch', batch), 'PAYLOAD_TOO_LARGE', '500000 values');
  });

  it('are taken where a payload within 256 KiB is as full as it can be', async () => {
    const signer = await registerAgent(owner);
    const elements = signer.next({ payload: { a: Array<number>(131_000).fill(0) } });
    await owner.client.ok('submitOperation', { body: elements });
    const members = Object.fromEntries(Array.from({ length: 25_000 }, (_, number) => [number.toString(36), 0]));
    await owner.client.ok('submitBatch', { body: { records: [signer.next({ payload: members })] } });
  });

  it('are parsed beside the thread that answers where they are batches of megabytes, sound or not', async () => {
    const signer = await registerAgent(owner);
    const text = 'x'.repeat(12_000);
    const records = Array.from({ length: 600 }, (_, n) => signer.next({ payload: { n, text } }));
    // Some that are wrong, each by itself: told as in a small batch.
    const last = records.at(-1) ?? expect.fail();
    const wrong = [{ ...last, ttl_ms: 'one' }, { ...last, payload: { n: 1 } }, { ...last, org_id: 'other' }, 7];
    const small = await owner.client.ok('submitBatch', { body: { records: wrong } });
    const body = JSON.stringify({ records: [...records, ...wrong] });
    let answer = await owner.client.send({ path: '/v1/health' });
    const { longest } = await parsedHere(async () => {
      answer = await post('/v1/operations/batch', body);
    });
    const { results } = answer.body as { results: Result[] };
    expect(results.slice(0, 600).every(({ status }) => status === 201)).toBe(true);
    const wordsOf = (some: readonly Result[]) => some.map(({ error }) => [error?.code, error?.message]);
    expect(wordsOf(results.slice(600))).toEqual(wordsOf(small.results as readonly Result[]));
    expect(body.length).toBeGreaterThan(7_000_000);
    expect(longest).toBeLessThan(1_000_000);
    expectError(
      await post('/v1/operations/batch', `{"records":[],"a":"${text.repeat(30)}"}`),
      'VALIDATION_ERROR',
      'records',
    );
    expectError(await post('/v1/operations', `{"payload":"${text.repeat(30)}`), 'VALIDATION_ERROR', 'not JSON');
  });

  it('are hashed once, beside the thread that answers, record and payload', async () => {
    const signer = await registerAgent(owner);
    const text = 'y'.repeat(12_000);
    const records = Array.from({ length: 40 }, (_, n) => signer.next({ payload: { n, text } }));
    const hashedOf = (some: readonly unknown[]) =>
      hashedHere(async () => {
        const { results } = await owner.client.ok('submitBatch', { body: { records: some } });
        expect(results.map(({ status }) => status)).toEqual(some.map(() => 201));
      });
    // A payload, or the signed bytes of a record, which alone have its nonce. The receipts of both are hashed here.
    const isOfARecord = (input: string): boolean => input.includes(text) || input.includes('"nonce":');
    const large = await hashedOf(records);
    expect(large.filter(isOfARecord)).toEqual([]);
    expect(large.length).toBeGreaterThan(0);
    // A single one is checked here, and noticed.
    const small = await hashedOf([signer.next({ payload: { text } })]);
    expect(small.filter(isOfARecord)).not.toEqual([]);
  });

  it('are counted outside strings only, in whatever pieces they arrive, and left to the parser where they are not JSON', () => {
    const bounds = { members: 3, elements: 3, values: 100 };
    for (const pieces of [1, 2, 7, 1000]) {
      const count = (text: string, limits: JsonBounds = bounds) => {
        const bytes = Buffer.from(text);
        const counter = new JsonCounter(limits);
        for (let at = 0; at < bytes.length; at += pieces) counter.take(bytes.subarray(at, at + pieces));
      };
      for (const taken of [
        '{"a,b,c,d,e":"[[,,,,\\",,,,"}',
        '["\\\\",1,"\\\\\\",[[,,,,"]',
        '[1,2,3]',
        '[[1,2,3],[1,2,3],3]',
        '{"a":1,"b":2,"c":[1]}',
        '[',
        ']]]],',
        '"',
      ]) {
        expect(() => count(taken), taken).not.toThrow();
      }
      for (const refused of [
        '[1,2,3,4]',
        '[[1,2,3],[1,2,3],3,4]',
        '{"a":1,"b":2,"c":3,"d":4}',
        '[{"a":[1,2,[3],4]}]',
        '["\\\\",2,3,"\\\\\\""]'.replace('2,3', '2,3,4'),
      ]) {
        expect(() => count(refused), refused).toThrow('more than 3');
      }
      expect(() => count('['.repeat(200))).toThrow('more than 100 values');
    }
    expect(recordBounds(262_144, false).elements).toBeGreaterThan(131_072);
    // A record of a bundle has its receipt beside the body that was submitted, and up to 256 hashes.
    expect(recordBounds(8_388_608, false).values + 256 + 20).toBeLessThan(524_288);
  });
});
