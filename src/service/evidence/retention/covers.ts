import { soughtPerson, soughtSession } from '../../../actions/index.ts';
import type { HoldSelection } from '../../../api/index.ts';
import { coversPlace, isInRuns, type NumberRun, timesOfStretch } from '../../../protocol/index.ts';
import { clockCorrections } from '../../ledger/admin-log/clock-corrections.ts';
import type { RecordTexts } from './record-texts.ts';

/** Whether a hold covers a record. */
export type Covers = (record: RecordTexts) => boolean;

/** What a selection covers. @param runs of a case: its records in the ledger, as they were when the hold was placed */
export function coversOf(selection: HoldSelection, runs: readonly NumberRun[]): Covers {
  switch (selection.kind) {
    case 'case':
      return ({ head }) => isInRuns(runs, head.seqNo);
    case 'person':
      return soughtPerson(selection.person).isIn;
    case 'session':
      return soughtSession(selection.session).isIn;
    case 'agent':
    case 'range': {
      const covers = coversPlace(selection);
      return ({ head, store }) => covers(head, (seqNo) => timesOfStretch(clockCorrections(store, head.orgId), seqNo));
    }
  }
}
