import { explainMark } from '../../../actions/index.ts';
import type { OperationReading } from '../../../api/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { recordsOfCalls } from '../content-index/groups.ts';
import { detailsOf } from '../content-index/queries/list-records.ts';
import { evidenceOf } from './mark-evidence.ts';

/** What a record was read as, and why it is marked. @throws ServiceError NOT_FOUND */
export function readOperation(view: ContentView, operationId: string): OperationReading {
  const field = { of: 'record', name: 'operation' } as const;
  const { records } = view.find({ kind: 'equals', field, value: operationId, text: operationId });
  const n = records.from(0);
  if (n < 0) throw new ServiceError('NOT_FOUND', 'there is no such operation, or it is not indexed yet');
  const { record, facts } = view.record(n);
  const call = view.columns.category('call').ids[n] ?? 0;
  const ofCall = call === 0 ? [n] : Array.from(recordsOfCalls(view).of(call));
  const idOf = (each: number): string => view.record(each).record.operationId;
  return {
    operation_id: record.operationId,
    details: detailsOf(view, n),
    person: facts.person,
    sub_agent: facts.subAgent,
    entities: facts.entity.map(({ kind, id, access }) => ({ kind, id, access })),
    marks: view.marks(n).map((code) => {
      const { evidence, figures } = evidenceOf(view, n, code);
      const told = { code, figures, evidence: evidence.map((each) => view.seqNo(each)) };
      return { code, why: explainMark(told, facts, record.agentId), evidence: evidence.map(idOf) };
    }),
    call: ofCall.slice(0, 64).map((each) => {
      const one = view.record(each);
      return { operation_id: one.record.operationId, seq_no: one.record.seqNo, phase: one.facts.phase };
    }),
  };
}
