import { MARK_NAMES } from '../fields/codes.ts';
import {
  type FieldValue,
  type FieldValues,
  isFieldWith,
  nothingOf,
  RECORD_FIELD_NAMES,
  RECORD_FIELDS,
  type RecordFieldName,
} from '../fields/fields.ts';
import type { Field } from './query.ts';

/** A scalar of a payload. */
export interface Leaf {
  /** The names of the members from the root to it; positions in arrays are left out. */
  readonly path: readonly string[];
  /** JSON Pointer (RFC 6901), positions in arrays included. */
  readonly pointer: string;
  readonly value: string | number | boolean | null;
}

/** What a query asks of a record. A withheld or erased payload has no leaves. */
export interface QueriedRecord extends FieldValues {
  readonly leaves: readonly Leaf[];
}

/** A record that says nothing of any field. */
export const NOTHING_KNOWN: QueriedRecord = { ...nothingOf(RECORD_FIELD_NAMES), leaves: [] };

/** A record of which no more is known than one value of a field. */
export function recordWith(name: RecordFieldName, value: string | number): QueriedRecord {
  return { ...NOTHING_KNOWN, [name]: isFieldWith(name, { many: true }) ? [value] : value };
}

/** A leaf's value as the text that words, parts and regular expressions are looked for in. */
export function textOfValue(value: Leaf['value']): string {
  return String(value);
}

/** The values of a field of the record; none where the record says nothing of it. Times are milliseconds since 1970. */
export function recordValues<N extends RecordFieldName>(record: FieldValues<N>, name: N): readonly (string | number)[] {
  const value: FieldValue<RecordFieldName> = record[name];
  if (value === null) return [];
  if (typeof value !== 'object') return [value];
  return value.flatMap((one) => {
    // An address is one entity, and is asked for as an account too.
    if (typeof one === 'object')
      return [`${one.kind}:${one.id}`, one.id, ...(one.kind === 'email' ? [`account:${one.id}`] : [])];
    return name === 'mark' ? [one, ...nameOfMark(one)] : [one];
  });
}

function nameOfMark(mark: string): readonly string[] {
  const names: Readonly<Record<string, string>> = MARK_NAMES;
  return Object.hasOwn(names, mark) ? [names[mark] ?? mark] : [];
}

/** Whether the field's values are numbers, times or texts; `any` for members of payloads. */
export function formOf(field: Field): 'text' | 'number' | 'time' | 'any' {
  return field.of === 'record' ? RECORD_FIELDS[field.name].form : 'any';
}

/**
 * Whether a field of the payload means the leaf with this path: with `at`, the leaf alone, as exact values and comparisons
 * ask; with `within`, anything below the named member too, as all else asks.
 */
export function reaches(
  field: Extract<Field, { of: 'payload' }>,
  path: readonly string[],
  how: 'at' | 'within',
): boolean {
  const names = field.path;
  const last = path.length - names.length;
  const isAt = (from: number): boolean => names.every((name, index) => path[from + index] === name);
  if (last < 0 || names.length === 0) return false;
  if (field.fromRoot) return (how === 'within' || last === 0) && isAt(0);
  if (how === 'at') return isAt(last);
  for (let from = 0; from <= last; from++) if (isAt(from)) return true;
  return false;
}
