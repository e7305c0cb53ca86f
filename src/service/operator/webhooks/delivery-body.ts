import { and, eq } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { epochs, operations } from '../../store/schema.ts';
import type { DeliveryRow } from './enqueue.ts';
import { epochCreated, operationAccepted } from './payloads.ts';

/**
 * Exactly what is sent and signed. What tells of the ledger is made of the ledger's own rows, which never change, each time:
 * kept with every delivery, it would be there as many times as there are webhooks.
 */
export function deliveryBody({ db }: Store, orgId: string, { eventType, body, ledgerNo }: DeliveryRow): string {
  if (ledgerNo === null) return body;
  if (eventType === 'epoch.created') {
    const named = and(eq(epochs.orgId, orgId), eq(epochs.epochNo, ledgerNo));
    const row = db.select().from(epochs).where(named).get();
    if (row !== undefined) return epochCreated(row).body;
  } else {
    const named = and(eq(operations.orgId, orgId), eq(operations.seqNo, ledgerNo));
    const row = db.select().from(operations).where(named).get();
    if (row !== undefined) return operationAccepted(row).body;
  }
  throw new Error(`what a delivery tells of is not in the ledger: ${eventType} ${ledgerNo}`);
}
