import type { BundleSource } from '../bundle/document.ts';
import { BYTE_ORDER_MARK } from '../bytes.ts';

const RETURN = 0x0d;

/**
 * What a file has around all that is signed, put there by programs that save it again: a byte order mark at its beginning,
 * and carriage returns, which in JSON are white space wherever they stand (protocol F2). Seen as the file is read.
 */
export class Surroundings {
  readonly #source: BundleSource;
  #hasMark = false;
  #hasReturns = false;

  constructor(source: BundleSource) {
    this.#source = source;
  }

  readonly source: BundleSource = () => this.#read();

  async *#read(): AsyncGenerator<Uint8Array> {
    let marked = 0;
    let isFirst = true;
    for await (const chunk of this.#source()) {
      for (let at = 0; isFirst && at < chunk.length; at++) {
        isFirst = chunk[at] === BYTE_ORDER_MARK[marked] && ++marked < BYTE_ORDER_MARK.length;
      }
      this.#hasMark ||= marked === BYTE_ORDER_MARK.length;
      this.#hasReturns ||= chunk.includes(RETURN);
      yield chunk;
    }
  }

  /** The report, whose summary names what was seen. */
  named<T extends { readonly summary: string }>(report: T): T {
    const seen = [...(this.#hasMark ? ['a byte order mark'] : []), ...(this.#hasReturns ? ['carriage returns'] : [])];
    if (seen.length === 0) return report;
    const summary = `${report.summary} Around what is signed the file has ${seen.join(' and ')}, as programs add them that save a file again.`;
    return { ...report, summary };
  }
}
