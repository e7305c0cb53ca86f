// Vitest runs this once before all files, and before its workers start, which have its environment.
import { beginTestRun, isWithinRun } from '../../scripts/support/test-run.ts';

/** Begins a run of these tests' own, unless scripts/test.ts has begun one around them. */
export function setup(): void {
  if (!isWithinRun()) Object.assign(process.env, beginTestRun().environment);
}
