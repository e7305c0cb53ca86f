import { adminEventsChoice, redaction as redactionShape, withholdingReason } from '../../../api/index.ts';
import { canonicalize } from '../../../protocol/index.ts';
import type { AdminEventsChoice } from './admin-events-choice.ts';
import { NO_REDACTION, type Redaction } from './redaction.ts';

const storedShape = redactionShape.extend({
  admin_events: adminEventsChoice,
  reason: withholdingReason.exactOptional(),
});

/** What a job withholds, and why. */
export interface Withholding {
  readonly redaction: Redaction;
  readonly adminEvents: AdminEventsChoice;
  readonly reason?: string;
}

/** Whether that is nothing. */
export function withholdsNothing({ redaction, adminEvents }: Withholding): boolean {
  return adminEvents === 'all' && Object.values(redaction).every((list) => list.length === 0);
}

/** What a job withholds, as it is kept with the job; null where that is nothing. */
export function storedWithholding(withholding: Withholding): string | null {
  if (withholdsNothing(withholding)) return null;
  const { redaction, adminEvents, reason } = withholding;
  return canonicalize({
    ...redaction,
    ...(adminEvents === 'all' ? {} : { admin_events: adminEvents }),
    ...(reason === undefined ? {} : { reason }),
  });
}

/** The same, read back. */
export function readWithholding(stored: string | null): Withholding {
  if (stored === null) return { redaction: NO_REDACTION, adminEvents: 'all' };
  const { admin_events: adminEvents, reason, ...redaction } = storedShape.parse(JSON.parse(stored));
  return { redaction, adminEvents, ...(reason === undefined ? {} : { reason }) };
}
