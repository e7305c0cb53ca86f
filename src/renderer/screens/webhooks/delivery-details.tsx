import { useMemo } from 'react';
import { type Json, visibleText } from '../../../protocol/index.ts';
import type { DeliveryRow } from '../../api/administration-queries.ts';
import { CopyButton, Hash } from '../../components/hash.tsx';
import { JsonTree } from '../../ui/json-tree.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { count, Time } from '../../ui/time.tsx';

/** One delivery: each attempt, and exactly what was sent and signed. */
export function DeliveryDetails({ delivery }: { readonly delivery: DeliveryRow }) {
  return (
    <ScrollArea className="scroll" label="The delivery">
      <div className="detail">
        <dl className="facts">
          <dt>webhook-id</dt>
          <dd>
            <Hash value={delivery.delivery_id} what="webhook-id" />
          </dd>
          <dt>Next attempt</dt>
          <dd>
            {delivery.next_attempt_at === null ? (
              <span className="muted">none: it has {delivery.status === 'failed' ? 'been given up' : 'arrived'}</span>
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
  if (attempts === 0) return <p className="muted">No attempt has ended yet.</p>;
  return (
    <Table heads={['Attempt (UTC)', { label: 'Took', isRight: true }, 'Answer']}>
      {log.map((attempt) => (
        <tr key={attempt.at}>
          <td>
            <Time value={attempt.at} />
          </td>
          <td className="right number">{count(attempt.took_ms)} ms</td>
          <td title={visibleText(attempt.error ?? '')}>
            <Seen text={attempt.error ?? `HTTP ${attempt.status}`} />
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
    <section aria-label="What was sent">
      <h3 className="cluster">
        What was sent <CopyButton text={body} what="body" />
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
