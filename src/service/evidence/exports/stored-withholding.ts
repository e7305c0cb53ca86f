import { z } from 'zod';
import {
  adminEventsChoice,
  type ExportJob,
  redaction as redactionShape,
  withholdingReason,
} from '../../../api/index.ts';
import { canonicalize, type Json } from '../../../protocol/index.ts';
import { saltedDigest } from '../../ledger/admin-log/salted-digest.ts';
import type { AdminEventsChoice } from './admin-events-choice.ts';
import { NO_REDACTION, type Redaction } from './redaction.ts';
import type { WrittenBundle } from './write-bundle.ts';

const storedShape = redactionShape.extend({
  admin_events: adminEventsChoice,
  reason: withholdingReason.exactOptional(),
  names_salt: z.string().exactOptional(),
  names_kept: z.array(z.object({ place: z.string(), count: z.int() })).exactOptional(),
});

/** What a job withholds, and why. */
export interface Withholding {
  readonly redaction: Redaction;
  readonly adminEvents: AdminEventsChoice;
  readonly reason?: string;
  /** With names: what the administrative log has of them is salted with. */
  readonly salt?: string;
  /** With names, once the file is made: where it still has one. */
  readonly kept?: WrittenBundle['kept'];
}

/** Whether that is nothing. */
export function withholdsNothing({ redaction, adminEvents }: Withholding): boolean {
  const { agent_ids, operation_types, pointers, names } = redaction;
  return adminEvents === 'all' && [agent_ids, operation_types, pointers, names].every((list) => list.length === 0);
}

/** What a job withholds, as it is kept with the job; null where that is nothing. */
export function storedWithholding(withholding: Withholding): string | null {
  if (withholdsNothing(withholding)) return null;
  const { redaction, adminEvents, reason, salt, kept } = withholding;
  return canonicalize({
    ...(redaction as unknown as { readonly [list: string]: Json }),
    ...(adminEvents === 'all' ? {} : { admin_events: adminEvents }),
    ...(reason === undefined ? {} : { reason }),
    ...(salt === undefined ? {} : { names_salt: salt }),
    ...(kept === undefined ? {} : { names_kept: kept as unknown as Json }),
  });
}

/** The same, read back. */
export function readWithholding(stored: string | null): Withholding {
  if (stored === null) return { redaction: NO_REDACTION, adminEvents: 'all' };
  const {
    admin_events: adminEvents,
    reason,
    names_salt: salt,
    names_kept: kept,
    ...redaction
  } = storedShape.parse(JSON.parse(stored));
  return {
    redaction,
    adminEvents,
    ...(reason === undefined ? {} : { reason }),
    ...(salt === undefined ? {} : { salt }),
    ...(kept === undefined ? {} : { kept }),
  };
}

/** What is withheld, as callers see it. */
export function withholdingView(stored: string): NonNullable<ExportJob['withholding']> {
  const { names_salt: salt, ...kept } = storedShape.parse(JSON.parse(stored));
  if (salt === undefined) return kept;
  return { ...kept, names_salt: salt, names_digest: saltedDigest({ names: kept.names }, salt) };
}
