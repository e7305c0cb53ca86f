import packageJson from '../../package.json' with { type: 'json' };
import {
  type Command,
  type CommandGroup,
  describeCommand,
  type Entry,
  EXIT,
  parseCommandLine,
  UsageError,
} from './command.ts';
import { Terminal } from './terminal.ts';

/** Loaded when it is called for: whoever verifies a bundle must not have the whole service in memory. */
const COMMANDS: readonly Entry<Command | CommandGroup>[] = [
  { name: 'serve', load: async () => (await import('./commands/serve.ts')).serve },
  { name: 'verify', load: async () => (await import('./commands/verify.ts')).verify },
  { name: 'verify-report', load: async () => (await import('./commands/verify-report.ts')).verifyReport },
  { name: 'trust', load: async () => (await import('./commands/trust.ts')).trust },
  { name: 'proof', load: async () => (await import('./commands/proof.ts')).proof },
  { name: 'report', load: async () => (await import('./commands/report.ts')).report },
  { name: 'case', load: async () => (await import('./commands/case.ts')).caseFile },
  { name: 'qualify', load: async () => (await import('./commands/qualify.ts')).qualify },
  { name: 'keygen', load: async () => (await import('./commands/keygen.ts')).keygen },
  { name: 'backup', load: async () => (await import('./commands/backup.ts')).backup },
  { name: 'restore', load: async () => (await import('./commands/restore.ts')).restore },
  { name: 'record', load: async () => (await import('./commands/record.ts')).record },
  { name: 'demo', load: async () => (await import('./commands/demo.ts')).demo },
];

async function rows(entries: readonly Entry<Command | CommandGroup>[]): Promise<string[]> {
  const width = Math.max(...entries.map(({ name }) => name.length));
  const loaded = await Promise.all(entries.map(({ load }) => load()));
  return loaded.map(({ summary }, index) => `  ${(entries[index]?.name ?? '').padEnd(width)}  ${summary}`);
}

async function overview(): Promise<string> {
  return ['countersign COMMAND [--help]', '', ...(await rows(COMMANDS)), '', '  --version  show the version'].join(
    '\n',
  );
}

async function overviewOf({ name, summary, commands, notes = [] }: CommandGroup): Promise<string> {
  const lines = [`countersign ${name} COMMAND [--help]`, '', summary, '', ...(await rows(commands))];
  return [...lines, ...(notes.length === 0 ? [] : ['', ...notes])].join('\n');
}

/** Errors whose message is meant for the person at the terminal; anything else is a defect. */
function isExpected(error: unknown, { expected = [] }: Command): error is Error {
  return error instanceof UsageError || expected.some((kind) => error instanceof kind);
}

/**
 * The command line.
 * @param argv what follows the name of the program
 * @returns the exit code
 */
export async function main(argv: readonly string[]): Promise<number> {
  const terminal = new Terminal();
  const [name, ...args] = argv;
  if (name === '--version') {
    terminal.line(packageJson.version);
    return EXIT.ok;
  }
  if (name === undefined || name === '--help' || name === 'help') {
    terminal.line(await overview());
    return name === undefined ? EXIT.unusable : EXIT.ok;
  }
  const found = await COMMANDS.find((candidate) => candidate.name === name)?.load();
  if (found === undefined) {
    terminal.note(`countersign: there is no command "${name}"\n\n${await overview()}`);
    return EXIT.unusable;
  }
  return 'run' in found ? runCommand(found, args, terminal) : runOneOf(found, args, terminal);
}

async function runOneOf(group: CommandGroup, [name, ...args]: readonly string[], terminal: Terminal): Promise<number> {
  if (name === undefined || name === '--help') {
    terminal.line(await overviewOf(group));
    return name === undefined ? EXIT.unusable : EXIT.ok;
  }
  const command = await group.commands.find((candidate) => candidate.name === name)?.load();
  if (command === undefined) {
    terminal.note(`countersign ${group.name}: there is no command "${name}"\n\n${await overviewOf(group)}`);
    return EXIT.unusable;
  }
  return runCommand(command, args, terminal);
}

async function runCommand(command: Command, args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const parsed = parseCommandLine(command, args);
    if (parsed.on('help')) {
      terminal.line(describeCommand(command));
      return EXIT.ok;
    }
    return await command.run(parsed, terminal);
  } catch (error) {
    if (!isExpected(error, command)) throw error;
    const hint = error instanceof UsageError ? `\nTry: countersign ${command.name} --help` : '';
    terminal.note(`countersign ${command.name}: ${error.message}${hint}`);
    return EXIT.unusable;
  }
}
