import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { DeliveryRow } from '../../api/answers.ts';
import { pages } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { Mark } from '../../components/mark.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Table } from '../../ui/table.tsx';
import { agoText, Time } from '../../ui/time.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import { DELIVERIES } from './texts.ts';

const route = getRouteApi('/webhooks');

/** How a delivery stands, as icon, word and colour. */
export function DeliveryMark({ status }: { readonly status: DeliveryRow['status'] }) {
  if (status === 'delivered') return <Mark outcome="pass" word={DELIVERIES.delivered} />;
  if (status === 'failed') return <Mark outcome="fail" word={DELIVERIES.givenUp} />;
  return (
    <span className="mark mark-cannot_check">
      <Icon name="wait" />
      {DELIVERIES.pending}
    </span>
  );
}

/** What was sent to a webhook, newest first; the chosen delivery next to it. */
export function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const { delivery: chosen } = route.useSearch();
  const query = useInfiniteQuery(pages('listDeliveries', { params: { webhook_id: webhookId }, query: { limit: 100 } }));
  return (
    <Answer query={query} what={DELIVERIES.what}>
      {({ pages }) => {
        const rows = pages.flatMap(({ data }) => data);
        if (rows.length === 0) {
          return <p className="loading">{DELIVERIES.nothingSent}</p>;
        }
        const shown = rows.find(({ delivery_id: id }) => id === chosen);
        return (
          <div className="side-by-side">
            <ScrollArea className="scroll" label={DELIVERIES.deliveries}>
              <DeliveryTable rows={rows} webhookId={webhookId} chosen={chosen} />
              {query.hasNextPage && (
                <p className="loading">
                  <button type="button" disabled={query.isFetching} onClick={() => void query.fetchNextPage()}>
                    {DELIVERIES.olderDeliveries}
                  </button>
                </p>
              )}
            </ScrollArea>
            {shown === undefined ? (
              <p className="loading">{DELIVERIES.chooseDelivery}</p>
            ) : (
              <DeliveryDetails delivery={shown} />
            )}
          </div>
        );
      }}
    </Answer>
  );
}

interface TableProps {
  readonly rows: readonly DeliveryRow[];
  readonly webhookId: string;
  readonly chosen: string | undefined;
}

function DeliveryTable({ rows, webhookId, chosen }: TableProps) {
  const now = Date.now();
  return (
    <Table
      heads={[
        DELIVERIES.event,
        DELIVERIES.state,
        { label: DELIVERIES.attempts, isRight: true },
        DELIVERIES.lastAnswer,
        DELIVERIES.nextAttempt,
        DELIVERIES.queuedUtc,
      ]}
    >
      {rows.map((row) => (
        <tr key={row.delivery_id} className={row.delivery_id === chosen ? 'is-chosen' : ''}>
          <td>
            <Link
              to="/webhooks"
              search={{ webhook: webhookId, delivery: row.delivery_id }}
              data-row
              aria-current={row.delivery_id === chosen ? 'true' : undefined}
            >
              {row.event_type}
            </Link>
          </td>
          <td>
            <DeliveryMark status={row.status} />
          </td>
          <td className="right number">{row.attempts}</td>
          <td title={row.last_error ?? undefined}>
            {row.last_attempt_at === null ? (
              <span className="muted">–</span>
            ) : (
              (row.last_error ?? DELIVERIES.status(row.last_status ?? 0))
            )}
          </td>
          <td>
            {row.next_attempt_at === null ? (
              <span className="muted">–</span>
            ) : row.next_attempt_at <= now ? (
              DELIVERIES.now
            ) : (
              agoText(row.next_attempt_at, now)
            )}
          </td>
          <td>
            <Time value={row.created_at} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
