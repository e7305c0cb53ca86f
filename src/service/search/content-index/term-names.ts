import type { Leaf } from '../../../actions/index.ts';
import { KIND } from './postings.ts';

/** Longer texts stand in the index as digests only, in UTF-16 units. */
const LONGEST_TEXT = 48;

/** Forms of exact values. */
const FORM = { text: 's', digest: 'h', number: 'n', boolean: 'b', null: 'l' } as const;

/**
 * The names of terms. Digests are keyed with a number of the index's own, so that nobody can make two texts that have the
 * same.
 */
export class TermNames {
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** A digest of a text in 53 bits, never 0. */
  digest(text: string, salt = 0): number {
    let a = 0xdeadbeef ^ this.#seed ^ salt;
    let b = 0x41c6ce57 ^ Math.imul(this.#seed, 0x9e3779b1) ^ salt;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      a = Math.imul(a ^ unit, 0x85ebca6b);
      b = Math.imul(b ^ unit, 0xc2b2ae35);
      a = (a << 13) | (a >>> 19);
      b = (b << 17) | (b >>> 15);
    }
    a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
    b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
    return 4294967296 * (b & 0x1fffff) + (a >>> 0) || 1;
  }

  /** A path as terms have it. */
  path(path: readonly string[]): string {
    return JSON.stringify(path);
  }

  /** The path of a term. */
  pathOf(term: string): readonly string[] {
    return JSON.parse(term.slice(1)) as readonly string[];
  }

  #text(text: string): string {
    if (text.length <= LONGEST_TEXT) return FORM.text + text;
    return `${FORM.digest}${this.digest(text).toString(36)}.${this.digest(text, 0x5bd1e995).toString(36)}`;
  }

  /** What the term of an exact value has behind its kind. @param path as `path` gives it */
  value(path: string, value: Leaf['value']): string {
    if (typeof value === 'string') return path + this.#text(value);
    if (typeof value === 'number') return path + FORM.number + String(value);
    return value === null ? path + FORM.null : path + FORM.boolean + String(value);
  }

  /** The same for a value of one of the record's own fields. */
  fieldValue(name: string, text: string): string {
    return `${name}:${this.#text(text)}`;
  }

  /** What terms of exact values under a path begin with. */
  valuesOf(path: string): string {
    return KIND.value + path;
  }

  /** What terms of texts under a path begin with. */
  textsOf(path: string): string {
    return KIND.value + path + FORM.text;
  }

  valuesOfField(name: string): string {
    return `${KIND.value}${name}:`;
  }

  /** Whether a value is a text, from what its term has behind the path. */
  isText(form: string): boolean {
    return form.startsWith(FORM.text) || form.startsWith(FORM.digest);
  }

  /** The text of a value from what its term has behind the path; null where only a digest is there. */
  textOf(form: string): string | null {
    if (form.startsWith(FORM.digest)) return null;
    return form.startsWith(FORM.null) ? 'null' : form.slice(1);
  }
}
