import { isDeepStrictEqual } from 'node:util';
import type { Node } from 'jsonc-parser';
import type { Json } from '../../../protocol/light.ts';
import { JsonText, TextUnusable } from './json-text.ts';

/** What is to stand in a program's configuration: a member `hooks` with a list for each event, as most programs have it. */
export interface JsonHooks {
  /** By the event's name, the entry that its list is to have. */
  readonly entries: ReadonlyMap<string, Json>;
  /** What the program is to run; by it an entry is known to be ours. */
  readonly command: string;
  /** Further members of the file, set where they are missing. */
  readonly top: { readonly [member: string]: Json };
}

/**
 * Adds the entries, or brings them up to date.
 * @param text null where there is no file
 * @returns the text itself where all of them are there already
 * @throws TextUnusable
 */
export function addHooks(text: string | null, hooks: JsonHooks): string {
  if (text !== null && hasExactly(new JsonText(text), hooks)) return text;
  const clean = text === null ? null : removeHooks(text, hooks.command);
  const json = new JsonText(clean ?? '{}\n');
  const theirs = json.value;
  for (const [member, value] of Object.entries(hooks.top)) {
    if (json.member(json.root, member) === undefined) json.addMember(json.root, member, value);
  }
  for (const [event, entry] of hooks.entries) {
    const list = listOf(json, event);
    const lists = hooksNode(json);
    if (list !== undefined) json.append(list, entry);
    else if (lists !== undefined) json.addMember(lists, event, [entry]);
    else json.addMember(json.root, 'hooks', { [event]: [entry] });
  }
  const after = String(json);
  const left = new JsonText(removeHooks(after, hooks.command) ?? '{}').value;
  if (!isDeepStrictEqual(essence(left, hooks.top), essence(theirs, hooks.top))) {
    throw new TextUnusable('is of a form that cannot be edited without changing what else is in it');
  }
  return after;
}

/**
 * Takes our entries out, with the lists and groups that are empty without them.
 * @returns null where nothing is left
 * @throws TextUnusable
 */
export function removeHooks(text: string, command: string): string | null {
  const json = new JsonText(text);
  for (const event of eventsOf(json)) {
    // From the end: what is taken out moves what follows it.
    const count = listOf(json, event)?.children?.length ?? 0;
    let removed = false;
    for (let at = count - 1; at >= 0; at--) removed = removeFrom(json, event, at, command) || removed;
    const lists = hooksNode(json);
    if (removed && lists !== undefined && listOf(json, event)?.children?.length === 0) json.removeMember(lists, event);
  }
  if (String(json) !== text && hooksNode(json)?.children?.length === 0) json.removeMember(json.root, 'hooks');
  return json.root.children?.length === 0 && !/[^\s{}]/.test(String(json)) ? null : String(json);
}

/** The events under which an entry of ours stands. @throws TextUnusable */
export function hookedEvents(text: string, command: string): string[] {
  const json = new JsonText(text);
  return eventsOf(json).filter((event) => oursIn(json, event, command).length > 0);
}

/** The events under which more than one entry of ours stands. @throws TextUnusable */
export function doubledEvents(text: string, command: string): string[] {
  const json = new JsonText(text);
  return eventsOf(json).filter((event) => oursIn(json, event, command).length > 1);
}

/** Removes an entry, or of a group the handlers that are ours. @returns whether anything was ours */
function removeFrom(json: JsonText, event: string, at: number, command: string): boolean {
  const list = listOf(json, event);
  const entry = list?.children?.[at];
  if (list === undefined || entry === undefined) return false;
  const handlers = handlersOf(json, entry);
  const ours = handlers.filter((handler) => isOurs(json, handler, command)).length;
  if (isOurs(json, entry, command) || (ours > 0 && ours === handlers.length)) {
    json.removeAt(list, at);
    return true;
  }
  for (let index = handlers.length - 1; index >= 0 && ours > 0; index--) {
    const group = listOf(json, event)?.children?.[at];
    const members = group === undefined ? undefined : json.member(group, 'hooks');
    const handler = members?.children?.[index];
    if (members && handler && isOurs(json, handler, command)) json.removeAt(members, index);
  }
  return ours > 0;
}

function hasExactly(json: JsonText, { entries, command, top }: JsonHooks): boolean {
  for (const member of Object.keys(top)) if (json.member(json.root, member) === undefined) return false;
  for (const event of eventsOf(json)) {
    if (!entries.has(event) && oursIn(json, event, command).length > 0) return false;
  }
  return [...entries].every(([event, entry]) => {
    const list: unknown = valueAt(json.value, event);
    const ours = oursIn(json, event, command);
    return ours.length === 1 && Array.isArray(list) && list.some((value) => isDeepStrictEqual(value, entry));
  });
}

function valueAt(value: unknown, event: string): unknown {
  const hooks = typeof value === 'object' && value !== null && 'hooks' in value ? value.hooks : undefined;
  return typeof hooks === 'object' && hooks !== null ? (hooks as Record<string, unknown>)[event] : undefined;
}

/** A file without what may come and go with our entries: empty lists, the member `hooks` without any, and the members of the top. */
function essence(value: unknown, top: JsonHooks['top']): unknown {
  const { hooks, ...others } = value as Record<string, unknown>;
  const lists = Object.entries(hooks ?? {}).filter(([, list]) => !(Array.isArray(list) && list.length === 0));
  const rest = Object.entries(others).filter(([member]) => !Object.hasOwn(top, member));
  return { lists: Object.fromEntries(lists), rest: Object.fromEntries(rest) };
}

function hooksNode(json: JsonText): Node | undefined {
  const hooks = json.member(json.root, 'hooks');
  if (hooks !== undefined && hooks.type !== 'object')
    throw new TextUnusable('has a member "hooks" that is not an object');
  return hooks;
}

/** Lists of events alone: programs keep settings of their hooks beside them. */
function eventsOf(json: JsonText): string[] {
  return (hooksNode(json)?.children ?? []).flatMap(({ children }) =>
    children?.[1]?.type === 'array' ? [String(children[0]?.value)] : [],
  );
}

function listOf(json: JsonText, event: string): Node | undefined {
  const hooks = hooksNode(json);
  const list = hooks === undefined ? undefined : json.member(hooks, event);
  if (list !== undefined && list.type !== 'array')
    throw new TextUnusable(`has a member "hooks.${event}" that is not a list`);
  return list;
}

function oursIn(json: JsonText, event: string, command: string): Node[] {
  const entries = listOf(json, event)?.children ?? [];
  return entries.flatMap((entry) => [entry, ...handlersOf(json, entry)]).filter((node) => isOurs(json, node, command));
}

function handlersOf(json: JsonText, entry: Node): Node[] {
  const handlers = entry.type === 'object' ? json.member(entry, 'hooks') : undefined;
  return handlers?.type === 'array' ? (handlers.children ?? []) : [];
}

function isOurs(json: JsonText, handler: Node, command: string): boolean {
  return handler.type === 'object' && json.member(handler, 'command')?.value === command;
}
