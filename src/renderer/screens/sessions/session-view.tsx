import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { visibleText } from '../../../protocol/index.ts';
import type { Step } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { dataOf, usePages } from '../../api/use-pages.ts';
import { Answer, Failure } from '../../components/answer.tsx';
import { CoverageMark } from '../../components/coverage-mark.tsx';
import { copyText } from '../../components/hash.tsx';
import { ReportButton } from '../../components/report/report-button.tsx';
import { Screen } from '../../components/screen.tsx';
import { queryText } from '../../lib/query-text.ts';
import { Seen } from '../../ui/seen.tsx';
import { count } from '../../ui/time.tsx';
import { LaneStrip } from './lane-strip.tsx';
import { SessionFigures } from './session-figures.tsx';
import { sessionText } from './session-text.ts';
import { StepList } from './step-list.tsx';
import { isTrouble, nextTrouble, storyOf } from './story.ts';
import { SESSION_VIEW } from './texts.ts';
import { useFolds } from './use-folds.ts';

const route = ledgerScreen('/sessions');
const stepsOf = dataOf<Step>;

/** Steps of a session that are loaded without being asked for. */
const BY_ITSELF = 3000;

/** All records of steps, each called as its step is. */
function recordsOf(steps: readonly Step[]) {
  return steps.flatMap(({ moments, title }) =>
    moments.map(({ seq_no: seqNo, operation_id: operationId }) => ({ seqNo, operationId, text: title })),
  );
}

/** One session as a story: who did what, when, with what result. */
export function SessionView({ session }: { readonly session: string }) {
  const { step: begin } = route.useSearch();
  const navigate = route.useNavigate();
  const { pages } = useLedger();
  const query = useInfiniteQuery(
    // The first of them are enough to begin reading.
    pages(
      'sessionSteps',
      { body: { session, below: true, limit: 100 } },
      { body: { session, below: true, limit: 1000 } },
    ),
  );
  const { rows: steps, more, hasMore } = usePages(query, stepsOf);
  useEffect(() => {
    if (steps.length < BY_ITSELF) more();
  }, [steps.length, more]);

  const [selected, setSelected] = useState<string | null>(begin ?? null);
  const [foldedBelow, setFoldedBelow] = useState<ReadonlySet<string>>(new Set());
  const folds = useFolds(begin);
  const rows = useMemo(() => storyOf(steps, session, foldedBelow), [steps, session, foldedBelow]);
  const select = useCallback((id: string) => setSelected(id), []);
  const toggle = useCallback(
    (id: string) => {
      folds.toggle(id);
      // The address leads back to here from the proof of a step.
      void navigate({ search: (before) => ({ ...before, step: id }), replace: true });
    },
    [folds.toggle, navigate],
  );
  const foldBelow = useCallback(
    (name: string) =>
      setFoldedBelow((before) => {
        const next = new Set(before);
        if (!next.delete(name)) next.add(name);
        return next;
      }),
    [],
  );
  const troubles = useMemo(() => steps.filter(isTrouble).length, [steps]);
  const [first] = query.data?.pages ?? [];
  const coverage = query.data?.pages.at(-1)?.coverage;
  return (
    <Screen
      name={SESSION_VIEW.titleOf(session)}
      flush
      title={
        <>
          <LedgerLink to="/sessions" search={{}} className="crumb">
            {SESSION_VIEW.sessions}
          </LedgerLink>{' '}
          <span className="crumb">/</span> <Seen text={session} />
        </>
      }
      actions={
        first && (
          <>
            <LedgerLink to="/search" search={{ query: queryText({ session }) }} className="button">
              {SESSION_VIEW.searchRecords}
            </LedgerLink>
            <ReportButton
              title={SESSION_VIEW.titleOf(session)}
              reason={hasMore ? SESSION_VIEW.notAllLoaded : null}
              records={() => recordsOf(steps)}
            />
            <button
              type="button"
              onClick={() => void copyText(sessionText(first.session, steps), `${SESSION_VIEW.steps(steps.length)}`)}
            >
              {SESSION_VIEW.copyText}
            </button>
          </>
        )
      }
    >
      {query.error !== null && steps.length > 0 && <Failure error={query.error} retry={more} />}
      <Answer query={{ data: first, error: query.error, refetch: query.refetch }} what={SESSION_VIEW.what}>
        {({ session: of, below }) => (
          <div className="story">
            <SessionFigures of={of} below={below} />
            <LaneStrip steps={steps} selected={selected} onSelect={select} />
            <div className="story-bar">
              <span role="status">
                {SESSION_VIEW.steps(steps.length)}
                {hasMore && ` ${SESSION_VIEW.loaded}`}
              </span>
              {coverage !== undefined && <CoverageMark coverage={coverage} />}
              {hasMore && steps.length >= BY_ITSELF && (
                <button type="button" className="button-small" onClick={more}>
                  {SESSION_VIEW.loadMore}
                </button>
              )}
              <span className="push cluster">
                <button
                  type="button"
                  className="button-small"
                  disabled={troubles === 0}
                  onClick={() => setSelected(nextTrouble(steps, selected)?.operation_id ?? selected)}
                >
                  {troubles === 0 ? SESSION_VIEW.noProblems : SESSION_VIEW.nextProblem(count(troubles))}
                </button>
                <button type="button" className="button-small" onClick={folds.openAll}>
                  {SESSION_VIEW.openAll}
                </button>
                <button type="button" className="button-small" onClick={folds.closeAll}>
                  {SESSION_VIEW.closeAll}
                </button>
              </span>
            </div>
            <StepList
              label={SESSION_VIEW.stepsOf(visibleText(session))}
              rows={rows}
              steps={steps}
              below={below}
              began={of.first_at}
              selected={selected}
              isOpen={folds.isOpen}
              onSelect={select}
              onToggle={toggle}
              onFoldBelow={foldBelow}
            />
          </div>
        )}
      </Answer>
    </Screen>
  );
}
