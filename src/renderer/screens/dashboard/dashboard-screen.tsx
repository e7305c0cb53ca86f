import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { LedgerSummary } from '../../api/answers.ts';
import { jwksQuery, summaryQuery } from '../../api/queries.ts';
import { Answer } from '../../components/answer.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { Empty } from '../../ui/panel.tsx';
import { Fingerprint } from '../entry/fingerprint.tsx';
import { Activity } from './activity.tsx';
import { HealthPanel } from './health-panel.tsx';
import { RecentEpochs } from './recent-epochs.tsx';
import { Tiles } from './tiles.tsx';
import { VerificationPanel } from './verification-panel.tsx';

/** The state of the ledger at a glance. */
export function DashboardScreen() {
  const summary = useQuery(summaryQuery);
  const { data: keys } = useQuery(jwksQuery);
  const kid = keys?.keys[0]?.kid;
  return (
    <Screen title="Dashboard" name="Dashboard">
      <Answer query={summary} what="the ledger">
        {(ledger) => (
          <div className="stack">
            <Tiles ledger={ledger} />
            {ledger.records === 0 ? <FirstSteps ledger={ledger} /> : <Activity />}
            <div className="columns">
              <RecentEpochs />
              <div className="stack">
                <VerificationPanel />
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
              An agent is known by its public key. Register one with a key made in this window, or with the public half
              of a key that it has.
            </p>
            <PermittedButton
              call="registerAgent"
              className="button-primary"
              onClick={() => void navigate({ to: '/register-agent' })}
            >
              Register an agent
            </PermittedButton>
          </>
        )}
      </Empty>
    </section>
  );
}
