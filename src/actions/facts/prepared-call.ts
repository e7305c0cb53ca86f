import { type Place, placeOf } from './places.ts';
import type { InvestigationRules } from './rules.ts';

/** A rule about the object that is a call, for one place where it may stand. */
export interface PreparedCall {
  readonly at: Place;
  readonly has: readonly (readonly Place[])[];
  readonly like: readonly { readonly place: Place; readonly patterns: readonly string[] }[];
  readonly type: string | null;
  readonly tool: Place | 'action' | 'type' | null;
  readonly named: string | null;
  readonly prefix: string | null;
  readonly ids: readonly Place[];
  readonly inputs: readonly Place[];
  readonly outputs: readonly Place[];
  readonly verb: readonly Place[];
}

/** Calls of rules, taken apart once. */
export function prepareCall(rule: InvestigationRules['calls'][number]): PreparedCall[] {
  const places = (pointers: readonly string[] = []): Place[] => pointers.map(placeOf);
  const { tool } = rule;
  return [rule.at].flat().map((at) => ({
    at: placeOf(at),
    has: (rule.has ?? []).map(places),
    like: Object.entries(rule.like ?? {}).map(([pointer, patterns]) => ({ place: placeOf(pointer), patterns })),
    type: rule.type ?? null,
    tool: tool === undefined ? null : tool === 'action' || tool === 'type' ? tool : placeOf(tool),
    named: rule.named ?? null,
    prefix: rule.prefix ?? null,
    ids: rule.id === undefined ? [] : [placeOf(rule.id)],
    inputs: places(rule.inputs),
    outputs: places(rule.outputs),
    verb: places(rule.verb),
  }));
}

/** Names of which a payload has one where a call of a rule may be in it. */
export function namesOfCall({ at, has, like, tool }: PreparedCall): readonly string[] {
  const [step] = at.steps;
  if (step !== undefined) return [step];
  const first = (places: readonly Place[]): string[] => places.flatMap(({ steps }) => steps[0] ?? []);
  if (has[0] !== undefined) return first(has[0]);
  if (like[0] !== undefined) return first([like[0].place]);
  return typeof tool === 'object' && tool !== null ? first([tool]) : [];
}
