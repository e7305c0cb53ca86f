import { isOfProfile, type ReadPayload, valueAt } from '../../../actions/index.ts';
import type { Step } from '../../../api/index.ts';
import { isMembers, type Json } from '../../../protocol/index.ts';
import type { ReadRecord } from '../content-index/record-content.ts';
import { type Shown, shownContent, shownValue } from './shown-value.ts';
import { isMoment } from './step-parts.ts';

function contentAt({ shown, tree }: ReadPayload, pointer: string): Shown | null {
  const content = shown === null ? undefined : valueAt(shown, pointer);
  return isMembers(content) ? shownContent(content, valueAt(tree, `${pointer}/value`)) : null;
}

function valueIn({ tree }: ReadPayload, pointer: string | null): Shown | null {
  const value = pointer === null ? undefined : valueAt(tree, pointer);
  return value === undefined ? null : shownValue(value);
}

export interface StepContents {
  readonly input: Shown | null;
  readonly output: Shown | null;
  readonly told: Step['told'];
}

/** What a record says was given, given back and told, as far as a list shows it. */
export function contentsOf({ read, facts }: ReadRecord): StepContents {
  if (!isOfProfile(read)) {
    const { input, output } = facts;
    return { input: valueIn(read, input), output: valueIn(read, output), told: [] };
  }
  const list = read.shown === null ? undefined : valueAt(read.shown, '/told');
  const told = (Array.isArray(list) ? (list as readonly Json[]) : []).flatMap((item, index) => {
    const content = contentAt(read, `/told/${index}/content`);
    const kind = isMembers(item) ? item['kind'] : undefined;
    return content === null ? [] : [{ kind: typeof kind === 'string' ? kind : 'other', content }];
  });
  const input = contentAt(read, '/input') ?? contentAt(read, '/decision/input') ?? contentAt(read, '/presented');
  return { input, output: contentAt(read, '/output'), told };
}

/** What is compared of a step: what it was given, what it gave back, and what became of it. */
export type ComparedPart = 'input' | 'output' | 'outcome';

/** The same with nothing left out, to be compared: a value, or the digest where the value is not there. */
interface WholeContents {
  readonly input: Json | undefined;
  readonly output: Json | undefined;
  /** What is withheld or erased, as far as that can be told. */
  readonly hidden: readonly ComparedPart[];
}

/** Members of the profile that are in no part, or are the same in no two sessions. */
const IN_NO_PART: ReadonlySet<string> = new Set([
  ...['profile', 'phase', 'salt', 'action_id', 'session', 'actor', 'cause', 'trace', 'tool', 'witnesses', 'timing'],
  ...['redactions', 'touched'],
]);

function hiddenParts({ record, read }: ReadRecord): readonly ComparedPart[] {
  const names = read.withheldMembers;
  if (record.payload === null || (names.length > 0 && !isOfProfile(read))) return ['input', 'output', 'outcome'];
  const parts = names.flatMap((name): ComparedPart[] =>
    name === 'output' || name === 'outcome' ? [name] : IN_NO_PART.has(name) ? [] : ['input'],
  );
  return [...new Set(parts)];
}

/** Names of a decision's records and salted digests. */
const OF_DECISION: ReadonlySet<string> = new Set(['of', 'input_digest', 'presented_digest']);

/** What a payload of the profile says that is no call: what was told, a decision, a note and the like. */
function statementIn({ tree }: ReadPayload): Json {
  const plain = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(plain);
    if (!isMembers(value)) return value;
    if (Object.hasOwn(value, 'value')) return value['value'] ?? null;
    const isDigest = Object.hasOwn(value, 'digest') && !Object.hasOwn(value, 'count');
    if (isDigest) return value['digest'] ?? null;
    const said = Object.entries(value).filter(([name]) => !OF_DECISION.has(name));
    return Object.fromEntries(said.map(([name, member]) => [name, plain(member)]));
  };
  const said = Object.entries(isMembers(tree) ? tree : {}).filter(
    ([name]) => !IN_NO_PART.has(name) && !name.startsWith('x_'),
  );
  return Object.fromEntries(said.map(([name, member]) => [name, plain(member)]));
}

/** A payload without the members that say its session, tool, outcome, person and duration, and without what came back. */
function unnamedInput({ read: { tree }, facts }: ReadRecord): Json | undefined {
  if (!isMembers(tree)) return undefined;
  const elsewhere = new Set([...facts.sources.map(({ at }) => at), facts.output].map((at) => at?.split('/')[1]));
  return Object.fromEntries(Object.entries(tree).filter(([name]) => !elsewhere.has(name)));
}

export function wholeContents(record: ReadRecord): WholeContents {
  const { read, facts } = record;
  const { tree } = read;
  const hidden = hiddenParts(record);
  if (!isOfProfile(read)) {
    const at = (pointer: string | null): Json | undefined => (pointer === null ? undefined : valueAt(tree, pointer));
    return { input: at(facts.input) ?? unnamedInput(record), output: at(facts.output), hidden };
  }
  if (!isMoment(record)) return { input: statementIn(read), output: undefined, hidden };
  const content = (pointer: string): Json | undefined =>
    valueAt(tree, `${pointer}/value`) ?? valueAt(tree, `${pointer}/digest`);
  return { input: content('/input'), output: content('/output'), hidden };
}
