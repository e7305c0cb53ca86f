import type { Access } from '../fields/codes.ts';
import { type EntityRules, prepareEntityRules } from './entities.ts';
import type { InvestigationRules } from './rules.ts';

/** Rules, worked out once for many records. */
export interface PreparedRules {
  readonly rules: InvestigationRules;
  readonly entities: EntityRules;
  /** What a tool does to what it is given, by the verb in its name. */
  readonly verbs: ReadonlyMap<string, Access>;
}

export function prepareRules(rules: InvestigationRules): PreparedRules {
  const verbs = new Map<string, Access>();
  for (const access of ['read', 'write', 'delete', 'send'] as const) {
    for (const verb of rules.verbs[access]) if (!verbs.has(verb)) verbs.set(verb, access);
  }
  return { rules, entities: prepareEntityRules(rules.entities), verbs };
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
