import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../../../api/index.ts';
import { q } from '../../api/query.ts';
import { fill } from '../../lib/fill.ts';
import { Icon } from '../../ui/icons.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Time } from '../../ui/time.tsx';
import { RETENTION_LINE } from './texts.ts';

/** How long the payload of a record is kept, in one line. */
export function RetentionLine({ operationId }: { readonly operationId: string }) {
  const { data } = useQuery(q('operationRetention', { params: { operation_id: operationId } }));
  if (data === undefined) return null;
  return (
    <p className="cluster">
      <Icon name={data.state === 'held' ? 'lock' : 'wait'} />
      <span>
        <Words retention={data} />
      </span>
    </p>
  );
}

function Words({ retention }: { readonly retention: AnswerOf<'operationRetention'> }) {
  const { state, holds, rule, due_at: dueAt } = retention;
  const [hold] = holds;
  if (state === 'erased') return RETENTION_LINE.erased;
  if (hold !== undefined) {
    return <>{fill(RETENTION_LINE.keptByHolds(holds.length), { placedAt: <Time value={hold.placed_at} hasZone /> })}</>;
  }
  if (rule === null) return RETENTION_LINE.keptNoRule;
  if (dueAt === null) {
    return <>{fill(RETENTION_LINE.keptByRule, { rule: <Seen text={rule} /> })}</>;
  }
  return (
    <>
      {fill(state === 'due' ? RETENTION_LINE.dueSinceByRule : RETENTION_LINE.keptUntilByRule, {
        dueAt: <Time value={dueAt} hasZone />,
        rule: <Seen text={rule} />,
      })}
    </>
  );
}
