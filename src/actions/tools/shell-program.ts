/** How much of a command line is looked at, in characters. */
const LOOKED_AT = 16_384;

/** What starts another program: the words that follow it, less its own options, name that one. */
const WRAPPERS = new Set(
  'env sudo doas nohup nice ionice time command exec builtin stdbuf setsid timeout xargs caffeinate'.split(' '),
);
/** What says nothing of what the line is for. */
const PREPARATIONS = new Set(
  'cd pushd popd set export unset source . umask ulimit trap true : test [ [[ if then else elif fi while until for do done { } ( ) !'.split(
    ' ',
  ),
);
const SHELLS = new Set('sh bash zsh dash ksh'.split(' '));
const SHELL_KEYWORDS = new Set('if then else elif while until do { ( !'.split(' '));
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;

/**
 * The program that a shell's command line is for: the first one that it starts, past `cd`, assignments, `env`, `sudo` and shells that are
 * given a line by `-c`. Null where no word of it is a program's name, such as where a variable holds it.
 */
export function programOf(command: string): string | null {
  return programIn(command.slice(0, LOOKED_AT), 0);
}

function programIn(line: string, depth: number): string | null {
  let fallback: string | null = null;
  for (const words of commandsOf(line)) {
    const found = programOfWords(words, depth);
    if (found !== null && !PREPARATIONS.has(found)) return found;
    fallback ??= found;
  }
  return fallback;
}

function programOfWords(words: readonly string[], depth: number): string | null {
  let at = 0;
  for (; at < words.length; at++) {
    const word = words[at] ?? '';
    if (ASSIGNMENT.test(word) || SHELL_KEYWORDS.has(word)) continue;
    const name = baseName(word);
    if (WRAPPERS.has(name)) {
      at = pastOptions(words, at + 1) - 1;
      continue;
    }
    const inner = SHELLS.has(name) ? lineGiven(words.slice(at + 1)) : null;
    if (inner !== null && depth < 4) return programIn(inner, depth + 1) ?? name;
    return /^[\p{L}\p{N}._+@:[{!-]+$/u.test(name) && !name.startsWith('-') ? name : null;
  }
  return null;
}

/** The index of the first word that is neither an option nor a number, such as the seconds of `timeout`. */
function pastOptions(words: readonly string[], from: number): number {
  let at = from;
  while (at < words.length && /^(-|[0-9])/.test(words[at] ?? '')) at++;
  return at;
}

function lineGiven(words: readonly string[]): string | null {
  const option = words.findIndex((word) => /^-[a-z]*c[a-z]*$/.test(word));
  return option === -1 ? null : (words[option + 1] ?? null);
}

function baseName(word: string): string {
  return word.split(/[\\/]/).findLast((part) => part !== '') ?? word;
}

/** The simple commands of a line, each as its words without quotes. Not a shell: expansions stay as they are written. */
function* commandsOf(line: string): Generator<readonly string[]> {
  let words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? '';
    if (quote !== null) {
      if (character === quote) quote = null;
      else if (character === '\\' && quote === '"') word = (word ?? '') + (line[++at] ?? '');
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === '\\') {
      const next = line[++at] ?? '';
      if (next !== '\n') word = (word ?? '') + next;
    } else if (/[\s;&|]/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
      if (/[;&|\n]/.test(character)) {
        if (words.length > 0) yield words;
        words = [];
      }
    } else {
      word = (word ?? '') + character;
    }
  }
  if (word !== null) words.push(word);
  if (words.length > 0) yield words;
}
