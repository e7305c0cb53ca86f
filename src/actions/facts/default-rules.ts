import { RULE_TABLE, type RuleLists } from './rule-table.ts';

/** What all rules of the table say in one list, in their order. */
function listed<N extends keyof RuleLists>(name: N): RuleLists[N][number][] {
  return RULE_TABLE.flatMap((rule) => [...((rule[name] ?? []) as readonly RuleLists[N][number][])]);
}

type Verb = 'read' | 'write' | 'delete' | 'send';
const wordsOf = (access: Verb): string[] => RULE_TABLE.flatMap(({ verbs }) => [...(verbs?.[access] ?? [])]);

/** What is the organization's own, where nobody has said it. */
export const NOTHING_OWN = { domains: [], hosts: [], networks: [], people: [] };

/** The rules that the product brings along: those of the table, by what they say. */
export const DEFAULT_RULES: RuleLists & { readonly verbs: Readonly<Record<Verb, string[]>> } = {
  sessions: listed('sessions'),
  parents: listed('parents'),
  tools: listed('tools'),
  within: listed('within'),
  calls: listed('calls'),
  ids: listed('ids'),
  inputs: listed('inputs'),
  outputs: listed('outputs'),
  people: listed('people'),
  durations: listed('durations'),
  outcomes: listed('outcomes'),
  subjects: listed('subjects'),
  entities: listed('entities'),
  commands: listed('commands'),
  verbs: { read: wordsOf('read'), write: wordsOf('write'), delete: wordsOf('delete'), send: wordsOf('send') },
};
