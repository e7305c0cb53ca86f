const steps: (() => unknown)[] = [];

/** Has something undone at the end of the test file, last things first; to be called anywhere, in a test too. */
export function atEnd(step: () => unknown): void {
  steps.push(step);
}

/** Undoes what a test file left; undo-at-end.ts calls it after each. */
export async function undoAll(): Promise<void> {
  const errors: unknown[] = [];
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    try {
      await step();
    } catch (error) {
      // The steps that remain must be done all the same: nothing is to stay behind.
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'a test left something that could not be undone');
}
