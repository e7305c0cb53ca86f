import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { StoredOperation } from '../../api/answers.ts';
import { KEYS, LIVE_KEYS } from '../../api/keys.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { sessionQuery, waitingQuery } from '../../api/queries.ts';
import { AgentName } from '../../components/agent-mark.tsx';
import { FormError } from '../../components/form-end.tsx';
import { ShortHash } from '../../components/hash.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { type Decided, decide } from '../../decisions/decide.ts';
import { cannotMakeKey } from '../../decisions/key-store.ts';
import { MAX_REASON, notApprovable, type Question, questionOf, type ShownContent } from '../../decisions/question.ts';
import type { Step } from '../../proof/step.ts';
import { Hero } from '../../report/hero.tsx';
import { AreaField } from '../../ui/area-field.tsx';
import { JsonTree } from '../../ui/json-tree.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';

interface DecisionPanelProps {
  readonly operation: StoredOperation;
  /** The verification of the record in this window; null while it is under way. */
  readonly steps: readonly Step[] | null;
}

/** A question of an agent that nobody has decided: what it asks, and the decision of who is signed in. */
export function DecisionPanel({ operation, steps }: DecisionPanelProps) {
  const question = questionOf(operation);
  return question === null ? null : <Waiting question={question} steps={steps} />;
}

type Outcome = 'approved' | 'denied';

function Waiting({ question, steps }: { readonly question: Question; readonly steps: DecisionPanelProps['steps'] }) {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const { data: waiting } = useQuery(waitingQuery(question.operationId));
  const [reason, setReason] = useState('');
  const deed = useMutation({
    mutationFn: (outcome: Outcome) => {
      if (session == null || session.orgId === null) throw new Error('For this you have to be signed in.');
      const person = { orgId: session.orgId, userId: session.id };
      return decide(person, question, { outcome, reason: reason.trim(), person: session.email });
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: LIVE_KEYS.operations });
      await client.invalidateQueries({ queryKey: LIVE_KEYS.readings });
      await client.invalidateQueries({ queryKey: KEYS.decider });
    },
  });
  if (deed.data !== undefined) return <Result outcome={deed.variables} decided={deed.data} />;
  if (waiting === undefined || waiting.total === 0) return null;
  const obstacle = obstacleOf(steps);
  const button = (outcome: Outcome, why: string | null) => (
    <PermittedButton
      call="submitDecision"
      className={outcome === 'approved' ? 'button-primary' : 'button-danger'}
      reason={why}
      disabled={deed.isPending}
      onClick={() => deed.mutate(outcome)}
    >
      {outcome === 'approved' ? 'Approve' : 'Deny'}
    </PermittedButton>
  );
  return (
    <Panel title="Waiting for a decision" actions={<span className="muted">Check what you sign</span>}>
      <div className="stack">
        <p>
          <strong>
            <AgentName agentId={question.agentId} />
          </strong>{' '}
          asks to use{' '}
          <strong>
            <Seen text={question.tool} />
          </strong>
          {question.session !== null && (
            <>
              {' in the session '}
              <LedgerLink to="/sessions" search={{ session: question.session, step: question.operationId }}>
                <Seen text={question.session} />
              </LedgerLink>
            </>
          )}
          .
        </p>
        {question.presented !== null && <Shown label="Presented by the agent" content={question.presented} />}
        <Shown label="Input" content={question.input ?? 'unreadable'} />
        <AreaField
          label="Reason"
          rows={2}
          maxLength={MAX_REASON}
          value={reason}
          onChange={setReason}
          hint="Optional. It becomes part of the signed record."
        />
        <FormError error={deed.error} />
        <div className="cluster">
          {button('approved', obstacle ?? notApprovable(question))}
          {button('denied', obstacle)}
          <span className="muted">
            Your own key in this browser signs the decision, the question and the digests of what is shown here.
          </span>
        </div>
      </div>
    </Panel>
  );
}

/** Why nobody should decide on the record yet, in a sentence. */
function obstacleOf(steps: DecisionPanelProps['steps']): string | null {
  const missing = cannotMakeKey();
  if (missing !== null) return missing;
  if (steps === null) return 'The record is being verified.';
  if (steps.some(({ outcome }) => outcome === 'fail'))
    return 'The record does not verify: a decision would prove nothing.';
  return null;
}

function Shown({ label, content }: { readonly label: string; readonly content: ShownContent | 'unreadable' }) {
  return (
    <div className="decision-content">
      <h3>{label}</h3>
      {content === 'unreadable' ? (
        <p className="muted">Not in this record as a whole: it can be denied here, and not approved.</p>
      ) : (
        <>
          <ScrollArea className="decision-shown" label={label}>
            {typeof content.value === 'string' ? (
              <Seen text={content.value} />
            ) : (
              <JsonTree value={content.value} openTo={32} />
            )}
          </ScrollArea>
          <span className="muted">
            Digest <ShortHash value={content.digest} />
          </span>
        </>
      )}
    </div>
  );
}

/** What became of the decision: its receipt, verified here. */
function Result({ outcome, decided: { receipt, problems } }: { readonly outcome: Outcome; readonly decided: Decided }) {
  const isSound = problems.length === 0;
  return (
    <Hero
      outcome={isSound ? 'pass' : 'fail'}
      label="Decision"
      title={isSound ? `You ${outcome} this, and the receipt verifies` : 'The receipt does not verify'}
    >
      <p>
        {isSound ? (
          <>
            Recorded as{' '}
            <LedgerLink to="/operations/$operationId" params={{ operationId: receipt.operation_id }}>
              operation {receipt.seq_no}
            </LedgerLink>
            , signed by your own key and countersigned by the service.
          </>
        ) : (
          problems.join(' ')
        )}
      </p>
    </Hero>
  );
}
