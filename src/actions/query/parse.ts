import { MAX_QUERY_DEPTH, MAX_QUERY_LENGTH, MAX_QUERY_TERMS } from './limits.ts';
import { type Field, joined, type Parsed, type ParseOptions, type Query, type QueryNote } from './query.ts';
import { QueryProblem, Scanner } from './scanner.ts';
import { EXAMPLES, readFieldTerm, readTerm, readWords } from './terms.ts';

const OR = /or(?=[\s()"]|$)/iy;
const AND = /and(?=[\s()"]|$)/iy;
const NOT = /not(?=[\s()"]|$)|-(?=\S)/iy;
const GROUP = /\(/y;
const IN_SESSION = /insession(?=\s*\()/iy;

/** Reads a query. Whatever the text is, it is read or refused with a reason, and nothing is thrown. */
export function parseQuery(text: string, options: ParseOptions): Parsed {
  try {
    const parser = new Parser(text, options);
    const query = parser.query();
    return { ok: true, query, ...(parser.notes.length > 0 ? { notes: parser.notes } : {}) };
  } catch (error) {
    if (error instanceof QueryProblem) return { ok: false, errors: [error.problem] };
    throw error;
  }
}

class Parser {
  readonly #scanner: Scanner;
  readonly #options: ParseOptions;
  #terms = 0;

  constructor(text: string, options: ParseOptions) {
    this.#scanner = new Scanner(text);
    this.#options = options;
  }

  /** Of what was read so far. */
  get notes(): readonly QueryNote[] {
    return this.#scanner.notes;
  }

  query(): Query {
    const scanner = this.#scanner;
    const { length } = scanner.text;
    if (length > MAX_QUERY_LENGTH) {
      const most = `at most ${MAX_QUERY_LENGTH} characters`;
      scanner.fail('TOO_LONG', 'The query is too long.', [most], MAX_QUERY_LENGTH, length);
    }
    scanner.skipBlanks();
    if (scanner.done) return { kind: 'all' };
    const query = this.#or(null, 0);
    if (!scanner.done)
      scanner.fail('UNEXPECTED_CHARACTER', 'No ( is open here.', ['a term'], scanner.at, scanner.at + 1);
    return query;
  }

  /** @param field what all terms of a group are of: `field:(a or b)` */
  #or(field: Field | null, depth: number): Query {
    const parts = [this.#and(field, depth)];
    while (this.#scanner.take(OR) !== undefined) parts.push(this.#and(field, depth));
    return joined('or', parts);
  }

  #and(field: Field | null, depth: number): Query {
    const scanner = this.#scanner;
    const parts = [this.#not(field, depth)];
    for (;;) {
      scanner.skipBlanks();
      if (scanner.done || scanner.ahead(/\)/y) !== undefined || scanner.ahead(OR) !== undefined) break;
      scanner.take(AND);
      parts.push(this.#not(field, depth));
    }
    return joined('and', parts);
  }

  #not(field: Field | null, depth: number): Query {
    const scanner = this.#scanner;
    scanner.skipBlanks();
    const at = scanner.at;
    if (scanner.take(NOT) === undefined) return this.#atom(field, depth);
    this.#checkDepth(depth + 1, at);
    return { kind: 'not', part: this.#not(field, depth + 1) };
  }

  #atom(field: Field | null, depth: number): Query {
    const scanner = this.#scanner;
    if (scanner.ahead(GROUP) !== undefined) return this.#group(field, depth);
    this.#refuseNoTerm();
    const at = scanner.at;
    if (field === null && scanner.take(IN_SESSION) !== undefined) return this.#inSession(depth);
    const query = field === null ? this.#term(depth) : readWords(scanner, field);
    this.#count(query, at);
    return query;
  }

  #term(depth: number): Query {
    const read = readTerm(this.#scanner);
    if ('kind' in read) return read;
    const { field, operator } = read;
    if (operator === ':' && this.#scanner.ahead(GROUP) !== undefined) return this.#group(field, depth);
    return readFieldTerm(this.#scanner, field, operator, this.#options);
  }

  #inSession(depth: number): Query {
    this.#scanner.skipBlanks();
    return { kind: 'session', part: this.#group(null, depth) };
  }

  #group(field: Field | null, depth: number): Query {
    const scanner = this.#scanner;
    const at = scanner.at;
    this.#checkDepth(depth + 1, at);
    scanner.at++;
    const query = this.#or(field, depth + 1);
    if (scanner.take(/\)/y) === undefined) scanner.fail('UNCLOSED_GROUP', 'The ( is not closed.', [')'], at, at + 1);
    return query;
  }

  #refuseNoTerm(): void {
    const scanner = this.#scanner;
    if (scanner.done) scanner.fail('UNEXPECTED_END', 'A term is missing at the end.', EXAMPLES);
    const found = scanner.ahead(/\)/y) ?? scanner.ahead(OR) ?? scanner.ahead(AND);
    if (found === undefined) return;
    const message = `A term is missing before “${found}”; the word itself is put in quotes.`;
    const plain = found === ')' ? 'A term is missing before this ).' : message;
    scanner.fail('UNEXPECTED_CHARACTER', plain, EXAMPLES, scanner.at, scanner.at + found.length);
  }

  #checkDepth(depth: number, at: number): void {
    const most = [`at most ${MAX_QUERY_DEPTH} levels of ( ) and not`];
    if (depth > MAX_QUERY_DEPTH) this.#scanner.fail('TOO_DEEP', 'The query is nested too deeply.', most, at, at + 1);
  }

  /** Counts what was read at once: one term, or the two ends of a span of time. */
  #count(query: Query, at: number): void {
    // A group has counted its own terms.
    if (query.kind === 'not' || query.kind === 'or') return;
    this.#terms += query.kind === 'and' ? 2 : 1;
    const most = [`at most ${MAX_QUERY_TERMS} terms`];
    if (this.#terms > MAX_QUERY_TERMS) this.#scanner.fail('TOO_MANY_TERMS', 'The query has too many terms.', most, at);
  }
}
