/**
 * Of the recorder, what other programs and its own process begin with: where it keeps things, and starts that load the rest when they
 * are called.
 */
import type { startRecorderIfInstalled as startIfInstalled } from './compose/start-if-installed.ts';

export { recorderHome } from './base/home.ts';
export { RecordError } from './base/record-error.ts';
export { loadForEvents } from './compose/load-for-events.ts';
export type { RunningRecorder } from './compose/start.ts';
export { inheritedSocket } from './listen/inherited-socket.ts';

/** What the resident recorder consists of from its start. */
export const loadRecorder = (): Promise<typeof import('./compose/start.ts')> => import('./compose/start.ts');

export const startRecorderIfInstalled: typeof startIfInstalled = async (...given) =>
  (await import('./compose/start-if-installed.ts')).startRecorderIfInstalled(...given);
