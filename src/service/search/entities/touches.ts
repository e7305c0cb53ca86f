import type { Access } from '../../../actions/index.ts';
import type { AuditRow, Coverage, EntityRow, RowDetails } from '../../../api/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { auditRow } from '../content-index/audit-row.ts';
import { Bits } from '../content-index/bits.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { coverageOf, detailsOf } from '../content-index/queries/list-records.ts';
import { entityDigest } from '../content-index/record-content.ts';
import type { Direction } from '../content-index/record-source.ts';
import { entityRows } from './entity-rows.ts';

/** A record that touches an entity. */
export interface Touch extends AuditRow {
  readonly details: RowDetails;
  readonly access: Access;
  readonly before: string | null;
  readonly after: string | null;
  readonly amount: { readonly value: string; readonly currency: string | null } | null;
}

export interface TouchesAsked {
  readonly kind: string;
  readonly id: string;
  readonly order: Direction;
  readonly place: number | null;
  readonly limit: number;
}

export interface Touches {
  readonly entity: EntityRow;
  /** Up to one more than the limit. */
  readonly touches: readonly { readonly row: Touch; readonly n: number }[];
  readonly coverage: Coverage;
}

function touchOf(view: ContentView, n: number, kind: string, id: string): Touch {
  const { record, facts } = view.record(n);
  const entity = facts.entity.find((each) => each.kind === kind && each.id === id);
  return {
    ...auditRow(record),
    details: detailsOf(view, n),
    access: entity?.access ?? 'mentioned',
    before: entity?.before ?? null,
    after: entity?.after ?? null,
    amount: entity?.amount ?? null,
  };
}

/** All records that touch an entity. @throws ServiceError NOT_FOUND */
export function listTouches(view: ContentView, { kind, id, order, place, limit }: TouchesAsked): Touches {
  const { starts, ids, digests } = view.columns.list('entity');
  const number = digests.indexOf(entityDigest(view.reader.names, kind, id));
  const records = new Bits(view.indexedTo + 1);
  if (number > 0) {
    let n = 1;
    for (let at = ids.indexOf(number); at >= 0; at = ids.indexOf(number, at + 1)) {
      while ((starts[n + 1] ?? 0) <= at) n++;
      records.add(n);
    }
  }
  const [entity] = number > 0 ? entityRows(view, records, [number]) : [];
  if (entity == null) throw new ServiceError('NOT_FOUND', 'no record touches this');
  const next = (from: number): number => (order === 'newest' ? records.before(from) : records.from(from + 1));
  const page: number[] = [];
  for (let n = next(place ?? (order === 'newest' ? records.size : -1)); n >= 0 && page.length <= limit; n = next(n)) {
    page.push(n);
  }
  return {
    entity,
    touches: page.map((n) => ({ row: touchOf(view, n, kind, id), n })),
    coverage: coverageOf(view),
  };
}
