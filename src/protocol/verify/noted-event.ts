import { ORG_SHAPE } from '../bundle/document.ts';
import type { Sha256 } from '../digest.ts';
import * as shape from '../shape.ts';
import {
  type AdminEvent,
  adminEventHash,
  type BundledEvent,
  isWholeEvent,
  withheldEventsDigest,
} from '../statements/admin-event.ts';
import { AGENT_NAMES, type AgentNames } from '../statements/agent-key.ts';
import { CLOCK_CORRECTED, type ClockCorrection, clockCorrectionOf } from '../statements/clock-correction.ts';
import type { Manifest } from '../statements/manifest.ts';

/** A key as the event has it that gives it to an agent. */
export interface GivenKey {
  readonly kid: string;
  readonly thumbprint: string;
}

/** What an event does to an agent (protocol F97). */
export type AgentChange =
  | { readonly kind: 'register'; readonly keys: readonly GivenKey[]; readonly names: AgentNames }
  | { readonly kind: 'update'; readonly names: Partial<AgentNames> }
  | { readonly kind: 'add_key'; readonly key: GivenKey }
  | { readonly kind: 'revoke_key'; readonly kid: string }
  | { readonly kind: 'freeze' | 'unfreeze' | 'delete' }
  /** The details lack what the action wants. */
  | { readonly kind: 'unclear' };

/** What an event makes of the organization's name (protocol F98); null where its details lack the name, or it has a wrong shape. */
export interface Naming {
  readonly kind: 'create' | 'change';
  readonly name: string | null;
}

/** Of an administrative event what a verification needs after its hash was computed: its details may be large, this is not. */
export interface NotedEvent {
  readonly createdAt: number;
  readonly prevHash: string | null;
  readonly hash: string;
  /** Null where the event is withheld. */
  readonly whole: {
    readonly eventId: string;
    readonly orgId: string;
    /** What the hash would have to be. */
    readonly computed: string;
    /** Null where the event is about no agent's keys or state. */
    readonly change: { readonly agentId: string; readonly what: AgentChange } | null;
    /** Null where it says nothing of what the organization is called. */
    readonly naming: Naming | null;
    /** Null where it is no clock correction. */
    readonly correction: ClockCorrection | 'unclear' | null;
  } | null;
}

const isName: shape.Check = shape.identifier;

function isKey(value: unknown): value is GivenKey {
  if (typeof value !== 'object' || value === null || !('kid' in value) || !('thumbprint' in value)) return false;
  return isName(value.kid) === null && shape.publicKey(value.thumbprint) === null;
}

function keyOf({ kid, thumbprint }: GivenKey): GivenKey {
  return { kid, thumbprint };
}

/** Those names that an event holds; null where one has a wrong shape. */
function namesOf(details: AdminEvent['details']): Partial<AgentNames> | null {
  const names = Object.entries(AGENT_NAMES).filter(([name]) => details[name] !== undefined);
  if (names.some(([name, check]) => check(details[name]) !== null)) return null;
  return Object.fromEntries(names.map(([name]) => [name, details[name]]));
}

function areAll(names: Partial<AgentNames> | null): names is AgentNames {
  return names !== null && Object.keys(names).length === Object.keys(AGENT_NAMES).length;
}

function changeOf({ action, details }: AdminEvent): AgentChange | null {
  switch (action) {
    case 'agent.register': {
      const { keys } = details;
      const names = namesOf(details);
      const areKeys = Array.isArray(keys) && keys.every(isKey);
      return areKeys && areAll(names) ? { kind: 'register', keys: keys.map(keyOf), names } : { kind: 'unclear' };
    }
    case 'agent.update': {
      const names = namesOf(details);
      if (names === null) return { kind: 'unclear' };
      return Object.keys(names).length === 0 ? null : { kind: 'update', names };
    }
    case 'agent.add_key':
      return isKey(details) ? { kind: 'add_key', key: keyOf(details) } : { kind: 'unclear' };
    case 'agent.revoke_key': {
      const { kid } = details;
      return typeof kid === 'string' && isName(kid) === null ? { kind: 'revoke_key', kid } : { kind: 'unclear' };
    }
    case 'agent.freeze':
      return { kind: 'freeze' };
    case 'agent.unfreeze':
      return { kind: 'unfreeze' };
    case 'agent.delete':
      return { kind: 'delete' };
    default:
      return null;
  }
}

function namingOf({ action, org_id, target_type, target_id, details: { name } }: AdminEvent): Naming | null {
  if (target_type !== 'organization' || target_id !== org_id) return null;
  const kind = action === 'org.create' ? 'create' : action === 'org.change' ? 'change' : null;
  if (kind === null || (kind === 'change' && name === undefined)) return null;
  return { kind, name: typeof name === 'string' && ORG_SHAPE.name(name) === null ? name : null };
}

/** withheld_events_digest (protocol F140); null where nothing is withheld. */
export function withheldDigest(events: readonly NotedEvent[], hash: Sha256): string | null {
  const withheld = events.filter(({ whole }) => whole === null);
  return withheldEventsDigest(
    withheld.map(({ createdAt, prevHash, hash: event_hash }) => ({
      created_at: createdAt,
      prev_event_hash: prevHash,
      event_hash,
    })),
    hash,
  );
}

/** Those that stand where they were logged: a whole one says so itself, of a withheld one only the service can. */
export function heldEvents(
  events: readonly NotedEvent[],
  manifest: Pick<Manifest, 'withheld_events_digest'> | null,
  hash: Sha256,
): NotedEvent[] {
  const areSigned = withheldDigest(events, hash) === (manifest?.withheld_events_digest ?? null);
  return events.filter(({ whole, hash: stated }) => (whole === null ? areSigned : whole.computed === stated));
}

/**
 * Notes what is needed of an event.
 * @param before the event before it, whose texts stand for the same ones in this: there may be many events
 * @throws ProtocolError NOT_CANONICAL where it nests too deep to be hashed
 */
export function noteEvent(event: BundledEvent, hash: Sha256, before?: NotedEvent): NotedEvent {
  const { created_at: createdAt, event_hash } = event;
  const prevHash = event.prev_event_hash === before?.hash ? before.hash : event.prev_event_hash;
  if (!isWholeEvent(event)) return { createdAt, prevHash, hash: event_hash, whole: null };
  const what = event.target_type === 'agent' ? changeOf(event) : null;
  const corrects = event.action === CLOCK_CORRECTED;
  const computed = adminEventHash(event, hash);
  return {
    createdAt,
    prevHash,
    hash: event_hash,
    whole: {
      eventId: event.event_id,
      orgId: event.org_id === before?.whole?.orgId ? before.whole.orgId : event.org_id,
      computed: computed === event_hash ? event_hash : computed,
      change: what && { agentId: event.target_id, what },
      naming: namingOf(event),
      correction: corrects ? (clockCorrectionOf(event) ?? 'unclear') : null,
    },
  };
}
