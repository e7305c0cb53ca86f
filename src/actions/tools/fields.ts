import { type ExactJson, ExactNumber, isMembers } from '../../protocol/light.ts';

/*
 * Members of what programs send. Whatever has another type than it should counts as absent: programs change, and the rest of an event
 * is worth recording. A library of schemas would be a good part of what the recorder has in memory.
 */

/** Reads a value; undefined where it is not what it should be. */
export type Field<T> = (value: ExactJson | undefined) => T | undefined;

export type Fields = { readonly [name: string]: Field<unknown> };
/** What an object of such members was read as. */
export type Read<F extends Fields> = { readonly [Name in keyof F]: ReturnType<F[Name]> };

export const text: Field<string> = (value) => {
  // An id that is written as a number of many digits is a name all the same.
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'string' ? value : undefined;
};
export const number: Field<number> = (value) => (typeof value === 'number' ? value : undefined);
export const flag: Field<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);

/** Any JSON, not looked into: it may be large and deep. */
export const json: Field<ExactJson> = (value) => value;

/** Milliseconds since the epoch, or RFC 3339. */
export const time: Field<string | number> = (value) => text(value) ?? number(value);

/** An object of such members; absent where it is something else. */
export function object<F extends Fields>(fields: F): Field<Read<F>> {
  const read = members(fields);
  return (value) => (isMembers(value) ? read(value) : undefined);
}

/** A list of which every item is what it should be. */
export function list<T>(item: Field<T>): Field<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const items = value.map((one: ExactJson) => item(one));
    return items.every((one) => one !== undefined) ? items : undefined;
  };
}

/** The members of an object, and nothing else of it. */
export function members<F extends Fields>(fields: F): (body: { readonly [member: string]: ExactJson }) => Read<F> {
  const all = Object.entries(fields);
  return (body) => {
    const read = all.map(([name, field]) => [name, field(Object.hasOwn(body, name) ? body[name] : undefined)] as const);
    // Each field's own type, which entries lose.
    return Object.fromEntries(read) as Read<F>;
  };
}
