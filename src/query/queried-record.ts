import { MARK_NAMES } from '../facts/codes.ts';
import { type Field, RECORD_FIELDS, type RecordFieldName } from './query.ts';

/** A scalar of a payload. */
export interface Leaf {
  /** The names of the members from the root to it; positions in arrays are left out. */
  readonly path: readonly string[];
  /** JSON Pointer (RFC 6901), positions in arrays included. */
  readonly pointer: string;
  readonly value: string | number | boolean | null;
}

/** What a query asks of a record. A withheld or erased payload has no leaves. */
export interface QueriedRecord {
  readonly agent: string;
  readonly type: string;
  readonly action: string;
  readonly subject: string | null;
  readonly operation: string;
  readonly seq: number;
  /** Milliseconds since 1970, as `received`. */
  readonly issued: number;
  readonly received: number;
  readonly session: string | null;
  readonly phase: string;
  readonly tool: string | null;
  readonly outcome: string | null;
  readonly call: string | null;
  readonly person: string | null;
  readonly entities: readonly { readonly kind: string; readonly id: string }[];
  readonly hosts: readonly string[];
  readonly error: string | null;
  readonly durationMs: number | null;
  readonly marks: readonly string[];
  /** What people gave it. */
  readonly tags: readonly string[];
  readonly bookmarked: boolean;
  readonly leaves: readonly Leaf[];
}

/** A leaf's value as the text that words, parts and regular expressions are looked for in. */
export function textOfValue(value: Leaf['value']): string {
  return String(value);
}

/** The values of a field of the record; none where the record says nothing of it. Times are milliseconds since 1970. */
export function recordValues(record: QueriedRecord, name: RecordFieldName): readonly (string | number)[] {
  switch (name) {
    case 'entity':
      return record.entities.flatMap(({ kind, id }) => [`${kind}:${id}`, id]);
    case 'host':
      return record.hosts;
    case 'mark':
      return record.marks.flatMap((mark) => [mark, ...nameOfMark(mark)]);
    case 'tag':
      return record.tags;
    case 'bookmarked':
      return [String(record.bookmarked)];
    case 'duration':
      return present(record.durationMs);
    default:
      return present(record[name]);
  }
}

function nameOfMark(mark: string): readonly string[] {
  const names: Readonly<Record<string, string>> = MARK_NAMES;
  return Object.hasOwn(names, mark) ? [names[mark] ?? mark] : [];
}

/** Whether the field's values are numbers, times or texts; `any` for members of payloads. */
export function formOf(field: Field): 'text' | 'number' | 'time' | 'any' {
  return field.of === 'record' ? RECORD_FIELDS[field.name] : 'any';
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

function present<T>(value: T | null): T[] {
  return value === null ? [] : [value];
}
