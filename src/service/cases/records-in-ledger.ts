import { mergeRuns, type NumberRun } from '../../protocol/index.ts';
import type { Member } from '../http/handler.ts';
import type { OperationIndex } from '../ledger/operation-index/operation-index.ts';
import { ServiceError } from '../store/base/service-error.ts';
import type { Cases } from './cases.ts';

/** Records that are looked up in the ledger at once. */
const PAGE = 500;

interface RecordsInLedgerDeps {
  readonly cases: Cases;
  readonly index: OperationIndex;
}

/**
 * The records of a case that are in this ledger, by their operation ids: a bundle may claim any sequence number.
 * @throws ServiceError NOT_FOUND, CONFLICT where the case is not ready, VALIDATION_ERROR where none of them is
 */
export async function recordsInLedger(
  { cases, index }: RecordsInLedgerDeps,
  caller: Member,
  caseId: string,
): Promise<NumberRun[]> {
  const about = cases.store.findReady({ workstation: false, caller }, caseId);
  const isOurs = about.report?.bundle.org_id === caller.orgId;
  const found: NumberRun[] = [];
  for (let after = isOurs ? 0 : null; after !== null; ) {
    // An answer of another thread each time: in between the service's own has its turn.
    const page = await cases.reads.ask(cases.store.folderOf(caseId), 'places', after, PAGE);
    for (const { operationId } of page) {
      const seqNo = index.findOperation(caller.orgId, operationId);
      if (seqNo !== null) found.push([seqNo, seqNo]);
    }
    after = page.length < PAGE ? null : (page.at(-1)?.n ?? null);
  }
  if (found.length > 0) return mergeRuns(found);
  throw new ServiceError('VALIDATION_ERROR', 'selection.case_id: no record of this case is in the ledger');
}
