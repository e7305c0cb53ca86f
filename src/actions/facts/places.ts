import { isMembers, type Json, namesOfPointer, pointerStep } from '../../protocol/light.ts';
import { isArray, type Members } from './tree.ts';

/** A JSON Pointer, taken apart once for many payloads. */
export interface Place {
  readonly pointer: string;
  readonly steps: readonly string[];
}

/** A value and where it was found. */
export interface Found {
  readonly pointer: string;
  readonly value: Json;
}

/** Elements of an array that a `*` goes through. */
const MAX_ELEMENTS = 64;

export function placeOf(pointer: string): Place {
  return { pointer, steps: namesOfPointer(pointer) };
}

function stepInto(value: Json, step: string): Json | undefined {
  if (isArray(value)) return /^(0|[1-9][0-9]{0,8})$/.test(step) ? value[Number(step)] : undefined;
  return isMembers(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/** The value at a place; undefined where nothing is. */
export function valueIn(root: Json, { steps }: Place): Json | undefined {
  let found: Json | undefined = root;
  for (const step of steps) {
    if (found === undefined) return undefined;
    found = stepInto(found, step);
  }
  return found;
}

/** The first of some places with a value that is not null. */
export function firstIn(root: Json, places: readonly Place[]): Found | null {
  for (const place of places) {
    const value = valueIn(root, place);
    if (value !== undefined && value !== null) return { pointer: place.pointer, value };
  }
  return null;
}

/** All values at a place with `*` in it, which is each element of an array, or an object itself where there is no array. */
export function* valuesIn(root: Json, { steps }: Place): Generator<Found> {
  yield* valuesBelow({ pointer: '', value: root }, steps, 0);
}

function* valuesBelow({ pointer, value }: Found, steps: readonly string[], at: number): Generator<Found> {
  const step = steps[at];
  if (step === undefined) yield { pointer, value };
  else if (step !== '*') {
    const next = stepInto(value, step);
    if (next !== undefined) yield* valuesBelow({ pointer: pointer + pointerStep(step), value: next }, steps, at + 1);
  } else if (isArray(value)) {
    for (const [index, item] of value.slice(0, MAX_ELEMENTS).entries()) {
      yield* valuesBelow({ pointer: `${pointer}/${index}`, value: item }, steps, at + 1);
    }
  } else if (isMembers(value)) yield* valuesBelow({ pointer, value }, steps, at + 1);
}

/** Things that can only be where an object has a member of some name, found by its names: most payloads have few. */
export class ByMember<T> {
  readonly #all: readonly T[];
  readonly #byName = new Map<string, number[]>();

  /** @param namesOf of which a payload has at least one where the thing can be there */
  constructor(all: readonly T[], namesOf: (one: T) => readonly string[]) {
    this.#all = all;
    for (const [index, one] of all.entries()) {
      for (const name of new Set(namesOf(one))) {
        const known = this.#byName.get(name);
        if (known === undefined) this.#byName.set(name, [index]);
        else known.push(index);
      }
    }
  }

  /** Those that may be in an object, in their order. */
  in(members: Members): readonly T[] {
    const found = new Set<number>();
    for (const name of Object.keys(members)) {
      for (const index of this.#byName.get(name) ?? []) found.add(index);
    }
    return [...found].sort((a, b) => a - b).flatMap((index) => this.#all[index] ?? []);
  }
}
