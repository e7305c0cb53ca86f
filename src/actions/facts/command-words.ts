/** One simple command of a shell's text. */
export interface SimpleCommand {
  /** Null for a word that only a shell knows: one with a variable, a substitution or a pattern in it. */
  readonly words: readonly (string | null)[];
  readonly redirections: readonly { readonly writes: boolean; readonly target: string | null }[];
  /** Whether something is handed to it to read: what another command puts out, a file, or a text that stands with it. */
  readonly isFed: boolean;
}

/** Of a long command, so much is looked through. */
const LOOKED_THROUGH = 16_384;
const MAX_COMMANDS = 128;

const ENDS_WORD = new Set([' ', '\t', '\n', '\r', ';', '|', '&', '<', '>', '(', ')', '']);

/**
 * The simple commands of a text as a POSIX shell splits it (XCU section 2.3), as far as no shell has to run for it: what follows a here-document
 * is left out, and words that are expanded are null.
 */
export function commandsIn(text: string): readonly SimpleCommand[] {
  return new Splitting(text.slice(0, LOOKED_THROUGH)).commands();
}

class Splitting {
  readonly #text: string;
  readonly #found: SimpleCommand[] = [];
  #at = 0;
  #words: (string | null)[] = [];
  #redirections: { readonly writes: boolean; readonly target: string | null }[] = [];
  #isFed = false;

  constructor(text: string) {
    this.#text = text;
  }

  commands(): readonly SimpleCommand[] {
    while (this.#at < this.#text.length && this.#found.length < MAX_COMMANDS) {
      const sign = this.#text[this.#at] ?? '';
      if (sign === ' ' || sign === '\t' || sign === '\r') this.#at++;
      else if (sign === '#') this.#skipLine();
      else if (sign === '<' || sign === '>') {
        if (!this.#redirect(sign)) break;
      } else if (sign === '&' && this.#text[this.#at + 1] === '>') {
        this.#at++;
        this.#redirect('>');
      } else if (ENDS_WORD.has(sign)) {
        this.#end();
        this.#at++;
        if (sign === '|') this.#pipe();
      } else this.#take(this.#word());
    }
    this.#end();
    return this.#found;
  }

  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at);
    this.#at = end === -1 ? this.#text.length : end;
  }

  /** A number right before `<` or `>` is the descriptor that is redirected. */
  #take(word: string | null): void {
    const next = this.#text[this.#at];
    if ((next === '>' || next === '<') && word !== null && /^[0-9]$/.test(word)) return;
    this.#words.push(word);
  }

  #end(): void {
    if (this.#words.length > 0 || this.#redirections.length > 0) {
      this.#found.push({ words: this.#words, redirections: this.#redirections, isFed: this.#isFed });
    }
    this.#words = [];
    this.#redirections = [];
    this.#isFed = false;
  }

  /** Behind `|` or `|&`; `||` is another sign. */
  #pipe(): void {
    const next = this.#text[this.#at];
    if (next === '|' || next === '&') this.#at++;
    this.#isFed = next !== '|';
  }

  /** @returns false for a here-document, whose text is no command */
  #redirect(sign: '<' | '>'): boolean {
    const isTwice = this.#text[this.#at + 1] === sign;
    this.#at += isTwice ? 2 : 1;
    if (sign === '<') this.#isFed = true;
    if (sign === '<' && isTwice) {
      this.#at = this.#text.length;
      return false;
    }
    const isOfDescriptor = this.#text[this.#at] === '&';
    while (/[&| \t]/.test(this.#text[this.#at] ?? '')) this.#at++;
    // `<(` is a command whose output is read; a descriptor is no file.
    if (this.#text[this.#at] === '(') return true;
    const target = this.#word();
    if (!isOfDescriptor || !/^[0-9-]$/.test(target ?? '')) this.#redirections.push({ writes: sign === '>', target });
    return true;
  }

  #word(): string | null {
    let word = '';
    let isPlain = true;
    for (;;) {
      const sign = this.#text[this.#at] ?? '';
      if (ENDS_WORD.has(sign)) break;
      this.#at++;
      if (sign === "'") word += this.#until("'");
      else if (sign === '"') {
        const quoted = this.#quoted();
        isPlain &&= quoted !== null;
        word += quoted ?? '';
      } else if (sign === '\\') word += this.#text[this.#at++] ?? '';
      else if (sign === '$' || sign === '`' || '*?[{'.includes(sign)) {
        isPlain = false;
        this.#skipExpansion(sign);
      } else word += sign;
    }
    return isPlain ? word : null;
  }

  #until(end: string): string {
    const to = this.#text.indexOf(end, this.#at);
    const part = this.#text.slice(this.#at, to === -1 ? undefined : to);
    this.#at = to === -1 ? this.#text.length : to + 1;
    return part;
  }

  /** What is between double quotes, in which a shell still expands. */
  #quoted(): string | null {
    let part = '';
    let isPlain = true;
    for (; this.#at < this.#text.length; this.#at++) {
      const sign = this.#text[this.#at] ?? '';
      if (sign === '"') break;
      if (sign === '$' || sign === '`') isPlain = false;
      else if (sign === '\\') {
        const next = this.#text[this.#at + 1] ?? '';
        if ('"\\$`\n'.includes(next)) this.#at++;
        part += next === '\n' ? '' : '"\\$`'.includes(next) ? next : sign;
      } else part += sign;
    }
    this.#at++;
    return isPlain ? part : null;
  }

  /** Skips a substitution with the words in it, which are not those of this command. */
  #skipExpansion(sign: string): void {
    if (sign === '`') this.#until('`');
    if (sign !== '$' || this.#text[this.#at] !== '(') return;
    let depth = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const each = this.#text[this.#at];
      if (each === '(') depth++;
      else if (each === ')' && --depth === 0) break;
    }
    this.#at++;
  }
}
