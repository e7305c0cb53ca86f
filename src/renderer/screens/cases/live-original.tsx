import type { StoredOperation } from '../../api/answers.ts';
import { Mark } from '../../components/mark.tsx';
import { DifferenceTable } from '../../ui/difference-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ChangedFromLive } from './changed-record.tsx';
import { recordDifference } from './record-difference.ts';
import { LIVE_ORIGINAL } from './texts.ts';
import { useLiveCopy } from './use-live-copy.ts';

/** Which members a record shows. */
const namesOf = ({ disclosures = {} }: StoredOperation): string => JSON.stringify(Object.keys(disclosures).sort());

/**
 * A record of a case next to the one that this service keeps under the same operation_id, where the case is of the
 * organization of whoever looks at it: for a tampered record the most useful thing there is.
 */
export function LiveOriginal({ operation }: { readonly operation: StoredOperation }) {
  const { eor } = operation;
  const live = useLiveCopy(eor.org_id, eor.operation_id);
  if (live === undefined) return null;
  if (live === null) {
    return (
      <Panel title={LIVE_ORIGINAL.title} actions={<Mark outcome="cannot_check" word={LIVE_ORIGINAL.notFound} />}>
        <p>{LIVE_ORIGINAL.noneThere}</p>
      </Panel>
    );
  }
  const isWithheld =
    (eor.payload === undefined) !== (live.eor.payload === undefined) || namesOf(operation) !== namesOf(live);
  const difference = recordDifference(operation, live, isWithheld);
  if (difference.kind !== 'same') {
    return (
      <Panel title={LIVE_ORIGINAL.liveOriginal} flush actions={<Mark outcome="fail" word={LIVE_ORIGINAL.differs} />}>
        <div className="panel-body">
          <ChangedFromLive here={operation} live={live} />
        </div>
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
