import { openedJson } from '../../actions/tools/index.ts';
import { type ExactJson, utf8 } from '../../protocol/light.ts';
import { measureJson } from './json-structure.ts';

/** Values that the texts of one request may be parsed to, all together. */
const MAX_VALUES = 300_000;
const MAX_DEPTH = 64;

/** Parses JSON that is sent as the text of an attribute. One for each request, so that many texts cannot fill the heap. */
export class EmbeddedJson {
  #left = MAX_VALUES;

  /** The object or array that a text spells; any other value, and a text that spells neither, as it is. */
  parse(value: ExactJson): ExactJson {
    if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
    const { values, depth } = measureJson(utf8(value));
    if (values > this.#left || depth > MAX_DEPTH) return value;
    this.#left -= values;
    return openedJson(value);
  }
}
