import type { WorkSession } from '../../api/answers.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { AgentName } from '../../components/agent-mark.tsx';
import { durationText } from '../../lib/duration.ts';
import { fill } from '../../lib/fill.ts';
import { nounFor } from '../../lib/plural.ts';
import { queryText, refusedCallsText } from '../../lib/query-text.ts';
import { Seen } from '../../ui/seen.tsx';
import { count, Time } from '../../ui/time.tsx';
import { SESSION_FIGURES } from './texts.ts';

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
export function SessionFigures({ of, below }: SessionFiguresProps) {
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
