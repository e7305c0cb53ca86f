import type { HoldSelection } from '../../../contract/index.ts';
import { parseTime } from '../../../protocol/index.ts';
import { isInRuns, type NumberRun } from '../../base/number-runs.ts';
import { namesPerson, namesSession } from './hold-terms.ts';
import type { RecordTexts } from './record-texts.ts';

/** Whether a hold covers a record. */
export type Covers = (record: RecordTexts) => boolean;

/** What a selection covers. @param runs of a case: its records in the ledger, as they were when the hold was placed */
export function coversOf(selection: HoldSelection, runs: readonly NumberRun[]): Covers {
  switch (selection.kind) {
    case 'case':
      return ({ head }) => isInRuns(runs, head.seqNo);
    case 'agent':
      return ({ head }) => head.agentId === selection.agent_id;
    case 'person':
      return namesPerson(selection.person);
    case 'session':
      return namesSession(selection.session);
    case 'range':
      return coversRange(selection);
  }
}

function coversRange(range: Extract<HoldSelection, { kind: 'range' }>): Covers {
  const { agent_id: agentId, from_seq_no: from = 1, to_seq_no: to = Number.POSITIVE_INFINITY } = range;
  const since = range.from_time === undefined ? Number.NEGATIVE_INFINITY : parseTime(range.from_time);
  const until = range.to_time === undefined ? Number.POSITIVE_INFINITY : parseTime(range.to_time);
  return ({ head: { seqNo, agentId: of, receivedAt } }) =>
    (agentId === undefined || of === agentId) &&
    seqNo >= from &&
    seqNo <= to &&
    receivedAt >= since &&
    receivedAt < until;
}
