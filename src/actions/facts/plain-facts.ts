import type { Json } from '../../protocol/index.ts';
import { isMembers } from '../../protocol/light.ts';
import { fieldsWith, nothingOf } from '../fields/fields.ts';
import { addEntities, EntityList, subjectEntity } from './entities.ts';
import { hostsGiven } from './hosts.ts';
import { outcomeOf } from './outcomes.ts';
import { accessOfTool, type PreparedRules } from './prepared-rules.ts';
import type { ReadPayload } from './read-payload.ts';
import { MAX_HOSTS, type PayloadFacts, type RecordHead } from './record-facts.ts';
import type { InvestigationRules } from './rules.ts';
import { callText, withResult } from './summary.ts';
import { briefLine } from './texts.ts';
import { valueAt } from './tree.ts';

/** A name is no longer than this, as in the payload profile. */
const MAX_NAME = 256;

/** The first of some pointers with a value. */
function firstAt(tree: Json, pointers: readonly string[]): { readonly pointer: string; readonly value: Json } | null {
  for (const pointer of pointers) {
    const value = valueAt(tree, pointer);
    if (value !== undefined && value !== null) return { pointer, value };
  }
  return null;
}

/** The first of some pointers with a name: a text of one line, or a number. */
function nameAt(tree: Json, pointers: readonly string[]): string | null {
  for (const pointer of pointers) {
    const value = valueAt(tree, pointer);
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string' && value !== '' && value.length <= MAX_NAME) return value;
  }
  return null;
}

function sessionOf(tree: Json, head: RecordHead, places: InvestigationRules['sessions']): string | null {
  for (const place of places) {
    const name = place === 'subject' ? head.subject : nameAt(tree, [place]);
    if (name !== null) return name;
  }
  return null;
}

function toolOf(tree: Json, head: RecordHead, { tools, inputs }: InvestigationRules): string | null {
  for (const place of tools) {
    const name = place === 'action' ? head.action : place === 'type' ? head.operation_type : nameAt(tree, [place]);
    if (name !== null) return name;
  }
  // Arguments without the name of a tool: what the record says that it did is the name.
  return firstAt(tree, inputs) === null ? null : head.action;
}

function durationOf(tree: Json, pointers: readonly string[]): number | null {
  const value = firstAt(tree, pointers)?.value;
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

/** Members that the summary of a payload without arguments leaves out, for they stand elsewhere in a row. */
const STATED_ELSEWHERE = ['session', 'session_id', 'step', 'tool', 'tool_name'];

function inputShown(tree: Json, input: Json | undefined, outputs: readonly string[]): Json | undefined {
  if (input !== undefined || !isMembers(tree)) return input;
  const others = Object.entries(tree).filter(
    ([name]) => !STATED_ELSEWHERE.includes(name) && !outputs.includes(`/${name}`),
  );
  return Object.fromEntries(others);
}

/** Where a call's arguments and result stand in a payload that is not of the profile; null where there is none. */
export function inputAndOutput(
  tree: Json,
  rules: InvestigationRules,
): { readonly input: string | null; readonly output: string | null } {
  return { input: firstAt(tree, rules.inputs)?.pointer ?? null, output: firstAt(tree, rules.outputs)?.pointer ?? null };
}

const NOTHING_READ = nothingOf(fieldsWith({ from: 'payload' }));

/** Facts of a payload that is not of the profile: call and result in one record. */
export function plainFacts(head: RecordHead, read: ReadPayload, prepared: PreparedRules): PayloadFacts {
  const { rules } = prepared;
  const { tree } = read;
  const tool = toolOf(tree, head, rules);
  const input = firstAt(tree, rules.inputs)?.value;
  const output = firstAt(tree, rules.outputs)?.value;
  const { outcome, error } = outcomeOf(tree, head, tool, rules.outcomes);
  const outputs = rules.outputs.filter((pointer) => valueAt(tree, pointer) !== undefined);
  const isGiven = (pointer: string): boolean =>
    !outputs.some((each) => pointer === each || pointer.startsWith(`${each}/`));
  const verb = accessOfTool(tool ?? head.action, prepared.verbs);
  const session = sessionOf(tree, head, rules.sessions);
  // Where it is the session or the tool, it is found as that.
  const isField = head.subject === session || head.subject === tool;
  const entities = new EntityList(isField ? null : subjectEntity(head.subject, rules.subjects, verb));
  addEntities(entities, read, prepared.entities, (pointer) => (isGiven(pointer) ? verb : 'mentioned'));
  const hosts = hostsGiven(read.leaves, isGiven);
  for (const { kind, id } of entities.list()) if (kind === 'host' && hosts.size < MAX_HOSTS) hosts.add(id);
  const line =
    read.shown === null
      ? `${briefLine(head.action, 80)} ${briefLine(head.subject, 80)} (payload not shown)`
      : callText(tool ?? head.action, inputShown(tree, input, rules.outputs));
  return {
    ...NOTHING_READ,
    session,
    parentSession: nameAt(tree, rules.parents),
    phase: 'record',
    tool,
    outcome,
    error,
    duration: durationOf(tree, rules.durations),
    person: nameAt(tree, rules.people),
    subAgent: null,
    causes: [],
    host: [...hosts],
    entity: entities.list(),
    summary: withResult(line, error ?? output, input),
  };
}
