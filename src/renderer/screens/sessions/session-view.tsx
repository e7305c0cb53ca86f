import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { visibleText } from '../../../protocol/index.ts';
import type { Step, WorkSession } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { dataOf, usePages } from '../../api/use-pages.ts';
import { AgentName } from '../../components/agent-mark.tsx';
import { Answer, Failure } from '../../components/answer.tsx';
import { CoverageMark } from '../../components/coverage-mark.tsx';
import { recordsOfSession } from '../../components/hand-over/gather.ts';
import { HandOverButton } from '../../components/hand-over/hand-over-button.tsx';
import { copyText } from '../../components/hash.tsx';
import { HoldButton } from '../../components/holds/hold-button.tsx';
import { Screen } from '../../components/screen.tsx';
import { useStop } from '../../components/waiting.tsx';
import { durationText } from '../../lib/duration.ts';
import { fill } from '../../lib/fill.ts';
import { nounFor } from '../../lib/plural.ts';
import { queryText, refusedCallsText } from '../../lib/query-text.ts';
import { useTimeZone } from '../../lib/time-zone.ts';
import { Seen } from '../../ui/seen.tsx';
import { count, Time } from '../../ui/time.tsx';
import { CompareWithSession } from './compare-with-session.tsx';
import { LaneStrip } from './lane-strip.tsx';
import { sessionText } from './session-text.ts';
import { StepList } from './step-list.tsx';
import { isTrouble, nextTrouble, storyOf } from './story.ts';
import { SESSION_FIGURES, SESSION_VIEW } from './texts.ts';

const route = ledgerScreen('/sessions');
const stepsOf = dataOf<Step>;

/** Steps of a session that are loaded without being asked for. */
const BY_ITSELF = 3000;

/** One session as a story: who did what, when, with what result. */
export function SessionView({ session }: { readonly session: string }) {
  const { step: begin } = route.useSearch();
  const navigate = route.useNavigate();
  const ledger = useLedger();
  // The first of them are enough to begin reading.
  const asked = ledger.pages(
    'sessionSteps',
    { body: { session, below: true, limit: 100 } },
    { body: { session, below: true, limit: 1000 } },
  );
  const query = useInfiniteQuery(asked);
  const stop = useStop([asked.queryKey], query.isFetching);
  const { rows: steps, more, hasMore } = usePages(query, stepsOf);
  useEffect(() => {
    if (steps.length < BY_ITSELF) more();
  }, [steps.length, more]);

  const [selected, setSelected] = useState<string | null>(begin ?? null);
  const [foldedBelow, setFoldedBelow] = useState<ReadonlySet<string>>(new Set());
  const zone = useTimeZone();
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
            <CompareWithSession of={first.session} />
            <HandOverButton
              title={SESSION_VIEW.titleOf(session)}
              records={(means) => recordsOfSession(ledger, session, means)}
            />
            <HoldButton of={{ session }} />
            <button
              type="button"
              onClick={() =>
                void copyText(sessionText(first.session, steps, zone), `${SESSION_VIEW.steps(steps.length)}`)
              }
            >
              {SESSION_VIEW.copyText}
            </button>
          </>
        )
      }
    >
      {query.error !== null && steps.length > 0 && <Failure error={query.error} retry={more} />}
      <Answer query={{ data: first, error: query.error, refetch: query.refetch }} what={SESSION_VIEW.what} stop={stop}>
        {({ session: of, below }) => (
          <div className="scroll-column is-filling">
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

interface Folds {
  /** Whether those that nobody has touched are open. */
  readonly open: boolean;
  /** Those that are the other way round. */
  readonly except: ReadonlySet<string>;
}

/** Which steps are unfolded: all of them or none, but for those that somebody folded or unfolded since. */
function useFolds(begin: string | undefined) {
  const [{ open, except }, setFolds] = useState<Folds>({
    open: false,
    except: new Set(begin === undefined ? [] : [begin]),
  });
  const toggle = useCallback(
    (id: string) =>
      setFolds((before) => {
        const next = new Set(before.except);
        if (!next.delete(id)) next.add(id);
        return { ...before, except: next };
      }),
    [],
  );
  const openAll = useCallback(() => setFolds({ open: true, except: new Set() }), []);
  const closeAll = useCallback(() => setFolds({ open: false, except: new Set() }), []);
  const isOpen = useCallback((id: string) => open !== except.has(id), [open, except]);
  return { isOpen, toggle, openAll, closeAll };
}

interface FigureProps {
  readonly value: number;
  readonly noun: string;
  readonly many?: string;
  readonly look?: string;
  readonly query: string;
}

/** A count that leads to exactly the records that it counts; one of none is no link. */
function Figure({ value, noun, many, look = '', query }: FigureProps) {
  const words = nounFor(value, noun, many);
  if (value === 0) {
    return (
      <span className="muted">
        <b className="number">0</b> {words}
      </span>
    );
  }
  return (
    <LedgerLink to="/search" search={{ query }} className={`story-figure ${look}`}>
      <b className="number">{count(value)}</b> {words}
    </LedgerLink>
  );
}

interface SessionFiguresProps {
  readonly of: WorkSession;
  readonly below: readonly WorkSession[];
}

/** Who took part in a session, when it was, and how its calls ended. */
function SessionFigures({ of, below }: SessionFiguresProps) {
  const { session } = of;
  return (
    <section className="story-figures" aria-label={SESSION_FIGURES.title}>
      <p className="cluster">
        {of.people.map((person) => (
          <span key={person} className="who who-person">
            <Seen text={person} />
          </span>
        ))}
        {of.agents.map((agentId) => (
          <LedgerLink key={agentId} to="/agents/$agentId" params={{ agentId }} className="who">
            <AgentName agentId={agentId} />
          </LedgerLink>
        ))}
        <span className="muted">
          <Time value={of.first_at} hasZone />,{' '}
          {durationText(Math.max(0, Date.parse(of.last_at) - Date.parse(of.first_at)))}
          {of.ended === false && SESSION_FIGURES.noEnd}
        </span>
      </p>
      <p className="cluster story-counts">
        <Figure value={of.records} noun="record" query={queryText({ session })} />
        <span>
          <b className="number">{count(of.calls)}</b> {SESSION_FIGURES.calls(of.calls)}
        </span>
        <Figure
          value={of.failed}
          noun="failed"
          many="failed"
          look="outcome-failed"
          query={queryText({ session, outcome: 'failed' })}
        />
        <Figure
          value={of.refused}
          noun="refused"
          many="refused"
          look="outcome-refused"
          query={refusedCallsText({ session })}
        />
        <Figure
          value={of.unfinished}
          noun={SESSION_FIGURES.withoutResult}
          many={SESSION_FIGURES.withoutResult}
          look="outcome-unfinished"
          query={queryText({ session, outcome: 'unfinished' })}
        />
        {of.parent !== null && (
          <LedgerLink to="/sessions" search={{ session: of.parent }}>
            {fill(SESSION_FIGURES.openedBy, { parent: <Seen text={of.parent} /> })}
          </LedgerLink>
        )}
        {below.length > 0 && <span className="muted">{SESSION_FIGURES.openedBelow(below.length)}</span>}
      </p>
    </section>
  );
}
