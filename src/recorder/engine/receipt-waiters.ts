/** Those who wait until a record of an agent is acknowledged. */
export class ReceiptWaiters {
  readonly #waiters = new Set<{ readonly seq: number; readonly settle: (reason: string | null) => void }>();

  /** @returns null once the record at this place is acknowledged, else why it is not */
  wait(seq: number, timeoutMs: number): Promise<string | null> {
    return new Promise((resolve) => {
      const waiter = {
        seq,
        settle: (reason: string | null) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          resolve(reason);
        },
      };
      const late = `the service has not acknowledged the record within ${timeoutMs} ms`;
      const timer = setTimeout(() => waiter.settle(late), timeoutMs);
      this.#waiters.add(waiter);
    });
  }

  get isAwaited(): boolean {
    return this.#waiters.size > 0;
  }

  acknowledged(throughSeq: number): void {
    for (const waiter of [...this.#waiters]) if (waiter.seq <= throughSeq) waiter.settle(null);
  }

  /** Nothing more is acknowledged for now. */
  stopped(reason: string): void {
    for (const waiter of [...this.#waiters]) waiter.settle(reason);
  }
}
