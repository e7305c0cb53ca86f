import { createHash } from 'node:crypto';
import type { ExactJson } from '../../protocol/light.ts';
import { asArray, asText, canonicalText, type JsonObject } from './message.ts';

/** All tools of a server. */
export interface ToolList {
  readonly count: number;
  /** SHA-256 of the canonical definitions (RFC 8785), sorted as text, in one array: 64 lowercase hex digits. */
  readonly definitions_sha256: string;
}

/** A server may go on giving cursors for ever. */
const MOST_LISTINGS = 16;
const MOST_TOOLS = 10_000;

/** Gathers the pages of `tools/list`, and tells when what a server offers is not what it offered before. */
export class ToolLists {
  /** Definitions so far, by the cursor that the next page is asked for with. */
  readonly #begun = new Map<string, readonly ExactJson[]>();
  #last: string | null = null;

  /**
   * @param cursor with which the page was asked for
   * @returns the list once it is whole, and only where it differs from the one before
   */
  page(cursor: string | null, result: JsonObject): ToolList | null {
    const before = cursor === null ? [] : this.#begun.get(cursor);
    // Pages from before the proxy was there are not known.
    if (before === undefined) return null;
    if (cursor !== null) this.#begun.delete(cursor);
    const tools = [...before, ...asArray(result['tools'])];
    const next = asText(result['nextCursor']);
    if (next !== null && tools.length < MOST_TOOLS) {
      if (this.#begun.size >= MOST_LISTINGS) this.#begun.clear();
      this.#begun.set(next, tools);
      return null;
    }
    const list = { count: tools.length, definitions_sha256: digestOf(tools) };
    if (list.definitions_sha256 === this.#last) return null;
    this.#last = list.definitions_sha256;
    return list;
  }
}

/** The order in which a server lists its tools means nothing, and some change it from one answer to the next. */
function digestOf(tools: readonly ExactJson[]): string {
  const sorted = tools.map((tool) => canonicalText(tool)).sort();
  return createHash('sha256')
    .update(`[${sorted.join(',')}]`)
    .digest('hex');
}
