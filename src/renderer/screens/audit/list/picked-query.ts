import { MAX_QUERY_TERMS, type Query } from '../../../../actions/index.ts';
import { valueTerm } from '../terms.ts';

/** How many records one query can name. */
export const MAX_QUERIED = MAX_QUERY_TERMS;

/** The query that finds some records and no others, by their numbers. */
export function onlyThese(rows: readonly { readonly seq_no: number }[]): Query {
  const terms = rows.map(({ seq_no }) => valueTerm({ of: 'record', name: 'seq' }, seq_no));
  const [only] = terms;
  return only !== undefined && terms.length === 1 ? only : { kind: 'or', parts: terms };
}
