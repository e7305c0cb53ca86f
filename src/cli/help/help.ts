import { type Command, type CommandGroup, type Entry, HELP, type Option, type Task } from '../command.ts';
import { definitions, joinBracketed, paragraph, readableWidth } from '../layout.ts';
import type { Terminal } from '../terminal.ts';

/** A wider name of an option has a line to itself, with its text below. */
const MOST_OPTION = 30;
const MOST_NAME = 16;

/** Shown where the task is not yet known: the shortest way into the product, and the one to its purpose. */
const FIRST_STEPS = [
  ['See a forgery detected, without setting anything up:', 'countersign demo'],
  ['Start the service and open its link in a browser:', 'countersign serve'],
  ['Verify a file that somebody sent you:', 'countersign verify FILE --trust FINGERPRINT'],
] as const;

type Section = readonly [title: string, lines: readonly string[]];

function render(summary: string, sections: readonly Section[], terminal: Terminal): string {
  const width = readableWidth(terminal.columns);
  const parts = sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => [...(title === '' ? [] : [terminal.style('bold', title)]), ...lines].join('\n'));
  return [paragraph(summary, width, 0).join('\n'), ...parts].join('\n\n');
}

function rowsOf(entries: readonly Entry<unknown>[], width: number): string[] {
  return definitions(
    entries.map(({ name, summary }) => ({ term: name.padEnd(MOST_NAME - 2), text: summary })),
    width,
    MOST_NAME,
  );
}

/** The help of the whole program: every command under its task. Loads none of them. */
export function describeProgram(tasks: readonly Task[], terminal: Terminal): string {
  const width = readableWidth(terminal.columns);
  return render(
    'Countersign keeps tamper-evident records of what AI agents do, and verifies them offline.',
    [
      ['Usage', ['  countersign COMMAND [OPTIONS]']],
      ...tasks.map(({ title, entries }): Section => [title, rowsOf(entries, width)]),
      [
        'Options',
        definitions(
          [
            { term: '-h, --help', text: 'show this help; after a command, the help of that command' },
            { term: '--version', text: 'show the version' },
          ],
          width,
          MOST_NAME,
        ),
      ],
      ['Examples', FIRST_STEPS.flatMap(([what, line]) => [...paragraph(what, width, 2), `    ${line}`])],
    ],
    terminal,
  );
}

/** The help of a group: its commands. Loads none of them. */
export function describeGroup({ name, commands }: CommandGroup, summary: string, terminal: Terminal): string {
  const width = readableWidth(terminal.columns);
  return render(
    summary,
    [
      ['Usage', [`  countersign ${name} COMMAND [OPTIONS]`]],
      ['Commands', rowsOf(commands, width)],
      ['', paragraph(`"countersign ${name} COMMAND --help" describes one of them.`, width, 0)],
    ],
    terminal,
  );
}

/** How an option is written: `-o, --out FILE`. */
function optionTerm({ flag, short, value }: Option): string {
  return `${short === undefined ? '' : `-${short}, `}--${flag}${value === undefined ? '' : ` ${value}`}`;
}

function optionText({ help, multiple = false }: Option): string {
  return multiple ? `${help} (may be repeated)` : help;
}

/** The help of one command. */
export function describeCommand(command: Command, summary: string, terminal: Terminal): string {
  const width = readableWidth(terminal.columns);
  const { name, synopsis, options, examples, exitCodes, notes = [] } = command;
  const indent = `  countersign ${name} `.length;
  return render(
    summary,
    [
      [
        'Usage',
        synopsis.flatMap((form) => paragraph(`countersign ${name} ${joinBracketed(form)}`.trimEnd(), width, 2, indent)),
      ],
      [
        'Options',
        definitions(
          [...options, HELP].map((option) => ({ term: optionTerm(option), text: optionText(option) })),
          width,
          MOST_OPTION,
        ),
      ],
      ['Notes', notes.flatMap((note) => paragraph(`• ${note}`, width, 2, 4))],
      // An example is pasted: it is never broken.
      [
        'Examples',
        examples.flatMap(({ what, args }) => [
          ...paragraph(what, width, 2),
          `    ${`countersign ${name} ${args}`.trimEnd()}`,
        ]),
      ],
      [
        'Exit codes',
        definitions(
          exitCodes.map(([term, text]) => ({ term, text })),
          width,
          MOST_NAME,
        ),
      ],
    ],
    terminal,
  );
}
