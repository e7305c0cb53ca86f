/** What a text before the cursor leaves open: a name, a value, or a new term. */
export interface TypedSoFar {
  /** The field whose value is being typed; null where a term begins. */
  readonly field: string | null;
  readonly operator: string | null;
  /** The name that stands right before the cursor, blanks aside, where it may get an operator. */
  readonly name: string | null;
  /** What is typed of the piece at the cursor, without its quote. */
  readonly typed: string;
  readonly quoted: boolean;
  /** Whether a term stands before, so that `and` or `or` may follow. */
  readonly afterTerm: boolean;
  /** The piece at the cursor, to its end behind the cursor. */
  readonly from: number;
  readonly to: number;
}

const REGEX = /\/(?:[^\\/\s]|\\\S)+\/i?(?=\s|$)/y;
const QUOTED = /\*?"(?:[^"\\]|\\[\s\S])*("?)\*?/y;
const OPERATOR = /:|[=<>~!]+/y;
const NAME = /-?((?:[^\s()"=<>~:!]|"(?:[^"\\]|\\[\s\S])*")+)/y;
const VALUE = /[^\s()"]+/y;

interface Asked {
  readonly field: string;
  readonly operator: string;
}

/** Reads a query up to the cursor, more leniently than its parser: most of what is typed is not yet one. */
export function contextAt(text: string, at: number): TypedSoFar {
  const reading = new Reading(text.slice(0, at));
  reading.run();
  const rest = /^[^\s()"=<>~:!]*/.exec(text.slice(at))?.[0].length ?? 0;
  return { ...reading.result(), to: at + rest };
}

class Reading {
  readonly #text: string;
  /** What the groups that are open ask a value of: `field:(a or b`. */
  readonly #groups: (Asked | null)[] = [];
  #asked: Asked | null = null;
  #name: string | null = null;
  #piece: { from: number; typed: string; quoted: boolean } | null = null;
  #terms = 0;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  run(): void {
    while (this.#at < this.#text.length) this.#step();
  }

  result(): Omit<TypedSoFar, 'to'> {
    const { from, typed, quoted } = this.#piece ?? { from: this.#text.length, typed: '', quoted: false };
    const { field = null, operator = null } = this.#asked ?? this.#groups.at(-1) ?? {};
    const before = this.#terms - (this.#piece === null ? 0 : 1);
    return { field, operator, name: this.#name, typed, quoted, from, afterTerm: before > 0 };
  }

  #step(): void {
    if (this.#take(/\s+/y) !== undefined) {
      // A blank ends a value; after an operator it is only a blank.
      if (this.#piece !== null && this.#asked !== null) this.#asked = null;
      this.#piece = null;
    } else if (this.#take(/\(/y) !== undefined) {
      this.#groups.push(this.#asked ?? this.#groups.at(-1) ?? null);
      this.#reset(0);
    } else if (this.#take(/\)/y) !== undefined) {
      this.#groups.pop();
      this.#reset(1);
    } else this.#stepOfTerm();
  }

  #stepOfTerm(): void {
    const operator = this.#name === null ? undefined : this.#take(OPERATOR);
    if (operator !== undefined) {
      this.#asked = { field: this.#name ?? '', operator };
      this.#name = null;
      this.#piece = null;
      return;
    }
    const asksValue = this.#asked !== null || (this.#groups.at(-1) ?? null) !== null;
    const from = this.#at;
    const found = this.#take(REGEX) ?? this.#take(asksValue ? VALUE : NAME) ?? this.#take(QUOTED);
    if (found === undefined) this.#at++;
    else this.#add(from, found, asksValue);
  }

  #add(from: number, found: string, isValue: boolean): void {
    const quoted = /^\*?"/.test(found) && !/."\*?$/s.test(found);
    const isKeyword = /^(?:and|or|not)$/i.test(found) && this.#at < this.#text.length;
    const skipped = !isValue && found.startsWith('-') ? 1 : 0;
    this.#piece = { from: from + skipped, typed: found.slice(skipped).replace(/^\*?"/, '').replace(/"$/, ''), quoted };
    this.#name = isValue || isKeyword ? null : found.slice(skipped);
    if (isKeyword) this.#reset(0);
    else this.#terms++;
  }

  #reset(terms: number): void {
    this.#asked = null;
    this.#name = null;
    this.#piece = null;
    this.#terms = terms;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}
