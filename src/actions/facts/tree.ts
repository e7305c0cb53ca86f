import { isMembers, type Json, nameOfStep, pointerStep } from '../../protocol/index.ts';

/** A JSON object, as a payload or one of its members is. */
export type Members = { readonly [member: string]: Json };

export function isArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** A member's value by the names that lead to it; undefined where there is none. Inherited members are none. */
export function memberAt(value: Json | undefined, ...names: readonly string[]): Json | undefined {
  let found: Json | undefined = value;
  for (const name of names) {
    if (!isMembers(found) || !Object.hasOwn(found, name)) return undefined;
    found = found[name];
  }
  return found;
}

/** The same where it is a text that is not empty, else null. */
export function textAt(value: Json | undefined, ...names: readonly string[]): string | null {
  const found = memberAt(value, ...names);
  return typeof found === 'string' && found !== '' ? found : null;
}

/** Every text of a value and every member's name, with where it is: JSON Pointers with `*` for positions in arrays. */
export function* textsIn(value: Json, place = ''): Generator<readonly [text: string, place: string]> {
  if (typeof value === 'string') yield [value, place];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const at = `${place}${Array.isArray(value) ? '/*' : pointerStep(name)}`;
    if (!Array.isArray(value)) yield [name, at];
    yield* textsIn(member, at);
  }
}

/** The value that a JSON Pointer names; undefined where nothing is. Made for many calls with pointers that lead nowhere. */
export function valueAt(root: Json, pointer: string): Json | undefined {
  let found: Json | undefined = root;
  for (let at = 1; at <= pointer.length && found !== undefined; ) {
    const slash = pointer.indexOf('/', at);
    const end = slash === -1 ? pointer.length : slash;
    const name = nameOfStep(pointer.slice(at, end));
    if (isArray(found)) found = /^(0|[1-9][0-9]{0,8})$/.test(name) ? found[Number(name)] : undefined;
    else found = isMembers(found) && Object.hasOwn(found, name) ? found[name] : undefined;
    at = end + 1;
  }
  return found;
}

/** The object that the value at a JSON Pointer is a member of, be it within arrays; null where only arrays are above it. */
export function ownerOf(root: Json, pointer: string): Members | null {
  for (let above = pointer; above !== ''; ) {
    above = above.slice(0, above.lastIndexOf('/'));
    const owner = valueAt(root, above);
    if (isMembers(owner)) return owner;
  }
  return null;
}
