import { basename, dirname, join } from 'node:path';
import type { Json } from '../../protocol/light.ts';
import { type ProgramId, programName } from '../base/programs.ts';
import { DESCRIPTIONS } from '../programs/described.ts';
import { HOOK_TIMEOUT_S, type SetupContext, shellWord } from '../programs/description.ts';
import { unusable } from './config/config-file.ts';
import { addHooks, doubledEvents, hookedEvents, removeHooks } from './config/json-hooks.ts';
import { addTomlHooks, removeTomlHooks, tomlHooks } from './config/toml-hooks.ts';

/** A file of a program's configuration, and how our part comes into it and out of it. */
export interface SetupFile {
  readonly path: string;
  /** What a file that others made is without our part, where nothing else is in it; null where the whole file is ours. */
  readonly empty: string | null;
  /** The permissions of a file that was not there. */
  readonly mode?: number;
  /**
   * @param text null where there is no file
   * @returns the text itself where nothing is to be done
   * @throws TextUnusable
   */
  add(text: string | null): string;
  /** @returns null where nothing is left of it @throws TextUnusable */
  remove(text: string): string | null;
  /** The events that reach our script. @throws TextUnusable */
  hooked(text: string): readonly string[];
  /** The events that reach it more than once. @throws TextUnusable */
  doubled(text: string): readonly string[];
}

/** The files that a program's hooks stand in. @throws RecordError CONFIG_UNUSABLE where the program cannot be configured so */
export function settingsFiles(id: ProgramId, context: SetupContext): readonly SetupFile[] {
  const { events, settings } = DESCRIPTIONS[id];
  const path = settingsPath(id, context);
  const { form } = settings;
  const command = shellWord(context.script);
  if (form.kind === 'own-files') {
    const mode = form.isExecutable === true ? EXECUTABLE : undefined;
    const more = Object.entries(form.more ?? {}).map(([name, content]) =>
      // The event is in the name of a file that the program runs.
      ownFile(join(dirname(path), name), content(context), mode === undefined ? [] : [basename(name)], mode),
    );
    return [ownFile(path, form.content(context), mode === undefined ? events : [basename(path)], mode), ...more];
  }
  if (form.kind === 'toml-hooks') return [tomlFile(path, command, events)];
  return [jsonFile(path, command, new Map(events.map((event) => [event, form.entry(event, context)])), form.top ?? {})];
}

/** What a program runs by its name: for its user alone. */
const EXECUTABLE = 0o700;

function settingsPath(id: ProgramId, { project, environment, userHome }: SetupContext): string {
  const { user, project: inProject } = DESCRIPTIONS[id].settings;
  if (project !== null) {
    if (inProject !== null) return join(project, ...inProject);
    throw unusable(project, `cannot have hooks of ${programName(id)}, which has them for the user alone`);
  }
  const { variable, folder, file } = user;
  const named = variable === null ? '' : (environment[variable.name] ?? '');
  // By their specification the folders of XDG are absolute, and others passed over.
  const isNamed = named !== '' && (variable?.name !== 'XDG_CONFIG_HOME' || named.startsWith('/'));
  if (isNamed && variable?.stands === 'folder') return join(named, ...file);
  return join(isNamed ? named : userHome, ...folder, ...file);
}

/** A file whose member `hooks` has a list for each event. */
function jsonFile(
  path: string,
  command: string,
  entries: ReadonlyMap<string, Json>,
  top: { readonly [member: string]: Json },
): SetupFile {
  return {
    path,
    empty: '{}\n',
    add: (text) => addHooks(text, { entries, command, top }),
    remove: (text) => withoutTop(removeHooks(text, command), top),
    hooked: (text) => hookedEvents(text, command),
    doubled: (text) => doubledEvents(text, command),
  };
}

/** A file with a list `hooks` of tables. */
function tomlFile(path: string, command: string, events: readonly string[]): SetupFile {
  const hooks = events.map((event) => ({ event, command, timeout: HOOK_TIMEOUT_S }));
  const hooked = (text: string): string[] =>
    tomlHooks(text, command).map((hook) => String((hook as { event?: unknown }).event));
  return {
    path,
    empty: '',
    add: (text) => addTomlHooks(text, hooks, command),
    remove: (text) => removeTomlHooks(text, command),
    hooked: (text) => [...new Set(hooked(text))],
    doubled: (text) => hooked(text).filter((event, at, all) => all.indexOf(event) !== at),
  };
}

/** A file that is all ours. What another program wrote under its name is replaced, and comes back from its backup. */
function ownFile(path: string, content: string, events: readonly string[], mode: number | undefined): SetupFile {
  return {
    path,
    ...(mode !== undefined && { mode }),
    empty: null,
    add: () => content,
    remove: () => null,
    hooked: (text) => (text === content ? events : []),
    doubled: () => [],
  };
}

/** Nothing but what we set where it was missing is as good as nothing. */
function withoutTop(text: string | null, top: { readonly [member: string]: Json }): string | null {
  if (text === null || Object.keys(top).length === 0) return text;
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === JSON.stringify(top) ? null : text;
  } catch (error) {
    // It has comments: somebody wrote into it.
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
