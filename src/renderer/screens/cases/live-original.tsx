import { useQuery } from '@tanstack/react-query';
import type { StoredOperation } from '../../api/answers.ts';
import { liveOriginalQuery } from '../../api/case-queries.ts';
import { sessionQuery } from '../../api/queries.ts';
import { Mark } from '../../components/mark.tsx';
import { DifferenceTable } from '../../ui/difference-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { recordDifference } from './record-difference.ts';

/**
 * A record of a case next to the one that this service keeps under the same operation_id, where the case is of the
 * organization of whoever looks at it: for a tampered record the most useful thing there is.
 */
export function LiveOriginal({ operation }: { readonly operation: StoredOperation }) {
  const { data: session } = useQuery(sessionQuery);
  const { eor } = operation;
  const isOwn = session != null && session.orgId === eor.org_id;
  const live = useQuery({ ...liveOriginalQuery(eor.operation_id), enabled: isOwn });
  if (!isOwn || live.data === undefined) return null;
  if (live.data === null) {
    return (
      <Panel title="Live original" actions={<Mark outcome="cannot_check" word="Not found" />}>
        <p>The live ledger of your organization has no operation with this ID.</p>
      </Panel>
    );
  }
  const isWithheld =
    (eor.payload === undefined) !== (live.data.eor.payload === undefined) ||
    operation.disclosures?.length !== live.data.disclosures?.length;
  const difference = recordDifference(operation, live.data, isWithheld);
  if (difference.kind !== 'same') {
    return (
      <Panel title="Live original" flush actions={<Mark outcome="fail" word="Differs from this record" />}>
        <DifferenceTable difference={difference} one="In this case" other="In the live ledger" />
      </Panel>
    );
  }
  return (
    <Panel
      title="Live original"
      actions={
        <Mark outcome={isWithheld ? 'cannot_check' : 'pass'} word={isWithheld ? 'Payload not compared' : 'Same'} />
      }
    >
      <p className="muted">
        {isWithheld
          ? 'Everything but the payload is the same in the live ledger. Only one of the two has the payload.'
          : 'The live ledger of your organization has the same record and receipt, payload included.'}
      </p>
    </Panel>
  );
}
