import { explainMark, marksOfFacts } from '../../../actions/index.ts';
import type { OperationReading } from '../../../api/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { recordsOfCalls } from '../content-index/groups.ts';
import { detailsOf } from '../content-index/queries/list-records.ts';
import { shownEntity } from '../content-index/shown-entity.ts';

/** A record may be held against very many others. */
const MAX_REASONS = 64;

/** Why a record is marked: what it says itself, then what was found about it, each with the record that it was held against. */
function marksWithReasons(view: ContentView, n: number): OperationReading['marks'] {
  const { record, facts } = view.record(n);
  const own = marksOfFacts({
    outcome: facts.outcome,
    isDisguised: facts.disguisedIn !== null,
    isUnsigned: record.isUnsigned === true,
  }).map((code) => ({
    code,
    message: null,
    figures: '[]',
    other_seq_no: null,
  }));
  const reasons = [...own, ...view.reader.findingsOf(record.seqNo)].map((found) => {
    const figures = JSON.parse(found.figures) as readonly number[];
    const other = found.other_seq_no === null ? null : view.withSeqNo(found.other_seq_no);
    return {
      code: found.code,
      why: found.message ?? explainMark(found.code, figures, facts, record.agentId) ?? found.code,
      evidence: other === null ? [] : [view.record(other).record.operationId],
    };
  });
  // Two causes of one record that are unknown are one reason.
  return [...new Map(reasons.map((reason) => [JSON.stringify(reason), reason])).values()].slice(0, MAX_REASONS);
}

/** The number of the record with an operation_id. @throws ServiceError NOT_FOUND */
export function numberOfOperation(view: ContentView, operationId: string): number {
  const field = { of: 'record', name: 'operation' } as const;
  const { records } = view.find({ kind: 'equals', field, value: operationId, text: operationId });
  const n = records.from(0);
  if (n < 0) throw new ServiceError('NOT_FOUND', 'there is no such operation, or it is not indexed yet');
  return n;
}

/** What a record was read as, and why it is marked. @throws ServiceError NOT_FOUND */
export function readOperation(view: ContentView, operationId: string): OperationReading {
  const n = numberOfOperation(view, operationId);
  const { record, facts } = view.record(n);
  const call = view.columns.category('call').ids[n] ?? 0;
  const ofCall = call === 0 ? [n] : Array.from(recordsOfCalls(view).of(call));
  return {
    operation_id: record.operationId,
    details: detailsOf(view, n),
    person: facts.person,
    sub_agent: facts.subAgent,
    entities: facts.entity.map(shownEntity),
    marks: marksWithReasons(view, n),
    call: ofCall.slice(0, 64).map((each) => {
      const one = view.record(each);
      return { operation_id: one.record.operationId, seq_no: one.record.seqNo, phase: one.facts.phase };
    }),
  };
}
