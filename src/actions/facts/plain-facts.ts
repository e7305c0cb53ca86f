import { isMembers, type Json } from '../../protocol/light.ts';
import type { Access, Sourced } from '../fields/codes.ts';
import { fieldsWith, nothingOf } from '../fields/fields.ts';
import { addEntities, EntityList, type Guess, subjectEntity } from './entities.ts';
import { type FoundCall, findCall, isAbove, isWrapper, nameIn, type ReadName } from './find-call.ts';
import { hostsGiven } from './hosts.ts';
import { outcomeOf, wholeNumber } from './outcomes.ts';
import { type Found, firstIn, placeOf } from './places.ts';
import { accessOfTool, type PreparedRules } from './prepared-rules.ts';
import type { ReadPayload } from './read-payload.ts';
import { type FactSource, MAX_HOSTS, type PayloadFacts, type RecordHead } from './record-facts.ts';
import { EXIT_CODES } from './rule-table.ts';
import { callText, withResult } from './summary.ts';
import { briefLine } from './texts.ts';
import { valueAt } from './tree.ts';

/** The first of some objects in which something is found. */
function firstOf<T>(objects: readonly Found[], find: (object: Found) => T | null): T | null {
  for (const object of objects) {
    const found = find(object);
    if (found !== null) return found;
  }
  return null;
}

const distinct = (objects: readonly Found[]): readonly Found[] => [
  ...new Map(objects.map((object) => [object.pointer, object])).values(),
];

function sessionOf(objects: readonly Found[], head: RecordHead, { sessions }: PreparedRules): ReadName | null {
  return firstOf(objects, ({ value, pointer }) => {
    for (const place of sessions) {
      const name = place === 'subject' ? { name: head.subject, at: 'subject' } : nameIn(value, [place], pointer);
      if (name !== null) return name;
    }
    return null;
  });
}

/** The tool that a payload names; where it has arguments alone, what the record says that it did is the name. */
function toolOf(call: FoundCall | null, tree: Json, head: RecordHead, prepared: PreparedRules): ReadName | null {
  if (call !== null) return call.tool;
  const [own] = prepared.ownTools;
  if (own === 'type') return { name: head.operation_type, at: 'type' };
  return own === 'action' || firstIn(tree, prepared.inputs) !== null ? { name: head.action, at: 'action' } : null;
}

function durationOf(objects: readonly Found[], { durations }: PreparedRules): (Found & { readonly ms: number }) | null {
  const found = firstOf(objects, ({ value, pointer }) => {
    const first = firstIn(value, durations);
    return first === null ? null : { ...first, pointer: pointer + first.pointer };
  });
  const ms = found?.value;
  return found !== null && typeof ms === 'number' && Number.isFinite(ms) && ms >= 0 ? { ...found, ms } : null;
}

const EXIT_PLACES = EXIT_CODES.map(placeOf);

/** The exit code of a call, by what is around it and what it put out; what it was given says nothing of its end. */
function exitCodeOf(objects: readonly Found[], output: Found | null, input: Found | null): number | null {
  return firstOf(output === null ? objects : [...objects, output], ({ value, pointer }) => {
    const found = firstIn(value, EXIT_PLACES);
    const isGiven = found !== null && input !== null && isAbove(input.pointer, pointer + found.pointer);
    return found === null || isGiven ? null : wholeNumber(found.value);
  });
}

/** What the words of a record say is done: the tool's name first, then a word of the call, then the record's own action. */
function guessOf(tool: ReadName | null, call: FoundCall | null, head: RecordHead, { verbs }: PreparedRules): Guess {
  const accessIn = (name: string | undefined): Access => accessOfTool(name ?? null, verbs);
  // A name that no member says is that of a kind of call.
  const byTool = call?.verb == null || tool?.at === call.verb.at ? accessIn(tool?.name) : 'mentioned';
  if (byTool !== 'mentioned') return { access: byTool, accessFrom: tool?.at === 'action' ? 'action' : 'tool' };
  const byVerb = accessIn(call?.verb?.name);
  if (byVerb !== 'mentioned') return { access: byVerb, accessFrom: (call?.verb?.at ?? '/') as `/${string}` };
  const byAction =
    tool === null || tool.at === 'action' || call?.object.pointer === '' ? accessIn(head.action) : 'mentioned';
  return { access: byAction, accessFrom: byAction === 'mentioned' ? null : 'action' };
}

/** Members that the summary of a payload without arguments leaves out, for they stand elsewhere in a row. */
const STATED_ELSEWHERE = ['session', 'session_id', 'step', 'tool', 'tool_name'];

/** @param said where the payload says what the row has elsewhere */
function inputShown(
  tree: Json,
  input: Json | undefined,
  said: readonly (string | null | undefined)[],
): Json | undefined {
  if (input !== undefined || !isMembers(tree)) return input;
  const others = Object.entries(tree).filter(
    ([name]) => !STATED_ELSEWHERE.includes(name) && !said.includes(`/${name}`),
  );
  return Object.fromEntries(others);
}

/** Of a payload without arguments and result, the member that says how it ended: it is shown as the result. */
function endShown(tree: Json, at: string | null): Json | undefined {
  const value = at === null || !/^\/[^/]+$/.test(at) ? undefined : valueAt(tree, at);
  // A truth value says nothing without its name.
  return at !== null && typeof value === 'boolean' ? { [at.slice(1)]: value } : value;
}

function sourcesOf(found: Readonly<Partial<Record<Sourced, string | null | undefined>>>): readonly FactSource[] {
  return Object.entries(found).flatMap(([field, at]) =>
    at == null ? [] : [{ field: field as Sourced, at, declared: false }],
  );
}

const NOTHING_READ = nothingOf(fieldsWith({ from: 'payload' }));

/** Facts of a payload that is not of the profile: call and result in one record. */
export function plainFacts(head: RecordHead, read: ReadPayload, prepared: PreparedRules): PayloadFacts {
  const { rules } = prepared;
  const { tree } = read;
  const root: Found = { pointer: '', value: tree };
  const call = findCall(tree, head, prepared);
  // What an event wraps speaks of it as its own members do.
  const wrapped = call !== null && call.input !== null && isWrapper(call, prepared) ? [call.input] : [];
  const around = distinct([root, ...(call === null ? [] : [call.scope]), ...wrapped]);
  const objects = distinct([...around, ...(call === null ? [] : [call.object])]);
  const tool = toolOf(call, tree, head, prepared);
  const input = call === null ? firstIn(tree, prepared.inputs) : call.input;
  const output = call === null ? firstIn(tree, prepared.outputs) : call.output;
  const told = call?.outputTells === true ? output : null;
  const {
    outcome,
    error: failure,
    at: outcomeAt,
  } = outcomeOf(objects, head, tool?.name ?? null, prepared.outcomes, told);
  const exitCode = exitCodeOf(objects, output, input);
  // A number by itself says nothing.
  const error = failure !== null && failure === String(exitCode) ? `exit code ${failure}` : failure;
  const outputs = [
    ...rules.outputs.filter((pointer) => valueAt(tree, pointer) !== undefined),
    ...(output === null ? [] : [output.pointer]),
  ].filter((pointer) => call === null || !isAbove(pointer, call.object.pointer));
  const isGiven = (pointer: string): boolean => !outputs.some((each) => isAbove(each, pointer));
  const guess = guessOf(tool, call, head, prepared);
  const session = sessionOf(around, head, prepared);
  // Where it is the session or the tool, it is found as that.
  const isField = head.subject === session?.name || head.subject === tool?.name;
  const owner = isMembers(tree) ? tree : null;
  const entities = new EntityList(isField ? null : subjectEntity(head.subject, rules.subjects, guess, owner));
  const mentioned: Guess = { access: 'mentioned', accessFrom: null };
  addEntities(entities, read, {
    rules: prepared.entities,
    commands: prepared.commands,
    guess: (pointer) => (isGiven(pointer) ? guess : mentioned),
    isGiven,
    isDone: true,
  });
  const entity = entities.list();
  const hosts = hostsGiven(read.leaves, isGiven);
  for (const { kind, id, at } of entity) if (kind === 'host' && isGiven(at) && hosts.size < MAX_HOSTS) hosts.add(id);
  const duration = durationOf(objects, prepared);
  const line =
    read.shown === null
      ? `${briefLine(head.action, 80)} ${briefLine(head.subject, 80)} (payload not shown)`
      : callText(
          tool?.name ?? head.action,
          inputShown(tree, input?.value, [...rules.outputs, duration?.pointer, outcomeAt]),
        );
  const ended = input === null && output === null ? endShown(tree, outcomeAt) : undefined;
  const person = firstOf(around, ({ value, pointer }) => nameIn(value, prepared.people, pointer));
  return {
    ...NOTHING_READ,
    session: session?.name ?? null,
    parentSession: firstOf(around, ({ value, pointer }) => nameIn(value, prepared.parents, pointer))?.name ?? null,
    phase: 'record',
    call: call?.id ?? null,
    tool: tool?.name ?? null,
    outcome,
    error,
    exitCode,
    duration: duration?.ms ?? null,
    person: person?.name ?? null,
    subAgent: null,
    causes: [],
    host: [...hosts],
    entity,
    sources: sourcesOf({
      session: session?.at,
      tool: tool?.at,
      outcome: outcomeAt,
      person: person?.at,
      duration: duration?.pointer,
    }),
    input: input?.pointer ?? null,
    output: output?.pointer ?? null,
    summary: withResult(line, error ?? output?.value ?? ended, input?.value),
  };
}
