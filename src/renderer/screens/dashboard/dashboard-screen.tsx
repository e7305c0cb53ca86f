import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { LedgerSummary } from '../../api/answers.ts';
import { jwksQuery, summaryQuery } from '../../api/queries.ts';
import { Answer } from '../../components/answer.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { Empty } from '../../ui/panel.tsx';
import { Fingerprint } from '../entry/fingerprint.tsx';
import { HealthPanel } from './health-panel.tsx';
import { LastBackup } from './last-backup.tsx';
import { RecentEpochs } from './recent-epochs.tsx';
import { DASHBOARD } from './texts.ts';
import { Tiles } from './tiles.tsx';
import { VerificationPanel } from './verification-panel.tsx';
import { WaitingPanel } from './waiting-panel.tsx';
import { WhatAgentsDid } from './what-agents-did.tsx';

/** What agents did, then the state of the ledger and of the service that keeps it. */
export function DashboardScreen() {
  const summary = useQuery(summaryQuery);
  const { data: keys } = useQuery(jwksQuery);
  const kid = keys?.keys[0]?.kid;
  return (
    <Screen title="Dashboard" name="Dashboard">
      <Answer query={summary} what="the ledger">
        {(ledger) => (
          <div className="stack">
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
      <Empty title={hasAgents ? 'No operation yet' : 'Begin with an agent'}>
        {hasAgents ? (
          <>
            <p>
              An agent signs each operation and submits it; the service checks, chains and countersigns it. The page of
              an agent has a program for that, filled in.
            </p>
            <Link to="/agents" search={{}} className="button button-primary">
              Choose an agent
            </Link>
          </>
        ) : (
          <>
            <p>
              Have the tool calls of a program recorded, such as Claude Code, Codex or Gemini CLI; or register a program
              of yours, which signs by itself.
            </p>
            <div className="cluster">
              <PermittedButton
                call="registerAgent"
                className="button-primary"
                onClick={() => void navigate({ to: '/record-program', search: {} })}
              >
                Record a program
              </PermittedButton>
              <PermittedButton call="registerAgent" onClick={() => void navigate({ to: '/register-agent' })}>
                Register an agent
              </PermittedButton>
              <Link to="/sample">{DASHBOARD.sample}</Link>
            </div>
          </>
        )}
      </Empty>
    </section>
  );
}
