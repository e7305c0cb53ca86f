import { canonicalize, type Json } from '../../protocol/index.ts';

/** A place where two values differ; `undefined` where one of them has nothing there. */
export interface JsonDifference {
  /** A JSON Pointer (RFC 6901); empty for the whole value. */
  readonly pointer: string;
  readonly one: Json | undefined;
  readonly other: Json | undefined;
}

/** Whoever altered a record chose how much of it differs. */
const MAX_DIFFERENCES = 200;

type Members = { readonly [name: string]: Json };

/**
 * Where two JSON values differ, down to the single members, in the order of the first.
 * @returns at most 200 places; the last of more is the whole value around the rest
 */
export function jsonDifferences(one: Json | undefined, other: Json | undefined): JsonDifference[] {
  const found: JsonDifference[] = [];
  const visit = (left: Json | undefined, right: Json | undefined, pointer: string): void => {
    if (found.length >= MAX_DIFFERENCES || isSame(left, right)) return;
    const [a, b] = [membersOf(left), membersOf(right)];
    if (a === null || b === null || Array.isArray(left) !== Array.isArray(right)) {
      found.push({ pointer, one: left, other: right });
      return;
    }
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      visit(own(a, name), own(b, name), `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    }
  };
  visit(one, other, '');
  return found;
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one === other || canonicalize(one) === canonicalize(other);
}

function membersOf(value: Json | undefined): Members | null {
  if (typeof value !== 'object' || value === null) return null;
  return Array.isArray(value) ? (Object.fromEntries(Object.entries(value)) as Members) : (value as Members);
}

function own(members: Members, name: string): Json | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** A text that differs from another: what both begin and end with, and what is between. */
export interface TextDifference {
  readonly start: string;
  readonly changed: string;
  readonly end: string;
}

/** Cuts a text at what it has in common with another, at whole characters. */
export function textDifference(text: string, other: string): TextDifference {
  const [left, right] = [[...text], [...other]];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  while (end < left.length - start && end < right.length - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  const cut = left.length - end;
  return {
    start: left.slice(0, start).join(''),
    changed: left.slice(start, cut).join(''),
    end: left.slice(cut).join(''),
  };
}
