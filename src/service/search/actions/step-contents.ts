import { isOfProfile, type ReadPayload, valueAt } from '../../../actions/index.ts';
import type { Step } from '../../../api/index.ts';
import { isMembers, type Json } from '../../../protocol/index.ts';
import type { ReadRecord } from '../content-index/record-content.ts';
import { type Shown, shownContent, shownValue } from './shown-value.ts';

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

/** The same with nothing left out, to be compared: a value, or the digest where the value is not there. */
export function wholeContents({ read, facts }: ReadRecord): {
  readonly input: Json | undefined;
  readonly output: Json | undefined;
} {
  const { tree } = read;
  if (!isOfProfile(read)) {
    const at = (pointer: string | null): Json | undefined => (pointer === null ? undefined : valueAt(tree, pointer));
    return { input: at(facts.input), output: at(facts.output) };
  }
  const content = (pointer: string): Json | undefined =>
    valueAt(tree, `${pointer}/value`) ?? valueAt(tree, `${pointer}/digest`);
  const list = valueAt(tree, '/told');
  const told = Array.isArray(list) ? list.map((_, at) => content(`/told/${at}/content`) ?? null) : undefined;
  return { input: content('/input') ?? told, output: content('/output') };
}
