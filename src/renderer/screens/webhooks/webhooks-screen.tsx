import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { visibleText } from '../../../protocol/index.ts';
import type { WebhookRow } from '../../api/answers.ts';
import { q } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { Empty } from '../../ui/panel.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Deliveries } from './deliveries.tsx';
import { RegisterWebhook } from './register-webhook.tsx';
import { WEBHOOKS_SCREEN } from './texts.ts';
import { DeleteWebhook, TestWebhook } from './webhook-actions.tsx';

const route = getRouteApi('/webhooks');

/** The webhooks of the organization, and what was sent to the chosen one. */
export function WebhooksScreen() {
  const { webhook: chosen } = route.useSearch();
  const webhooks = useQuery(q('listWebhooks'));
  const [isRegistering, setRegistering] = useState(false);
  const register = (
    <PermittedButton call="registerWebhook" className="button-primary" onClick={() => setRegistering(true)}>
      {WEBHOOKS_SCREEN.registerWebhook}
    </PermittedButton>
  );
  const shown = webhooks.data?.webhooks.find(({ webhook_id: id }) => id === chosen);
  return (
    <Screen title={WEBHOOKS_SCREEN.webhooks} name={WEBHOOKS_SCREEN.webhooks} flush actions={register}>
      <Answer query={webhooks} what={WEBHOOKS_SCREEN.what}>
        {({ webhooks: rows }) =>
          rows.length === 0 ? (
            <Empty title={WEBHOOKS_SCREEN.noWebhookYet}>
              <p>{WEBHOOKS_SCREEN.whatFor}</p>
              {register}
            </Empty>
          ) : (
            <>
              <WebhookTable rows={rows} chosen={chosen} />
              {shown === undefined ? (
                <p className="loading">{WEBHOOKS_SCREEN.chooseWebhook}</p>
              ) : (
                <Chosen webhook={shown} />
              )}
            </>
          )
        }
      </Answer>
      <RegisterWebhook open={isRegistering} onClose={() => setRegistering(false)} />
    </Screen>
  );
}

function WebhookTable({ rows, chosen }: { readonly rows: readonly WebhookRow[]; readonly chosen: string | undefined }) {
  return (
    <ScrollArea className="upper-list" label={WEBHOOKS_SCREEN.webhooks}>
      <Table heads={[WEBHOOKS_SCREEN.address, WEBHOOKS_SCREEN.events, WEBHOOKS_SCREEN.registeredUtc]}>
        {rows.map((row) => (
          <tr key={row.webhook_id} className={row.webhook_id === chosen ? 'is-chosen' : ''}>
            <td className="wide-cell">
              <Link
                to="/webhooks"
                search={{ webhook: row.webhook_id }}
                data-row
                aria-current={row.webhook_id === chosen ? 'true' : undefined}
                title={visibleText(row.endpoint_url)}
              >
                <Seen dir="ltr" text={row.endpoint_url} />
              </Link>
            </td>
            <td>{row.events.join(', ')}</td>
            <td>
              <Time value={row.created_at} />
            </td>
          </tr>
        ))}
      </Table>
    </ScrollArea>
  );
}

function Chosen({ webhook }: { readonly webhook: WebhookRow }) {
  return (
    <section className="lower-part" aria-label={WEBHOOKS_SCREEN.deliveries}>
      <div className="split-title">
        <span className="ellipsis">
          {fill(WEBHOOKS_SCREEN.deliveriesTo, { endpointUrl: <Seen dir="ltr" text={webhook.endpoint_url} /> })}
        </span>
        <span className="push cluster">
          <TestWebhook webhook={webhook} />
          <DeleteWebhook webhook={webhook} />
        </span>
      </div>
      <Deliveries webhookId={webhook.webhook_id} />
    </section>
  );
}
