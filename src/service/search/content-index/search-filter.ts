import {
  type Field,
  type FieldsHaving,
  fieldOfMember,
  fieldsHaving,
  parseQuery,
  type Query,
  RECORD_FIELDS,
  type RecordFieldName,
} from '../../../actions/index.ts';
import type { Exclusion, Unit } from '../../../api/index.ts';
import { parseTime } from '../../../protocol/light.ts';
import { ServiceError } from '../../store/base/service-error.ts';

const FILTERED = fieldsHaving('filter');
type Filter = (typeof RECORD_FIELDS)[FieldsHaving<'filter'>]['filter'];

/** What records are searched by, as requests have it. */
export interface ContentFilter extends Readonly<Partial<Record<Filter, string | undefined>>> {
  readonly startTime?: string | undefined;
  readonly endTime?: string | undefined;
  readonly beforeSeq?: number | undefined;
  readonly without?: readonly Exclusion[] | undefined;
  readonly query?: string | undefined;
  readonly zone?: string | undefined;
  readonly unit?: Unit | undefined;
}

function own(name: RecordFieldName): Field {
  return { of: 'record', name };
}

function is(name: RecordFieldName | undefined, text: string | undefined): Query[] {
  return name === undefined || text === undefined ? [] : [{ kind: 'equals', field: own(name), value: text, text }];
}

function issued(operator: '<' | '>=', text: string | undefined): Query[] {
  if (text === undefined) return [];
  return [{ kind: 'compare', field: own('issued'), operator, number: null, time: parseTime(text) }];
}

/** @throws ServiceError VALIDATION_ERROR with the language's own reasons, and where in the text they are */
function parsed(text: string, zone: string, now: number): Query {
  const result = parseQuery(text, { now, zone });
  if (result.ok) return result.query;
  const reasons = result.errors.map(({ message, at, expected }) => {
    const accepted = expected.length === 0 ? '' : ` Expected: ${expected.join(', ')}.`;
    return `${message} (at character ${at + 1})${accepted}`;
  });
  throw new ServiceError('VALIDATION_ERROR', `query: ${reasons.join(' ')}`);
}

/** @throws ServiceError VALIDATION_ERROR */
function checkZone(zone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
  } catch {
    // What it throws says less than this.
    throw new ServiceError('VALIDATION_ERROR', 'zone: must be an IANA time zone, such as "Europe/Berlin"');
  }
}

/** All that a request filters by, as one query. @throws ServiceError VALIDATION_ERROR */
export function queryOf(filter: ContentFilter, now: number): Query {
  const { startTime, endTime, beforeSeq, without = [], query, zone } = filter;
  if (zone !== undefined) checkZone(zone);
  const parts: Query[] = [
    ...FILTERED.flatMap((name) => is(name, filter[RECORD_FIELDS[name].filter])),
    ...issued('>=', startTime),
    ...issued('<', endTime),
    ...without.flatMap(([member, value]) =>
      is(fieldOfMember(member), value).map((part): Query => ({ kind: 'not', part })),
    ),
  ];
  if (beforeSeq !== undefined) {
    parts.push({ kind: 'compare', field: own('seq'), operator: '<', number: beforeSeq, time: null });
  }
  if (query !== undefined) parts.push(parsed(query, zone ?? 'UTC', now));
  const [only] = parts;
  if (only === undefined) return { kind: 'all' };
  return parts.length === 1 ? only : { kind: 'and', parts };
}
