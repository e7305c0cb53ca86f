/** How far a start has come: Electron is ready, the service's code is loaded, the service listens. */
type Milestone = 'ready' | 'loaded' | 'listening';

const PREFIX = 'start: ';

/** Notes, as a mark among the process's own measurements, that a start has come so far. */
export function reached(milestone: Milestone): void {
  performance.mark(PREFIX + milestone);
}

/** Milliseconds from the beginning of the process to what was reached, for the log: where a slow start takes its time. */
export function milestones(): Readonly<Record<string, number>> {
  const marks = performance.getEntriesByType('mark').filter(({ name }) => name.startsWith(PREFIX));
  return Object.fromEntries(marks.map(({ name, startTime }) => [name.slice(PREFIX.length), Math.round(startTime)]));
}
