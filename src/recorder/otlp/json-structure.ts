const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** What parsing a JSON text would make. */
export interface JsonStructure {
  /** Objects, arrays and commas: about as many as there are values. */
  readonly values: number;
  readonly depth: number;
}

/**
 * Measures a JSON text before it is parsed: parsing makes hundreds of megabytes of 16 MiB of brackets. Linear in the length; says
 * nothing of whether the text is JSON.
 */
export function measureJson(utf8: Uint8Array): JsonStructure {
  let values = 0;
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let at = 0; at < utf8.length; at++) {
    const byte = utf8[at];
    if (quoted) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) quoted = false;
    } else if (byte === QUOTE) {
      quoted = true;
    } else if (byte === COMMA) {
      values++;
    } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) {
      values++;
      depth++;
      if (depth > deepest) deepest = depth;
    } else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) {
      depth--;
    }
  }
  return { values, depth: deepest };
}
