import type { ProgramId } from '../../base/programs.ts';

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
  /** Such as 0.25.9; null where the program was not found or does not say. */
  readonly version: string | null;
}

/** A file of a program's configuration, and how our part comes into it and out of it. */
export interface SetupFile {
  readonly path: string;
  /** What a file that others made is without our part, where nothing else is in it; null where the whole file is ours. */
  readonly empty: string | null;
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

/** How a program is made to tell the recorder what its agent does. */
export interface ProgramSetup {
  /** What is started to ask for its version, and looked for on the PATH; null where it has no command. */
  readonly binary: string | null;
  /** The events that reach the recorder, by the program's own names. */
  readonly events: readonly string[];
  /** @throws RecordError CONFIG_UNUSABLE where the program cannot be configured so */
  files(context: SetupContext): readonly SetupFile[];
  /** What happens if nothing can be recorded, as it was seen with the real program or as its maker says. */
  readonly failure: string;
  /** What to know besides, printed after installation. */
  readonly notes: readonly string[];
}

export type Setups = { readonly [id in ProgramId]: ProgramSetup };

/**
 * Longer than the hook waits for the recorder (3 s), in seconds: the hook then says itself what is to happen, and some programs go on
 * when a hook takes too long.
 */
export const HOOK_TIMEOUT_S = 10;

/** A path as a shell takes it: programs hand the command to one. */
export function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
