import { DECISION_NAMES } from '../../actions/index.ts';
import type { StepDecision } from '../../api/index.ts';
import { LedgerLink } from '../api/ledger/places.tsx';
import { fill } from '../lib/fill.ts';
import { LongText } from '../ui/long-text.tsx';
import { Seen } from '../ui/seen.tsx';
import { Time } from '../ui/time.tsx';
import { AgentName } from './agent-mark.tsx';
import { DECISION_LINES } from './texts.ts';

/** Who decided on a call, when, and why, in the order in which they did; each with the record that says so. */
export function DecisionLines({ decisions }: { readonly decisions: readonly StepDecision[] }) {
  if (decisions.length === 0) return null;
  return (
    <ul className="decision-lines" aria-label={DECISION_LINES.title}>
      {decisions.map((decision) => (
        <Line key={decision.operation_id} decision={decision} />
      ))}
    </ul>
  );
}

function Line({ decision }: { readonly decision: StepDecision }) {
  const { outcome, by, by_kind: kind, policy, reported, reason, at, agent_id, operation_id, seq_no } = decision;
  const who = by ?? policy;
  const isDenied = outcome === 'denied' || outcome === 'expired';
  return (
    <li className={isDenied ? 'is-denied' : undefined}>
      <strong>
        {DECISION_NAMES[outcome] ?? <Seen text={outcome} />}
        {who !== null && fill(DECISION_LINES.by, { who: <Seen text={who} /> })}
      </strong>{' '}
      <span className="muted">
        {kind !== null && `${DECISION_LINES.kinds[kind] ?? kind}, `}
        <Time value={at} hasZone />{' '}
        {fill(reported ? DECISION_LINES.reportedBy : DECISION_LINES.signedBy, {
          agent: <AgentName agentId={agent_id} />,
          record: (
            <LedgerLink to="/operations/$operationId" params={{ operationId: operation_id }}>
              {DECISION_LINES.record(seq_no)}
            </LedgerLink>
          ),
        })}
      </span>
      {reason !== null && (
        <p>
          <LongText text={reason} />
        </p>
      )}
    </li>
  );
}
