import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { AnswerOf } from '../../../api/index.ts';
import type { Step, WorkSession } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { dataOf, usePages } from '../../api/use-pages.ts';
import { ActionOutcome } from '../../components/action-marks.tsx';
import { AgentNames } from '../../components/agent-mark.tsx';
import { Answer } from '../../components/answer.tsx';
import { Content } from '../../components/content.tsx';
import { CoverageMark } from '../../components/coverage-mark.tsx';
import { Screen } from '../../components/screen.tsx';
import { useStop } from '../../components/waiting.tsx';
import { durationText } from '../../lib/duration.ts';
import { LongText } from '../../ui/long-text.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Time } from '../../ui/time.tsx';
import { TOLD_WORDS } from './step-words.ts';
import { SIDE_BY_SIDE } from './texts.ts';

type Line = AnswerOf<'compareSessions'>['data'][number];
type Part = Line['not_shown'][number];
const linesOf = dataOf<Line>;

interface SideBySideProps {
  readonly left: string;
  readonly right: string;
}

/** Two sessions step by step: what both did stands on one line, and what differs is marked. */
export function SideBySide({ left, right }: SideBySideProps) {
  const { pages } = useLedger();
  const [differing, setDiffering] = useState(false);
  const asked = pages('compareSessions', { body: { left, right, differing, limit: 200 } });
  const query = useInfiniteQuery(asked);
  const stop = useStop([asked.queryKey], query.isFetching);
  const { rows, more, hasMore } = usePages(query, linesOf);
  const lines = useRef<HTMLOListElement>(null);
  const [first] = query.data?.pages ?? [];
  /** The next line that differs below the one that has the focus. */
  const goOn = (): void => {
    const differ = [...(lines.current?.querySelectorAll<HTMLElement>('[data-differs]') ?? [])];
    const at = differ.findIndex((line) => line.contains(document.activeElement));
    const next = differ[(at + 1) % Math.max(1, differ.length)];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <Screen
      name={SIDE_BY_SIDE.name}
      flush
      title={
        <>
          <LedgerLink to="/sessions" search={{}} className="crumb">
            {SIDE_BY_SIDE.sessions}
          </LedgerLink>{' '}
          <span className="crumb">/</span> {SIDE_BY_SIDE.name}
        </>
      }
      actions={
        <>
          <LedgerLink to="/sessions" search={{ session: right, with: left }} className="button">
            {SIDE_BY_SIDE.swap}
          </LedgerLink>
          <button type="button" onClick={goOn}>
            {SIDE_BY_SIDE.next}
          </button>
        </>
      }
    >
      <Answer query={{ data: first, error: query.error, refetch: query.refetch }} what={SIDE_BY_SIDE.what} stop={stop}>
        {(answer) => (
          <div className="sides">
            <div className="sides-line sides-head">
              <Head session={answer.left} />
              <Head session={answer.right} />
            </div>
            <p className="sides-bar cluster">
              <span role="status">
                {SIDE_BY_SIDE.counts(
                  answer.same,
                  answer.changed,
                  answer.not_shown,
                  answer.only_left,
                  answer.only_right,
                )}
              </span>
              {answer.cut && <span className="muted">{SIDE_BY_SIDE.cut}</span>}
              <CoverageMark coverage={answer.coverage} />
              <label className="push cluster">
                <input
                  type="checkbox"
                  checked={differing}
                  onChange={({ currentTarget }) => setDiffering(currentTarget.checked)}
                />
                {SIDE_BY_SIDE.onlyDifferences}
              </label>
            </p>
            <ol ref={lines} className="sides-lines" aria-label={SIDE_BY_SIDE.steps}>
              {rows.map((line) => (
                <LineRow key={`${line.left?.operation_id} ${line.right?.operation_id}`} line={line} />
              ))}
            </ol>
            {hasMore && (
              <button type="button" onClick={more}>
                {SIDE_BY_SIDE.more}
              </button>
            )}
          </div>
        )}
      </Answer>
    </Screen>
  );
}

function Head({ session }: { readonly session: WorkSession }) {
  const lasted = Math.max(0, Date.parse(session.last_at) - Date.parse(session.first_at));
  return (
    <div>
      <h2>
        <LedgerLink to="/sessions" search={{ session: session.session }}>
          <Seen text={session.session} />
        </LedgerLink>
      </h2>
      <AgentNames agents={session.agents} />
      <p className="muted">
        <Time value={session.first_at} hasZone />, {durationText(lasted)}
      </p>
    </div>
  );
}

/** In the order in which a call has them. */
const PARTS = ['input', 'output', 'outcome'] as const;

/** Why a line differs, in words; null where both sides say the same. */
function differenceIn({ left, right, differences, not_shown: hidden }: Line): string | null {
  if (right === null) return SIDE_BY_SIDE.onlyLeft;
  if (left === null) return SIDE_BY_SIDE.onlyRight;
  const named = (parts: readonly Part[]): string => parts.map((part) => SIDE_BY_SIDE.parts[part]).join(', ');
  const parts = PARTS.filter((part) => differences.some((difference) => difference.part === part));
  const why = [
    ...(parts.length === 0 ? [] : [SIDE_BY_SIDE.differs(named(parts))]),
    ...(hidden.length === 0 ? [] : [SIDE_BY_SIDE.notShown(named(hidden))]),
  ];
  return why.length === 0 ? null : why.join('; ');
}

function LineRow({ line }: { readonly line: Line }) {
  const [isOpen, setOpen] = useState(false);
  const { left, right, differences } = line;
  const why = differenceIn(line);
  return (
    <li className={why === null ? 'sides-step' : 'sides-step sides-differs'}>
      <button
        type="button"
        className="button-plain sides-line"
        aria-expanded={isOpen}
        data-differs={why === null ? undefined : true}
        onClick={() => setOpen(!isOpen)}
      >
        <Side step={left} />
        <Side step={right} />
      </button>
      {why !== null && <p className="sides-why">{why}</p>}
      {isOpen && (
        <>
          {differences.length > 0 && (
            <ul className="sides-pointers">
              {differences.map(({ part, pointer, kind }) => (
                <li key={`${part} ${pointer}`}>
                  {SIDE_BY_SIDE.parts[part]} <Seen className="code" text={pointer === '' ? '/' : pointer} />{' '}
                  <span className="muted">{SIDE_BY_SIDE.kinds[kind]}</span>
                </li>
              ))}
            </ul>
          )}
          <div className="sides-line">
            <Contents step={left} />
            <Contents step={right} />
          </div>
        </>
      )}
    </li>
  );
}

function Side({ step }: { readonly step: Step | null }) {
  if (step === null) return <span className="muted sides-none">–</span>;
  return (
    <span className="sides-side">
      <Seen text={step.title} isJoined />
      {step.outcome !== null && step.outcome !== 'ok' && <ActionOutcome outcome={step.outcome} />}
    </span>
  );
}

function Contents({ step }: { readonly step: Step | null }) {
  if (step === null) return <div />;
  return (
    <div className="sides-contents">
      {step.told.map(({ kind, content }, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was told never changes its place
        <Content key={n} label={TOLD_WORDS[kind] ?? kind} content={content} />
      ))}
      {step.error !== null && (
        <p className="step-failure">
          <LongText text={step.error} />
        </p>
      )}
      {step.input !== null && <Content label={SIDE_BY_SIDE.parts.input} content={step.input} />}
      {step.output !== null && <Content label={SIDE_BY_SIDE.parts.output} content={step.output} />}
      <LedgerLink
        to="/operations/$operationId"
        params={{ operationId: step.operation_id }}
        className="button button-small"
      >
        {SIDE_BY_SIDE.showProof}
      </LedgerLink>
    </div>
  );
}
