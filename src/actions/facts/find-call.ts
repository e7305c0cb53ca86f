import { isMembers, type Json } from '../../protocol/light.ts';
import { matchesGlob } from './glob.ts';
import { type Found, firstIn, type Place, valueIn, valuesIn } from './places.ts';
import type { PreparedCall } from './prepared-call.ts';
import type { PreparedRules } from './prepared-rules.ts';
import type { RecordHead } from './record-facts.ts';
import type { Members } from './tree.ts';

/** A name is no longer than this, as in the payload profile. */
const MAX_NAME = 256;
/** How deep a call may be wrapped. */
const MAX_WRAPPED = 3;

/** A name and where it stands: a JSON Pointer into the payload, or the member of the record. */
export interface ReadName {
  readonly name: string;
  readonly at: string;
}

/** The call that a payload is about. Pointers are into the payload. */
export interface FoundCall {
  /** Null where only what it gave back is told. */
  readonly tool: ReadName | null;
  readonly input: Found | null;
  readonly output: Found | null;
  /** The object that is the call, and the one that it is wrapped in. */
  readonly object: Found;
  readonly scope: Found;
  /** What tells it from other calls of its agent; null also of a call that is one of many which a payload repeats. */
  readonly id: string | null;
  /** A word that says what is done, such as an HTTP method. */
  readonly verb: ReadName | null;
  /** Whether what it gave back shows that it was carried out, as it does of a call whose tool a member names. */
  readonly outputTells: boolean;
}

/** A text of one line, or a number, as the name that it is. */
function nameOf(value: Json | undefined): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' && value.length <= MAX_NAME ? value : null;
}

/** The first of some places with a name. */
export function nameIn(root: Json, places: readonly Place[], below = ''): ReadName | null {
  for (const place of places) {
    const name = nameOf(valueIn(root, place));
    if (name !== null) return { name, at: below + place.pointer };
  }
  return null;
}

const under = (pointer: string, found: Found | null): Found | null =>
  found === null ? null : { ...found, pointer: pointer + found.pointer };

/** Whether a place is that of an object or above it. */
export function isAbove(pointer: string, below: string): boolean {
  return below.startsWith(pointer) && (below.length === pointer.length || below[pointer.length] === '/');
}

function isCall({ has, like }: PreparedCall, object: Members): boolean {
  return (
    has.every((group) => firstIn(object, group) !== null) &&
    like.every(({ place, patterns }) => {
      const value = valueIn(object, place);
      return typeof value === 'string' && patterns.some((pattern) => matchesGlob(pattern, value));
    })
  );
}

function toolOf(call: PreparedCall, object: Found, head: RecordHead): ReadName | null {
  if (call.tool === 'action') return { name: head.action, at: 'action' };
  if (call.tool === 'type') return { name: head.operation_type, at: 'type' };
  if (call.tool === null) {
    const [first] = call.has;
    const at = first === undefined ? null : firstIn(object.value, first);
    return call.named === null ? null : { name: call.named, at: object.pointer + (at?.pointer ?? '') };
  }
  const said = nameIn(object.value, [call.tool], object.pointer);
  if (said === null || call.prefix === null || !said.name.startsWith(call.prefix)) return said;
  return { ...said, name: said.name.slice(call.prefix.length) };
}

/** The first call of the rules in an object. */
function shapeIn(
  scope: Found & { readonly value: Members },
  head: RecordHead,
  prepared: PreparedRules,
): FoundCall | null {
  for (const call of prepared.calls.in(scope.value)) {
    if (call.type !== null && !matchesGlob(call.type, head.operation_type)) continue;
    for (const found of valuesIn(scope.value, call.at)) {
      if (!isMembers(found.value) || !isCall(call, found.value)) continue;
      const object = { pointer: scope.pointer + found.pointer, value: found.value };
      const tool = toolOf(call, object, head);
      const isOfResult = call.inputs.length === 0 && call.outputs.length > 0;
      if (tool === null && !isOfResult) continue;
      return {
        tool,
        input: under(object.pointer, firstIn(found.value, call.inputs)),
        output: under(object.pointer, firstIn(found.value, call.outputs)),
        object,
        scope,
        id: idIn(object, [...prepared.ids, ...call.ids]),
        verb: nameOfVerb(call, object),
        outputTells: call.named === null,
      };
    }
  }
  return null;
}

/** A conversation that is handed over whole has the same first call again and again. */
const IN_CONVERSATION = /\/messages\/[0-9]+(?:\/|$)/;

function idIn({ value, pointer }: Found, places: readonly Place[]): string | null {
  return IN_CONVERSATION.test(pointer) ? null : (nameIn(value, places)?.name ?? null);
}

function nameOfVerb({ verb }: PreparedCall, { pointer, value }: Found): ReadName | null {
  const found = firstIn(value, verb);
  if (typeof found?.value !== 'string') return null;
  return { name: found.value.slice(0, 64), at: pointer + found.pointer };
}

/** Of what an object and a call in it say, what its own members say comes first, unless they are around the call. */
function callIn(scope: Found, head: RecordHead, prepared: PreparedRules): FoundCall | null {
  const { value, pointer } = scope;
  if (!isMembers(value)) return null;
  const own = nameIn(value, prepared.tools, pointer);
  const shape = shapeIn({ pointer, value }, head, prepared);
  if (own === null && shape === null) return null;
  const isNested = shape !== null && shape.object.pointer !== pointer;
  const given = (places: readonly Place[]): Found | null => {
    const found = under(pointer, firstIn(value, places));
    return found !== null && own === null && isNested && isAbove(found.pointer, shape.object.pointer) ? null : found;
  };
  const [input, output] = [given(prepared.inputs), given(prepared.outputs)];
  if (own === null && shape !== null) {
    const id = shape.id ?? idIn(scope, prepared.ids);
    return { ...shape, id, input: shape.input ?? input, output: shape.output ?? output };
  }
  const more = isNested ? null : shape;
  return {
    tool: own,
    input: input ?? more?.input ?? null,
    output: output ?? more?.output ?? null,
    object: scope,
    scope,
    id: idIn(scope, prepared.ids) ?? more?.id ?? null,
    verb: more?.verb ?? null,
    outputTells: true,
  };
}

/**
 * The call that a payload of no profile is about, as its members say: in the payload itself, else in what it wraps. Null where no rule finds one.
 */
export function findCall(tree: Json, head: RecordHead, prepared: PreparedRules): FoundCall | null {
  return callWithin({ pointer: '', value: tree }, head, prepared, 0);
}

/** Whether what a call was given is an object that another call may be wrapped in. */
export function isWrapper({ input, scope }: FoundCall, { within }: PreparedRules): boolean {
  return (
    input !== null && isMembers(input.value) && within.some(({ pointer }) => scope.pointer + pointer === input.pointer)
  );
}

function callWithin(scope: Found, head: RecordHead, prepared: PreparedRules, depth: number): FoundCall | null {
  const call = callIn(scope, head, prepared);
  // What is wrapped says more than what wraps it, such as an event that only has a type.
  if (call === null || call.input === null || isWrapper(call, prepared)) {
    for (const place of depth < MAX_WRAPPED ? prepared.within : []) {
      const value = valueIn(scope.value, place);
      if (!isMembers(value)) continue;
      const inner = callWithin({ pointer: scope.pointer + place.pointer, value }, head, prepared, depth + 1);
      if (inner !== null && (call === null || inner.tool !== null)) return inner;
    }
  }
  return call;
}
