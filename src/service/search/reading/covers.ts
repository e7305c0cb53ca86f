import { type NamingRecord, soughtPerson, soughtSession } from '../../../actions/index.ts';
import type { HoldSelection } from '../../../api/index.ts';
import {
  coversPlace,
  isInRuns,
  type LoggedCorrection,
  type NumberRun,
  type PlacedRecord,
  parseRuns,
  timesOfStretch,
} from '../../../protocol/index.ts';

/** What is asked of a record that a hold may cover. */
export interface CoveredRecord extends NamingRecord {
  readonly head: PlacedRecord;
  /** Those of the ledger's clock. */
  readonly corrections: readonly LoggedCorrection[];
}

/** Whether a hold covers a record. */
export type Covers = (record: CoveredRecord) => boolean;

/** What a selection covers. @param runs of a case: its records in the ledger, as they were when the hold was placed */
export function coversOf(selection: HoldSelection, runs: readonly NumberRun[]): Covers {
  switch (selection.kind) {
    case 'case':
      return ({ head }) => isInRuns(runs, head.seqNo);
    case 'person':
      return soughtPerson(selection.person).isIn;
    case 'session':
      return soughtSession(selection.session).isIn;
    case 'records':
    case 'agent':
    case 'range': {
      const covers = coversPlace(selection.kind === 'records' ? { runs: parseRuns(selection.runs) } : selection);
      return (record) => covers(record.head, (seqNo) => timesOfStretch(record.corrections, seqNo));
    }
  }
}
