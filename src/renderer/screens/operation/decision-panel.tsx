import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StoredOperation } from '../../api/answers.ts';
import { READINGS } from '../../api/ledger/ledger.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { q, sessionQuery } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { AgentName } from '../../components/agent-mark.tsx';
import { FormError } from '../../components/form.tsx';
import { ShortHash } from '../../components/hash.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { type Decided, decide } from '../../decisions/decide.ts';
import { cannotMakeKey } from '../../decisions/key-store.ts';
import { MAX_REASON, notApprovable, type Question, questionOf, type ShownContent } from '../../decisions/question.ts';
import { fill } from '../../lib/fill.ts';
import type { Step } from '../../proof/step.ts';
import { Hero } from '../../report/hero.tsx';
import { AreaField } from '../../ui/area-field.tsx';
import { JsonTree } from '../../ui/json-tree.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { DECISION_PANEL } from './texts.ts';

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
  const { data: session } = useQuery(sessionQuery);
  const { data: waiting } = useQuery(q('waitingDecisions', { query: { operation_id: question.operationId } }));
  const [reason, setReason] = useState('');
  const action = useMutation({
    mutationFn: (outcome: Outcome) => {
      if (session == null || session.orgId === null) throw new Error('For this you have to be signed in.');
      const person = { orgId: session.orgId, userId: session.id };
      return decide(person, question, { outcome, reason: reason.trim(), person: session.email });
    },
    onSuccess: async () => {
      await invalidate('getOperation', 'waitingDecisions', 'decisionAgent', ...READINGS);
    },
  });
  if (action.data !== undefined) return <Result outcome={action.variables} decided={action.data} />;
  if (waiting === undefined || waiting.total === 0) return null;
  const obstacle = obstacleOf(steps);
  const button = (outcome: Outcome, why: string | null) => (
    <PermittedButton
      call="submitDecision"
      className={outcome === 'approved' ? 'button-primary' : 'button-danger'}
      reason={why}
      disabled={action.isPending}
      onClick={() => action.mutate(outcome)}
    >
      {outcome === 'approved' ? DECISION_PANEL.approve : DECISION_PANEL.deny}
    </PermittedButton>
  );
  const asked = {
    agent: (
      <strong>
        <AgentName agentId={question.agentId} />
      </strong>
    ),
    tool: (
      <strong>
        <Seen text={question.tool} />
      </strong>
    ),
  };
  return (
    <Panel title={DECISION_PANEL.waiting} actions={<span className="muted">{DECISION_PANEL.checkWhatYouSign}</span>}>
      <div className="stack">
        <p>
          {question.session === null
            ? fill(DECISION_PANEL.asks, asked)
            : fill(DECISION_PANEL.asksInSession, {
                ...asked,
                session: (
                  <LedgerLink to="/sessions" search={{ session: question.session, step: question.operationId }}>
                    <Seen text={question.session} />
                  </LedgerLink>
                ),
              })}
        </p>
        {question.presented !== null && <Shown label={DECISION_PANEL.presented} content={question.presented} />}
        <Shown label={DECISION_PANEL.input} content={question.input ?? 'unreadable'} />
        <AreaField
          label={DECISION_PANEL.reason}
          rows={2}
          maxLength={MAX_REASON}
          value={reason}
          onChange={setReason}
          hint={DECISION_PANEL.reasonHint}
        />
        <FormError error={action.error} />
        <div className="cluster">
          {button('approved', obstacle ?? notApprovable(question))}
          {button('denied', obstacle)}
          <span className="muted">{DECISION_PANEL.ownKeyExplained}</span>
        </div>
      </div>
    </Panel>
  );
}

/** Why nobody should decide on the record yet, in a sentence. */
function obstacleOf(steps: DecisionPanelProps['steps']): string | null {
  const missing = cannotMakeKey();
  if (missing !== null) return missing;
  if (steps === null) return DECISION_PANEL.verifying;
  if (steps.some(({ outcome }) => outcome === 'fail')) return DECISION_PANEL.doesNotVerify;
  return null;
}

function Shown({ label, content }: { readonly label: string; readonly content: ShownContent | 'unreadable' }) {
  return (
    <div className="decision-content">
      <h3>{label}</h3>
      {content === 'unreadable' ? (
        <p className="muted">{DECISION_PANEL.onlyDeny}</p>
      ) : (
        <>
          <ScrollArea className="decision-shown" label={label}>
            {typeof content.value === 'string' ? (
              <Seen text={content.value} />
            ) : (
              <JsonTree value={content.value} openTo={32} />
            )}
          </ScrollArea>
          <span className="muted">{fill(DECISION_PANEL.digest, { digest: <ShortHash value={content.digest} /> })}</span>
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
      label={DECISION_PANEL.decision}
      title={isSound ? DECISION_PANEL.decided(outcome) : DECISION_PANEL.receiptFails}
    >
      <p>
        {isSound
          ? fill(DECISION_PANEL.recordedAs, {
              operation: (
                <LedgerLink to="/operations/$operationId" params={{ operationId: receipt.operation_id }}>
                  {DECISION_PANEL.operation(receipt.seq_no)}
                </LedgerLink>
              ),
            })
          : problems.join(' ')}
      </p>
    </Hero>
  );
}
