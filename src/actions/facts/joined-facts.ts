import { fieldsWith } from '../fields/fields.ts';
import { isOfProfile } from './facts-of.ts';
import { profileSummary } from './profile-summary.ts';
import type { ReadPayload } from './read-payload.ts';
import type { RecordFacts } from './record-facts.ts';
import { memberAt } from './tree.ts';

interface Read {
  readonly read: ReadPayload;
  readonly facts: RecordFacts;
}

const JOINED = fieldsWith({ joined: true });

/** Fields that the end of a call has from other records of it, as it does not name them itself. */
export function lackingFields({ facts }: Pick<Read, 'facts'>): (typeof JOINED)[number][] {
  return JOINED.filter((name) => isMissing(facts[name]));
}

function isMissing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/**
 * Facts of the end of a call, with what it has from other records of the call since it does not name it. Its line then says what was
 * called and what with.
 * @param others records of the call that name it, the first first
 */
export function joinedFacts(
  end: Read & { readonly record: { readonly action: string; readonly subject: string } },
  others: readonly Read[],
): RecordFacts {
  const joined: Partial<Record<(typeof JOINED)[number], unknown>> = {};
  for (const name of lackingFields(end)) {
    const value = others.map(({ facts }) => facts[name]).find((found) => !isMissing(found));
    if (value !== undefined) joined[name] = value;
  }
  const facts = { ...end.facts, ...joined } as RecordFacts;
  if (end.facts.tool !== null || facts.tool === null || !isOfProfile(end.read)) return facts;
  const input = others.map(({ read }) => memberAt(read.tree, 'input')).find((found) => found !== undefined);
  return { ...facts, summary: profileSummary(facts.phase, end.read, facts, end.record, input) };
}
