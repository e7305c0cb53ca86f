import { MOST_OF_BUNDLE } from '../../../protocol/index.ts';
import { needRoom } from '../../store/base/quotas.ts';
import type { AdminAction } from './admin-action.ts';

/**
 * Events that are kept for whatever must not be refused: exports and reports, keys replaced and revoked, people removed, payloads erased, the
 * clock corrected.
 */
const RESERVED = 16_384;

/**
 * Acts that can be done without, and that a program could repeat without end. What undoes one of them is not among them: it cannot be repeated
 * where the act itself is refused.
 */
const REFUSED_WHEN_FULL: ReadonlySet<AdminAction> = new Set([
  'case.create',
  'case.rename',
  'case.verify',
  'member.invite',
  'agent.register',
  'agent.update',
  'agent.add_key',
  'agent.assign',
  'agent.unfreeze',
  'webhook.register',
  'epoch.close',
  'investigation.rules',
  'search.save',
  'trust.add',
]);

/**
 * Refuses what would make an organization's log longer than any verifier reads: no bundle can leave out a part of the log, so that all exports would
 * be lost with it.
 * @param used how many events there are
 * @throws ServiceError QUOTA_EXCEEDED
 */
export function needRoomInLog(action: AdminAction, used: number): void {
  if (!REFUSED_WHEN_FULL.has(action)) return;
  needRoom({
    what: 'administrative events',
    used,
    most: MOST_OF_BUNDLE.admin_events - RESERVED,
    remedy: 'every bundle holds all of them, and nothing makes room: the rest is kept for what must not be refused',
  });
}
