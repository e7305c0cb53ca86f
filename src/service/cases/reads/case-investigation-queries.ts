import type { RulesAnswer } from '../../../api/index.ts';
import type { JsonObject } from '../../../protocol/index.ts';
import type { ContentView } from '../../search/content-index/content-view.ts';
import type { ArgumentsOf } from '../../search/content-index/queries/content-queries.ts';
import { INVESTIGATION_QUERIES } from '../../search/queries/investigation-queries.ts';
import type { Examiner } from '../custody/custody-log.ts';
import { caseRules, caseSearches, changeCaseRules, deleteCaseSearch, saveCaseSearch } from '../reading-file.ts';
import { askContents } from './case-contents-queries.ts';
import type { OpenCase } from './open-case.ts';

/** The same question, asked of a case. */
function ofCase<Q extends (view: ContentView, ...rest: never) => unknown>(question: Q) {
  return (open: OpenCase, ...rest: ArgumentsOf<Q>): ReturnType<Q> =>
    askContents(open, (view) => question(view, ...(rest as never)) as ReturnType<Q>);
}

/** @throws ServiceError VALIDATION_ERROR */
function setRules(open: OpenCase, rules: JsonObject | null, examiner: Examiner): RulesAnswer {
  const changed = changeCaseRules(open.annotations, rules, examiner);
  // The next question reads the payloads again.
  open.forgetContents();
  return changed;
}

/** What is asked of the sessions, entities and rules of a case. */
export const CASE_INVESTIGATION_QUERIES = {
  sessions: ofCase(INVESTIGATION_QUERIES.sessions),
  steps: ofCase(INVESTIGATION_QUERIES.steps),
  entities: ofCase(INVESTIGATION_QUERIES.entities),
  touches: ofCase(INVESTIGATION_QUERIES.touches),
  reading: ofCase(INVESTIGATION_QUERIES.reading),
  activity: ofCase(INVESTIGATION_QUERIES.activity),
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
