import packageJson from '../../package.json' with { type: 'json' };
import { AgentError } from '../agent/index.ts';
import { StartError } from '../service/index.ts';
import { type Command, describeCommand, EXIT, parseCommandLine, UsageError } from './command.ts';
import { demo } from './commands/demo.ts';
import { keygen } from './commands/keygen.ts';
import { report } from './commands/report.ts';
import { serve } from './commands/serve.ts';
import { verify } from './commands/verify.ts';
import { Terminal } from './terminal.ts';

const COMMANDS: readonly Command[] = [serve, verify, report, keygen, demo];

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  return [
    'countersign COMMAND [--help]',
    '',
    ...COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    '  --version  show the version',
  ].join('\n');
}

/** Errors whose message is meant for the person at the terminal; anything else is a defect. */
function isExpected(error: unknown): error is Error {
  return error instanceof StartError || error instanceof AgentError || error instanceof UsageError;
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
    terminal.line(overview());
    return name === undefined ? EXIT.unusable : EXIT.ok;
  }
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command === undefined) {
    terminal.note(`countersign: there is no command "${name}"\n\n${overview()}`);
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
    if (!isExpected(error)) throw error;
    const hint = error instanceof UsageError ? `\nTry: countersign ${command.name} --help` : '';
    terminal.note(`countersign ${command.name}: ${error.message}${hint}`);
    return EXIT.unusable;
  }
}
