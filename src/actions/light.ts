/** The table of a record's fields and its codes, without the query language, and the clocks of zones: what the interface is made of. */
export {
  DESTINATION_WAYS,
  LOOK_KINDS,
  type LookKind,
  MARKS,
  type Mark,
  OUTCOMES,
  type Outcome,
  RECORD_FORM_NAMES,
  RECORD_FORMS,
  SIGN_CODES,
  type SignCode,
  SOURCED,
} from './fields/codes.ts';
export { DETAIL_FIELDS, type DetailField, fieldsHaving, fieldsWith, RECORD_FIELDS } from './fields/fields.ts';
export { isZone, momentIn, momentsIn, offsetAt, offsetText, wallClock, wallText } from './query/times.ts';
