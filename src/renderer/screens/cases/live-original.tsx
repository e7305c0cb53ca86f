import { useQuery } from '@tanstack/react-query';
import type { StoredOperation } from '../../api/answers.ts';
import { CallFailed, call } from '../../api/call.ts';
import { keyBelow, q, sessionQuery } from '../../api/query.ts';
import { Mark } from '../../components/mark.tsx';
import { DifferenceTable } from '../../ui/difference-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { recordDifference } from './record-difference.ts';
import { LIVE_ORIGINAL } from './texts.ts';

/** Which members a record shows. */
const namesOf = ({ disclosures = {} }: StoredOperation): string => JSON.stringify(Object.keys(disclosures).sort());

/**
 * A record of a case next to the one that this service keeps under the same operation_id, where the case is of the
 * organization of whoever looks at it: for a tampered record the most useful thing there is.
 */
export function LiveOriginal({ operation }: { readonly operation: StoredOperation }) {
  const { data: session } = useQuery(sessionQuery);
  const { eor } = operation;
  const isOwn = session != null && session.orgId === eor.org_id;
  const live = useQuery({
    queryKey: keyBelow(q('getOperation', { params: { operation_id: eor.operation_id } }), 'original'),
    staleTime: 60_000,
    enabled: isOwn,
    queryFn: async ({ signal }) => {
      try {
        return await call('getOperation', { params: { operation_id: eor.operation_id }, signal });
      } catch (error) {
        if (error instanceof CallFailed && error.code === 'NOT_FOUND') return null;
        throw error;
      }
    },
  });
  if (!isOwn || live.data === undefined) return null;
  if (live.data === null) {
    return (
      <Panel title={LIVE_ORIGINAL.title} actions={<Mark outcome="cannot_check" word={LIVE_ORIGINAL.notFound} />}>
        <p>{LIVE_ORIGINAL.noneThere}</p>
      </Panel>
    );
  }
  const isWithheld =
    (eor.payload === undefined) !== (live.data.eor.payload === undefined) || namesOf(operation) !== namesOf(live.data);
  const difference = recordDifference(operation, live.data, isWithheld);
  if (difference.kind !== 'same') {
    return (
      <Panel title={LIVE_ORIGINAL.liveOriginal} flush actions={<Mark outcome="fail" word={LIVE_ORIGINAL.differs} />}>
        <DifferenceTable difference={difference} one={LIVE_ORIGINAL.here} other={LIVE_ORIGINAL.live} />
      </Panel>
    );
  }
  return (
    <Panel
      title={LIVE_ORIGINAL.liveOriginal}
      actions={
        <Mark
          outcome={isWithheld ? 'cannot_check' : 'pass'}
          word={isWithheld ? LIVE_ORIGINAL.payloadNotCompared : LIVE_ORIGINAL.same}
        />
      }
    >
      <p className="muted">{isWithheld ? LIVE_ORIGINAL.sameButPayload : LIVE_ORIGINAL.sameText}</p>
    </Panel>
  );
}
