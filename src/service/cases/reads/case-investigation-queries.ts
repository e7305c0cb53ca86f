import type Database from 'better-sqlite3';
import type { RulesAnswer } from '../../../api/index.ts';
import type { JsonObject } from '../../../protocol/index.ts';
import { OF_CASE } from '../../search/annotations/annotations.ts';
import { deleteSearch, listSearches, type SearchWriting, saveSearch } from '../../search/annotations/saved-searches.ts';
import type { ContentView } from '../../search/content-index/content-view.ts';
import { readingText } from '../../search/content-index/default-rules.ts';
import type { AnswerOf, ArgumentsOf } from '../../search/content-index/queries/content-queries.ts';
import { RECORD_QUERIES } from '../../search/queries/record-queries.ts';
import { changeRules, describeRules, rulesOf } from '../../search/reading/stored-rules.ts';
import { appendCustody, type Examiner } from '../custody/custody-log.ts';
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
function setRules(open: OpenCase, given: JsonObject | null, examiner: Examiner): RulesAnswer {
  const { annotations } = open;
  const before = readingText(rulesOf(annotations));
  const append = (rules: JsonObject | null): void => appendCustody(annotations, examiner, 'rules.change', { rules });
  const changed = changeRules(annotations, given, { ...examiner, orgId: OF_CASE, append });
  // The next question reads the payloads again.
  if (readingText(rulesOf(annotations)) !== before) open.forgetContents();
  return changed;
}

function savingOf(annotations: Database.Database, examiner: Examiner): SearchWriting {
  const append: SearchWriting['append'] = (action, _, details) => appendCustody(annotations, examiner, action, details);
  return { ...examiner, orgId: OF_CASE, append };
}

/** What is asked of what is in the records of a case, and of how they are read. */
export const CASE_INVESTIGATION_QUERIES = {
  ...overCase(RECORD_QUERIES),
  rules: ({ annotations }: OpenCase) => describeRules(annotations),
  setRules,
  searches: ({ annotations }: OpenCase) => listSearches(annotations),
  saveSearch: (
    { annotations }: OpenCase,
    given: { readonly name: string; readonly search: JsonObject },
    examiner: Examiner,
  ) => saveSearch(annotations, given, savingOf(annotations, examiner)),
  deleteSearch: ({ annotations }: OpenCase, searchId: string, examiner: Examiner) =>
    deleteSearch(annotations, searchId, savingOf(annotations, examiner)),
} as const;
