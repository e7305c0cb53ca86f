/**
 * Of the interface, names and numbers, and what is loaded when it is called: no schema is built for a thread, a window or the published
 * library.
 */

export type { RunRefusalCode } from './archive.ts';
export { ERROR_STATUS, type ErrorCode } from './errors/index.ts';
export { LIMITS } from './limits.ts';
export { PAGE_SECRET } from './page.ts';
export { isExperimental, OTHER_FEEDS, PROGRAM_IDS, PROGRAMS, type ProgramId } from './programs.ts';
export { isScreenPath, NAV_SCREENS } from './screens.ts';

/** The bodies that a thread reads, of all schemas. */
export const loadSubmitBodies = (): Promise<typeof import('./submit-bodies.ts')> => import('./submit-bodies.ts');

/** Why runs of an archive are refused, in words. */
export const loadRunRefusals = (): Promise<typeof import('./run-refusals.ts')> => import('./run-refusals.ts');
