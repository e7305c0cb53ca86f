import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type Json, visibleText } from '../../../protocol/index.ts';
import type { DeliveryRow } from '../../api/answers.ts';
import { pages } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { CopyButton, Hash } from '../../components/hash.tsx';
import { Mark } from '../../components/mark.tsx';
import { NextPage } from '../../components/next-page.tsx';
import { fill } from '../../lib/fill.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { Icon } from '../../ui/icons.tsx';
import { JsonTree } from '../../ui/json-tree.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { agoText, count, Time } from '../../ui/time.tsx';
import { DELIVERIES, DELIVERY_DETAILS } from './texts.ts';

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
              <NextPage query={query} label={DELIVERIES.olderDeliveries} />
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

/** One delivery: each attempt, and exactly what was sent and signed. */
function DeliveryDetails({ delivery }: { readonly delivery: DeliveryRow }) {
  return (
    <ScrollArea className="scroll" label={DELIVERY_DETAILS.delivery}>
      <div className="detail">
        <FactList
          of={{
            [DELIVERY_DETAILS.deliveryId]: <Hash value={delivery.delivery_id} what={DELIVERY_DETAILS.deliveryId} />,
            [DELIVERY_DETAILS.nextAttempt]:
              delivery.next_attempt_at === null ? (
                <span className="muted">
                  {fill(DELIVERY_DETAILS.noNext, {
                    outcome: delivery.status === 'failed' ? DELIVERY_DETAILS.wasGivenUp : DELIVERY_DETAILS.arrived,
                  })}
                </span>
              ) : (
                <Time value={delivery.next_attempt_at} hasZone />
              ),
          }}
        />
        <Attempts delivery={delivery} />
        <Body body={delivery.body} />
      </div>
    </ScrollArea>
  );
}

function Attempts({ delivery: { attempt_log: log, attempts } }: { readonly delivery: DeliveryRow }) {
  if (attempts === 0) return <p className="muted">{DELIVERY_DETAILS.noAttempt}</p>;
  return (
    <Table
      heads={[DELIVERY_DETAILS.attemptUtc, { label: DELIVERY_DETAILS.took, isRight: true }, DELIVERY_DETAILS.answer]}
    >
      {log.map((attempt) => (
        <tr key={attempt.at}>
          <td>
            <Time value={attempt.at} />
          </td>
          <td className="right number">{DELIVERY_DETAILS.duration(count(attempt.took_ms))}</td>
          <td className="wraps" title={visibleText(attempt.error ?? '')}>
            <Seen text={attempt.error ?? DELIVERY_DETAILS.httpStatus(attempt.status ?? 0)} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** As a tree where it is JSON, as it always should be; the text itself is what is copied. */
function Body({ body }: { readonly body: string }) {
  const value = useMemo((): Json | undefined => {
    try {
      return JSON.parse(body) as Json;
    } catch {
      return undefined;
    }
  }, [body]);
  return (
    <section aria-label={DELIVERY_DETAILS.sent}>
      <h3 className="cluster">
        {DELIVERY_DETAILS.sent} <CopyButton text={body} what={DELIVERY_DETAILS.body} />
      </h3>
      {value === undefined ? (
        <pre className="code breakable">
          <Seen text={body} lines />
        </pre>
      ) : (
        <JsonTree value={value} />
      )}
    </section>
  );
}
