import { type ExactJson, ExactNumber } from '../../protocol/light.ts';
import type { Attributes } from './model.ts';

/** Instrumentations cut texts at such lengths, and some say so by what the text ends in. */
function isCut(text: string): boolean {
  return (
    text.length >= 256 && (/(?:\.\.\.|…)$/.test(text) || [256, 512, 1_000, 1_024, 2_048, 4_096].includes(text.length))
  );
}

/** Reads attributes by the names that they go by, and knows which were not asked for. */
export class AttributeReader {
  readonly #attributes: Attributes;
  readonly #read = new Set<string>();

  constructor(attributes: Attributes) {
    this.#attributes = attributes;
  }

  /** The value of the first name that is there. Others with the same value say the same, and count as read too. */
  first(names: readonly string[]): ExactJson | undefined {
    const value = names.map((name) => this.#attributes.get(name)).find((each) => each !== undefined && each !== '');
    for (const name of names) {
      const other = this.#attributes.get(name);
      if (other === value || other === '') this.#read.add(name);
    }
    return value;
  }

  /**
   * The value of the first name that is there, but for a text that its sender cut, where another name has more.
   */
  whole(names: readonly string[]): ExactJson | undefined {
    const first = this.first(names);
    if (typeof first !== 'string' || !isCut(first)) return first;
    const texts = names.map((name) => this.#attributes.get(name)).filter((value) => typeof value === 'string');
    const longest = texts.reduce((longer, text) => (text.length > longer.length ? text : longer), first);
    for (const name of names) if (this.#attributes.get(name) === longest) this.#read.add(name);
    return longest;
  }

  /** A name, of any length; numbers and the like as texts. */
  name(names: readonly string[]): string | null {
    const value = this.first(names);
    const isName = value instanceof ExactNumber || (value !== undefined && typeof value !== 'object');
    return isName ? String(value) : null;
  }

  /** A number that is given as one or as a text; undefined where it is neither. */
  number(names: readonly string[]): number | undefined {
    const value = this.first(names);
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
  }

  /** True or false, also as a text. */
  flag(names: readonly string[]): boolean | undefined {
    const value = this.first(names);
    if (typeof value === 'boolean') return value;
    return value === 'true' ? true : value === 'false' ? false : undefined;
  }

  /** What no name asked for. */
  *rest(): Generator<[string, ExactJson]> {
    for (const entry of this.#attributes) if (!this.#read.has(entry[0])) yield entry;
  }
}
