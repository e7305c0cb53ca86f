import { nodeCrypto } from '../../../node/index.ts';
import { adminEventHash, ProtocolError } from '../../../protocol/index.ts';
import type { Store } from '../../store/open.ts';
import { listAdminEvents } from '../admin-log/admin-events.ts';
import type { Damage } from './damage.ts';

/** How many events are looked at, the newest. */
const DEPTH = 64;

/** Looks at the newest events of an organization's administrative log: each by itself, and each on the one before it. */
export function examineAdminTail(store: Store, orgId: string): Damage[] {
  const damages: Damage[] = [];
  let events: ReturnType<typeof listAdminEvents>;
  try {
    events = listAdminEvents(store, orgId, DEPTH);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return [{ orgId, place: 'the administrative log', message: `cannot be read (${error.message})` }];
  }
  for (const [index, event] of events.entries()) {
    const at = { orgId, place: `admin event ${event.event_id}` };
    const expected = adminEventHash(event, nodeCrypto.sha256);
    if (expected !== event.event_hash) {
      damages.push({ ...at, message: 'its hash is not that of its content', expected, found: event.event_hash });
    }
    const before = events[index + 1];
    if (before !== undefined && before.event_hash !== event.prev_event_hash) {
      const found = event.prev_event_hash ?? 'none';
      damages.push({ ...at, message: 'does not follow on the event before it', expected: before.event_hash, found });
    }
  }
  return damages;
}
