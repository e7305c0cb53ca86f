import { keepPreviousData } from '@tanstack/react-query';
import { z } from 'zod';
import type { FACET_FIELDS as COUNTED } from '../../../../contract/index.ts';
import type { Field } from '../../../../query/index.ts';
import type { AuditFilter, Ledger } from '../../../api/ledger/ledger.ts';
import type { q } from '../../../api/query.ts';
import { pointerField } from '../terms.ts';
import { FACET_FIELDS } from './texts.ts';

/** A field whose values are counted, or the JSON Pointer of a payload's member. */
type FacetField = (typeof COUNTED)[number] | `/${string}`;

/** A field whose values are next to the list. */
export interface Facet {
  readonly field: FacetField;
  readonly label: string;
  /** What its values are filtered by. */
  readonly of: Field;
  /** Whether it is unfolded until somebody folds it. */
  readonly isOpen: boolean;
}

const record = (
  name: 'agent' | 'type' | 'tool' | 'outcome' | 'session' | 'subject' | 'person' | 'host' | 'mark' | 'tag',
  label: string,
  isOpen: boolean,
): Facet => ({ field: name, label, of: { of: 'record', name }, isOpen });

const FIXED: readonly Facet[] = [
  record('outcome', FACET_FIELDS.outcome, true),
  record('agent', FACET_FIELDS.agent, true),
  record('tool', FACET_FIELDS.tool, true),
  record('mark', FACET_FIELDS.mark, true),
  record('tag', FACET_FIELDS.tag, true),
  record('session', FACET_FIELDS.session, true),
  record('type', FACET_FIELDS.type, false),
  record('subject', FACET_FIELDS.subject, false),
  record('person', FACET_FIELDS.person, false),
  record('host', FACET_FIELDS.host, false),
];

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
