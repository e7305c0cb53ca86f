/** Every way to damage a JSON document in one place: bits of its text, elements and members of its value. */
import type { Json } from '../../src/protocol/index.ts';
import { flipBit } from './bytes.ts';

export interface Damaged {
  /** What was done, and where. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** One damage to a value, not yet done; `text` writes the damaged document. */
export interface StructuralDamage {
  readonly name: string;
  readonly text: () => string;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Whether damage left the value as it was. Only for damage that keeps every name once: it compares what JSON.parse gives,
 * which hides a duplicated member.
 */
export function isSameValue(damaged: Uint8Array | string, original: string): boolean {
  try {
    const text = typeof damaged === 'string' ? damaged : decoder.decode(damaged);
    return sorted(JSON.parse(text) as Json) === sorted(JSON.parse(original) as Json);
  } catch {
    return false;
  }
}

/** A text that two values share only if they are the same but for the order of members. */
function sorted(value: Json): string {
  return JSON.stringify(value, (_, item: Json) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/** How many bits of a text can be flipped. */
export function bitCount(text: string): number {
  return encoder.encode(text).length * 8;
}

export function withBitFlipped(text: string, bit: number): Damaged {
  const bytes = encoder.encode(text);
  return { name: `bit ${bit & 7} of byte ${bit >> 3}`, bytes: flipBit(bytes, bit) };
}

export function cutAfter(text: string, length: number): Damaged {
  return { name: `cut after ${length} bytes`, bytes: encoder.encode(text).slice(0, length) };
}

/** An unparsed JSON text standing in place of a value; only the writer below makes these. */
class Spelled {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
type Tree = Json | Spelled | readonly Tree[] | { readonly [member: string]: Tree };

function write(value: Tree): string {
  if (value instanceof Spelled) return value.text;
  if (Array.isArray(value)) return `[${value.map((item: Tree) => write(item)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value as { [member: string]: Tree })
    .map(memberText)
    .join(',')}}`;
}

function memberText([name, value]: readonly [string, Tree]): string {
  return `${JSON.stringify(name)}:${write(value)}`;
}

type Put = (value: Tree) => string;

/**
 * Every deletion, duplication and swap of an element or of a member, at any depth: duplicates beside the original and at the
 * end, swaps of any two elements of an array, and of the values of any two members of an object.
 */
export function structuralDamages(value: Json): StructuralDamage[] {
  const found: StructuralDamage[] = [];
  const visit = (item: Json, path: string, put: Put): void => {
    const damage = (what: string, make: () => Tree): void =>
      void found.push({ name: `${what} in ${path}`, text: () => put(make()) });
    if (Array.isArray(item)) {
      const list = item as readonly Json[];
      for (const [index, element] of list.entries()) {
        damage(`[${index}] deleted`, () => list.toSpliced(index, 1));
        damage(`[${index}] duplicated`, () => list.toSpliced(index, 0, element));
        if (index < list.length - 1) damage(`[${index}] duplicated at the end`, () => [...list, element]);
        for (let other = index + 1; other < list.length; other++) {
          damage(`[${index}] and [${other}] swapped`, () => list.with(index, list[other] as Json).with(other, element));
        }
        visit(element, `${path}[${index}]`, (inner) => put(list.map((old, at) => (at === index ? inner : old))));
      }
      return;
    }
    if (typeof item !== 'object' || item === null) return;
    const object = item as { readonly [member: string]: Json };
    const entries = Object.entries(object);
    for (const [index, [name, member]] of entries.entries()) {
      damage(`${name} deleted`, () => Object.fromEntries(entries.toSpliced(index, 1)));
      damage(
        `${name} duplicated`,
        () => new Spelled(`{${[...entries, [name, member] as const].map(memberText).join(',')}}`),
      );
      for (const [otherName, other] of entries.slice(index + 1)) {
        damage(`${name} and ${otherName} swapped`, () => ({ ...object, [name]: other, [otherName]: member }));
      }
      visit(member, `${path}.${name}`, (inner) => put({ ...object, [name]: inner }));
    }
  };
  visit(value, '$', write);
  return found;
}
