import { canonicalize, type Json, pointerStep } from './canonical.ts';
import { isMembers } from './exact-numbers.ts';
import { MAX_OPENINGS, openedText } from './opened-text.ts';
import { alignedPairs } from './text/index.ts';

/** What became of a value: `within` where some of its members differ, and it is an object or array in both. */
export type DifferenceKind = 'same' | 'within' | 'changed' | 'added' | 'removed';

/** A member of two JSON values, as it is in each of them. */
export interface DifferenceNode {
  readonly kind: DifferenceKind;
  /** Its name, or its place in an array; null for the whole value. */
  readonly name: string | null;
  /** A JSON Pointer (RFC 6901), texts that are JSON counting as opened. Of the other value where the first has nothing there. */
  readonly pointer: string;
  /** `undefined` where a value has nothing there. */
  readonly one: Json | undefined;
  readonly other: Json | undefined;
  readonly isArray: boolean;
  /** Whether both are texts that are JSON, which were opened. */
  readonly isOpened: boolean;
  /** Its members, where some of them differ. */
  readonly children: readonly DifferenceNode[];
}

/** Whoever altered a record chose how much of it differs: of more places only these are told apart. */
export const MAX_DIFFERENCES = 200;

type Members = { readonly [name: string]: Json };
type Given = Json | undefined;

/** Both values of a member, with where it is in each of the two values. */
interface Pair {
  readonly name: string;
  readonly one: Given;
  readonly other: Given;
}

/** Two JSON values as one tree, in the order of the first. */
export function differenceOf(one: Given, other: Given): DifferenceNode {
  let left = MAX_DIFFERENCES;
  const visit = (a: Given, b: Given, name: string | null, pointer: string, openings: number): DifferenceNode => {
    const base = { name, pointer, one: a, other: b, isArray: false, isOpened: false, children: [] };
    if (isSame(a, b)) return { ...base, kind: 'same' };
    const opened = openings < MAX_OPENINGS ? bothOpened(a, b) : null;
    const [inA, inB] = opened ?? [a, b];
    const pairs = left > 0 ? pairsOf(inA, inB) : null;
    if (pairs === null) {
      left--;
      return { ...base, kind: a === undefined ? 'added' : b === undefined ? 'removed' : 'changed' };
    }
    const below = openings + (opened === null ? 0 : 1);
    const children: DifferenceNode[] = [];
    for (const pair of pairs) {
      const at = pointer + pointerStep(pair.name);
      if (left > 0 || isSame(pair.one, pair.other)) children.push(visit(pair.one, pair.other, pair.name, at, below));
    }
    return { ...base, kind: 'within', isArray: Array.isArray(inA), isOpened: opened !== null, children };
  };
  return visit(one, other, null, '', 0);
}

/** The places where two values differ, without what is around them. At most 200. */
export function changesOf(node: DifferenceNode): DifferenceNode[] {
  if (node.kind === 'same') return [];
  return node.kind === 'within' ? node.children.flatMap(changesOf) : [node];
}

/** The members of two objects or of two arrays; null where they are not both the one or the other. */
function pairsOf(one: Given, other: Given): Pair[] | null {
  if (isArray(one) && isArray(other)) {
    return alignedPairs(one.map(textOf), other.map(textOf)).map(([a, b]) => ({
      name: String(a ?? b),
      one: a === null ? undefined : one[a],
      other: b === null ? undefined : other[b],
    }));
  }
  if (!isMembers(one) || !isMembers(other)) return null;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].map((name) => ({ name, one: own(one, name), other: own(other, name) }));
}

function bothOpened(one: Given, other: Given): readonly [Json, Json] | null {
  if (typeof one !== 'string' || typeof other !== 'string') return null;
  const [a, b] = [openedText(one), openedText(other)];
  // Texts that differ in blanks alone differ all the same: then the texts are shown.
  return a === null || b === null || isSame(a, b) ? null : [a, b];
}

function textOf(value: Json): string {
  return canonicalize(value);
}

function isSame(one: Given, other: Given): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one === other || canonicalize(one) === canonicalize(other);
}

function isArray(value: Given): value is readonly Json[] {
  return Array.isArray(value);
}

function own(members: Members, name: string): Given {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
