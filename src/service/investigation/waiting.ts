import type { WaitingAnswer } from '../../contract/index.ts';
import { auditRow } from '../content-index/audit-row.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { coverageOf, detailsOf } from '../content-index/queries/list-records.ts';

const SHOWN = 100;
/** What ends the wait of a question: nobody need decide any more. */
const SETTLING = new Set(['decided', 'started', 'completed', 'failed', 'refused']);

/**
 * Questions that nobody has decided, and whose action was neither carried out nor refused after that; of one asked again
 * the newest. What is derived here is a list to work from and no evidence.
 * @param operationId the question alone that is asked about, or null
 */
export function waitingOf(view: ContentView, operationId: string | null): WaitingAnswer {
  const { ids } = view.columns.category('call');
  const settled = new Set<number>();
  const ns: number[] = [];
  // From the newest on: what comes after a question is seen before it.
  for (let n = view.indexedTo; n > 0; n--) {
    const call = ids[n] ?? 0;
    if (call === 0 || settled.has(call)) continue;
    const phase = view.calls.phase(n);
    if (phase === 'asked') ns.push(n);
    if (phase === 'asked' || SETTLING.has(phase)) settled.add(call);
  }
  const isMeant = (n: number): boolean => operationId === null || view.record(n).record.operationId === operationId;
  const data = (operationId === null ? ns.slice(0, SHOWN) : ns.filter(isMeant)).map((n) => ({
    ...auditRow(view.record(n).record),
    details: detailsOf(view, n),
  }));
  return { data, total: operationId === null ? ns.length : data.length, coverage: coverageOf(view) };
}
