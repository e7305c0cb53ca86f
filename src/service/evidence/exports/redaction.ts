import { adminEventsChoice, redaction as redactionShape } from '../../../contract/index.ts';
import { canonicalize, type Json, ProtocolError, parseJson } from '../../../protocol/index.ts';
import type { AdminEventsChoice } from './admin-events-choice.ts';

const storedShape = redactionShape.extend({ admin_events: adminEventsChoice });

/** Which payloads an export withholds: those of these agents, of these operation types, or that hold a value at a pointer. */
export interface Redaction {
  readonly agent_ids: readonly string[];
  readonly operation_types: readonly string[];
  /** JSON Pointers (RFC 6901) into payloads. A payload that has a value there is withheld whole: its hash covers all of it. */
  readonly pointers: readonly string[];
}

/** What it is decided by. */
export interface RedactionSubject {
  readonly agentId: string;
  readonly operationType: string;
  readonly payload: string;
}

export const NO_REDACTION: Redaction = { agent_ids: [], operation_types: [], pointers: [] };

/** What a job withholds, as it is kept with the job; null where that is nothing. */
export function storedWithholding(
  redaction: Redaction = NO_REDACTION,
  adminEvents: AdminEventsChoice = 'all',
): string | null {
  const isNothing = Object.values(redaction).every((list) => list.length === 0);
  if (isNothing && adminEvents === 'all') return null;
  return canonicalize({ ...redaction, ...(adminEvents === 'all' ? {} : { admin_events: adminEvents }) });
}

/** The same, read back. */
export function readWithholding(stored: string | null): { redaction: Redaction; adminEvents: AdminEventsChoice } {
  if (stored === null) return { redaction: NO_REDACTION, adminEvents: 'all' };
  const { admin_events: adminEvents, ...redaction } = storedShape.parse(JSON.parse(stored));
  return { redaction, adminEvents };
}

/** The names a pointer goes through (RFC 6901 §4). */
function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function hasValue(value: Json, steps: readonly string[]): boolean {
  let at: Json | undefined = value;
  for (const step of steps) {
    if (Array.isArray(at)) at = /^(0|[1-9]\d*)$/.test(step) ? (at[Number(step)] as Json | undefined) : undefined;
    else if (typeof at === 'object' && at !== null && Object.hasOwn(at, step)) {
      at = (at as { readonly [name: string]: Json })[step];
    } else return false;
    if (at === undefined) return false;
  }
  return true;
}

/** The payload as a value; undefined where somebody made something unreadable of it, which is withheld to be safe. */
function readPayload(payload: string): Json | undefined {
  try {
    return parseJson(payload);
  } catch (error) {
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}

/** Tells for each record whether its payload is withheld. */
export function withholder({ agent_ids, operation_types, pointers }: Redaction): (record: RedactionSubject) => boolean {
  const agents = new Set(agent_ids);
  const types = new Set(operation_types);
  const paths = pointers.map(stepsOf);
  return ({ agentId, operationType, payload }) => {
    if (agents.has(agentId) || types.has(operationType)) return true;
    if (paths.length === 0) return false;
    const value = readPayload(payload);
    return value === undefined || paths.some((steps) => hasValue(value, steps));
  };
}
