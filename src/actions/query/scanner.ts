import type { QueryError, QueryErrorCode, QueryNote } from './query.ts';

/** Ends parsing from within; `parseQuery` alone catches it. */
export class QueryProblem extends Error {
  readonly problem: QueryError;

  constructor(problem: QueryError) {
    super(problem.message);
    this.problem = problem;
  }
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', r: '\r', t: '\t' };

/** A place in the text of a query, and how its smallest pieces are read. */
export class Scanner {
  readonly text: string;
  readonly notes: QueryNote[] = [];
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get done(): boolean {
    return this.at >= this.text.length;
  }

  skipBlanks(): void {
    this.take(/\s*/y);
  }

  /** The text that a sticky expression matches here, without reading it; undefined if none. */
  ahead(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text)?.[0];
  }

  /** Reads what a sticky expression matches here. */
  take(pattern: RegExp): string | undefined {
    const found = this.ahead(pattern);
    if (found !== undefined) this.at += found.length;
    return found;
  }

  /**
   * Reads a text in quotes, with the escapes `\"`, `\\`, `\n`, `\r`, `\t` and `\uXXXX`.
   *
   * @param escapes false where a backslash is the text's own, but before a quote: in a regular expression
   */
  quoted(escapes = true): string {
    const start = this.at++;
    let read = '';
    for (;;) {
      read += this.take(/[^"\\]+/y) ?? '';
      if (this.done) {
        this.fail('UNCLOSED_QUOTE', 'The quote is not closed.', ['a closing "'], start, this.text.length);
      }
      if (this.take(/"/y) !== undefined) return read;
      read += escapes ? this.#escape() : this.#keptEscape();
    }
  }

  #escape(): string {
    const unicode = this.take(/\\u[0-9a-fA-F]{4}/y);
    if (unicode !== undefined) return String.fromCharCode(Number.parseInt(unicode.slice(2), 16));
    const escaped = ESCAPES[this.text[this.at + 1] ?? ''];
    if (escaped === undefined) {
      this.fail('BAD_VALUE', 'A backslash in quotes is written twice.', ['\\\\', '\\"', '\\n'], this.at, this.at + 1);
    }
    this.at += 2;
    return escaped;
  }

  #keptEscape(): string {
    const pair = this.text.slice(this.at, this.at + 2);
    this.at += pair.length;
    return pair === '\\"' ? '"' : pair;
  }

  fail(
    code: QueryErrorCode,
    message: string,
    expected: readonly string[],
    at: number = this.at,
    end: number = Math.max(at, this.at),
  ): never {
    throw new QueryProblem({ code, message, at, end, expected });
  }
}
