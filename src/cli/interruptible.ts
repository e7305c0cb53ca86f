/** A long task was ended by Ctrl-C, or by the system's wish that the process end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  constructor() {
    super('interrupted: nothing is known of what was not verified yet');
  }
}

/**
 * Runs a task that a first SIGINT or SIGTERM ends by its signal, so that it can tidy up; a second one ends the process.
 * @throws what the task throws, which after a signal is Interrupted
 */
export async function interruptible<T>(task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => {
    release();
    controller.abort(new Interrupted());
  };
  const release = (): void => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    return await task(controller.signal);
  } finally {
    release();
  }
}
