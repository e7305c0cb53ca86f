import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../../../contract/index.ts';
import { operationRetentionQuery } from '../../api/retention-queries.ts';
import { plural } from '../../lib/plural.ts';
import { Icon } from '../../ui/icons.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Time } from '../../ui/time.tsx';

/** How long the payload of a record is kept, in one line. */
export function RetentionLine({ operationId }: { readonly operationId: string }) {
  const { data } = useQuery(operationRetentionQuery(operationId));
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
  if (state === 'erased') return 'Payload: erased. Signatures and proofs do not need it.';
  if (hold !== undefined) {
    return (
      <>
        Payload: kept by {plural(holds.length, 'legal hold')}, the first since <Time value={hold.placed_at} hasZone />.
        It cannot be erased until released.
      </>
    );
  }
  if (rule === null) return 'Payload: kept for good. No retention rule matches this record.';
  if (dueAt === null) {
    return (
      <>
        Payload: kept for good by the rule <Seen text={rule} />.
      </>
    );
  }
  return (
    <>
      Payload: {state === 'due' ? 'due for erasure since' : 'kept until'} <Time value={dueAt} hasZone /> by the rule{' '}
      <Seen text={rule} />.
    </>
  );
}
