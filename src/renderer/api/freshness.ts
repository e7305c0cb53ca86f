import { type AnswerOf, type LedgerQuestion, type NameInCase, nameInCase, type RouteName } from '../../api/index.ts';
import type { Case } from './answers.ts';
import { CallFailed } from './call.ts';

/* How long answers count as fresh, and what is asked again by itself, by route. What a single screen wants otherwise it says itself. */

const NEVER = Number.POSITIVE_INFINITY;

/** What holds for questions whichever ledger they are asked of, by the routes of both. */
function ofBoth<N extends LedgerQuestion, T>(
  questions: { readonly [M in N]: T },
): { readonly [M in N | NameInCase<N>]: T } {
  const named = Object.entries(questions) as [N, T][];
  const routes = named.flatMap(([name, held]) => [name, nameInCase(name)].map((route) => [route, held]));
  return Object.fromEntries(routes) as { readonly [M in N | NameInCase<N>]: T };
}

/** For how long an answer is not asked for again by who comes back to it, in ms, where it is not the page's usual time (query-client.ts). */
export const FRESH_MS: { readonly [N in RouteName]?: number } = {
  session: 60_000,
  organization: 60_000,
  workstation: 60_000,
  setUpState: 60_000,
  signInProviders: NEVER,
  about: NEVER,
  // What is sealed never changes, nor what a file says.
  ...ofBoth({ jwks: 60_000, names: 30_000, getEpoch: NEVER }),
  caseRecordText: NEVER,
  // Each verification is kept apart (asOfVerification).
  caseReport: NEVER,
  caseCoherence: NEVER,
};

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

/** Whether runs of an archive were accepted that are not searchable yet. */
function isGrowing(archive: Case['archive']): boolean {
  return archive !== null && (archive.waiting > 0 || archive.indexed_to < archive.records);
}

/** Whether something is being done to a case that continues by itself: an item that is being verified may contradict the file. */
export function isBusy({ state, verifying, checking_items, reading_items, origin, archive }: Case): boolean {
  const isReproducing = state === 'ready' && origin !== null && origin.reproduced === null;
  return state === 'importing' || verifying || checking_items || reading_items || isReproducing || isGrowing(archive);
}

type Polled = { readonly [N in RouteName]?: (answer: AnswerOf<N> | undefined) => number | false };

/** How often a single answer is asked for again by itself, in ms. */
export const POLLED: Polled = {
  ledgerSummary: () => 5_000,
  waitingDecisions: () => 5_000,
  listRefusals: () => 15_000,
  deepHealth: (answer) => (answer?.node === undefined ? 30_000 : 5_000),
  health: (answer) => answer?.node !== undefined && 5_000,
  getClock: () => 30_000,
  ledgerVerification: (answer) => (answer?.status === 'running' ? 500 : 30_000),
  listWitnesses: () => 10_000,
  listSweeps: (answer) => (answer?.sweeps[0]?.status === 'running' ? 500 : 30_000),
  listBackups: (answer) => (answer?.job?.status === 'running' ? 500 : 30_000),
  getExport: (answer) => answer?.status === 'processing' && 1_000,
  getCase: (answer) => answer !== undefined && (isBusy(answer) ? 400 : answer.archive !== null && 15_000),
  getComparison: (answer) => answer?.status === 'processing' && 400,
  listItems: (answer) => (answer?.checking ?? 0) > 0 && 800,
};

/** What every page says that is read out of payloads. */
interface Covered {
  readonly coverage: { readonly pending: number; readonly complete: boolean };
}

/** Asks again while an answer lacks records that the service is about to read. */
const whileReading = (pages: readonly Covered[]): number | false => (pages.at(-1)?.coverage.pending ?? 0) > 0 && 1_500;

/** The same where the next question continues what the time of this one ended. */
const whileReadingOn = (pages: readonly Covered[]): number | false =>
  pages.at(-1)?.coverage.complete === false ? 1_500 : whileReading(pages);

type PolledPages = { readonly [N in RouteName]?: (pages: readonly AnswerOf<N>[]) => number | false };

/** The same of lists that grow by pages. */
export const POLLED_PAGES: PolledPages = {
  listExports: (pages) => pages.some(({ data }) => data.some(({ status }) => status === 'processing')) && 1_000,
  listCases: (pages) => pages.some(({ data }) => data.some(isBusy)) && 800,
  listDeliveries: (pages) =>
    pages.some(({ data }) => data.some(({ status }) => status === 'pending')) ? 2_000 : 5_000,
  // By itself only while no more than the first page is shown.
  listRefusals: (pages) => pages.length === 1 && 15_000,
  // The browser fetches a saved report by itself, and others may work on the case as well.
  custody: () => 5_000,
  ...ofBoth({
    actions: whileReading,
    sessions: whileReading,
    sessionSteps: whileReading,
    entities: whileReading,
    entityTouches: whileReading,
    whatLeft: whileReadingOn,
  }),
};
