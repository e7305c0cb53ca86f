import type { Access } from '../fields/codes.ts';
import { EntityRules } from './entities.ts';
import { ByMember, type Place, placeOf } from './places.ts';
import { namesOfCall, type PreparedCall, prepareCall } from './prepared-call.ts';
import type { InvestigationRules } from './rules.ts';

/** A rule about the outcome, for one place of its value. */
export type PreparedOutcome = Omit<InvestigationRules['outcomes'][number], 'at'> & { readonly at: Place };

/** Rules, worked out once for many records. */
export interface PreparedRules {
  readonly rules: InvestigationRules;
  readonly calls: ByMember<PreparedCall>;
  readonly outcomes: ByMember<PreparedOutcome>;
  readonly entities: EntityRules;
  /** Names of members that hold the text or words of a command. */
  readonly commands: ReadonlySet<string>;
  readonly sessions: readonly (Place | 'subject')[];
  readonly tools: readonly Place[];
  /** Members of the record that name its tool where the payload does not. */
  readonly ownTools: readonly ('action' | 'type')[];
  readonly within: readonly Place[];
  readonly parents: readonly Place[];
  readonly ids: readonly Place[];
  readonly inputs: readonly Place[];
  readonly outputs: readonly Place[];
  readonly people: readonly Place[];
  readonly durations: readonly Place[];
  /** What a tool does to what it is given, by the verb in its name. */
  readonly verbs: ReadonlyMap<string, Access>;
}

const isOwn = (tool: string): tool is 'action' | 'type' => tool === 'action' || tool === 'type';

export function prepareRules(rules: InvestigationRules): PreparedRules {
  const verbs = new Map<string, Access>();
  for (const access of ['read', 'write', 'delete', 'send'] as const) {
    for (const verb of rules.verbs[access]) if (!verbs.has(verb)) verbs.set(verb, access);
  }
  const outcomes = rules.outcomes.flatMap(({ at, ...rule }) =>
    [at].flat().map((each) => ({ ...rule, at: placeOf(each) })),
  );
  const places = (pointers: readonly string[]): Place[] => pointers.map(placeOf);
  return {
    rules,
    calls: new ByMember(rules.calls.flatMap(prepareCall), namesOfCall),
    outcomes: new ByMember(outcomes, ({ at }) => at.steps.slice(0, 1)),
    entities: new EntityRules(rules.entities),
    commands: new Set(rules.commands),
    sessions: rules.sessions.map((place) => (place === 'subject' ? place : placeOf(place))),
    tools: places(rules.tools.filter((tool) => !isOwn(tool))),
    ownTools: rules.tools.filter(isOwn),
    within: places(rules.within),
    parents: places(rules.parents),
    ids: places(rules.ids),
    inputs: places(rules.inputs),
    outputs: places(rules.outputs),
    people: places(rules.people),
    durations: places(rules.durations),
    verbs,
  };
}

/** What a tool does, by the first word in its name that is a known verb. Of `mcp__server__tool` the last part counts. */
export function accessOfTool(tool: string | null, verbs: PreparedRules['verbs']): Access {
  if (tool === null) return 'mentioned';
  const own = tool.slice(0, 256).split('__').at(-1) ?? tool;
  const words = own
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  for (const word of words) {
    const access = verbs.get(word);
    if (access !== undefined) return access;
  }
  return 'mentioned';
}
