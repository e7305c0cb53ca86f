import { createScanner, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { Json } from '../../../protocol/light.ts';

/** The text is not of the form that is needed; the message continues after the name of the file. */
export class TextUnusable extends Error {
  override readonly name = 'TextUnusable';
}

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * JSON with comments that is edited at single places: not a byte of what is not added or removed changes. What was added last and is
 * removed again leaves the text as it was.
 */
export class JsonText {
  #text: string;
  #root: Node;
  readonly #mark: string;
  readonly #indent: string;
  readonly #eol: string;

  /** @throws TextUnusable where it does not parse, or is something else than an object */
  constructor(text: string) {
    this.#mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
    const rest = text.slice(this.#mark.length);
    this.#text = rest.trim() === '' ? `{}${rest}` : rest;
    this.#indent = /\n([ \t]+)\S/.exec(rest)?.[1] ?? '  ';
    this.#eol = rest.includes('\r\n') ? '\r\n' : '\n';
    this.#root = parse(this.#text);
  }

  toString(): string {
    return this.#mark + this.#text;
  }

  /** What the text says. */
  get value(): { readonly [member: string]: Json } {
    // The parser's own objects have no prototype, and equal no others.
    return JSON.parse(JSON.stringify(getNodeValue(this.#root)));
  }

  /** Nodes are those of the text as it is: after an edit, ask again. */
  get root(): Node {
    return this.#root;
  }

  /** The value of a member; undefined where there is none. @throws TextUnusable where it stands there twice */
  member(of: Node, name: string): Node | undefined {
    const found = (of.children ?? []).filter(({ children }) => children?.[0]?.value === name);
    // Programs read the last of them, and an edit would change one.
    if (found.length > 1) throw new TextUnusable(`has the member "${name}" more than once`);
    return found[0]?.children?.[1];
  }

  /** Adds a member behind all others of an object. */
  addMember(to: Node, name: string, value: Json): void {
    this.#insert(to, `${JSON.stringify(name)}: `, value);
  }

  /** Adds an element behind all others of a list. */
  append(to: Node, value: Json): void {
    this.#insert(to, '', value);
  }

  removeMember(from: Node, name: string): void {
    const at = (from.children ?? []).findIndex(({ children }) => children?.[0]?.value === name);
    this.removeAt(from, at);
  }

  /** Removes a member or an element, with the comma that it leaves over. */
  removeAt(from: Node, at: number): void {
    const [child, previous] = [from.children?.[at], from.children?.[at - 1]];
    if (child === undefined) return;
    const start = this.#text.slice(0, child.offset).trimEnd().length;
    const comma = this.#commaAfter(child);
    const before = comma === null && previous !== undefined ? this.#commaAfter(previous) : null;
    const head = before === null ? this.#text.slice(0, start) : without(this.#text.slice(0, start), before);
    this.#change(head + this.#text.slice(comma === null ? endOf(child) : comma + 1));
  }

  #insert(to: Node, label: string, value: Json): void {
    const text = this.#text;
    const last = to.children?.at(-1);
    const body = text.slice(to.offset + 1, endOf(to) - 1);
    const end = to.offset + 1 + body.trimEnd().length;
    const outer = indentAt(text, to.offset);
    const inner = outer + this.#indent;
    const isInline = last !== undefined && !body.includes('\n');
    const item = isInline
      ? ` ${label}${JSON.stringify(value)}`
      : `${this.#eol}${inner}${label}${JSON.stringify(value, null, this.#indent).replaceAll('\n', this.#eol + inner)}`;
    const hasComma = last !== undefined && this.#commaAfter(last) !== null;
    const closing = isInline || body.slice(body.trimEnd().length).includes('\n') ? '' : this.#eol + outer;
    const split = last === undefined || hasComma ? end : endOf(last);
    const comma = last === undefined || hasComma ? '' : ',';
    const tail = hasComma ? ',' : '';
    this.#change(text.slice(0, split) + comma + text.slice(split, end) + item + tail + closing + text.slice(end));
  }

  /** Where the comma behind a node stands; null where there is none. */
  #commaAfter(node: Node): number | null {
    const scanner = createScanner(this.#text, true);
    scanner.setPosition(endOf(node));
    scanner.scan();
    const at = scanner.getTokenOffset();
    return this.#text[at] === ',' ? at : null;
  }

  #change(text: string): void {
    this.#root = parse(text);
    this.#text = text;
  }
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function without(text: string, at: number): string {
  return text.slice(0, at) + text.slice(at + 1);
}

/** What the line begins with in which something stands. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function parse(text: string): Node {
  const errors: ParseError[] = [];
  const root = parsed(text, errors);
  const [first] = errors;
  if (first !== undefined) {
    throw new TextUnusable(`is not JSON: ${printParseErrorCode(first.error)} ${placeOf(text, first.offset)}`);
  }
  if (root?.type !== 'object') throw new TextUnusable('is not a JSON object');
  return root;
}

function parsed(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  } catch (error) {
    // The parser calls itself for every level.
    if (error instanceof RangeError) throw new TextUnusable('is nested too deeply', { cause: error });
    throw error;
  }
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
}
