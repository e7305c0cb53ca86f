// What is read out of payloads that are of no profile: docs/investigating.md.
import { describe, expect, it } from 'vitest';
import {
  factsOf,
  investigationRules,
  prepareRules,
  type RecordFacts,
  readPayload,
} from '../../../src/actions/index.ts';
import type { JsonObject } from '../../../src/protocol/index.ts';
import { airlineActions, membersOf } from '../../support/airline-actions.ts';

const RULES = prepareRules(investigationRules.parse({ version: 1, subjects: [] }));
const WITH_SUBJECTS = prepareRules(investigationRules.parse({ version: 1 }));
const HEAD = { agent_id: 'a1', operation_type: 'demo.run', action: 'run', subject: 'the subject' };

const factsIn = (payload: JsonObject | null): RecordFacts => factsOf(HEAD, readPayload(payload), RULES);

/** Entities as `access kind id`. */
const touched = ({ entity }: RecordFacts): string[] => entity.map(({ kind, id, access }) => `${access} ${kind} ${id}`);

describe('a tool call in one record', () => {
  const call = {
    session: 's1',
    step: 3,
    tool: 'refund_order',
    duration_ms: 1200,
    requested_by: 'ada',
    arguments: { order_id: 'W1', amount: 12.5, currency: 'EUR', notify: 'b@example.org', reason: 'late\n  again' },
    result: '{"status":"refunded","order_id":"W1","account":"DE12"}',
  };

  it('tells session, tool, outcome, person and duration', () => {
    expect(factsIn(call)).toMatchObject({
      session: 's1',
      tool: 'refund_order',
      phase: 'record',
      call: null,
      outcome: 'ok',
      error: null,
      person: 'ada',
      duration: 1200,
    });
  });

  it('is one line', () => {
    expect(factsIn(call).summary).toBe(
      'refund_order(order_id: W1, amount: 12.5, currency: EUR, notify: b@example.org, reason: late again) → status: refunded, account: DE12',
    );
  });

  it('says of a text with nothing in it that it is empty', () => {
    const given = { tool: 'Bash', arguments: { command: 'rm x', note: ' \n' }, result: { stdout: '', stderr: '' } };
    expect(factsIn(given).summary).toBe('Bash(command: rm x, note: "") → stdout: "", stderr: ""');
  });

  it('keeps what is not seen, to be shown by its number', () => {
    expect(factsIn({ tool: 'pay', arguments: { to: '\ufeffada\u00a0 l' } }).summary).toBe('pay(\ufeffada l)');
  });

  it('does to what it is given what the name of the tool says, and mentions what came back', () => {
    expect(touched(factsIn(call))).toEqual(['write order W1', 'write email b@example.org', 'mentioned account DE12']);
    expect(factsIn(call).entity[0]).toMatchObject({ amount: { value: '12.5', currency: 'EUR' } });
    expect(touched(factsIn({ ...call, tool: 'getOrderDetails' }))[0]).toBe('read order W1');
    expect(touched(factsIn({ ...call, tool: 'mcp__mail__cancel-order' }))[0]).toBe('delete order W1');
    expect(touched(factsIn({ ...call, tool: 'order66' }))[0]).toBe('write order W1');
    expect(touched(factsIn({ ...call, tool: 'xyz' }))[0]).toBe('mentioned order W1');
  });

  it('has the action as its tool where the payload names none', () => {
    expect(factsIn({ arguments: { a: 1 } })).toMatchObject({ tool: 'run', outcome: null, summary: 'run(1)' });
    expect(factsIn({ n: 1 })).toMatchObject({ tool: null, summary: 'run(1)' });
  });

  it('says in its line what a payload without arguments did and how it ended, and not what its row says elsewhere', () => {
    const request = { duration_ms: 265, http_status: 201, method: 'POST', url: 'https://lis.example/api/results' };
    expect(factsIn(request).summary).toBe('http(method: POST, url: https://lis.example/api/results) → 201');
    expect(factsIn({ ...request, http_status: 503 }).summary).toBe(
      'http(method: POST, url: https://lis.example/api/results) → 503',
    );
    expect(factsIn({ tool: 'pay', amount: '5.00', success: true }).summary).toBe('pay(5.00) → success: true');
    // A long value is cut only where it finds no room.
    const url = `https://lis.example/api/results/${'7'.repeat(40)}`;
    expect(factsIn({ method: 'PUT', url }).summary).toBe(`http(method: PUT, url: ${url})`);
    expect(factsIn({ method: 'PUT', url: url.repeat(2) }).summary.length).toBeLessThan(url.length + 10);
    // Where there is a result, the line ends with that.
    expect(factsIn({ ...request, response: { id: 7 } }).summary).toBe(
      'http(method: POST, url: https://lis.example/api/results) → id: 7',
    );
  });
});

describe("the record's own subject", () => {
  const named = (subject: string, payload: JsonObject = { tool: 'send_letter', session: 's1' }): string[] =>
    touched(factsOf({ ...HEAD, subject }, readPayload(payload), WITH_SUBJECTS));

  it('is an entity, an address or of the kind subject', () => {
    expect(named('Ada Lovelace')).toEqual(['send subject Ada Lovelace']);
    expect(named('ada@corp.example')).toEqual(['send email ada@corp.example']);
    expect(named('Ada Lovelace <ada@corp.example>')).toEqual(['send email ada@corp.example']);
    // A sentence goes nowhere because it has an address in it.
    for (const subject of ['Write to ada@corp.example by Monday', 'כתוב אל ada@corp.example היום']) {
      expect(named(subject)).toEqual([`send subject ${subject}`]);
    }
  });

  it('is left out where it is the session, the tool, another entity or nothing', () => {
    for (const subject of ['s1', 'send_letter', ' ']) expect(named(subject)).toEqual([]);
    expect(named('W1', { tool: 'get', order_id: 'W1' })).toEqual(['read order W1']);
  });

  it('has its place behind as many others as there may be', () => {
    const paths = Array.from({ length: 100 }, (_, n) => `/${n}`);
    const all = named('Ada', { paths });
    expect(all).toHaveLength(64);
    expect(all.at(-1)).toBe('mentioned subject Ada');
  });
});

describe('the outcome', () => {
  it.each<[string, JsonObject, string | null, string | null]>([
    ['a result that begins with Error', { result: 'Error: no seats\nleft' }, 'failed', 'Error: no seats left'],
    ['a result that says error', { output: 'error: x' }, 'failed', 'error: x'],
    ['a result that only speaks of errors', { result: 'Errors: 0' }, 'ok', null],
    ['an error', { error: { message: 'gone' }, result: null }, 'failed', 'gone'],
    ['an empty error', { error: null, result: [] }, 'ok', null],
    ['a result with an error in its JSON', { result: '{"error":"not found"}' }, 'failed', 'not found'],
    ['an exit code', { exit_code: 2, output: 'no such file' }, 'failed', 'no such file'],
    ['an exit code alone', { command: 'make', exit_code: 2 }, 'failed', 'exit code 2'],
    ['the exit code 0', { exit_code: 0, output: 'error: none' }, 'ok', null],
    ['a status', { status: 'denied', reason: 'not allowed' }, 'refused', 'not allowed'],
    ['a flag of MCP', { result: { isError: true, content: [] } }, 'failed', null],
    ['a status of the thing itself', { result: { status: 'cancelled' } }, 'ok', null],
    ['nothing', { note: 'x' }, null, null],
  ])('is read from %s', (_, payload, outcome, error) => {
    expect(factsIn(payload)).toMatchObject({ outcome, error });
  });

  it('has an error of at most 300 characters', () => {
    expect(factsIn({ result: `Error: ${'x'.repeat(5000)}` }).error).toHaveLength(300);
  });
});

describe('an exit code', () => {
  it.each<[string, JsonObject, number | null]>([
    ['next to the call', { command: 'make', exit_code: 2 }, 2],
    ['as a text', { tool: 'Bash', args: { command: 'make' }, returncode: '1' }, 1],
    ['in what the call put out', { tool: 'Bash', args: { command: 'make' }, tool_output: '{"exit_code": 7}' }, 7],
    ['of the call within', { data: { tool: 'Bash', args: {}, result: { exit_code: 4 } } }, 4],
  ])('is read %s', (_, payload, code) => {
    expect(factsIn(payload).exitCode).toBe(code);
  });

  it.each<[string, JsonObject]>([
    ['what the call was given', { tool: 'report', args: { exit_code: 3 }, result: 'ok' }],
    ['deep in what came back', { tool: 'jobs', args: {}, result: { jobs: [{ exit_code: 3 }] } }],
    ['a word', { tool: 'Bash', args: {}, exit_code: 'none' }],
    ['part of a number', { tool: 'Bash', args: {}, exit_code: 1.5 }],
  ])('is not %s', (_, payload) => {
    expect(factsIn(payload).exitCode).toBeNull();
  });
});

describe('hosts', () => {
  it('are those of the URLs and hosts that a call is given, not of what came back', () => {
    const facts = factsIn({
      arguments: {
        url: 'https://user@API.example.org:8443/x?y',
        note: 'see http://a.test/, ws://[::1]:80/.',
        host: 'db-1',
      },
      result: 'https://elsewhere.test/',
    });
    expect(facts.host.toSorted()).toEqual(['[::1]', 'a.test', 'api.example.org', 'db-1']);
    expect(touched(facts)).toEqual(['mentioned host api.example.org', 'mentioned host db-1']);
  });

  it('are none of the addresses under a member for one that came back', () => {
    const found = { results: [{ url: 'https://found.test/a' }, { url: 'https://found.test/b', host: 'db-9' }] };
    const facts = factsIn({ tool: 'web.search', arguments: { query: 'prices' }, result: found });
    expect(facts.host).toEqual([]);
    expect(touched(facts)).toEqual(['mentioned host found.test', 'mentioned host db-9']);
  });

  it('are those that were given though they come back too', () => {
    const facts = factsIn({ output: { host: 'db-1' }, tool: 'connect', arguments: { host: 'db-1' } });
    expect(facts.host).toEqual(['db-1']);
    expect(facts.entity).toMatchObject([{ id: 'db-1', at: '/arguments/host' }]);
  });

  it('are none where an address has no form of one', () => {
    expect(factsIn({ arguments: { url: 'about:blank', host: 'a b', uri: 'https://..', domain: '' } }).host).toEqual([]);
  });
});

describe('a payload that says nothing', () => {
  it('leaves what the record says', () => {
    expect(factsIn(null)).toMatchObject({ tool: null, outcome: null, summary: 'run the subject (payload not shown)' });
  });

  it.each<[string, JsonObject]>([
    ['values of other kinds', { session: { id: [] }, tool: [1], arguments: 'x', result: { a: null }, duration_ms: -1 }],
    ['names from the prototype', JSON.parse('{"__proto__":{"session":"s"},"constructor":1,"tool":{"name":{}}}')],
    [
      'texts without end',
      { tool: 't'.repeat(9000), arguments: { user_id: 'u'.repeat(9000) }, result: 'r '.repeat(9000) },
    ],
  ])('is read without harm: %s', (_, payload) => {
    const facts = factsIn(payload);
    expect(facts.session).toBeNull();
    expect(facts.tool === null || facts.tool === 'run').toBe(true);
    expect(facts.summary.length).toBeLessThanOrEqual(200);
    expect(facts.entity).toEqual([]);
  });

  it('is bounded in what it touches', () => {
    const many = Array.from({ length: 200 }, (_, i) => ({ user_id: `u${i}`, at: `https://h${i}.test/` }));
    const facts = factsIn({ arguments: { many } });
    expect([facts.entity.length, facts.host.length]).toEqual([64, 32]);
  });
});

describe('the 1,164 actions of airline agents', () => {
  const all = airlineActions().map((action) => {
    const { payload, ...head } = membersOf(action, 0);
    return { action, facts: factsOf({ ...head, agent_id: action.agent }, readPayload(payload), RULES) };
  });

  it('have 73 failures, and all others succeeded', () => {
    const failed = all.filter(({ facts }) => facts.outcome === 'failed');
    expect(failed).toHaveLength(73);
    expect(failed.every(({ action, facts }) => action.result.startsWith('Error') && facts.error !== null)).toBe(true);
    expect(all.filter(({ facts }) => facts.outcome === 'ok')).toHaveLength(1164 - 73);
  });

  it('have 437 that mention credit_card in a name or value', () => {
    const mentions = airlineActions().filter((action) => {
      const { leaves } = readPayload(membersOf(action, 0).payload);
      return leaves.some(
        ({ path, value }) => path.join(' ').includes('credit_card') || String(value).includes('credit_card'),
      );
    });
    expect(mentions).toHaveLength(437);
  });

  it('are of 182 sessions, with the tool that was called', () => {
    expect(new Set(all.map(({ facts }) => facts.session)).size).toBe(182);
    expect(all.every(({ action, facts }) => facts.tool === action.tool && facts.session === action.session)).toBe(true);
  });

  it('tell which reservation of a customer was cancelled, and by which agent', () => {
    const cancelled = all.filter(
      ({ facts }) =>
        facts.entity.some(({ kind, access }) => kind === 'reservation' && access === 'delete') &&
        facts.entity.some(({ kind, id }) => kind === 'user' && id === 'mia_li_3668'),
    );
    expect(cancelled.map(({ action, facts }) => `${action.agent} ${action.session} ${facts.entity[0]?.id}`)).toEqual([
      'airline-agent-3 airline-000-3 HATHAU',
    ]);
    expect(cancelled[0]?.facts.summary).toMatch(
      /^cancel_reservation\(HATHAU\) → status: cancelled, user_id: mia_li_3668/,
    );
  });

  it('touch reservations, users, flights and ways to pay', () => {
    const kinds = new Map<string, Set<string>>();
    for (const { facts } of all) {
      for (const { kind, id } of facts.entity) kinds.set(kind, (kinds.get(kind) ?? new Set()).add(id));
    }
    const given = (name: string) =>
      new Set(airlineActions().flatMap(({ arguments: { [name]: id } }) => (id ? [String(id)] : [])));
    expect([...given('reservation_id')].every((id) => kinds.get('reservation')?.has(id))).toBe(true);
    expect([...given('user_id')].every((id) => kinds.get('user')?.has(id))).toBe(true);
    expect([...kinds.keys()].toSorted()).toEqual(['email', 'flight', 'payment_method', 'reservation', 'user']);
    expect(
      [...(kinds.get('payment_method') ?? [])].every((id) => /^(credit_card|gift_card|certificate)_/.test(id)),
    ).toBe(true);
  });

  it('are each one line of at most 200 characters', () => {
    for (const { facts, action } of all) {
      expect(facts.summary.length).toBeLessThanOrEqual(200);
      expect(facts.summary).not.toMatch(/[\n\r\t]/);
      expect(facts.summary.startsWith(`${action.tool}(`)).toBe(true);
    }
  });
});
