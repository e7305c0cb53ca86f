import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { q } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { Mark } from '../../components/mark.tsx';
import { useConnection } from '../../components/use-connection.ts';
import { Panel } from '../../ui/panel.tsx';
import { DASHBOARD, HEALTH_PANEL } from './texts.ts';

const NAMES: Readonly<Record<string, string>> = {
  database: HEALTH_PANEL.database,
  epochs: HEALTH_PANEL.sealing,
  disk: HEALTH_PANEL.disk,
  key: HEALTH_PANEL.serviceKey,
  webhooks: HEALTH_PANEL.webhooks,
  clock: HEALTH_PANEL.clock,
  exports: HEALTH_PANEL.exports,
};

/** Whether each part of the service is well; what it was, while the service cannot be asked. */
export function HealthPanel() {
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
                <dt>{NAMES[part] ?? part}</dt>
                <dd>
                  {isCut ? (
                    <Mark outcome="not_checked" word={DASHBOARD.was(DASHBOARD.health[status] ?? status)} />
                  ) : (
                    <Mark outcome={status === 'ok' ? 'pass' : 'fail'} word={DASHBOARD.health[status] ?? status} />
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
