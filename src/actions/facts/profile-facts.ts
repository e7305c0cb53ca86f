import type { Json, JsonObject } from '../../protocol/index.ts';
import { type Access, SOURCED, type Sourced } from '../fields/codes.ts';
import { identityOf } from './addresses.ts';
import { addEntities, EntityList, type Guess, subjectEntity } from './entities.ts';
import { hostsGiven } from './hosts.ts';
import { errorText, outcomeOf, wholeNumber } from './outcomes.ts';
import { accessOfTool, type PreparedRules } from './prepared-rules.ts';
import { profileSummary } from './profile-summary.ts';
import type { ReadPayload } from './read-payload.ts';
import {
  FACT_PHASES,
  type FactPhase,
  type FactSource,
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

/** What a record says of its call. @property at the pointer of what tells it where the profile does not declare it */
interface SaidOutcome {
  readonly outcome: RecordOutcome | null;
  readonly error: string | null;
  readonly at?: string;
}

function outcomeIn(
  phase: FactPhase,
  read: ReadPayload,
  head: RecordHead,
  tool: string | null,
  prepared: PreparedRules,
): SaidOutcome {
  const shown = read.shown ?? {};
  const output = memberAt(read.tree, 'output', 'value');
  const status = textAt(shown, 'outcome', 'status');
  const withError = (outcome: RecordOutcome): SaidOutcome => ({
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
  const byOutput = outcomeOf([{ pointer: '', value: { output } }], head, tool, prepared.outcomes);
  const { outcome, error, at } = byOutput;
  return outcome === null || outcome === 'ok'
    ? withError('ok')
    : { outcome, error, at: `/output/value${at?.slice(7) ?? ''}` };
}

const isAccess = (value: string | null): value is Access =>
  value === 'read' || value === 'write' || value === 'delete' || value === 'send';

function touchedEntity(item: Json, index: number): TouchedEntity | null {
  const [kind, id, access] = [textAt(item, 'kind'), textAt(item, 'id'), textAt(item, 'access')];
  if (kind === null || id === null || !isAccess(access)) return null;
  const [before, after] = [memberAt(item, 'before'), memberAt(item, 'after')];
  const [value, currency] = [textAt(item, 'amount', 'value'), textAt(item, 'amount', 'currency')];
  return {
    ...identityOf(kind, id),
    access,
    declared: true,
    at: `/touched/${index}`,
    accessFrom: 'declared',
    ...(before === null || typeof before === 'string' ? { before } : {}),
    ...(after === null || typeof after === 'string' ? { after } : {}),
    ...(value === null ? {} : { amount: { value, currency } }),
  };
}

function personIn(shown: JsonObject): { readonly name: string; readonly at: string } | null {
  const decides = textAt(shown, 'decision', 'by', 'kind') === 'human' ? textAt(shown, 'decision', 'by', 'id') : null;
  if (decides !== null) return { name: decides, at: '/decision/by/id' };
  const name = textAt(shown, 'actor', 'on_behalf_of');
  return name === null ? null : { name, at: '/actor/on_behalf_of' };
}

/** What the profile declares, and an outcome that only the output tells. */
function sourcesOf(
  facts: Readonly<Record<Sourced, string | number | null>>,
  at: { readonly person: string | undefined; readonly outcome: string | undefined },
): readonly FactSource[] {
  const places: Readonly<Record<Sourced, string>> = {
    session: '/session/id',
    tool: '/tool/name',
    outcome: at.outcome ?? '/phase',
    person: at.person ?? '',
    duration: '/timing/duration_ms',
  };
  return SOURCED.filter((field) => facts[field] !== null).map((field) => ({
    field,
    at: places[field],
    declared: field !== 'outcome' || at.outcome === undefined,
  }));
}

/**
 * Facts of a payload of the profile. It is not checked against the profile's schema: what has the right form is read, the rest
 * passed over.
 */
export function profileFacts(head: RecordHead, read: ReadPayload, prepared: PreparedRules): PayloadFacts {
  const shown = read.shown ?? {};
  const phase = phaseOf(shown);
  const tool = textAt(shown, 'tool', 'name');
  const { outcome, error, at: outcomeAt } = outcomeIn(phase, read, head, tool, prepared);
  const access = ACTING.includes(phase) ? accessOfTool(tool, prepared.verbs) : 'mentioned';
  const guess: Guess = { access, accessFrom: 'tool' };
  const mentioned: Guess = { access: 'mentioned', accessFrom: null };
  // Recorders make the subject of what the payload names: only what a pattern tells to be more than that is an entity.
  const kinds = prepared.rules.subjects.filter(({ like }) => like !== undefined);
  const entities = new EntityList(subjectEntity(head.subject, kinds, guess));
  const touched = memberAt(shown, 'touched');
  // What is declared comes first: nothing that is guessed says more of it.
  for (const [index, item] of (isArray(touched) ? touched : []).entries()) {
    const entity = touchedEntity(item, index);
    if (entity !== null) entities.add(entity);
  }
  const contents = { ...read, leaves: read.leaves.filter(({ pointer }) => CONTENTS.test(pointer)) };
  const isGiven = (pointer: string): boolean => pointer.startsWith('/input/');
  addEntities(entities, contents, {
    rules: prepared.entities,
    commands: prepared.commands,
    guess: (pointer) => (isGiven(pointer) ? guess : mentioned),
    isGiven,
    isDone: ACTING.includes(phase),
  });
  const entity = entities.list();
  const hosts = new Set<string>();
  for (const { kind, id, access: does } of entity) {
    if (kind === 'host' && does !== 'mentioned' && hosts.size < MAX_HOSTS) hosts.add(id);
  }
  for (const host of hostsGiven(contents.leaves, isGiven)) if (hosts.size < MAX_HOSTS) hosts.add(host);
  const duration = memberAt(shown, 'timing', 'duration_ms');
  const causes = memberAt(shown, 'cause');
  const session = textAt(shown, 'session', 'id');
  const took = typeof duration === 'number' && duration >= 0 ? duration : null;
  const person = personIn(shown);
  const said = { session, tool, outcome, person: person?.name ?? null, duration: took };
  return {
    ...said,
    error,
    exitCode: wholeNumber(memberAt(shown, 'outcome', 'exit_code')),
    parentSession: textAt(shown, 'session', 'parent'),
    phase,
    call: textAt(shown, 'action_id'),
    subAgent: textAt(shown, 'actor', 'sub_agent', 'id'),
    causes: isArray(causes) ? causes.filter((cause) => typeof cause === 'string').slice(0, 64) : [],
    host: [...hosts],
    entity,
    sources: sourcesOf(said, { person: person?.at, outcome: outcomeAt }),
    input: null,
    output: null,
    summary: profileSummary(phase, read, { tool, error, outcome }, head),
  };
}
