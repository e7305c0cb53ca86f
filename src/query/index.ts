/**
 * The query language of searches over records (docs/query-language.md). Pure: reads, writes and completes queries, and says
 * of a record whether it is meant. An index over records must find what `matchesQuery` finds.
 */

export { comparable } from './comparable.ts';
export { type Completion, completionsAt, type KnownNames } from './complete.ts';
export { matchesQuery, selectRecords, textTest } from './evaluate.ts';
export { containsFolded, foldText, type Range } from './folding.ts';
export {
  FORM_OPERATORS,
  type FormOperator,
  type FormRow,
  formOfQuery,
  formOperators,
  narrowed,
  queryOfForm,
} from './form.ts';
export { type Hit, hitsOf } from './hits.ts';
export { MAX_QUERY_DEPTH, MAX_QUERY_LENGTH, MAX_QUERY_TERMS } from './limits.ts';
export { mayBeText, textQuery } from './meant-as-text.ts';
export { parseQuery } from './parse.ts';
export { printQuery } from './print.ts';
export { type Leaf, type QueriedRecord, reaches, recordValues, recordWith, textOfValue } from './queried-record.ts';
export {
  type CompareQuery,
  type EqualsQuery,
  type Field,
  type Parsed,
  type PartQuery,
  QUERY_ERROR_CODES,
  type Query,
  type QueryError,
  type QueryErrorCode,
  type TermQuery,
  WORDED_FIELDS,
  type WordsQuery,
} from './query.ts';
export { parseField } from './query-fields.ts';
export { mayReadOtherwise, readingsOf } from './readings.ts';
export { compileRegex, type Regex } from './regex.ts';
export { momentIn } from './times.ts';
export { contextAt } from './typed-so-far.ts';
export { foldedWords, wordsOf } from './words.ts';
