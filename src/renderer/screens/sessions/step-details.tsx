import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Step } from '../../api/answers.ts';
import { operationOf, useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { Answer } from '../../components/answer.tsx';
import { Content } from '../../components/content.tsx';
import { DecisionLines } from '../../components/decision-lines.tsx';
import { EntityChips } from '../../components/entity-chip.tsx';
import { Payload } from '../../components/payload.tsx';
import { AROUND_KEYS, searchAround } from '../../lib/around-action.ts';
import { LongText } from '../../ui/long-text.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Time } from '../../ui/time.tsx';
import { LANE_WORDS, TOLD_WORDS } from './step-words.ts';
import { firstTryOf } from './story.ts';
import { STEP_DETAILS, WHOLE_RECORD } from './texts.ts';

/** Records around one, in the search. */
const AROUND = 25;

interface StepDetailsProps {
  readonly step: Step;
  readonly steps: readonly Step[];
}

/** What went into a step and came out of it, what it touched, and the ways from here to the proof. */
export function StepDetails({ step, steps }: StepDetailsProps) {
  const isCut = step.input?.cut === true || step.output?.cut === true || step.told.some(({ content }) => content.cut);
  return (
    <div className="step-details">
      {step.error !== null && (
        <p className="step-failure">
          <LongText text={step.error} />
        </p>
      )}
      <DecisionLines decisions={step.decisions} />
      {step.told.map(({ kind, content }, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was told never changes its place
        <Content key={n} label={TOLD_WORDS[kind] ?? kind} content={content} />
      ))}
      {(step.input !== null || step.output !== null) && (
        <div className="step-io">
          {step.input !== null && <Content label={STEP_DETAILS.input} content={step.input} />}
          {step.output !== null && <Content label={STEP_DETAILS.output} content={step.output} />}
        </div>
      )}
      {isCut && <WholeRecord moments={step.moments} />}
      {step.entities.length > 0 && <EntityChips entities={step.entities} />}
      <StepFoot step={step} steps={steps} />
    </div>
  );
}

function StepFoot({ step, steps }: StepDetailsProps) {
  const first = firstTryOf(steps, step);
  const { operation_id: operationId } = step;
  return (
    <div className="step-foot">
      <LedgerLink to="/operations/$operationId" params={{ operationId }} className="button button-small">
        {STEP_DETAILS.showProof}
      </LedgerLink>
      <LedgerLink
        to="/search"
        search={{ unit: 'records', beforeSeq: step.seq_no + AROUND + 1, selected: operationId }}
        className="button button-small"
      >
        {STEP_DETAILS.showNeighbours}
      </LedgerLink>
      {Object.values(AROUND_KEYS).map((around) => (
        <LedgerLink
          key={around}
          to="/search"
          search={searchAround(around, { ...step, last_seq_no: step.moments.at(-1)?.seq_no ?? step.seq_no })}
          className="button button-small"
        >
          {STEP_DETAILS[around]}
        </LedgerLink>
      ))}
      {first !== null && (
        <LedgerLink
          to="/difference"
          search={{ left: first.operation_id, right: operationId }}
          className="button button-small"
        >
          {STEP_DETAILS.compareWithTry}
        </LedgerLink>
      )}
      <span className="muted">
        {LANE_WORDS[step.lane.kind]} <Seen text={step.lane.id} /> · <Time value={step.at} hasZone /> ·{' '}
        {step.moments.length > 1 ? `${STEP_DETAILS.records(step.moments.length)}: ` : `${STEP_DETAILS.oneRecord} `}
        {step.moments.map((moment, n) => (
          <span key={moment.operation_id}>
            {n > 0 && ', '}
            <LedgerLink to="/operations/$operationId" params={{ operationId: moment.operation_id }}>
              {moment.seq_no}
            </LedgerLink>
            {step.moments.length > 1 && (
              <>
                {' '}
                <Seen text={moment.phase} />
              </>
            )}
          </span>
        ))}
        <Causes step={step} steps={steps} />
      </span>
    </div>
  );
}

/** Characters of a cause, which its own step shows whole. */
const CAUSE_LENGTH = 60;

/** Earlier steps that a step says it follows from. */
function Causes({ step: { causes }, steps }: StepDetailsProps) {
  const found = causes.flatMap((id) => {
    const cause = steps.find(({ moments }) => moments.some(({ operation_id }) => operation_id === id));
    return cause === undefined ? [] : [{ id, cause }];
  });
  if (found.length === 0) return null;
  return (
    <>
      {` · ${STEP_DETAILS.becauseOf} `}
      {found.map(({ id, cause }, n) => (
        <span key={id}>
          {n > 0 && ', '}
          <LedgerLink to="/operations/$operationId" params={{ operationId: id }}>
            <Seen text={cause.title.length > CAUSE_LENGTH ? `${cause.title.slice(0, CAUSE_LENGTH)}…` : cause.title} />
          </LedgerLink>
        </span>
      ))}
    </>
  );
}

/** The records of a step as they are, for what the step shows in part. */
function WholeRecord({ moments }: { readonly moments: Step['moments'] }) {
  const [isShown, setShown] = useState(false);
  if (isShown) return moments.map(({ operation_id: id }) => <WholePayload key={id} operationId={id} />);
  return (
    <p>
      <button type="button" className="button-small" onClick={() => setShown(true)}>
        {WHOLE_RECORD.show}
      </button>
    </p>
  );
}

function WholePayload({ operationId }: { readonly operationId: string }) {
  const ledger = useLedger();
  const operation = useQuery(operationOf(ledger, operationId));
  return (
    <Answer query={operation} what={WHOLE_RECORD.what}>
      {(found) => <Payload operation={found} />}
    </Answer>
  );
}
