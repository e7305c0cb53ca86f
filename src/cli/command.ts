import { parseArgs } from 'node:util';
import { messageOf } from '../protocol/text/light.ts';
import { suggestion } from './suggestion.ts';
import type { Terminal } from './terminal.ts';

/** Exit codes (protocol V163). `interrupted` is what a shell says of a program ended by Ctrl-C. */
export const EXIT = { verified: 0, ok: 0, failed: 1, unusable: 2, incomplete: 3, interrupted: 130 } as const;

/** An option of a command. `value` is how help calls what follows it; a switch has none. */
export interface Option {
  readonly flag: string;
  readonly value?: string;
  /** Everything that may follow it, where that is a closed set. */
  readonly choices?: readonly string[];
  /** One letter, for the options that have such a name by custom. */
  readonly short?: string;
  readonly multiple?: boolean;
  readonly help: string;
}

/** A command line that help shows, and what it does. */
export interface Example {
  readonly what: string;
  /** What follows the name of the command, as a POSIX shell takes it. */
  readonly args: string;
}

export interface Command {
  /** As people type it; that of a group included. */
  readonly name: string;
  /** What follows the name, a line for each form. */
  readonly synopsis: readonly string[];
  /** What the first argument may be, where that is a closed set: completion offers it. */
  readonly firstArgument?: readonly string[];
  readonly options: readonly Option[];
  readonly examples: readonly Example[];
  /** What each exit code says. */
  readonly exitCodes: readonly (readonly [code: string, meaning: string])[];
  /** Further paragraphs of help. */
  readonly notes?: readonly string[];
  /** Errors besides UsageError whose message is meant for the person at the terminal. */
  readonly expected?: readonly (abstract new (
    ...args: never[]
  ) => Error)[];
  run(args: ParsedArgs, terminal: Terminal): Promise<number>;
}

/** A command or a group of them. Its module is loaded only when the command is called. */
export interface Entry<Loaded> {
  readonly name: string;
  /** One sentence. It is kept here so that an overview of all commands loads none of them. */
  readonly summary: string;
  readonly load: () => Promise<Loaded>;
}

/** Commands under one name: `countersign GROUP COMMAND`. The name of each begins with that of the group. */
export interface CommandGroup {
  readonly name: string;
  readonly commands: readonly Entry<Command>[];
}

/** What people want to do, and the commands for it. */
export interface Task {
  readonly title: string;
  readonly entries: readonly Entry<Command | CommandGroup>[];
}

/** Wrong usage: one sentence, and exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A file that somebody named and that cannot be used: one sentence, and exit code 2. Help would not explain it. */
export class FileProblem extends UsageError {}

/** What was given on the command line, by flag. */
export class ParsedArgs {
  readonly positionals: readonly string[];
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(positionals: readonly string[], values: Readonly<Record<string, unknown>>) {
    this.positionals = positionals;
    this.#values = values;
  }

  text(flag: string): string | undefined {
    const value = this.#values[flag];
    return typeof value === 'string' ? value : undefined;
  }

  list(flag: string): readonly string[] {
    const value = this.#values[flag];
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  }

  on(flag: string): boolean {
    return this.#values[flag] === true;
  }
}

/**
 * Joins an option and the value after it, for parseArgs takes a value that begins with "-" for an option: one kid in
 * sixty-four does.
 */
function joinValues(args: readonly string[], options: readonly Option[]): string[] {
  const taking = new Set(options.filter(({ value }) => value !== undefined).map(({ flag }) => `--${flag}`));
  const known = new Set(options.map(({ flag }) => `--${flag}`));
  const joined: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const [arg = '', next] = [args[i], args[i + 1]];
    if (arg === '--') return [...joined, ...args.slice(i)];
    if (taking.has(arg) && next !== undefined && !known.has(next)) {
      joined.push(`${arg}=${next}`);
      i++;
    } else joined.push(arg);
  }
  return joined;
}

/** A kid by itself, or with its organization, that begins with "-", as one in sixty-four does: a key, not an option. */
const HYPHENED_KID = /^-[A-Za-z0-9_-]{42}(?:@.*)?$/s;

/** Puts such kids behind "--", where parseArgs takes nothing for an option. */
function setKidsApart(args: readonly string[]): string[] {
  const end = args.indexOf('--');
  const before = end < 0 ? args : args.slice(0, end);
  const kids = before.filter((arg) => HYPHENED_KID.test(arg));
  if (kids.length === 0) return [...args];
  return [...before.filter((arg) => !HYPHENED_KID.test(arg)), '--', ...kids, ...(end < 0 ? [] : args.slice(end + 1))];
}

/** @throws UsageError */
export function parseCommandLine(command: Command, args: readonly string[]): ParsedArgs {
  const known = [...command.options, HELP];
  const options = Object.fromEntries(
    known.map(({ flag, value, short, multiple = false }) => [
      flag,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        multiple,
        ...(short === undefined ? {} : { short }),
      },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: setKidsApart(joinValues(args, known)),
      options,
      allowPositionals: true,
      strict: true,
    });
    const parsed = new ParsedArgs(positionals, values);
    for (const option of known) checkChoices(option, parsed);
    return parsed;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const [sentence = 'wrong usage'] = messageOf(error).split(/\. (?=[A-Z])/);
    const [, given] = /'(?:-\w, )?(--?[^' ]+)(?: <value>)?'/.exec(sentence) ?? [];
    if (given === undefined) throw new UsageError(sentence);
    const value = known.find(({ flag, short }) => given === `--${flag}` || given === `-${short}`)?.value;
    if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') {
      throw new UsageError(
        value === undefined ? `${given} takes no value` : `${given} needs a value: ${given} ${value}`,
      );
    }
    if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION') throw new UsageError(sentence);
    const meant = suggestion(
      given,
      known.map(({ flag }) => `--${flag}`),
    );
    throw new UsageError(`there is no option ${JSON.stringify(given)}${meant}`);
  }
}

/** @throws UsageError where an option has a value that is not among its choices */
function checkChoices({ flag, choices }: Option, args: ParsedArgs): void {
  if (choices === undefined) return;
  const one = args.text(flag);
  for (const given of one === undefined ? args.list(flag) : [one]) {
    if (choices.includes(given)) continue;
    const meant = suggestion(given, choices);
    throw new UsageError(`--${flag} takes ${choices.join(', ')}, not ${JSON.stringify(given.slice(0, 40))}${meant}`);
  }
}

export const HELP: Option = { flag: 'help', short: 'h', help: 'show this help' };
