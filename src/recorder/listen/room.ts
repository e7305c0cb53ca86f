interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/** How much is worked on at once, by weight: whoever finds no room waits, in the order in which they came. */
export class Room {
  readonly #most: number;
  #taken = 0;
  readonly #waiting: Waiting[] = [];

  /** @param most bytes of all tasks that run at once; a task that is heavier than this runs alone */
  constructor(most: number) {
    this.#most = most;
  }

  /** @throws what `task` throws */
  async with<T>(bytes: number, task: () => Promise<T>): Promise<T> {
    if (this.#waiting.length > 0 || !this.#fits(bytes)) {
      await new Promise<void>((resolve) => {
        this.#waiting.push({ bytes, begin: resolve });
      });
    } else this.#taken += bytes;
    try {
      return await task();
    } finally {
      this.#taken -= bytes;
      this.#letIn();
    }
  }

  #fits(bytes: number): boolean {
    return this.#taken === 0 || this.#taken + bytes <= this.#most;
  }

  #letIn(): void {
    for (let next = this.#waiting[0]; next !== undefined && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#taken += next.bytes;
      next.begin();
    }
  }
}
