import type { Expected, Vocabulary } from './vocabulary.ts';

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The shell command that offers something: helpers of the script below. */
function offer(expected: Expected): string {
  if (expected === 'files' || expected === 'folders') return `_countersign_${expected}`;
  return expected === 'nothing' ? ':' : `_countersign_words ${expected.map(quoted).join(' ')}`;
}

function namesOf(flag: string, short: string | null): string[] {
  return [`--${flag}`, ...(short === null ? [] : [`-${short}`])];
}

/** A completion script for bash 3.2 and later, which needs no package of completions. */
export function bashCompletion({ branches, commands }: Vocabulary): string {
  const groups = branches.flatMap(({ words }) => (words.length === 0 ? [] : [words.join(' ')]));
  const values = commands.flatMap(({ words, options }) =>
    options.flatMap(({ flag, short, value }) => {
      if (value === null) return [];
      const places = namesOf(flag, short).map((name) => quoted(`${words.join(' ')} ${name}`));
      return [`    ${places.join('|')}) ${offer(value)}; return ;;`];
    }),
  );
  const options = commands.map(({ words, options: all }) => {
    const names = all.flatMap(({ flag, short }) => namesOf(flag, short));
    return `      ${quoted(words.join(' '))}) ${offer(names)} ;;`;
  });
  const names = branches.map(({ words, entries }) => {
    const others = words.length === 0 ? ['help', '--help', '--version'] : ['--help'];
    return `    ${quoted(words.join(' '))}) ${offer([...entries.map(({ name }) => name), ...others])} ;;`;
  });
  const first = commands.map(({ words, firstArgument }) => {
    const isChoice = typeof firstArgument !== 'string';
    const offered = isChoice
      ? `if ((COMP_CWORD == depth)); then ${offer(firstArgument)}; else _countersign_files; fi`
      : offer(firstArgument);
    return `    ${quoted(words.join(' '))}) ${offered} ;;`;
  });
  return `# Completion of countersign for bash.
_countersign_words() { COMPREPLY=($(compgen -W "$*" -- "$cur")); }
_countersign_files() { compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur")); }
_countersign_folders() { compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- "$cur")); }
_countersign() {
  # A line break separates what is offered: names of files may have blanks.
  local IFS=$'\\n'
  local cur="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="" depth=1
  COMPREPLY=()
  if ((COMP_CWORD > 1)); then
    command="\${COMP_WORDS[1]}" depth=2
    case "$command" in
      ${groups.map(quoted).join('|')}) if ((COMP_CWORD > 2)); then command="$command \${COMP_WORDS[2]}" depth=3; fi ;;
    esac
  fi
  case "$command $previous" in
${values.join('\n')}
  esac
  if [[ "$cur" == -* && -n "$command" ]]; then
    case "$command" in
${options.join('\n')}
    esac
    return
  fi
  case "$command" in
${[...names, ...first].join('\n')}
  esac
}
complete -F _countersign countersign
`;
}
