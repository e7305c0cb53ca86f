// What is unusual about a record, by what came before it: docs/investigating.md.
import { describe, expect, it } from 'vitest';
import {
  explainMark,
  factsOf,
  investigationRules,
  type Mark,
  marksOfFacts,
  prepareRules,
  readPayload,
} from '../../../src/actions/index.ts';
import { Judge, type JudgedFinding } from '../../../src/actions/judging/index.ts';
import type { JsonObject } from '../../../src/protocol/index.ts';
import {
  action,
  actionId,
  asked,
  completed,
  decided,
  input,
  operationId,
  START,
  started,
} from '../../support/agent-actions.ts';
import { airlineActions, membersOf } from '../../support/airline-actions.ts';

const HOUR = 3_600_000;

/** Records one after the other, and what was unusual about each. */
class Ledger {
  readonly #rules;
  readonly #judge: Judge;
  #seqNo = 0;

  constructor(rules: object = {}) {
    this.#rules = prepareRules(investigationRules.parse({ version: 1, ...rules }));
    this.#judge = new Judge({ allAgents: true, rules: this.#rules });
  }

  add(
    payload: JsonObject,
    { agent = 'a1', issuedAt = START } = {},
  ): { codes: Mark[]; why: string[]; found: readonly JudgedFinding[] } {
    const head = { agent_id: agent, operation_type: 'demo.run', action: 'run', subject: 'x' };
    const facts = factsOf(head, readPayload(payload), this.#rules);
    const seqNo = ++this.#seqNo;
    const found = this.#judge.take({
      head,
      issuedAt,
      facts,
      ledger: null,
      record: {
        seq_no: seqNo,
        operation_id: operationId(seqNo),
        agent_id: agent,
        kid: 'k1',
        issued_at: issuedAt,
        first_of_agent: seqNo === 1,
        payload,
        withheld: 0,
      },
    });
    const own = marksOfFacts({ outcome: facts.outcome, isDisguised: facts.disguisedIn !== null, isUnsigned: false });
    const told = [...own.map((code) => ({ code, figures: [], message: null })), ...found];
    return {
      found,
      codes: told.map(({ code }) => code),
      why: told.map(({ code, figures, message }) => message ?? explainMark(code, figures, facts, agent) ?? ''),
    };
  }

  /** What stands by now, and may be taken back. */
  standing(): string[] {
    return this.#judge
      .standing({ toHead: true, named: () => undefined })
      .map(({ code, where }) => `${code} ${where.seq_no}`);
  }

  /** A call in one record. */
  call(tool: string, result = 'ok', members: JsonObject = {}, at?: { agent?: string; issuedAt?: number }) {
    return this.add({ session: 's1', tool, arguments: { q: 1 }, result, ...members }, at);
  }

  calls(count: number, tool = 'usual'): this {
    for (let i = 0; i < count; i++) this.call(tool);
    return this;
  }
}

describe('a failure', () => {
  it('is marked with its error, and so is the next call of the tool in the session', () => {
    const ledger = new Ledger();
    expect(ledger.call('pay', 'Error: no money').why).toEqual(['The call failed: Error: no money']);
    expect(ledger.call('pay')).toMatchObject({
      codes: ['RETRIED'],
      found: [{ where: { seq_no: 2, other_seq_no: 1 } }],
      why: ['The tool was called again in this session after its last call there had not succeeded.'],
    });
    expect(ledger.call('pay').codes).toEqual([]);
  });

  it('leaves other tools, sessions and agents alone', () => {
    const ledger = new Ledger();
    ledger.call('pay', 'Error: no money');
    expect(ledger.call('look').codes).toEqual([]);
    expect(ledger.call('pay', 'ok', { session: 's2' }).codes).toEqual([]);
    expect(ledger.call('pay', 'ok', {}, { agent: 'a2' }).codes).toEqual([]);
    expect(ledger.call('pay').codes).toEqual(['RETRIED']);
  });

  it('of a call in several records is tried again by the first of the next one', () => {
    const ledger = new Ledger();
    const session = { id: 's1' };
    const tool = { name: 'pay' };
    ledger.add(started(1, 1, { session }));
    const end = { action_id: actionId(1), tool, session, outcome: { status: 'denied' } };
    expect(ledger.add(action('refused', end)).codes).toEqual(['REFUSED']);
    expect(ledger.add(started(2, 1, { session })).codes).toEqual(['RETRIED']);
    expect(ledger.add(completed(2, { session, tool })).codes).toEqual([]);
    expect(ledger.add(started(3, 1, { session })).codes).toEqual([]);
  });

  it('is one of its call where the end of it names neither tool nor session', () => {
    const ledger = new Ledger();
    const session = { id: 's1' };
    ledger.add(started(1, 1, { session }));
    ledger.add(action('failed', { action_id: actionId(1), outcome: { status: 'error' } }));
    expect(ledger.add(started(2, 1, { session })).codes).toEqual(['RETRIED']);
    ledger.add(completed(2));
    expect(ledger.add(started(3, 1, { session })).codes).toEqual([]);
  });
});

describe('a first use', () => {
  it('of a tool is marked once the agent has made 20 calls', () => {
    const ledger = new Ledger().calls(19);
    expect(ledger.call('new').codes).toEqual([]);
    expect(ledger.call('newer').why).toEqual(['None of the 20 calls of a1 that are recorded here before used newer.']);
    expect(ledger.call('newer').codes).toEqual([]);
    expect(ledger.call('new').codes).toEqual([]);
  });

  it('is of each agent by itself', () => {
    const ledger = new Ledger().calls(20);
    expect(ledger.call('new', 'ok', {}, { agent: 'a2' }).codes).toEqual([]);
    expect(ledger.call('new').codes).toEqual(['FIRST_TOOL']);
  });

  it('of hosts is marked with those that are new', () => {
    const ledger = new Ledger().calls(20);
    const visit = (...urls: string[]) => ledger.call('usual', 'ok', { arguments: { urls } });
    expect(visit('https://a.test/').why).toEqual([
      'None of the 20 calls of a1 that are recorded here before named a.test.',
    ]);
    expect(visit('https://a.test/', 'https://b.test/', 'https://c.test/').why).toEqual([
      'None of the 21 calls of a1 that are recorded here before named b.test, c.test.',
    ]);
    expect(visit('https://c.test/').codes).toEqual([]);
  });

  it('counts a call in several records once', () => {
    const ledger = new Ledger().calls(18);
    for (let i = 0; i < 5; i++) {
      ledger.add(i === 0 ? started(1, 1) : action('completed', { action_id: actionId(1), tool: { name: 'pay' } }));
    }
    expect(ledger.call('new').codes).toEqual([]);
    expect(ledger.call('newer').codes).toEqual(['FIRST_TOOL']);
  });
});

describe('a rate', () => {
  /** Hours with so many records each, from START on. */
  function hours(ledger: Ledger, counts: readonly number[]): number {
    for (const [hour, count] of counts.entries()) {
      for (let i = 0; i < count; i++) ledger.call('usual', 'ok', {}, { agent: 'a1', issuedAt: START + hour * HOUR });
    }
    return START + counts.length * HOUR;
  }

  it('is marked once an hour has more than twice the records of 95 % of the hours before', () => {
    const ledger = new Ledger();
    const issuedAt = hours(
      ledger,
      Array.from({ length: 30 }, (_, i) => 10 + (i % 3)),
    );
    const found = Array.from({ length: 60 }, () => ledger.call('usual', 'ok', {}, { agent: 'a1', issuedAt }).why);
    expect(found.map((why, index) => (why.length === 0 ? null : index + 1)).filter(Boolean)).toEqual([25]);
    expect(found[24]).toEqual([
      '25 records of a1 in the hour from 2026-05-02 16:00 UTC; in 95 % of its 30 active hours that are recorded before, it made at most 12.',
    ]);
  });

  it('is not marked before 24 hours are known, or below 20 records', () => {
    const few = new Ledger();
    const soon = hours(
      few,
      Array.from({ length: 23 }, () => 10),
    );
    expect(hours(few, []) <= soon).toBe(true);
    for (let i = 0; i < 60; i++) expect(few.call('usual', 'ok', {}, { agent: 'a1', issuedAt: soon }).codes).toEqual([]);
    const slow = new Ledger();
    const issuedAt = hours(
      slow,
      Array.from({ length: 30 }, () => 1),
    );
    const codes = Array.from(
      { length: 30 },
      () => slow.call('usual', 'ok', {}, { agent: 'a1', issuedAt }).codes.length,
    );
    expect(codes.indexOf(1)).toBe(19);
  });

  it('takes a record that says it is older for one of the newest hour', () => {
    const ledger = new Ledger();
    const newest = hours(
      ledger,
      Array.from({ length: 30 }, () => 12),
    );
    const found = Array.from({ length: 40 }, (_, i) => {
      const issuedAt = i % 2 === 0 ? newest : 0;
      return ledger.call('usual', 'ok', {}, { agent: 'a1', issuedAt }).codes.length;
    });
    expect(found.indexOf(1)).toBe(24);
  });
});

describe('an approval', () => {
  it('is missing where somebody was asked and nobody decided, until somebody does', () => {
    const ledger = new Ledger();
    ledger.add(asked(1, 5));
    ledger.add(started(1, 5));
    ledger.add(completed(1, { tool: { name: 'pay' } }));
    expect(ledger.standing()).toEqual(['APPROVAL_MISSING 2']);
    expect(ledger.add(decided(1, 5), { agent: 'ada' }).codes).toEqual(['APPROVED_AFTER']);
    expect(ledger.standing()).toEqual([]);
  });

  it('is there by a decision of the call, unless that was asked for again', () => {
    const ledger = new Ledger();
    const ada = { agent: 'ada' };
    ledger.add(asked(1, 5));
    ledger.add(decided(1, 5), ada);
    expect(ledger.add(started(1, 5)).codes).toEqual([]);
    ledger.add(completed(1));
    ledger.add(asked(2, 5));
    ledger.add(decided(2, 5), ada);
    ledger.add(asked(2, 6));
    ledger.add(started(2, 6));
    ledger.add(completed(2));
    expect(ledger.standing()).toEqual(['APPROVAL_MISSING 8']);
  });

  it('that was taken back before the action is another thing than one that is missing', () => {
    const ledger = new Ledger();
    ledger.add(asked(1, 5));
    ledger.add(decided(1, 5), { agent: 'ada' });
    ledger.add(decided(1, 5, { outcome: 'denied' }), { agent: 'ada' });
    expect(ledger.add(started(1, 5)).codes).toEqual(['EXECUTED_THOUGH_DENIED']);
    ledger.add(completed(1));
    expect(ledger.standing()).toEqual([]);
  });

  it('that a rule wants is a decision about the call', () => {
    const ledger = new Ledger({ approvals: [{ tool: 'pay' }] });
    expect(ledger.add(started(1, 5)).why).toEqual([
      'pay was carried out. A rule says that it needs an approval, and none is recorded before.',
    ]);
    expect(ledger.add(completed(1)).codes).toEqual([]);
    expect(ledger.call('pay').codes).toEqual(['APPROVAL_RULE_BROKEN']);
    expect(ledger.call('look').codes).toEqual([]);
    ledger.add(decided(2, 5), { agent: 'ada' });
    expect(
      ledger.add(
        action('completed', { action_id: actionId(2), tool: { name: 'pay' }, whole_call: true, input: input(5) }),
      ).codes,
    ).toEqual([]);
  });

  it('that a rule wants is not one that says it was made long before the question', () => {
    const ledger = new Ledger({ approvals: [{ tool: 'pay' }] });
    ledger.add(asked(1, 5), { issuedAt: START + 300_001 });
    ledger.add(decided(1, 5), { issuedAt: START, agent: 'ada' });
    expect(ledger.add(started(1, 5)).codes).toEqual(['APPROVAL_RULE_BROKEN']);
    ledger.add(asked(2, 5), { issuedAt: START + 300_000 });
    ledger.add(decided(2, 5), { issuedAt: START, agent: 'ada' });
    expect(ledger.add(started(2, 5)).codes).toEqual([]);
  });

  it('of a rule may be a call in the same session, one for each', () => {
    const ledger = new Ledger({ approvals: [{ tool: 'pay*', by: { tool: 'confirm' } }] });
    expect(ledger.call('pay_out').codes).toEqual(['APPROVAL_RULE_BROKEN']);
    ledger.call('confirm', 'Error: not confirmed');
    expect(ledger.call('pay_out').codes).toEqual(['APPROVAL_RULE_BROKEN']);
    ledger.call('confirm', 'yes', { session: 's2' });
    expect(ledger.call('pay_out').codes).toEqual(['APPROVAL_RULE_BROKEN']);
    ledger.call('confirm', 'yes');
    expect(ledger.call('pay_out').codes).toEqual([]);
    expect(ledger.call('pay_out').codes).toEqual(['APPROVAL_RULE_BROKEN']);
  });
});

describe('the 1,164 actions of airline agents', () => {
  it('have the same marks each time, every failure among them', () => {
    const counts = () => {
      const ledger = new Ledger();
      const found = airlineActions().flatMap(
        (each) => ledger.add({ ...membersOf(each, 0).payload, tool: each.tool }, each).codes,
      );
      return Object.fromEntries(
        [...new Set(found)].toSorted().map((code) => [code, found.filter((one) => one === code).length]),
      );
    };
    expect(counts()).toEqual({ FAILED: 73, FIRST_TOOL: 20, RETRIED: 63 });
    expect(counts()).toEqual(counts());
  });
});

describe('a text that is not what it seems to be', () => {
  it.each([
    ['a soft hyphen within a word', 'Love\u00adlace'],
    ['zero width within a word', 'pay\u200bpal'],
    ['a mark of direction within a word', 'invoice\u202egnp'],
    ['a Cyrillic letter among Latin ones', 'p\u0430ypal'],
  ])('is marked: %s', (_, text) => {
    const marked = new Ledger().call('read', 'ok', { note: { text } });
    expect(marked.codes).toEqual(['DISGUISED_TEXT']);
    expect(marked.why).toEqual([
      'A word in /note/text has characters that nobody sees, or letters of another script among Latin ones.',
    ]);
    expect(new Ledger().call('read', 'ok', { [text]: 1 }).codes).toEqual(['DISGUISED_TEXT']);
  });

  it.each([
    'Müller',
    'Привет, world',
    'می\u200cخواهم',
    'क्\u200dष',
    '👩\u200d💻 ok',
    'ΔT = 5 µs',
    '中\u200b文',
    'a \u200f b',
    '東京tower',
  ])('is not marked where its script wants it so: %j', (text) => {
    expect(new Ledger().call('read', 'ok', { text }).codes).toEqual([]);
  });
});
