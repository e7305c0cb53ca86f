import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { MARK_NAMES } from '../../actions/index.ts';
import type { Reading } from '../api/answers.ts';
import { CallFailed } from '../api/call.ts';
import { useLedger } from '../api/ledger/ledger.ts';
import { LedgerLink } from '../api/ledger/places.tsx';
import { durationText } from '../lib/duration.ts';
import { Seen } from '../ui/seen.tsx';
import { ActionOutcome } from './action-marks.tsx';
import { Answer } from './answer.tsx';
import { EntityChips, placeWords } from './entity-chip.tsx';
import { ENTITY_CHIP, READING } from './texts.ts';

/** Draws the way to a record from its reading. */
type LinkTo = (operationId: string, text: string) => ReactNode;

interface ReadingProps {
  readonly operationId: string;
  readonly linkTo: LinkTo;
}

/** What was read out of a record: session, call, outcome, entities, and why it is marked. */
export function ReadingOf({ operationId, linkTo }: ReadingProps) {
  const reading = useQuery(useLedger().q('operationReading', { params: { operation_id: operationId } }));
  if (reading.error instanceof CallFailed && reading.error.code === 'NOT_FOUND') {
    return <p className="muted">{READING.notRead}</p>;
  }
  return (
    <Answer query={reading} what={READING.what}>
      {(found) => <Facts reading={found} linkTo={linkTo} />}
    </Answer>
  );
}

function Facts({ reading, linkTo }: { readonly reading: Reading; readonly linkTo: LinkTo }) {
  const { details, person, sub_agent, entities, marks, call, operation_id } = reading;
  const rows: readonly (readonly [string, ReactNode])[] = [
    [
      READING.session,
      details.session !== null && (
        <LedgerLink to="/sessions" search={{ session: details.session, step: operation_id }}>
          <Seen text={details.session} />
        </LedgerLink>
      ),
    ],
    [READING.tool, details.tool !== null && <Seen text={details.tool} />],
    [
      READING.outcome,
      details.outcome !== null && (
        <>
          <ActionOutcome outcome={details.outcome} />
          {details.error !== null && (
            <span className="reading-error">
              <Seen text={details.error} />
            </span>
          )}
        </>
      ),
    ],
    [READING.duration, details.duration_ms !== null && durationText(details.duration_ms)],
    [READING.person, person !== null && <Seen text={person} />],
    [READING.subAgent, sub_agent !== null && <Seen text={sub_agent} />],
    [READING.moments, call.length > 1 && <Moments call={call} current={operation_id} linkTo={linkTo} />],
    [READING.entities, entities.length > 0 && <EntityChips entities={entities} />],
    [READING.marks, marks.length > 0 && <Marks of={operation_id} marks={marks} linkTo={linkTo} />],
  ];
  const sources = new Map(details.read_from.map((source) => [LABELS[source.field], source]));
  const shown = rows.filter(([, value]) => value !== false);
  if (shown.length === 0) return <p className="muted">{READING.nothingRead}</p>;
  return (
    <dl className="reading">
      {shown.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value} <GuessedFrom source={sources.get(label)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

type Source = Reading['details']['read_from'][number];

const LABELS: Readonly<Record<Source['field'], string>> = {
  session: READING.session,
  tool: READING.tool,
  outcome: READING.outcome,
  person: READING.person,
  duration: READING.duration,
};

/** From what a fact was guessed; nothing of what the agent declared. */
function GuessedFrom({ source }: { readonly source: Source | undefined }) {
  if (source === undefined || source.declared) return null;
  return (
    <small className="muted">
      <Seen text={ENTITY_CHIP.guessedFrom(placeWords(source.at))} />
    </small>
  );
}

interface MomentsProps {
  readonly call: Reading['call'];
  readonly current: string;
  readonly linkTo: LinkTo;
}

/** All records of a call; the one that is looked at is no link. */
function Moments({ call, current, linkTo }: MomentsProps) {
  return (
    <ol className="cluster">
      {call.map(({ operation_id: id, seq_no, phase }) => (
        <li key={`${id} ${seq_no}`}>
          {id === current ? <strong>{`${seq_no} ${phase}`}</strong> : linkTo(id, `${seq_no} ${phase}`)}
        </li>
      ))}
    </ol>
  );
}

/** More records that show a mark are no help. */
const MAX_EVIDENCE = 3;

interface MarksProps {
  /** The record that is marked. */
  readonly of: string;
  readonly marks: Reading['marks'];
  readonly linkTo: LinkTo;
}

/** Why a record is marked, and records that show it; of what was tried again, also what was changed. */
function Marks({ of, marks, linkTo }: MarksProps) {
  return (
    <ul className="reading-marks" aria-label={READING.marks}>
      {marks.map(({ code, why, evidence }) => (
        <li key={[code, why, ...evidence].join(' ')}>
          <strong>{MARK_NAMES[code]}</strong> <Seen text={why} />
          {evidence.slice(0, MAX_EVIDENCE).map((id, n) => (
            <span key={id}>
              {' '}
              {linkTo(id, evidence.length === 1 ? READING.showRecord : READING.showRecordNumber(n + 1))}
            </span>
          ))}
          {code === 'RETRIED' && evidence[0] !== undefined && (
            <>
              {' '}
              <LedgerLink to="/difference" search={{ left: evidence[0], right: of }}>
                {READING.compareTry}
              </LedgerLink>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
