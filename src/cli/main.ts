import packageJson from '../../package.json' with { type: 'json' };
import { type Command, describeCommand, EXIT, parseCommandLine, UsageError } from './command.ts';
import { Terminal } from './terminal.ts';

/** Loaded when it is called for: whoever verifies a bundle must not have the whole service in memory. */
const COMMANDS: readonly { readonly name: string; readonly load: () => Promise<Command> }[] = [
  { name: 'serve', load: async () => (await import('./commands/serve.ts')).serve },
  { name: 'verify', load: async () => (await import('./commands/verify.ts')).verify },
  { name: 'verify-report', load: async () => (await import('./commands/verify-report.ts')).verifyReport },
  { name: 'trust', load: async () => (await import('./commands/trust.ts')).trust },
  { name: 'report', load: async () => (await import('./commands/report.ts')).report },
  { name: 'qualify', load: async () => (await import('./commands/qualify.ts')).qualify },
  { name: 'keygen', load: async () => (await import('./commands/keygen.ts')).keygen },
  { name: 'backup', load: async () => (await import('./commands/backup.ts')).backup },
  { name: 'restore', load: async () => (await import('./commands/restore.ts')).restore },
  { name: 'demo', load: async () => (await import('./commands/demo.ts')).demo },
];

async function overview(): Promise<string> {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const commands = await Promise.all(COMMANDS.map(({ load }) => load()));
  return [
    'countersign COMMAND [--help]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    '  --version  show the version',
  ].join('\n');
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
  const command = await COMMANDS.find((candidate) => candidate.name === name)?.load();
  if (command === undefined) {
    terminal.note(`countersign: there is no command "${name}"\n\n${await overview()}`);
    return EXIT.unusable;
  }
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
