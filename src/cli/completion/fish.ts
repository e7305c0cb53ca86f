import type { CompletedCommand, CompletedOption, Expected, Vocabulary } from './vocabulary.ts';

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

/** Whether a command is the one that was typed: its words, and of a group the second one too. */
function seen(words: readonly string[]): string {
  return words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
}

function takes(expected: Expected): string {
  if (expected === 'files') return ' -r -F';
  if (expected === 'folders') return " -x -a '(__fish_complete_directories)'";
  return expected === 'nothing' ? ' -x' : ` -x -a ${quoted(expected.join(' '))}`;
}

function option({ flag, short, help, value }: CompletedOption, words: readonly string[]): string {
  const letter = short === null ? '' : ` -s ${short}`;
  const follows = value === null ? '' : takes(value);
  return `complete -c countersign -n ${quoted(seen(words))}${letter} -l ${flag}${follows} -d ${quoted(help)}`;
}

function argument({ words, firstArgument }: CompletedCommand): string {
  const rule = firstArgument === 'files' ? ' -F' : takes(firstArgument).replace(' -x', ' -f');
  return `complete -c countersign -n ${quoted(seen(words))}${rule}`;
}

/** A completion script for fish. */
export function fishCompletion({ branches, commands }: Vocabulary): string {
  const names = branches.flatMap(({ words, entries }) => {
    const others = entries.map(({ name }) => name).join(' ');
    const condition =
      words.length === 0 ? '__fish_use_subcommand' : `${seen(words)}; and not __fish_seen_subcommand_from ${others}`;
    return entries.map(
      ({ name, summary }) => `complete -c countersign -n ${quoted(condition)} -f -a ${name} -d ${quoted(summary)}`,
    );
  });
  const rest = commands.flatMap((command) => [
    argument(command),
    ...command.options.map((one) => option(one, command.words)),
  ]);
  return `${['# Completion of countersign for fish.', ...names, ...rest].join('\n')}\n`;
}
