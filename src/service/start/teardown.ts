/** Undoes, last first, whatever a start got done; a failing step does not keep the others from being undone. */
export class Teardown {
  readonly #steps: (() => void | Promise<void>)[] = [];
  #running: Promise<void> | null = null;

  add(step: () => void | Promise<void>): void {
    this.#steps.unshift(step);
  }

  /** @throws AggregateError of all that failed, once every step was tried */
  run(): Promise<void> {
    this.#running ??= this.#undo();
    return this.#running;
  }

  async #undo(): Promise<void> {
    const errors: unknown[] = [];
    for (const step of this.#steps) {
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'the service did not stop cleanly');
  }
}
