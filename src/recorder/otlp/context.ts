import type { SeenCommon } from '../seen/seen.ts';
import type { Attributes, OtlpItem, OtlpSpan } from './model.ts';

/** The first of the names that is there with a text that is not empty. */
function textOf(attributes: Attributes, names: readonly string[]): string | null {
  for (const name of names) {
    const value = attributes.get(name);
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

/**
 * The session of a call: from the attributes of the call, else from the nearest parent in the request, else of the resource. A parent with another
 * conversation is that of the session that began this one.
 * @param parents the nearest first
 */
export function sessionOf(
  item: OtlpItem,
  parents: readonly OtlpSpan[],
  names: readonly string[],
): SeenCommon['session'] {
  const sessions = [item, ...parents].map(({ attributes }) => textOf(attributes, names)).filter((id) => id !== null);
  const id = sessions[0] ?? textOf(item.origin.resource, names);
  if (id === null) return null;
  const parent = sessions.find((other) => other !== id);
  return parent === undefined ? { id } : { id, parent };
}

/** The model that asked for a call, by its own attributes or those of the nearest parent that names one. */
export function modelOf(
  item: OtlpItem,
  parents: readonly OtlpSpan[],
  names: { readonly model: readonly string[]; readonly provider: readonly string[] },
): SeenCommon['model'] {
  for (const { attributes } of [item, ...parents]) {
    const name = textOf(attributes, names.model);
    if (name === null) continue;
    const provider = textOf(attributes, names.provider);
    return provider === null ? { name } : { name, provider };
  }
  return null;
}

const AGENT_ID = ['gen_ai.agent.id', 'gen_ai.agent.name'];

/**
 * The sub-agent that made a call: the agent of the nearest invoke_agent span, where that one lies within the span of another
 * agent. A single agent is no sub-agent.
 */
export function subAgentOf(parents: readonly OtlpSpan[]): SeenCommon['sub_agent'] {
  const agents = parents.filter(({ attributes }) => attributes.get('gen_ai.operation.name') === 'invoke_agent');
  const inner = agents[0];
  const outer = agents.at(-1);
  if (inner === undefined || outer === undefined || inner === outer) return null;
  const id = textOf(inner.attributes, AGENT_ID) ?? inner.spanId;
  if (id === textOf(outer.attributes, AGENT_ID)) return null;
  const type = textOf(inner.attributes, ['gen_ai.agent.name']);
  return type === null ? { id } : { id, type };
}
