import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { LedgerSummary } from '../../api/answers.ts';
import { q } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { Empty } from '../../ui/panel.tsx';
import { Fingerprint } from '../entry/fingerprint.tsx';
import { ClockPanel } from './clock-panel.tsx';
import { HealthPanel } from './health-panel.tsx';
import { LastBackup } from './last-backup.tsx';
import { RecentEpochs } from './recent-epochs.tsx';
import { DASHBOARD, DASHBOARD_SCREEN } from './texts.ts';
import { Tiles } from './tiles.tsx';
import { VerificationPanel } from './verification-panel.tsx';
import { WaitingPanel } from './waiting-panel.tsx';
import { WhatAgentsDid } from './what-agents-did.tsx';

/** What agents did, then the state of the ledger and of the service that keeps it. */
export function DashboardScreen() {
  const summary = useQuery(q('ledgerSummary'));
  const { data: keys } = useQuery(q('jwks'));
  const kid = keys?.keys[0]?.kid;
  return (
    <Screen title={DASHBOARD_SCREEN.dashboard} name={DASHBOARD_SCREEN.dashboard}>
      <Answer query={summary} what={DASHBOARD_SCREEN.what}>
        {(ledger) => (
          <div className="stack">
            <ClockPanel />
            <WaitingPanel />
            {ledger.records === 0 ? <FirstSteps ledger={ledger} /> : <WhatAgentsDid />}
            <h2 className="dashboard-part">{DASHBOARD.ledgerAndService}</h2>
            <Tiles ledger={ledger} />
            <div className="dashboard-state">
              <RecentEpochs />
              <div className="dashboard-side">
                <div className="stack">
                  <VerificationPanel />
                  <LastBackup />
                </div>
                <HealthPanel />
              </div>
            </div>
            {kid !== undefined && <Fingerprint kid={kid} />}
          </div>
        )}
      </Answer>
    </Screen>
  );
}

/** What comes next on an empty ledger. */
function FirstSteps({ ledger }: { readonly ledger: LedgerSummary }) {
  const hasAgents = ledger.agents.active + ledger.agents.frozen > 0;
  const navigate = useNavigate();
  return (
    <section className="panel">
      <Empty title={hasAgents ? DASHBOARD_SCREEN.noOperationYet : DASHBOARD_SCREEN.beginWithAgent}>
        {hasAgents ? (
          <>
            <p>{DASHBOARD_SCREEN.emptyExplained}</p>
            <Link to="/agents" search={{}} className="button button-primary">
              {DASHBOARD_SCREEN.chooseAgent}
            </Link>
          </>
        ) : (
          <>
            <p>{DASHBOARD_SCREEN.noAgentExplained}</p>
            <div className="cluster">
              <PermittedButton
                call="registerAgent"
                className="button-primary"
                onClick={() => void navigate({ to: '/record-program', search: {} })}
              >
                {DASHBOARD_SCREEN.recordProgram}
              </PermittedButton>
              <PermittedButton call="registerAgent" onClick={() => void navigate({ to: '/register-agent' })}>
                {DASHBOARD_SCREEN.registerAgent}
              </PermittedButton>
              <Link to="/sample">{DASHBOARD.sample}</Link>
            </div>
          </>
        )}
      </Empty>
    </section>
  );
}
