/** A pause that can be ended early. */
export class Pause {
  #end: (() => void) | null = null;

  start(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.end(), ms);
      this.#end = () => {
        clearTimeout(timer);
        this.#end = null;
        resolve();
      };
    });
  }

  /** Ends the pause that lasts, if one does. */
  end(): void {
    this.#end?.();
  }
}
