import { keepPreviousData } from '@tanstack/react-query';
import { z } from 'zod';
import { type Field, type FieldsHaving, type FieldsWith, fieldsWith } from '../../../../actions/index.ts';
import type { AuditFilter, Ledger } from '../../../api/ledger/ledger.ts';
import type { q } from '../../../api/query.ts';
import { pointerField } from '../terms.ts';
import { FIELDS } from '../texts.ts';

/** A field whose values are counted, or the JSON Pointer of a payload's member. */
type FacetField = FieldsHaving<'facet'> | `/${string}`;

/** A field whose values are next to the list. */
export interface Facet {
  readonly field: FacetField;
  readonly label: string;
  /** What its values are filtered by. */
  readonly of: Field;
  /** Whether it is unfolded until somebody folds it. */
  readonly isOpen: boolean;
}

/** The fields that come first, and are unfolded until somebody folds them. */
const OPEN: readonly FieldsWith<{ facet: 'shown' }>[] = ['outcome', 'agent', 'tool', 'mark', 'tag', 'session'];

const FIXED = [...new Set([...OPEN, ...fieldsWith({ facet: 'shown' })])].map(
  (name): Facet => ({ field: name, label: FIELDS[name], of: { of: 'record', name }, isOpen: OPEN.includes(name) }),
);

/** Fields in a request at most. */
export const FACETS_AT_ONCE = 12;

const facetRules = z.object({ facets: z.array(z.string()).catch([]) });

/** How often values of fields occur among what a search finds, the most frequent first. */
export function facetsAsked(
  ledger: Ledger,
  filter: AuditFilter,
  some: readonly Facet[],
  values: number,
): ReturnType<typeof q<'facets'>> {
  const fields = some.map(({ field }) => field);
  return {
    ...ledger.q('facets', { body: { ...filter, fields, values } }),
    placeholderData: keepPreviousData,
  };
}

/** The facets of an organization or case: the fixed ones, and the members that its rules name. */
export function facetsOf(rules: unknown): readonly Facet[] {
  const named = facetRules.safeParse(rules);
  const pointers = named.success ? named.data.facets : [];
  const members = pointers
    .filter((pointer): pointer is `/${string}` => pointer.startsWith('/'))
    .map(
      (field): Facet => ({
        field,
        label: field.slice(field.lastIndexOf('/') + 1),
        of: pointerField(field),
        isOpen: true,
      }),
    );
  return [...FIXED, ...members];
}
