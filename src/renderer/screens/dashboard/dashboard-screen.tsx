import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { LedgerSummary } from '../../api/answers.ts';
import { useRefusal } from '../../api/permission.ts';
import { pages, q } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { ShortHash } from '../../components/hash.tsx';
import { Mark } from '../../components/mark.tsx';
import { NeedsLookPanel } from '../../components/needs-look/needs-look-panel.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { TimeMenu } from '../../components/time-menu/time-menu.tsx';
import { useConnection } from '../../components/use-connection.ts';
import { durationText } from '../../lib/duration.ts';
import { fill } from '../../lib/fill.ts';
import { sizeText } from '../../lib/size.ts';
import { Icon } from '../../ui/icons.tsx';
import { Empty, Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { agoText, count, Time } from '../../ui/time.tsx';
import { AskLedgerLater } from '../audit/bar/ask-ledger-later.tsx';
import { Fingerprint } from '../entry/fingerprint.tsx';
import { ClockPanel } from './clock-panel.tsx';
import {
  DASHBOARD,
  DASHBOARD_SCREEN,
  HEALTH_PANEL,
  LAST_BACKUP,
  NODES_PANEL,
  RECENT_EPOCHS,
  REFUSED_TILE,
  TILES,
} from './texts.ts';
import { VerificationPanel } from './verification-panel.tsx';
import { WaitingPanel } from './waiting-panel.tsx';
import { WhatAgentsDid } from './what-agents-did.tsx';
import { WitnessPanel } from './witness-panel.tsx';

/** What agents did, then the state of the ledger and of the service that keeps it. */
export function DashboardScreen() {
  const summary = useQuery(q('ledgerSummary'));
  const { data: keys } = useQuery(q('jwks'));
  const kid = keys?.keys[0]?.kid;
  return (
    <Screen title={DASHBOARD_SCREEN.dashboard} name={DASHBOARD_SCREEN.dashboard} actions={<TimeMenu />}>
      <Answer query={summary} what={DASHBOARD_SCREEN.what}>
        {(ledger) => (
          <div className="stack">
            {ledger.records > 0 && <AskLedgerLater />}
            <ClockPanel />
            {ledger.records > 0 && <NeedsLookPanel />}
            <WaitingPanel />
            {ledger.records === 0 ? <FirstSteps ledger={ledger} /> : <WhatAgentsDid />}
            <h2 className="dashboard-part">{DASHBOARD.ledgerAndService}</h2>
            <Tiles ledger={ledger} />
            <div className="panels dashboard-state">
              <RecentEpochs />
              <div className="panels dashboard-side">
                <div className="stack">
                  <VerificationPanel />
                  <WitnessPanel />
                  <NodesPanel />
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

/** When the last backup was made that can be restored, for people who look after backups. */
function LastBackup() {
  const isLocked = useRefusal('listBackups') !== null;
  const { data } = useQuery({ ...q('listBackups'), enabled: !isLocked });
  if (isLocked || data?.administered_here !== true) return null;
  const { last_good: good, next_at: next, job } = data;
  return (
    <Panel
      title={LAST_BACKUP.lastBackup}
      actions={
        <Link to="/settings" search={{ section: 'backups' }}>
          {LAST_BACKUP.backups}
        </Link>
      }
    >
      <p>
        {good === null ? (
          <Mark outcome="cannot_check" word={LAST_BACKUP.none} />
        ) : (
          <Mark
            outcome={job?.status === 'failed' ? 'cannot_check' : 'pass'}
            word={agoText(good.created_at, Date.now())}
          />
        )}{' '}
        <span className="muted">
          {good === null ? LAST_BACKUP.never : <Time value={good.created_at} hasZone />}
          {next !== null && LAST_BACKUP.next(agoText(next, Date.now()))}
          {job?.status === 'failed' && LAST_BACKUP.newestFailed}
        </span>
      </p>
    </Panel>
  );
}

/** Whether each part of the service is well; what it was, while the service cannot be asked. */
function HealthPanel() {
  const health = useQuery(q('deepHealth'));
  const { isCut } = useConnection();
  return (
    <Panel
      title={HEALTH_PANEL.service}
      actions={health.data && <span className="muted">{HEALTH_PANEL.version(health.data.version)}</span>}
    >
      <Answer query={health} what={HEALTH_PANEL.what}>
        {({ checks }) => (
          <dl className="facts">
            {Object.entries(checks).map(([part, { status, detail }]) => (
              <Fragment key={part}>
                <dt>{HEALTH_PANEL.parts[part as keyof typeof checks]}</dt>
                <dd>
                  {isCut ? (
                    <Mark outcome="not_checked" word={DASHBOARD.was(DASHBOARD.health[status])} />
                  ) : (
                    <Mark outcome={status === 'ok' ? 'pass' : 'fail'} word={DASHBOARD.health[status]} />
                  )}{' '}
                  <span className="muted">{detail}</span>
                </dd>
              </Fragment>
            ))}
          </dl>
        )}
      </Answer>
    </Panel>
  );
}

/** The nodes of a shared log, and what each keeps for itself; nothing for a service on one machine. */
function NodesPanel() {
  const { data } = useQuery(q('deepHealth'));
  if (data?.node === undefined) return null;
  const { name, lag_ms, takeovers, log_bytes, nodes } = data.node;
  return (
    <Panel title={NODES_PANEL.title}>
      <dl className="facts">
        {nodes.map((node) => (
          <Fragment key={node.name}>
            <dt>
              <Seen text={node.name} />
            </dt>
            <dd>
              {NODES_PANEL.roles[node.role]}{' '}
              <span className="muted">
                {node.name === name
                  ? NODES_PANEL.thisNode(node.role === 'standby' ? durationText(lag_ms) : null)
                  : NODES_PANEL.heard(durationText(node.heard_ms))}{' '}
                <Seen text={node.url} />
              </span>
            </dd>
          </Fragment>
        ))}
      </dl>
      <p className="muted">{NODES_PANEL.log(count(takeovers), sizeText(log_bytes))}</p>
      <p className="muted">{NODES_PANEL.own}</p>
    </Panel>
  );
}

const SHOWN = 10;

/** The newest epochs. */
function RecentEpochs() {
  const query = useInfiniteQuery(pages('listEpochs', { query: { limit: SHOWN } }));
  return (
    <Panel title={RECENT_EPOCHS.title} flush>
      <Answer query={query} what={RECENT_EPOCHS.what}>
        {({ pages }) => {
          const epochs = pages[0]?.data ?? [];
          if (epochs.length === 0) return <p className="loading">{DASHBOARD.nothingSealed}</p>;
          return (
            <Table
              heads={[
                { label: RECENT_EPOCHS.number, isRight: true },
                RECENT_EPOCHS.closedUtc,
                { label: RECENT_EPOCHS.records, isRight: true },
                RECENT_EPOCHS.root,
              ]}
            >
              {epochs.map((epoch) => (
                <tr key={epoch.epoch_id}>
                  <td className="right number">
                    <Link to="/epochs/$epochId" params={{ epochId: epoch.epoch_id }} search={{}} data-row>
                      {epoch.epoch_no}
                    </Link>
                  </td>
                  <td>
                    <Time value={epoch.end_time} />
                  </td>
                  <td className="right number">{count(epoch.leaf_count)}</td>
                  <td>
                    <ShortHash value={epoch.root_hash} />
                  </td>
                </tr>
              ))}
            </Table>
          );
        }}
      </Answer>
    </Panel>
  );
}

/** The ledger in figures. */
function Tiles({ ledger }: { readonly ledger: LedgerSummary }) {
  const { agents, unsealed } = ledger;
  const oldest = unsealed.oldest_received_at;
  return (
    <dl className="tiles">
      <div className="tile">
        <dt>{TILES.operations}</dt>
        <dd className="figure">{count(ledger.records)}</dd>
        <dd className="note">
          <Link to="/search" search={{ startTime: undefined, endTime: undefined }}>
            {DASHBOARD.viewOperations}
          </Link>
        </dd>
      </div>
      <div className="tile">
        <dt>{TILES.sealedEpochs}</dt>
        <dd className="figure">{count(ledger.epochs)}</dd>
        <dd className="note">
          <Link to="/epochs">{DASHBOARD.viewEpochs}</Link>
        </dd>
      </div>
      <div className="tile">
        <dt>{TILES.waiting}</dt>
        <dd className="figure">{count(unsealed.count)}</dd>
        <dd className="note">{oldest === null ? TILES.allSealed : TILES.oldest(agoText(oldest, Date.now()))}</dd>
      </div>
      <div className="tile">
        <dt>{TILES.agents}</dt>
        <dd className="figure">{count(agents.active + agents.frozen)}</dd>
        <dd className="note">
          {fill(TILES.states, {
            active: (
              <Link to="/agents" search={{ state: 'active' }}>
                {TILES.active(count(agents.active))}
              </Link>
            ),
            frozen: (
              <Link to="/agents" search={{ state: 'frozen' }}>
                {TILES.frozen(count(agents.frozen))}
              </Link>
            ),
            deleted: count(agents.deleted),
          })}
        </dd>
      </div>
      <RefusedTile />
    </dl>
  );
}

/** How much was refused of late, for people who may read the list; loud where a frozen agent or a revoked key tried. */
function RefusedTile() {
  const isLocked = useRefusal('listRefusals') !== null;
  const { data, error } = useQuery({ ...q('listRefusals', { query: { limit: 1 } }), enabled: !isLocked });
  if (isLocked) return null;
  const { last_24_hours: times, last_24_hours_alarms: alarms } = data ?? {};
  const look = alarms !== undefined && alarms > 0 ? ' is-alarm' : times === 0 ? ' is-quiet' : '';
  return (
    <div className={`tile${look}`}>
      <dt>{REFUSED_TILE.title}</dt>
      <dd className="figure">{times === undefined ? '–' : count(times)}</dd>
      <dd className="note">
        {alarms !== undefined && alarms > 0 && (
          <p className="mark mark-cannot_check">
            <Icon name="warning" /> {REFUSED_TILE.alarms(count(alarms))}
          </p>
        )}
        {data === undefined && error !== null && REFUSED_TILE.notCounted}
        <Link to="/refused" search={{}}>
          {DASHBOARD.viewRefusals}
        </Link>
      </dd>
    </div>
  );
}
