import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { LedgerVerification } from '../../api/answers.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { q } from '../../api/query.ts';
import { useEndNotice } from '../../api/use-end-notice.ts';
import { Answer } from '../../components/answer.tsx';
import { Mark } from '../../components/mark.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { agoText, count } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { DASHBOARD, VERIFICATION_PANEL } from './texts.ts';

const SHOWN_FINDINGS = 20;

/** The newest verification of the whole stored ledger, and a way to begin another. */
export function VerificationPanel() {
  const client = useQueryClient();
  const query = useQuery(q('ledgerVerification'));
  const begin = useMutation({
    mutationFn: (what: 'verifyLedger' | 'cancelLedgerVerification') =>
      call(what, what === 'verifyLedger' ? { body: {} } : {}),
    onSuccess: (state) => client.setQueryData(q('ledgerVerification').queryKey, state),
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  const status = query.data?.status;
  const isRunning = status === 'running';
  useEndNotice(VERIFICATION_PANEL.title, status && isRunning, status ?? '');
  return (
    <Panel
      title={VERIFICATION_PANEL.title}
      actions={
        query.data && (
          <PermittedButton
            call={isRunning ? 'cancelLedgerVerification' : 'verifyLedger'}
            className="button-small"
            onClick={() => begin.mutate(isRunning ? 'cancelLedgerVerification' : 'verifyLedger')}
          >
            {isRunning ? VERIFICATION_PANEL.cancel : VERIFICATION_PANEL.verifyNow}
          </PermittedButton>
        )
      }
    >
      <Answer query={query} what={VERIFICATION_PANEL.what}>
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
        <progress
          max={Math.max(1, state.records_total)}
          value={state.records_checked}
          aria-label={VERIFICATION_PANEL.progress}
        />
        <p className="muted number">
          {VERIFICATION_PANEL.progressOf(count(state.records_checked), count(state.records_total))}
        </p>
      </div>
    );
  }
  const outcome = state.valid === null ? 'cannot_check' : state.valid ? 'pass' : 'fail';
  const when = state.completed_at === null ? '' : `, ${agoText(state.completed_at, Date.now())}`;
  return (
    <div className="stack">
      <p>
        <Mark
          outcome={outcome}
          word={
            state.valid === null ? state.status : state.valid ? VERIFICATION_PANEL.valid : VERIFICATION_PANEL.notValid
          }
        />{' '}
        <span className="muted">
          {VERIFICATION_PANEL.records(state.records_checked)}
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
            <li className="muted">{VERIFICATION_PANEL.more(count(state.findings.length - SHOWN_FINDINGS))}</li>
          )}
        </ul>
      )}
    </div>
  );
}
