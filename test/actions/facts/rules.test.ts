// The rules by which payloads are read: docs/investigating.md.
import { describe, expect, it } from 'vitest';
import { matchesGlob } from '../../../src/actions/facts/glob.ts';
import {
  factsOf,
  investigationRules,
  prepareRules,
  type RecordFacts,
  readPayload,
} from '../../../src/actions/index.ts';
import type { JsonObject } from '../../../src/protocol/index.ts';

const HEAD = { agent_id: 'a1', operation_type: 'crm.update', action: 'update', subject: 'lead 7' };

/** What a payload is read as by rules of one's own next to the defaults. */
function byRules(rules: object, payload: JsonObject): RecordFacts {
  const prepared = prepareRules(investigationRules.parse({ version: 1, ...rules }));
  return factsOf(HEAD, readPayload(payload), prepared);
}

describe('a pattern', () => {
  it.each([
    ['*', '', true],
    ['a*c', 'abbbc', true],
    ['a*c', 'abbbcd', false],
    ['*_path', 'file_path', true],
    ['?', '', false],
    ['a?c*', 'abcdef', true],
    ['a.c', 'abc', false],
    ['*a*b*', 'xxaxxbxx', true],
  ])('%s of %j: %s', (glob, text, expected) => {
    expect(matchesGlob(glob, text)).toBe(expected);
  });

  it('takes no longer for a text that is made to take long', () => {
    expect(matchesGlob(`${'*a'.repeat(60)}b`, 'a'.repeat(20_000))).toBe(false);
  });
});

describe('rules', () => {
  it('are those of the product where nothing is said', () => {
    const rules = investigationRules.parse({ version: 1 });
    expect(investigationRules.parse(rules)).toEqual(rules);
    expect(rules.entities.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['user', 'reservation', 'flight', 'payment_method', 'file', 'host', 'email']),
    );
  });

  it.each([
    ['another version', { version: 2 }],
    ['a member that is none', { version: 1, pages: [] }],
    ['a pointer without its slash', { version: 1, sessions: ['session'] }],
    ['too many outcomes', { version: 1, outcomes: Array.from({ length: 129 }, () => ({ at: '/x', is: 'ok' })) }],
    ['a kind with blanks', { version: 1, entities: [{ kind: 'My kind', at: 'x' }] }],
    ['a pattern without end', { version: 1, approvals: [{ tool: '*'.repeat(129) }] }],
  ])('are refused with %s', (_, rules) => {
    expect(investigationRules.safeParse(rules).success).toBe(false);
  });

  it('name the session by a pointer or the subject, the first that is there', () => {
    expect(byRules({ sessions: ['/deal', 'subject'] }, { deal: 'd1' }).session).toBe('d1');
    expect(byRules({ sessions: ['/deal', 'subject'] }, {}).session).toBe('lead 7');
    expect(byRules({ sessions: ['/deal'] }, { session: 's1' }).session).toBeNull();
    expect(byRules({ sessions: ['/reply/deal'] }, { reply: '{"deal":12}' }).session).toBe('12');
  });

  it('say what came of a call, for some types of operations or tools', () => {
    const outcomes = [
      { type: 'crm.*', at: '/code', like: ['4*'], is: 'refused' },
      { type: 'crm.*', at: '/code', like: [500], is: 'failed' },
      { type: 'mail.*', at: '/code', is: 'ok' },
    ];
    expect(byRules({ outcomes }, { code: '403', reason: 'not your lead' })).toMatchObject({
      outcome: 'refused',
      error: 'not your lead',
    });
    expect(byRules({ outcomes }, { code: 500 })).toMatchObject({ outcome: 'failed', error: '500' });
    expect(byRules({ outcomes }, { code: 200 }).outcome).toBeNull();
  });

  it('find entities by members, patterns, values and subjects', () => {
    const entities = [
      { kind: 'lead', at: 'leads.*.ref', access: 'write' },
      { kind: 'root', at: '/ref' },
      { kind: 'mail', at: '*_mail', like: '*@example.org' },
    ];
    const payload = { leads: { a: [{ ref: 'L1' }] }, ref: 'R1', other: { ref: 'no' }, to_mail: 'b@example.org' };
    const subjects = [
      { kind: 'none', like: 'x*' },
      { kind: 'deal', like: 'lead *' },
    ];
    const found = byRules({ entities, subjects }, { ...payload, cc_mail: 'c@example.com' }).entity;
    expect(found.map(({ kind, id, access }) => `${kind} ${id} ${access}`)).toEqual([
      'lead L1 write',
      'root R1 write',
      'mail b@example.org write',
      'deal lead 7 write',
    ]);
  });
});
