/**
 * What agents did, as people ask about it: the table of a record's fields, what is read out of payloads, and the query language
 * (docs/query-language.md). Pure and derived: nothing here is evidence or changes what verification says. The payload profile is
 * a separate entry point, profile.ts: its schema is not needed to search.
 */
export { type AlignedSteps, alignSteps, type ComparableStep } from './comparing/align-steps.ts';
export { identityOf } from './facts/addresses.ts';
export {
  actsWith,
  afterIdOf,
  type CallState,
  type CallTimes,
  END_PHASES,
  type IdState,
  isMomentOfCall,
  joinOf,
  LEAVING_OUT,
  NEW_CALL,
  outcomeOfCall,
  timesOfCall,
  withRecord,
} from './facts/call-state.ts';
export { DECISION_NAMES } from './facts/decision.ts';
export { defaultRules } from './facts/default-prepared.ts';
export { type Destination, destinationsOf, isDecided } from './facts/destinations.ts';
export { joinedEntities } from './facts/entities.ts';
export { explainMark, marksOfFacts } from './facts/explain-marks.ts';
export { factsOf, isOfProfile } from './facts/facts-of.ts';
export { joinedFacts, lackingFields } from './facts/joined-facts.ts';
export { isAbout } from './facts/outcomes.ts';
export { type PreparedRules, prepareRules } from './facts/prepared-rules.ts';
export { READ_LIMITS, type ReadPayload, readPayload } from './facts/read-payload.ts';
export {
  FACT_PHASES,
  type FactPhase,
  type RecordFacts,
  type RecordHead,
  type RecordOutcome,
  type TouchedEntity,
} from './facts/record-facts.ts';
export { type InvestigationRules, investigationRules } from './facts/rules.ts';
export { decisionOf, witnessesOf } from './facts/seen-by.ts';
export { callTitle } from './facts/summary.ts';
export { ownerOf, textAt, textsIn, valueAt } from './facts/tree.ts';
export {
  ACCESSES,
  type Access,
  ALARMS,
  DESTINATION_WAYS,
  LOOK_KINDS,
  MARK_NAMES,
  MARKS,
  type Mark,
  OUTCOMES,
  type Outcome,
  RECORD_FORM_NAMES,
  RECORD_FORMS,
  type RecordFormName,
} from './fields/codes.ts';
export {
  type ArchiveField,
  detailsOfFields,
  type FieldsHaving,
  type FieldsWith,
  type FieldValues,
  fieldOfMember,
  fieldsHaving,
  fieldsWith,
  isFieldWith,
  isRecordField,
  nothingOf,
  RECORD_FIELD_NAMES,
  RECORD_FIELDS,
  type RecordFieldName,
} from './fields/fields.ts';
export { csvField, csvLine } from './forms/csv.ts';
export {
  type HandedRecord,
  NOT_EVIDENCE,
  RECORD_COLUMN_NAMES,
  RECORD_COLUMNS,
  type RecordColumnName,
} from './forms/record-forms.ts';
export { comparable } from './query/comparable.ts';
export { type Completion, completionsAt, type KnownNames } from './query/complete.ts';
export { type Decimal, decimalText, halfOf, readDecimal, scaledTo } from './query/decimal.ts';
export { matchesAction, matchesQuery, selectActions, selectRecords, textTest } from './query/evaluate.ts';
export { containsFolded, foldText, type Range } from './query/folding.ts';
export {
  FORM_OPERATORS,
  type FormOperator,
  type FormRow,
  formOfQuery,
  formOperators,
  narrowed,
  queryOfForm,
} from './query/form.ts';
export {
  type GroupedQuery,
  type Grouping,
  groupedQueryText,
  isTimeStep,
  MEASURES,
  parseGroupedQuery,
  termsOfGroup,
} from './query/grouped-query.ts';
export { type Hit, hitsOf } from './query/hits.ts';
export { MAX_QUERY_DEPTH, MAX_QUERY_LENGTH, MAX_QUERY_TERMS } from './query/limits.ts';
export { mayBeText, textQuery } from './query/meant-as-text.ts';
export {
  isErasable,
  type NamingRecord,
  type Occurrence,
  peopleInText,
  soughtPerson,
  soughtSession,
  withheldWith,
} from './query/occurrences.ts';
export { parseQuery } from './query/parse.ts';
export { printQuery, quoted } from './query/print.ts';
export {
  type Leaf,
  type QueriedRecord,
  reaches,
  recordValues,
  recordWith,
  textOfValue,
} from './query/queried-record.ts';
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
} from './query/query.ts';
export { parseField } from './query/query-fields.ts';
export { readingsOf } from './query/readings.ts';
export { compileRegex, type Regex } from './query/regex.ts';
export { spanOfStep, TIME_STEPS, type TimeStep, timeStep } from './query/time-steps.ts';
export { offsetAt } from './query/times.ts';
export { contextAt } from './query/typed-so-far.ts';
export { eachFoldedWord, foldedWords, wordsOf } from './query/words.ts';
