import type { FormOperator } from '../../../../actions/index.ts';
import { CONDITION_ROW } from './texts.ts';

/** What a condition asks of its field. */
export const OPERATOR_WORDS: Readonly<Record<FormOperator, string>> = {
  contains: CONDITION_ROW.containsWords,
  contains_not: CONDITION_ROW.notContainsWords,
  has_part: CONDITION_ROW.containsText,
  has_part_not: CONDITION_ROW.notContainsText,
  is: 'is',
  is_not: CONDITION_ROW.isNot,
  below: CONDITION_ROW.isBelow,
  at_most: CONDITION_ROW.isAtMost,
  above: CONDITION_ROW.isAbove,
  at_least: CONDITION_ROW.isAtLeast,
  matches: CONDITION_ROW.matches,
  matches_not: CONDITION_ROW.notMatches,
  present: CONDITION_ROW.isThere,
  absent: CONDITION_ROW.isMissing,
};
