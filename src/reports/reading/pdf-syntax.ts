/** Thrown where the bytes are not the PDF syntax that is read here; the caller says what that means. */
export class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem';
}

/** The values of PDF (ISO 32000-1 §7.3) that stand between a report's trailer and its attachment. */
export type PdfValue =
  | null
  | boolean
  | number
  | { readonly name: string }
  | { readonly bytes: Uint8Array }
  | { readonly ref: number }
  | { readonly items: readonly PdfValue[] }
  | PdfDictionary;

export interface PdfDictionary {
  readonly members: ReadonlyMap<string, PdfValue>;
}

/** Bytes as characters, each byte one (ISO 8859-1): how the structure of a PDF is written. */
export function latin1(bytes: Uint8Array, from = 0, to = bytes.length): string {
  let text = '';
  for (let at = from; at < Math.min(to, bytes.length); at++) text += String.fromCharCode(bytes[at] ?? 0);
  return text;
}

/** How deep arrays and dictionaries may nest: whoever sends a file chooses that. */
const MAX_DEPTH = 12;

const WHITE = new Set([0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]);
const DELIMITERS = new Set(Array.from('()<>[]{}/%', (character) => character.charCodeAt(0)));
const ESCAPES: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12, '(': 40, ')': 41, '\\': 92 };

/** Reads values from a piece of a file, from left to right, each byte once or twice. */
export class PdfReader {
  readonly #buffer: Uint8Array;
  at: number;

  constructor(buffer: Uint8Array, at = 0) {
    this.#buffer = buffer;
    this.at = at;
  }

  /** Goes over white space. Comments are not written between the objects read here. */
  skip(): void {
    while (WHITE.has(this.#buffer[this.at] ?? -1)) this.at++;
  }

  /** Takes a word that must come next. @throws SyntaxProblem */
  expect(word: string): void {
    this.skip();
    if (!this.#startsWith(word)) throw new SyntaxProblem(`expected ${word}`);
    this.at += word.length;
  }

  /** Whether a word comes next; takes it if so. */
  take(word: string): boolean {
    this.skip();
    if (!this.#startsWith(word)) return false;
    this.at += word.length;
    return true;
  }

  integer(): number {
    this.skip();
    const word = this.#word();
    if (!/^\d{1,12}$/.test(word)) throw new SyntaxProblem('expected an integer');
    return Number(word);
  }

  /** @throws SyntaxProblem */
  value(depth = 0): PdfValue {
    if (depth > MAX_DEPTH) throw new SyntaxProblem('nested too deep');
    this.skip();
    if (this.take('<<')) return this.#dictionary(depth);
    const byte = this.#buffer[this.at];
    if (byte === undefined) throw new SyntaxProblem('ends too early');
    if (byte === 0x5b) return this.#array(depth);
    if (byte === 0x28) return this.#string();
    if (byte === 0x3c) return this.#hexString();
    if (byte === 0x2f) return this.#name();
    return this.#numberOrWord();
  }

  #startsWith(word: string): boolean {
    return latin1(this.#buffer, this.at, this.at + word.length) === word;
  }

  #word(): string {
    const from = this.at;
    for (let byte = this.#buffer[this.at]; byte !== undefined; byte = this.#buffer[++this.at]) {
      if (WHITE.has(byte) || DELIMITERS.has(byte)) break;
      if (this.at - from > 200) throw new SyntaxProblem('a word is too long');
    }
    return latin1(this.#buffer, from, this.at);
  }

  #dictionary(depth: number): PdfDictionary {
    const members = new Map<string, PdfValue>();
    while (!this.take('>>')) {
      if (this.#buffer[this.at] !== 0x2f) throw new SyntaxProblem('expected a name');
      const { name } = this.#name();
      if (members.has(name)) throw new SyntaxProblem('a member stands twice');
      members.set(name, this.value(depth + 1));
    }
    return { members };
  }

  #array(depth: number): PdfValue {
    this.at++;
    const items: PdfValue[] = [];
    while (!this.take(']')) items.push(this.value(depth + 1));
    return { items };
  }

  #name(): { name: string } {
    this.at++;
    const word = this.#word();
    return {
      name: word.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    };
  }

  #hexString(): PdfValue {
    const end = this.#buffer.indexOf(0x3e, this.at);
    const digits = end === -1 ? '' : latin1(this.#buffer, this.at + 1, end);
    if (end === -1 || !/^([0-9a-fA-F]{2})*$/.test(digits)) throw new SyntaxProblem('not a string');
    this.at = end + 1;
    return { bytes: Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)) };
  }

  #string(): PdfValue {
    const bytes: number[] = [];
    let open = 1;
    for (this.at++; open > 0; this.at++) {
      let byte = this.#buffer[this.at];
      if (byte === undefined) throw new SyntaxProblem('a string has no end');
      if (byte === 0x5c) {
        const escaped = ESCAPES[String.fromCharCode(this.#buffer[++this.at] ?? 0)];
        if (escaped === undefined) throw new SyntaxProblem('an escape that reports do not use');
        bytes.push(escaped);
        continue;
      }
      if (byte === 0x28) open++;
      else if (byte === 0x29) open--;
      if (byte === 0x0d) byte = 0x0a;
      if (open > 0) bytes.push(byte);
    }
    return { bytes: Uint8Array.from(bytes) };
  }

  #numberOrWord(): PdfValue {
    const word = this.#word();
    if (word === 'null') return null;
    if (word === 'true' || word === 'false') return word === 'true';
    if (!/^[+-]?(\d{1,12}(\.\d{0,12})?|\.\d{1,12})$/.test(word)) throw new SyntaxProblem('not a value');
    if (/^\d+$/.test(word)) {
      // "12 0 R" refers to object 12.
      const after = this.at;
      this.skip();
      if (this.#word() === '0') {
        this.skip();
        if (this.#word() === 'R') return { ref: Number(word) };
      }
      this.at = after;
    }
    return Number(word);
  }
}

/** A member of a dictionary; undefined where there is none or the value is no dictionary. */
export function member(value: PdfValue | undefined, name: string): PdfValue | undefined {
  return typeof value === 'object' && value !== null && 'members' in value ? value.members.get(name) : undefined;
}
