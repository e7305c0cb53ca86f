/** Runs tasks one after the other, in the order in which they came. A failure is its caller's and stops no later one. */
export class Serial {
  #last: Promise<unknown> = Promise.resolve();
  #open = 0;

  /** Whether nothing runs or waits. */
  get isIdle(): boolean {
    return this.#open === 0;
  }

  run<T>(task: () => T | Promise<T>): Promise<T> {
    this.#open += 1;
    const result = this.#last.then(task).finally(() => {
      this.#open -= 1;
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Kept once all that came so far is over, however it ended. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
