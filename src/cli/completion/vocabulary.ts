import { type Command, type CommandGroup, type Entry, HELP, type Option } from '../command.ts';

/** What may follow an option or a command, as far as a shell can help with it. */
export type Expected = 'files' | 'folders' | 'nothing' | readonly string[];

export interface CompletedOption {
  readonly flag: string;
  readonly short: string | null;
  readonly help: string;
  /** Null for a switch. */
  readonly value: Expected | null;
}

/** A command as shells complete it: `words` are what is typed after the name of the program. */
export interface CompletedCommand {
  readonly words: readonly string[];
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  readonly firstArgument: Expected;
}

/** What completion offers at the beginning of a line, and after a group. */
export interface Branch {
  readonly words: readonly string[];
  readonly entries: readonly { readonly name: string; readonly summary: string }[];
}

export interface Vocabulary {
  readonly branches: readonly Branch[];
  readonly commands: readonly CompletedCommand[];
}

function expectedOf({ value = '', choices }: Option): Expected {
  if (choices !== undefined) return choices;
  if (/DIR/.test(value)) return 'folders';
  return /FILE|BUNDLE|BACKUP/.test(value) ? 'files' : 'nothing';
}

function completed(command: Command, summary: string): CompletedCommand {
  return {
    words: command.name.split(' '),
    summary,
    options: [...command.options, HELP].map((option) => ({
      flag: option.flag,
      short: option.short ?? null,
      help: option.help,
      value: option.value === undefined ? null : expectedOf(option),
    })),
    firstArgument: command.firstArgument ?? 'files',
  };
}

/** Everything that can be typed, of the same table as the help. Loads every command. */
export async function vocabularyOf(entries: readonly Entry<Command | CommandGroup>[]): Promise<Vocabulary> {
  const branches: Branch[] = [{ words: [], entries }];
  const commands: CompletedCommand[] = [];
  for (const { summary, load } of entries) {
    const found = await load();
    if ('run' in found) {
      commands.push(completed(found, summary));
      continue;
    }
    branches.push({ words: [found.name], entries: found.commands });
    for (const entry of found.commands) commands.push(completed(await entry.load(), entry.summary));
  }
  return { branches, commands };
}
