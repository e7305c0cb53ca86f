import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { visibleText } from '../../../protocol/index.ts';
import { type WebhookRow, webhooksQuery } from '../../api/administration-queries.ts';
import { Answer } from '../../components/answer.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { Empty } from '../../ui/panel.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Deliveries } from './deliveries.tsx';
import { RegisterWebhook } from './register-webhook.tsx';
import { DeleteWebhook, TestWebhook } from './webhook-actions.tsx';

const route = getRouteApi('/webhooks');

/** The webhooks of the organization, and what was sent to the chosen one. */
export function WebhooksScreen() {
  const { webhook: chosen } = route.useSearch();
  const webhooks = useQuery(webhooksQuery);
  const [isRegistering, setRegistering] = useState(false);
  const register = (
    <PermittedButton call="registerWebhook" className="button-primary" onClick={() => setRegistering(true)}>
      Register a webhook
    </PermittedButton>
  );
  const shown = webhooks.data?.webhooks.find(({ webhook_id: id }) => id === chosen);
  return (
    <Screen title="Webhooks" name="Webhooks" flush actions={register}>
      <Answer query={webhooks} what="the webhooks">
        {({ webhooks: rows }) =>
          rows.length === 0 ? (
            <Empty title="No webhook yet">
              <p>
                A webhook is notified of what happens in the ledger: an operation was accepted, an epoch was sealed, an
                agent was frozen or unfrozen. Each message is signed with a secret that the receiver knows too.
              </p>
              {register}
            </Empty>
          ) : (
            <>
              <WebhookTable rows={rows} chosen={chosen} />
              {shown === undefined ? (
                <p className="loading">Choose a webhook to see what was sent to it.</p>
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
    <ScrollArea className="upper-list" label="Webhooks">
      <Table heads={['Address', 'Events', 'Registered (UTC)']}>
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
    <section className="lower-part" aria-label="Deliveries">
      <div className="split-title">
        <span className="ellipsis">
          Deliveries to <Seen dir="ltr" text={webhook.endpoint_url} />
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
