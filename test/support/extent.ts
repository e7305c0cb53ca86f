import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** What a nightly run draws by; null in the gate, where every test has a seed that stays. */
    readonly nightlySeed: number | null;
  }
}

const nightlySeed = inject('nightlySeed');

/** Whether this run tries everything (`npm run test:nightly`), and not what the gate of a change tries. */
export const IS_NIGHTLY = nightlySeed !== null;

/** One of so many cases is tried where trying all takes long. */
export const ONE_OF = IS_NIGHTLY ? 1 : 5;

/** How many of so many cases, kills, damages or rows a test makes: all of them nightly, a fifth in the gate. */
export function share(all: number): number {
  return Math.ceil(all / ONE_OF);
}

/** The seed of a test that draws: its own in the gate, so that what failed fails again; the run's, which is printed, nightly. */
export function seedOf(usual: number): number {
  return nightlySeed ?? usual;
}

/** How often fast-check tries a property, and what it draws by; its own count of 100 without a number. */
export function runs(all = 100): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: share(all), seed: seedOf(2026) };
}
