import { useMemo } from 'react';
import { type Json, visibleText } from '../../../protocol/index.ts';
import type { DeliveryRow } from '../../api/answers.ts';
import { CopyButton, Hash } from '../../components/hash.tsx';
import { fill } from '../../lib/fill.ts';
import { JsonTree } from '../../ui/json-tree.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { count, Time } from '../../ui/time.tsx';
import { DELIVERY_DETAILS } from './texts.ts';

/** One delivery: each attempt, and exactly what was sent and signed. */
export function DeliveryDetails({ delivery }: { readonly delivery: DeliveryRow }) {
  return (
    <ScrollArea className="scroll" label={DELIVERY_DETAILS.delivery}>
      <div className="detail">
        <dl className="facts">
          <dt>{DELIVERY_DETAILS.deliveryId}</dt>
          <dd>
            <Hash value={delivery.delivery_id} what={DELIVERY_DETAILS.deliveryId} />
          </dd>
          <dt>{DELIVERY_DETAILS.nextAttempt}</dt>
          <dd>
            {delivery.next_attempt_at === null ? (
              <span className="muted">
                {fill(DELIVERY_DETAILS.noNext, {
                  outcome: delivery.status === 'failed' ? DELIVERY_DETAILS.wasGivenUp : DELIVERY_DETAILS.arrived,
                })}
              </span>
            ) : (
              <Time value={delivery.next_attempt_at} />
            )}
          </dd>
        </dl>
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
