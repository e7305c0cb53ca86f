import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { PDFDocument } from './pdfkit.ts';

/**
 * Takes what a document makes to where it is written. pdfkit continues without asking whether anybody keeps up, so its
 * maker has to breathe now and then.
 */
export class Output {
  readonly #out: Writable;
  #full = false;
  #failure: unknown;
  #wake: () => void = () => {};

  /** To be made before anything else is done, so that no failure of the output goes unnoticed. */
  constructor(out: Writable) {
    this.#out = out;
    out.on('error', (error) => {
      this.#failure ??= error;
    });
    for (const event of ['drain', 'close', 'error']) out.on(event, () => this.#wake());
  }

  take(document: PDFDocument): void {
    document.on('data', (chunk: Uint8Array) => {
      if (this.#failure === undefined && !this.#out.destroyed) this.#full = !this.#out.write(chunk);
    });
  }

  /** Lets others run, and waits until what was made so far is written. @throws what the output failed with */
  readonly breathe = async (): Promise<void> => {
    await turn();
    this.#check();
    if (!this.#full) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (!this.#out.writableNeedDrain) resolve();
    });
    this.#full = false;
    this.#check();
  };

  /** Ends the document, waits until all of it is written, and ends the output. */
  async finish(document: PDFDocument): Promise<void> {
    const ended = once(document, 'end');
    document.end();
    await ended;
    this.#check();
    this.#out.end();
    await finished(this.#out);
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#out.destroyed) throw new Error('the output of the report was closed before its end');
  }
}
