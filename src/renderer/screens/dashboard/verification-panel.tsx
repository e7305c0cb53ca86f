import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { LedgerVerification } from '../../api/answers.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { ledgerVerificationQuery } from '../../api/queries.ts';
import { useEndNotice } from '../../api/use-end-notice.ts';
import { Answer } from '../../components/answer.tsx';
import { Mark } from '../../components/mark.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { plural } from '../../lib/plural.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { agoText, count } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { DASHBOARD } from './texts.ts';

const SHOWN_FINDINGS = 20;

/** The newest verification of the whole stored ledger, and a way to begin another. */
export function VerificationPanel() {
  const client = useQueryClient();
  const query = useQuery(ledgerVerificationQuery);
  const begin = useMutation({
    mutationFn: (what: 'verifyLedger' | 'cancelLedgerVerification') =>
      call(what, what === 'verifyLedger' ? { body: {} } : {}),
    onSuccess: (state) => client.setQueryData(ledgerVerificationQuery.queryKey, state),
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  const status = query.data?.status;
  const isRunning = status === 'running';
  useEndNotice('Verification of the stored ledger', status && isRunning, status ?? '');
  return (
    <Panel
      title="Verification of the stored ledger"
      actions={
        query.data && (
          <PermittedButton
            call={isRunning ? 'cancelLedgerVerification' : 'verifyLedger'}
            className="button-small"
            onClick={() => begin.mutate(isRunning ? 'cancelLedgerVerification' : 'verifyLedger')}
          >
            {isRunning ? 'Cancel' : 'Verify now'}
          </PermittedButton>
        )
      }
    >
      <Answer query={query} what="the newest verification">
        {(state) => <Result state={state} />}
      </Answer>
    </Panel>
  );
}

function Result({ state }: { readonly state: LedgerVerification }) {
  if (state.status === 'never') {
    return (
      <p>
        <Mark outcome="not_checked" /> <span className="muted">{DASHBOARD.neverVerified}</span>
      </p>
    );
  }
  if (state.status === 'running') {
    return (
      <div className="stack">
        <progress max={Math.max(1, state.records_total)} value={state.records_checked} aria-label="Records checked" />
        <p className="muted number">
          {count(state.records_checked)} of {count(state.records_total)} records
        </p>
      </div>
    );
  }
  const outcome = state.valid === null ? 'cannot_check' : state.valid ? 'pass' : 'fail';
  const when = state.completed_at === null ? '' : `, ${agoText(state.completed_at, Date.now())}`;
  return (
    <div className="stack">
      <p>
        <Mark outcome={outcome} word={state.valid === null ? state.status : state.valid ? 'Valid' : 'Not valid'} />{' '}
        <span className="muted">
          {plural(state.records_checked, 'record')}
          {when}
        </span>
      </p>
      {state.findings.length > 0 && (
        <ul className="stack">
          {state.findings.slice(0, SHOWN_FINDINGS).map((finding) => (
            <li key={`${finding.code} ${finding.message} ${JSON.stringify(finding.where)}`}>
              <strong className="code">{finding.code}</strong> <Seen text={finding.message} />
            </li>
          ))}
          {state.findings.length > SHOWN_FINDINGS && (
            <li className="muted">… {count(state.findings.length - SHOWN_FINDINGS)} more</li>
          )}
        </ul>
      )}
    </div>
  );
}
