import { afterAll } from 'vitest';

const steps: (() => unknown)[] = [];

// Registered while the test file is collected: a hook that is set up within a running test would never be called.
afterAll(async () => {
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
}, 60_000);

/** Has something undone at the end of the test file, last things first; to be called anywhere, in a test too. */
export function atEnd(step: () => unknown): void {
  steps.push(step);
}
