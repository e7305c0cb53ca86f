// The rules that the product brings along: each reads its own example. docs/interface.md, Investigation.
import { describe, expect, it } from 'vitest';
import { RULE_TABLE } from '../../../src/actions/facts/rule-table.ts';
import { factsOf, investigationRules, prepareRules, readPayload } from '../../../src/actions/index.ts';

const RULES = prepareRules(investigationRules.parse({ version: 1 }));

describe('each rule of the table', () => {
  it.each(RULE_TABLE.map((rule) => ({ rule, name: Object.keys(rule).join(', ') })))(
    'reads its example: $name: $rule.example',
    ({ rule: { example, head, expected } }) => {
      const around = { agent_id: 'a', operation_type: 'demo.step', action: 'step', subject: 'x' };
      const facts = factsOf({ ...around, ...head }, readPayload(example), RULES);
      const { hosts = [], entities = [], ...fields } = expected;
      expect(facts).toMatchObject(fields);
      expect(facts.host).toEqual(expect.arrayContaining([...hosts]));
      expect(facts.entity.map(({ kind, id, access }) => `${access} ${kind} ${id}`)).toEqual(
        expect.arrayContaining([...entities]),
      );
      // None of it is declared, and each says from where it was read.
      expect([...facts.sources, ...facts.entity].filter(({ declared }) => declared)).toEqual([]);
    },
  );
});
