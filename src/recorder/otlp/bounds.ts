import { RecordError } from '../base/record-error.ts';

/** Spans, or log records, of one request: exporters send 512 at a time unless told otherwise. */
const MAX_ITEMS = 20_000;

/** Attributes, elements of lists, events, resources and scopes of one request, all together. */
const MAX_VALUES = 200_000;

/** How deep the value of an attribute may nest. */
const MAX_VALUE_DEPTH = 64;

/** Counts what is read of one request, so that a small body cannot become a large heap. */
export class Bounds {
  #items = 0;
  #values = 0;

  /** @throws RecordError EVENT_TOO_LARGE */
  addItem(): void {
    this.#items++;
    if (this.#items > MAX_ITEMS) {
      throw new RecordError('EVENT_TOO_LARGE', `A request may have at most ${MAX_ITEMS} spans or log records.`);
    }
  }

  /** @throws RecordError EVENT_TOO_LARGE */
  addValue(): void {
    this.#values++;
    if (this.#values > MAX_VALUES) {
      throw new RecordError('EVENT_TOO_LARGE', `A request may have at most ${MAX_VALUES} attributes and other values.`);
    }
  }
}

/**
 * @param depth of a value, 0 for an attribute's
 * @throws RecordError EVENT_INVALID
 */
export function checkDepth(depth: number): void {
  if (depth > MAX_VALUE_DEPTH) {
    throw new RecordError('EVENT_INVALID', `An attribute's value nests deeper than ${MAX_VALUE_DEPTH} levels.`);
  }
}
