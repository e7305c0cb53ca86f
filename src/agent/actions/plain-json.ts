import { type ExactJson, ExactNumber, isExact } from '../../protocol/light.ts';

/** Deeper than this a value is cut off: a payload nests at most 256 levels, and stands some levels deep in its record. */
const MAX_DEPTH = 64;

/**
 * Any JavaScript value as JSON that has a canonical form, but for numbers that a double does not keep: of a bigint, and NaN and infinities.
 * What JSON cannot say becomes a text (symbol), the base64 of bytes, null (undefined in an array) or is left out (undefined and
 * functions in an object); lone surrogates become U+FFFD; what is nested too deep or in itself becomes a text that says so. Never throws.
 */
export function plainJson(value: unknown): ExactJson {
  return convert(value, []) ?? null;
}

function convert(value: unknown, within: readonly object[]): ExactJson | undefined {
  switch (typeof value) {
    case 'string':
      return value.toWellFormed();
    case 'number':
      return Number.isFinite(value) ? value : new ExactNumber(String(value));
    case 'boolean':
      return value;
    case 'bigint':
      return isExact(String(value)) ? Number(value) : new ExactNumber(String(value));
    case 'symbol':
      return value.toString().toWellFormed();
    case 'object':
      return value === null ? null : convertObject(value, within);
    default:
      return undefined;
  }
}

function convertObject(value: object, outer: readonly object[]): ExactJson | undefined {
  if (value instanceof ExactNumber) return value;
  if (outer.includes(value)) return '[circular]';
  if (outer.length >= MAX_DEPTH) return '[nested too deep]';
  const within = [...outer, value];
  try {
    if (value instanceof Uint8Array)
      return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
    if (value instanceof Error) return { name: value.name.toWellFormed(), message: value.message.toWellFormed() };
    if (Array.isArray(value)) return value.map((item: unknown) => convert(item, within) ?? null);
    if ('toJSON' in value && typeof value.toJSON === 'function') return convert(value.toJSON(), within);
    if (value instanceof Map) return [...value].map((entry) => convert(entry, within) ?? null);
    if (value instanceof Set) return [...value].map((item) => convert(item, within) ?? null);
    const members = Object.entries(value).flatMap(([name, member]): [string, ExactJson][] => {
      const converted = convert(member, within);
      return converted === undefined ? [] : [[name.toWellFormed(), converted]];
    });
    return Object.fromEntries(members);
  } catch (error) {
    // A getter or toJSON of the caller's threw: the action itself must not fail of it.
    return `[unreadable: ${error instanceof Error ? error.message.toWellFormed() : 'it threw'}]`;
  }
}
