import { canonicalBytes, type Json } from '../canonical.ts';
import { formatDigest, type Sha256, sha256 } from '../digest.ts';
import * as shape from '../shape.ts';

/** An administrative action, linked to the one before it (protocol F96). */
export interface AdminEventStatement {
  readonly event_id: string;
  readonly org_id: string;
  readonly actor: string;
  readonly action: string;
  readonly target_type: string;
  readonly target_id: string;
  readonly details: { readonly [member: string]: Json };
  readonly created_at: number;
  readonly prev_event_hash: string | null;
}

export interface AdminEvent extends AdminEventStatement {
  readonly event_hash: string;
}

const STATEMENT_SHAPE: shape.Shape<AdminEventStatement> = {
  event_id: shape.identifier,
  org_id: shape.identifier,
  actor: shape.identifier,
  action: shape.identifier,
  target_type: shape.identifier,
  target_id: shape.text(1, 2048),
  details: shape.object,
  created_at: shape.integer(),
  prev_event_hash: shape.nullable(shape.digest),
};
const ADMIN_EVENT_SHAPE: shape.Shape<AdminEvent> = { ...STATEMENT_SHAPE, event_hash: shape.digest };

/** @throws ProtocolError SHAPE_INVALID */
export function parseAdminEvent(value: unknown): AdminEvent {
  return shape.parseShape(value, ADMIN_EVENT_SHAPE, 'admin_event');
}

/**
 * An event that a bundle withholds (protocol F148): its place in the chain and its time, and nothing of what was done, by whom
 * or to whom.
 */
export interface WithheldEvent {
  readonly created_at: number;
  readonly prev_event_hash: string | null;
  readonly event_hash: string;
}

/** An event as a bundle has it. */
export type BundledEvent = AdminEvent | WithheldEvent;

const WITHHELD_SHAPE: shape.Shape<WithheldEvent> = {
  created_at: shape.integer(),
  prev_event_hash: shape.nullable(shape.digest),
  event_hash: shape.digest,
};

/** Whether an event is there, and not withheld. */
export function isWholeEvent(event: BundledEvent): event is AdminEvent {
  return 'event_id' in event;
}

/** What stays of an event that is withheld. */
export function withholdEvent({ created_at, prev_event_hash, event_hash }: AdminEvent): WithheldEvent {
  return { created_at, prev_event_hash, event_hash };
}

/** An event with three members is a withheld one, and any other has to be whole. @throws ProtocolError SHAPE_INVALID */
export function parseBundledEvent(value: unknown): BundledEvent {
  const isShort = typeof value === 'object' && value !== null && Object.keys(value).length === 3;
  return isShort ? shape.parseShape(value, WITHHELD_SHAPE, 'admin_event') : parseAdminEvent(value);
}

/** withheld_events_digest = H(JCS(the withheld events, in order)); null where there are none (protocol F140). */
export function withheldEventsDigest(events: readonly BundledEvent[], hash: Sha256 = sha256): string | null {
  const withheld = events.filter((event) => !isWholeEvent(event));
  return withheld.length === 0 ? null : formatDigest(hash(canonicalBytes(withheld as unknown as Json)));
}

/** event_hash = H(JCS(event with type, less event_hash)) (protocol F96). */
export function adminEventHash(event: AdminEventStatement, hash: Sha256 = sha256): string {
  const statement = { type: 'countersign.admin-event.v1', ...shape.membersOf(event, STATEMENT_SHAPE) };
  return formatDigest(hash(canonicalBytes(statement)));
}
