import type { Json } from '../../protocol/light.ts';
import type { Reader } from './reader.ts';

/** What a program's configuration depends on. */
export interface SetupContext {
  /** Where the person's programs keep their settings. */
  readonly userHome: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The project whose configuration is edited; null for the user's own. */
  readonly project: string | null;
  /** The hook script, as an absolute path. */
  readonly script: string;
  readonly blocksOnFailure: boolean;
}

/** A path in parts, below the folder that a variable of the environment names, where it is set, or below the user's home. */
export interface UserPlace {
  /** The variable with the program's folder, or with what stands for the home; null where it takes none. */
  readonly variable: { readonly name: string; readonly stands: 'home' | 'folder' } | null;
  /** The program's folder below the home. */
  readonly folder: readonly string[];
  /** The file below the folder. */
  readonly file: readonly string[];
}

/** Where a program's settings are, and how our hooks stand there. */
export interface ProgramSettings {
  readonly user: UserPlace;
  /** Below a project; null where the program has hooks for the user alone. */
  readonly project: readonly string[] | null;
  readonly form:
    | {
        /** A JSON file whose member `hooks` has a list for each event; of others too. */
        readonly kind: 'json-hooks';
        readonly entry: (event: string, context: SetupContext) => Json;
        /** Members of the file that are set where they are missing. */
        readonly top?: { readonly [member: string]: Json };
      }
    /** A TOML file with a table in `hooks` for each event; of others too. */
    | { readonly kind: 'toml-hooks' }
    /** Files that are all ours, the first of which has the place above. */
    | {
        readonly kind: 'own-files';
        readonly content: (context: SetupContext) => string;
        /** Whether the program runs them. */
        readonly isExecutable?: true;
        /** Further files in the folder of the first one, by name. */
        readonly more?: { readonly [name: string]: (context: SetupContext) => string };
      };
}

/** A program with hooks, all that differs between them: how it is made to tell of its agent, and how what it tells is read. */
export interface ProgramDescription {
  /** Reads what a hook is given; `generic` for programs that speak our own form. */
  readonly read: Reader | 'generic';
  /** What a hook prints when there is nothing to say: what some programs print goes to their model. */
  readonly prints: '' | '{}';
  /** Speaks to the recorder itself, without the hook's script. */
  readonly isPlugin?: true;
  /** What is started to ask for its version, and looked for on the PATH; null where it has no command. */
  readonly binary: string | null;
  /** The events that reach the recorder, by the program's own names. */
  readonly events: readonly string[];
  readonly settings: ProgramSettings;
  /** What happens if nothing can be recorded, as it was seen with the real program or as its maker says. */
  readonly failure: string;
  /** What to know besides, printed after installation. */
  readonly notes: readonly string[];
}

/**
 * Longer than the hook waits for the recorder (3 s), in seconds: the hook then says itself what is to happen, and some programs go on
 * when a hook takes too long.
 */
export const HOOK_TIMEOUT_S = 10;

/** A path as a shell takes it: programs hand the command to one. */
export function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

/** Events of a tool take a pattern for its name. */
const MATCHED = /Tool(Use|$)|^Permission/;

/** An entry as Claude Code has it, and others after it: a group with a pattern, and its handlers. */
export function hookGroup(
  event: string,
  { script }: SetupContext,
  timeout: number,
  more: { readonly [member: string]: Json } = {},
): Json {
  const hooks = [{ type: 'command', command: shellWord(script), timeout, ...more }];
  return MATCHED.test(event) ? { matcher: '*', hooks } : { hooks };
}

/** A value as files of our own have it. */
export function fileText(value: Json): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
