import { checkCount, parseTime, TooLarge } from '../../../protocol/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { Store } from '../../store/open.ts';
import { runReceivedWithin } from './sequence-run.ts';

/** What is asked for, as of an export: times in RFC 3339, and one agent or null for all. */
interface AskedFor {
  readonly startTime: string;
  readonly endTime: string;
  readonly agentId?: string | null | undefined;
}

/** Why there is no export that holds so much, and what to ask for instead. */
export function tooLargeSentence({ what }: TooLarge): string {
  return `the export would have more than ${what}, and no verifier reads that: ask for a shorter time, or for one agent`;
}

/**
 * Whether a bundle of what is asked for may be made: what of it can be counted before anything is read. What only its bytes show, the
 * writer finds (BundleWriter).
 * @throws ServiceError EXPORT_TOO_LARGE naming what there is too much of
 */
export function needReadableSize(store: Store, orgId: string, { startTime, endTime, agentId = null }: AskedFor): void {
  const count = (sql: string, values: object = {}): number =>
    Number(
      store
        .statement(sql)
        .pluck()
        .get({ orgId, ...values }) ?? 0,
    );
  const ofAgent = '(@agentId IS NULL OR agent_id = @agentId)';
  try {
    checkCount('service_keys', Number(store.statement('SELECT count(*) FROM service_keys').pluck().get()));
    checkCount('agents', count(`SELECT count(*) FROM agents WHERE org_id = @orgId AND ${ofAgent}`, { agentId }));
    checkCount(
      'agent_keys',
      count(`SELECT count(*) FROM agent_keys WHERE org_id = @orgId AND ${ofAgent}`, { agentId }),
    );
    // They are numbered without gaps.
    checkCount('admin_events', count('SELECT max(event_no) FROM admin_events WHERE org_id = @orgId'));
    const run = runReceivedWithin(store, orgId, parseTime(startTime), parseTime(endTime), Number.MAX_SAFE_INTEGER);
    if (run === null) return;
    const within = 'org_id = @orgId AND last_seq_no >= @first AND first_seq_no <= @last';
    checkCount('epochs', count(`SELECT count(*) FROM epochs WHERE ${within}`, { ...run }));
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    throw new ServiceError('EXPORT_TOO_LARGE', tooLargeSentence(error));
  }
}
