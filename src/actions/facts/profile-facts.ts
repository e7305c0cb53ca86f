import type { Json, JsonObject } from '../../protocol/index.ts';
import type { Access } from '../fields/codes.ts';
import { addEntities, EntityList, subjectEntity } from './entities.ts';
import { hostsGiven } from './hosts.ts';
import { errorText, outcomeOf } from './outcomes.ts';
import { accessOfTool, type PreparedRules } from './prepared-rules.ts';
import { profileSummary } from './profile-summary.ts';
import type { ReadPayload } from './read-payload.ts';
import {
  FACT_PHASES,
  type FactPhase,
  MAX_HOSTS,
  type PayloadFacts,
  type RecordHead,
  type RecordOutcome,
  type TouchedEntity,
} from './record-facts.ts';
import { isArray, memberAt, textAt } from './tree.ts';

const STATUS_OUTCOMES: Readonly<Record<string, RecordOutcome>> = {
  ok: 'ok',
  error: 'failed',
  timeout: 'failed',
  cancelled: 'failed',
  unknown: 'unknown',
  denied: 'refused',
  blocked: 'refused',
};

/** Phases whose records say with their input what is done; the others only speak of it. */
const ACTING: readonly FactPhase[] = ['proposed', 'started', 'completed', 'failed'];
/** Where contents stand: nothing else is looked through for entities. */
const CONTENTS = /^\/(?:input|output|presented|told|decision\/input|x_(?!recorder)[a-z0-9_]+)(?:\/|$)/;

function phaseOf(shown: JsonObject): FactPhase {
  const phase = textAt(shown, 'phase');
  return FACT_PHASES.find((known) => known === phase) ?? 'record';
}

function errorIn(shown: JsonObject, output: Json | undefined): string | null {
  const said = textAt(shown, 'outcome', 'error', 'message') ?? textAt(shown, 'decision', 'justification');
  if (said !== null) return errorText(said);
  const type = textAt(shown, 'outcome', 'error', 'type');
  if (type !== null) return errorText(type);
  const code = memberAt(shown, 'outcome', 'exit_code');
  if (typeof output === 'string' && output.trim() !== '') return errorText(output);
  return typeof code === 'number' ? `exit code ${code}` : (textAt(shown, 'outcome', 'status') ?? null);
}

function outcomeIn(
  phase: FactPhase,
  read: ReadPayload,
  head: RecordHead,
  tool: string | null,
  prepared: PreparedRules,
) {
  const shown = read.shown ?? {};
  const output = memberAt(read.tree, 'output', 'value');
  const status = textAt(shown, 'outcome', 'status');
  const withError = (outcome: RecordOutcome) => ({
    outcome,
    error: outcome === 'failed' || outcome === 'refused' ? errorIn(shown, output) : null,
  });
  if (phase === 'refused') return withError('refused');
  if (phase === 'failed') return withError((status !== null && STATUS_OUTCOMES[status]) || 'failed');
  if (phase === 'decided') {
    const decided = textAt(shown, 'decision', 'outcome');
    return decided === 'denied' || decided === 'expired' ? withError('refused') : { outcome: null, error: null };
  }
  if (phase !== 'completed') return { outcome: null, error: null };
  if (status === 'ok' || output === undefined) return withError('ok');
  // Nobody said how it ended, only that it did: its output may.
  const byOutput = outcomeOf({ output }, head, tool, prepared.rules.outcomes);
  return { ...byOutput, outcome: byOutput.outcome ?? 'ok' };
}

const isAccess = (value: string | null): value is Access =>
  value === 'read' || value === 'write' || value === 'delete' || value === 'send';

function touchedEntity(item: Json): TouchedEntity | null {
  const [kind, id, access] = [textAt(item, 'kind'), textAt(item, 'id'), textAt(item, 'access')];
  if (kind === null || id === null || !isAccess(access)) return null;
  const [before, after] = [memberAt(item, 'before'), memberAt(item, 'after')];
  const [value, currency] = [textAt(item, 'amount', 'value'), textAt(item, 'amount', 'currency')];
  return {
    kind,
    id,
    access,
    ...(before === null || typeof before === 'string' ? { before } : {}),
    ...(after === null || typeof after === 'string' ? { after } : {}),
    ...(value === null ? {} : { amount: { value, currency } }),
  };
}

function personIn(shown: JsonObject): string | null {
  const decides = textAt(shown, 'decision', 'by', 'kind') === 'human' ? textAt(shown, 'decision', 'by', 'id') : null;
  return decides ?? textAt(shown, 'actor', 'on_behalf_of');
}

/**
 * Facts of a payload of the profile. It is not checked against the profile's schema: what has the right form is read, the rest
 * passed over.
 */
export function profileFacts(head: RecordHead, read: ReadPayload, prepared: PreparedRules): PayloadFacts {
  const shown = read.shown ?? {};
  const phase = phaseOf(shown);
  const tool = textAt(shown, 'tool', 'name');
  const { outcome, error } = outcomeIn(phase, read, head, tool, prepared);
  const verb = ACTING.includes(phase) ? accessOfTool(tool, prepared.verbs) : 'mentioned';
  // Recorders make the subject of what the payload names: only what a pattern tells to be more than that is an entity.
  const kinds = prepared.rules.subjects.filter(({ like }) => like !== undefined);
  const entities = new EntityList(subjectEntity(head.subject, kinds, verb));
  const touched = memberAt(shown, 'touched');
  for (const item of isArray(touched) ? touched : []) {
    const entity = touchedEntity(item);
    if (entity !== null) entities.add(entity);
  }
  const contents = { ...read, leaves: read.leaves.filter(({ pointer }) => CONTENTS.test(pointer)) };
  const isGiven = (pointer: string): boolean => pointer.startsWith('/input/');
  addEntities(entities, contents, prepared.entities, (pointer) => (isGiven(pointer) ? verb : 'mentioned'));
  const hosts = hostsGiven(contents.leaves, isGiven);
  for (const { kind, id, access } of entities.list()) {
    if (kind === 'host' && access !== 'mentioned' && hosts.size < MAX_HOSTS) hosts.add(id);
  }
  const duration = memberAt(shown, 'timing', 'duration_ms');
  const causes = memberAt(shown, 'cause');
  return {
    session: textAt(shown, 'session', 'id'),
    parentSession: textAt(shown, 'session', 'parent'),
    phase,
    call: textAt(shown, 'action_id'),
    tool,
    outcome,
    error,
    duration: typeof duration === 'number' && duration >= 0 ? duration : null,
    person: personIn(shown),
    subAgent: textAt(shown, 'actor', 'sub_agent', 'id'),
    causes: isArray(causes) ? causes.filter((cause) => typeof cause === 'string').slice(0, 64) : [],
    host: [...hosts],
    entity: entities.list(),
    summary: profileSummary(phase, read, { tool, error, outcome }, head),
  };
}
