import { parseArgs } from 'node:util';
import type { Terminal } from './terminal.ts';

/** Exit codes (protocol §9). `interrupted` is what a shell says of a program ended by Ctrl-C. */
export const EXIT = { verified: 0, ok: 0, failed: 1, unusable: 2, incomplete: 3, interrupted: 130 } as const;

/** An option of a command. `value` is how help calls what follows it; a switch has none. */
export interface Option {
  readonly flag: string;
  readonly value?: string;
  /** One letter, for the options that have such a name by custom. */
  readonly short?: string;
  readonly multiple?: boolean;
  readonly help: string;
}

export interface Command {
  readonly name: string;
  /** What follows the name in the usage line. */
  readonly usage: string;
  readonly summary: string;
  readonly options: readonly Option[];
  /** Further lines of help. */
  readonly notes?: readonly string[];
  /** Errors besides UsageError whose message is meant for the person at the terminal. */
  readonly expected?: readonly (abstract new (
    ...args: never[]
  ) => Error)[];
  run(args: ParsedArgs, terminal: Terminal): Promise<number>;
}

/** A command or a group of them, loaded when it is called for. */
export interface Entry<Loaded> {
  readonly name: string;
  readonly load: () => Promise<Loaded>;
}

/** Commands under one name: `countersign GROUP COMMAND`. The name of each begins with that of the group. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly Entry<Command>[];
  /** Further lines of help. */
  readonly notes?: readonly string[];
}

/** Wrong usage: one sentence, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

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
    return new ParsedArgs(positionals, values);
  } catch (error) {
    const [sentence] = (error instanceof Error ? error.message : String(error)).split(/\. (?=[A-Z])/);
    throw new UsageError(sentence ?? 'wrong usage');
  }
}

export const HELP: Option = { flag: 'help', help: 'show this' };

/** The help of one command. */
export function describeCommand(command: Command): string {
  const rows = [...command.options, HELP].map(({ flag, short, value, help }) => [
    `${short ? `-${short}, ` : ''}--${flag}${value ? ` ${value}` : ''}`,
    help,
  ]);
  const width = Math.max(...rows.map(([left]) => left?.length ?? 0));
  const options = rows.map(([left, right]) => `  ${(left ?? '').padEnd(width)}  ${right ?? ''}`);
  const notes = command.notes === undefined ? [] : ['', ...command.notes];
  return [`countersign ${command.name} ${command.usage}`.trimEnd(), '', command.summary, '', ...options, ...notes].join(
    '\n',
  );
}
