import type { CompletedOption, Expected, Vocabulary } from './vocabulary.ts';

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A text within a specification of _arguments or _describe. */
function plain(text: string): string {
  return text.replace(/[\\:[\]]/g, '\\$&');
}

function action(expected: Expected): string {
  if (expected === 'files') return '_files';
  if (expected === 'folders') return '_files -/';
  return expected === 'nothing' ? ' ' : `(${expected.join(' ')})`;
}

function argument({ flag, short, help, value }: CompletedOption): string[] {
  const takes = value === null ? '' : `:${flag}:${action(value)}`;
  return [`--${flag}`, ...(short === null ? [] : [`-${short}`])].map((name) =>
    quoted(`*${name}[${plain(help)}]${takes}`),
  );
}

/** A completion script for zsh: a file _countersign in a folder of fpath, or read with source. */
export function zshCompletion({ branches, commands }: Vocabulary): string {
  const groups = branches.filter(({ words }) => words.length > 0).map(({ words }) => words.join(' '));
  const described = (words: readonly string[]): string => {
    const entries = branches.find((branch) => branch.words.join(' ') === words.join(' '))?.entries ?? [];
    return entries.map(({ name, summary }) => `      ${quoted(`${name}:${plain(summary)}`)}`).join('\n');
  };
  const cases = commands.map(({ words, options, firstArgument }) => {
    const specifications = [...options.flatMap(argument), quoted(`*:argument:${action(firstArgument)}`)];
    return `    ${quoted(words.join(' '))})\n      _arguments \\\n        ${specifications.join(' \\\n        ')}\n      ;;`;
  });
  return `#compdef countersign
# Completion of countersign for zsh.
_countersign() {
  local command=\${words[2]} skip=1
  local -a names
  if (( CURRENT == 2 )); then
    names=(
${described([])}
    )
    _describe command names
    return
  fi
${groups
  .map(
    (group) => `  if [[ $command == ${quoted(group)} ]]; then
    if (( CURRENT == 3 )); then
      names=(
${described([group])}
      )
      _describe command names
      return
    fi
    command="$command \${words[3]}" skip=2
  fi
`,
  )
  .join('')}  shift $skip words
  (( CURRENT -= skip ))
  case $command in
${cases.join('\n')}
  esac
}
if [[ \${funcstack[1]} == _countersign ]]; then
  _countersign "$@"
else
  compdef _countersign countersign
fi
`;
}
