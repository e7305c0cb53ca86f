import { CallFailed } from './call.ts';

/** While the newest answer is a failure that may pass, a query is asked again no more often than this, in ms. */
const FAILING_MS = 30_000;

/** Failures that asking again does not mend: somebody has to sign in, be given a role, or make what is asked for. */
function isFinal(error: Error): boolean {
  return error instanceof CallFailed && ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'].includes(error.code);
}

/**
 * How often a query is asked again by itself, which every query that is says by this: less often after a failure, and not
 * at all where asking again does not help.
 * @param wanted milliseconds for as long as it is answered; false for not at all
 */
export function pace({ error }: { readonly error: Error | null }, wanted: number | false): number | false {
  if (wanted === false || error === null) return wanted;
  return isFinal(error) ? false : Math.max(wanted, FAILING_MS);
}
