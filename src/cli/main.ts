import packageJson from '../../package.json' with { type: 'json' };
import { type Command, type CommandGroup, EXIT, FileProblem, parseCommandLine, UsageError } from './command.ts';
import { COMMANDS, TASKS } from './command-table.ts';
import { Interrupted } from './interruptible.ts';
import { suggestion } from './suggestion.ts';
import { systemProblem } from './system-problem.ts';
import { Terminal } from './terminal.ts';

/** Errors whose message is meant for the person at the terminal; anything else is a defect. */
function isExpected(error: unknown, { expected = [] }: Command): error is Error {
  return error instanceof UsageError || expected.some((kind) => error instanceof kind);
}

function asksForHelp(argument: string | undefined): boolean {
  return argument === '--help' || argument === '-h' || argument === 'help';
}

/**
 * The command line.
 * @param argv what follows the name of the program
 * @returns the exit code
 */
export async function main(argv: readonly string[]): Promise<number> {
  const terminal = new Terminal();
  const code = await runNamed(argv, terminal);
  return terminal.isOutputLost ? EXIT.unusable : code;
}

async function runNamed([name, ...args]: readonly string[], terminal: Terminal): Promise<number> {
  if (name === '--version') {
    terminal.line(packageJson.version);
    return EXIT.ok;
  }
  if (name === undefined || asksForHelp(name)) {
    const [asked] = args;
    if (asked !== undefined && COMMANDS.some((candidate) => candidate.name === asked)) {
      return runNamed([...args, '--help'], terminal);
    }
    const { describeProgram } = await import('./help/help.ts');
    terminal.line(describeProgram(TASKS, terminal));
    return name === undefined ? EXIT.unusable : EXIT.ok;
  }
  const entry = COMMANDS.find((candidate) => candidate.name === name);
  if (entry === undefined) return refuse('countersign', name, COMMANDS, terminal);
  const found = await entry.load();
  return 'run' in found
    ? runCommand(found, entry.summary, args, terminal)
    : runOneOf(found, entry.summary, args, terminal);
}

/** Says that there is no such command. */
function refuse(
  program: string,
  name: string,
  entries: readonly { readonly name: string }[],
  terminal: Terminal,
): number {
  const names = entries.map((entry) => entry.name);
  const shown = JSON.stringify(name.slice(0, 40));
  terminal.note(`${program}: there is no command ${shown}${suggestion(name, names)}\nTry: ${program} --help`);
  return EXIT.unusable;
}

async function runOneOf(
  group: CommandGroup,
  summary: string,
  [name, ...args]: readonly string[],
  terminal: Terminal,
): Promise<number> {
  if (name === undefined || asksForHelp(name)) {
    const { describeGroup } = await import('./help/help.ts');
    terminal.line(describeGroup(group, summary, terminal));
    return name === undefined ? EXIT.unusable : EXIT.ok;
  }
  const entry = group.commands.find((candidate) => candidate.name === name);
  if (entry === undefined) return refuse(`countersign ${group.name}`, name, group.commands, terminal);
  return runCommand(await entry.load(), entry.summary, args, terminal);
}

async function runCommand(
  command: Command,
  summary: string,
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  try {
    const parsed = parseCommandLine(command, args);
    if (parsed.on('help')) {
      const { describeCommand } = await import('./help/help.ts');
      terminal.line(describeCommand(command, summary, terminal));
      return EXIT.ok;
    }
    return await command.run(parsed, terminal);
  } catch (error) {
    if (error instanceof Interrupted) {
      terminal.note(`countersign ${command.name}: ${error.message}`);
      return EXIT.interrupted;
    }
    const problem = isExpected(error, command) ? error.message : systemProblem(error);
    if (problem === null) throw error;
    const hint =
      error instanceof UsageError && !(error instanceof FileProblem) ? `\nTry: countersign ${command.name} --help` : '';
    terminal.note(`countersign ${command.name}: ${problem}${hint}`);
    return EXIT.unusable;
  }
}
