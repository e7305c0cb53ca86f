import { isDeepStrictEqual } from 'node:util';
import { TextUnusable } from './json-text.ts';
import { appendToml, readToml, removeToml, tomlString } from './toml-text.ts';

/** A table of the list `hooks`: the members that the program knows, and no others, for one more makes it refuse the whole file. */
export interface TomlHook {
  readonly event: string;
  readonly command: string;
  /** Seconds. */
  readonly timeout: number;
}

const LIST = 'hooks';

/** As addHooks of json-hooks.ts, for a list of tables. @throws TextUnusable */
export function addTomlHooks(text: string | null, hooks: readonly TomlHook[], command: string): string {
  // The program writes the file as well, without our comments.
  if (text !== null && isDeepStrictEqual(tomlHooks(text, command), hooks)) return text;
  const clean = text === null ? null : removeTomlHooks(text, command);
  const tables = hooks.map(
    ({ event, command: run, timeout }) =>
      `[[${LIST}]]\nevent = ${tomlString(event)}\ncommand = ${tomlString(run)}\ntimeout = ${timeout}`,
  );
  return appendToml(clean, tables.join('\n\n'));
}

/** As removeHooks of json-hooks.ts. @throws TextUnusable */
export function removeTomlHooks(text: string, command: string): string | null {
  const outside = removeToml(text);
  if (outside === null || tomlHooks(outside, command).length === 0) return outside;
  const sections = sectionsOf(outside);
  const left = sections.filter((section) => !isOurTable(section, command)).join('');
  const { [LIST]: before, ...others } = readToml(outside);
  const { [LIST]: after, ...othersLeft } = readToml(left);
  const theirs = listOf(before).filter((hook) => !isOurs(hook, command));
  if (!isDeepStrictEqual(others, othersLeft) || !isDeepStrictEqual(theirs, listOf(after))) {
    throw new TextUnusable(`holds our hooks in a form that cannot be taken out: remove those that run ${command}`);
  }
  return left.trim() === '' ? null : left;
}

/** The hooks of a file that are ours. @throws TextUnusable */
export function tomlHooks(text: string, command: string): unknown[] {
  return listOf(readToml(text)[LIST])
    .filter((hook) => isOurs(hook, command))
    .map((hook) => ({ ...Object(hook) }));
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isOurs(hook: unknown, command: string): boolean {
  return typeof hook === 'object' && hook !== null && 'command' in hook && hook.command === command;
}

/** The text from one header of a table to the next. */
function sectionsOf(text: string): string[] {
  return text.split(/(?<=\n)(?=[ \t]*\[)/);
}

function isOurTable(section: string, command: string): boolean {
  if (!section.trimStart().startsWith(`[[${LIST}]]`)) return false;
  return tomlHooks(section, command).length === 1;
}
