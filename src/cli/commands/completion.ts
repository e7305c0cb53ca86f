import { type Command, type CommandGroup, type Entry, EXIT, UsageError } from '../command.ts';
import { bashCompletion } from '../completion/bash.ts';
import { fishCompletion } from '../completion/fish.ts';
import { type Vocabulary, vocabularyOf } from '../completion/vocabulary.ts';
import { zshCompletion } from '../completion/zsh.ts';
import { suggestion } from '../suggestion.ts';

const SCRIPTS: ReadonlyMap<string, (vocabulary: Vocabulary) => string> = new Map([
  ['bash', bashCompletion],
  ['zsh', zshCompletion],
  ['fish', fishCompletion],
]);
const SHELLS = [...SCRIPTS.keys()];

const description: Omit<Command, 'run'> = {
  name: 'completion',
  synopsis: SHELLS,
  firstArgument: SHELLS,
  options: [],
  notes: ['The script is complete in itself: the shell does not start countersign to complete a line.'],
  examples: [
    {
      what: 'bash, with the package bash-completion; from the next shell on:',
      args: 'bash > ~/.local/share/bash-completion/completions/countersign',
    },
    { what: 'zsh, into a folder of your fpath:', args: 'zsh > ~/.zfunc/_countersign' },
    { what: 'fish:', args: 'fish > ~/.config/fish/completions/countersign.fish' },
  ],
  exitCodes: [
    ['0', 'the script was printed'],
    ['2', 'there is no script for this shell, or wrong usage'],
  ],
};

/** Prints what a shell completes command lines with. @param entries all commands, this one included */
export function completionOf(entries: readonly Entry<Command | CommandGroup>[]): Command {
  const run: Command['run'] = async (args, terminal) => {
    const [shell, ...more] = args.positionals;
    if (shell === undefined || more.length > 0) throw new UsageError(`name one shell: ${SHELLS.join(', ')}`);
    const script = SCRIPTS.get(shell);
    if (script === undefined) {
      const meant = suggestion(shell, SHELLS) || `; name one of ${SHELLS.join(', ')}`;
      throw new UsageError(`there is no completion for ${JSON.stringify(shell.slice(0, 40))}${meant}`);
    }
    terminal.content(script(await vocabularyOf(entries)));
    return EXIT.ok;
  };
  return { ...description, run };
}
