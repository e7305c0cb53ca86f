/**
 * What is read out of a record for those who search and follow what agents did: the decoded payload, session, tool, outcome,
 * entities, one line for people. Pure and derived: nothing here is evidence or changes what verification says.
 */
export { type CallState, NEW_CALL, outcomeOfCall, withRecord } from './call-state.ts';
export { ACCESSES, type Access, MARK_NAMES, MARKS, type Mark, OUTCOMES, type Outcome } from './codes.ts';
export { defaultRules } from './default-prepared.ts';
export { explainMark } from './explain-marks.ts';
export { factsOf, isOfProfile } from './facts-of.ts';
export {
  DETAIL_FIELDS,
  type DetailField,
  definitionOf,
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
} from './fields.ts';
export type { MarkMemory } from './mark-memory.ts';
export { type FoundMark, marksOf } from './marks.ts';
export { openedText } from './opened-text.ts';
export { inputAndOutput } from './plain-facts.ts';
export { type PreparedRules, prepareRules } from './prepared-rules.ts';
export { rateBefore } from './rate.ts';
export { READ_LIMITS, type ReadPayload, readPayload } from './read-payload.ts';
export {
  FACT_PHASES,
  type FactPhase,
  type RecordFacts,
  type RecordHead,
  type RecordOutcome,
} from './record-facts.ts';
export { type InvestigationRules, investigationRules } from './rules.ts';
export { callTitle } from './summary.ts';
export { valueAt } from './tree.ts';
