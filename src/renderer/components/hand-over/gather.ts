import type { QueryClient } from '@tanstack/react-query';
import { type AuditFilter, type Ledger, operationOf } from '../../api/ledger/ledger.ts';
import type { ChosenRecord } from '../../lib/report-draft.ts';

/** A record to be handed over. */
export type HandedRecord = Omit<ChosenRecord, 'comment'>;

/** More records than these are handed over as an export of a range of time. */
export const MAX_HANDED = 10_000;

/** Until when somebody waits, and who is told how many there are so far. */
export interface Gathering {
  readonly signal: AbortSignal;
  readonly onProgress: (records: number) => void;
}

interface Page {
  readonly records: readonly HandedRecord[];
  readonly nextCursor: string | null;
}

/** Records page after page, up to one more than can be handed over. */
async function all(pageAt: (cursor: string | undefined) => Promise<Page>, { onProgress }: Gathering) {
  const records: HandedRecord[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await pageAt(cursor);
    records.push(...page.records);
    onProgress(records.length);
    if (page.nextCursor === null || records.length > MAX_HANDED) return records.slice(0, MAX_HANDED + 1);
    cursor = page.nextCursor;
  }
}

/** All records of the actions that a filter means; of one of records, these records alone. @throws CallFailed */
export function recordsOfSearch(
  ledger: Ledger,
  filter: AuditFilter,
  means: Gathering,
): Promise<readonly HandedRecord[]> {
  const { unit, ...asked } = filter;
  return all(async (cursor) => {
    const body = { ...asked, order: 'oldest', limit: 200, cursor };
    if (unit !== 'actions') {
      const { data, nextCursor } = await ledger.call('auditQuery', { body, signal: means.signal });
      const records = data.map(({ seq_no: seqNo, operation_id: operationId, action, subject }) => ({
        seqNo,
        operationId,
        text: `${action} ${subject}`,
      }));
      return { records, nextCursor };
    }
    const { data, nextCursor } = await ledger.call('actions', { body, signal: means.signal });
    const records = data.flatMap((action) =>
      action.records.map(({ seq_no: seqNo, operation_id: operationId }) => ({
        seqNo,
        operationId,
        text: action.title,
      })),
    );
    return { records, nextCursor };
  }, means);
}

/** All records of a session and of those that it opened. @throws CallFailed */
export function recordsOfSession(ledger: Ledger, session: string, means: Gathering): Promise<readonly HandedRecord[]> {
  return all(async (cursor) => {
    const body = { session, below: true, limit: 1000, cursor };
    const { data, nextCursor } = await ledger.call('sessionSteps', { body, signal: means.signal });
    const records = data.flatMap(({ moments, title }) =>
      moments.map(({ seq_no: seqNo, operation_id: operationId }) => ({ seqNo, operationId, text: title })),
    );
    return { records, nextCursor };
  }, means);
}

/** The whole records with their receipts, one a line, in the order of their numbers. @throws CallFailed */
export async function linesOf(
  { ledger, client }: { readonly ledger: Ledger; readonly client: QueryClient },
  records: readonly Pick<HandedRecord, 'seqNo' | 'operationId'>[],
  { signal, onProgress }: Gathering,
): Promise<string> {
  const lines: string[] = [];
  for (const { operationId, seqNo } of records.toSorted((a, b) => a.seqNo - b.seqNo)) {
    signal.throwIfAborted();
    const found = await client.fetchQuery({ ...operationOf(ledger, operationId, seqNo), staleTime: 60_000 });
    lines.push(`${JSON.stringify(found)}\n`);
    onProgress(lines.length);
  }
  return lines.join('');
}
