import type { RulesAnswer } from '../../../api/index.ts';
import type { JsonObject } from '../../../protocol/index.ts';
import type { ContentView } from '../../search/content-index/content-view.ts';
import { readingText } from '../../search/content-index/default-rules.ts';
import type { AnswerOf, ArgumentsOf } from '../../search/content-index/queries/content-queries.ts';
import { RECORD_QUERIES } from '../../search/queries/record-queries.ts';
import type { Examiner } from '../custody/custody-log.ts';
import {
  caseRules,
  caseSearches,
  changeCaseRules,
  deleteCaseSearch,
  rulesOfCase,
  saveCaseSearch,
} from '../reading-file.ts';
import { askContents } from './case-contents-queries.ts';
import type { OpenCase } from './open-case.ts';

type OverCase<Questions> = {
  readonly [N in keyof Questions]: (open: OpenCase, ...args: ArgumentsOf<Questions[N]>) => AnswerOf<Questions[N]>;
};
type Question = (view: ContentView, ...args: readonly unknown[]) => unknown;

/** The same questions, asked of the records of a case. */
function overCase<Questions extends object>(questions: Questions): OverCase<Questions> {
  const asked = (Object.entries(questions) as [string, Question][]).map(([name, question]) => [
    name,
    (open: OpenCase, ...args: readonly unknown[]) => askContents(open, (view) => question(view, ...args)),
  ]);
  return Object.fromEntries(asked) as OverCase<Questions>;
}

/** @throws ServiceError VALIDATION_ERROR */
function setRules(open: OpenCase, rules: JsonObject | null, examiner: Examiner): RulesAnswer {
  const before = readingText(rulesOfCase(open.annotations));
  const changed = changeCaseRules(open.annotations, rules, examiner);
  // The next question reads the payloads again.
  if (readingText(rulesOfCase(open.annotations)) !== before) open.forgetContents();
  return changed;
}

/** What is asked of what is in the records of a case, and of how they are read. */
export const CASE_INVESTIGATION_QUERIES = {
  ...overCase(RECORD_QUERIES),
  rules: ({ annotations }: OpenCase) => caseRules(annotations),
  setRules,
  searches: ({ annotations }: OpenCase) => caseSearches(annotations),
  saveSearch: (
    { annotations }: OpenCase,
    given: { readonly name: string; readonly search: JsonObject },
    examiner: Examiner,
  ) => saveCaseSearch(annotations, given, examiner),
  deleteSearch: ({ annotations }: OpenCase, searchId: string, examiner: Examiner) =>
    deleteCaseSearch(annotations, searchId, examiner),
} as const;
