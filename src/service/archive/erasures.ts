import {
  type AdminEvent,
  type BundleSource,
  isInRuns,
  isShownWhole,
  mergeRuns,
  type NumberRun,
  parseRuns,
  RunBuilder,
  readContents,
  runsText,
} from '../../protocol/index.ts';
import type { Store } from '../store/open.ts';

/** What takes payloads of some records away: an administrative event, or a decision of the archive, by its number. */
export interface Erasure {
  readonly eventNo: number;
  readonly runs: readonly NumberRun[];
}

const ACTIONS: ReadonlySet<string> = new Set(['operation.erase', 'retention.erase']);

/** What an event names; nothing where it is not of this form. */
function runsOf(details: { readonly seq_no?: unknown }): readonly NumberRun[] {
  try {
    return parseRuns(String(details.seq_no));
  } catch {
    return [];
  }
}

/** All erasures of an organization, oldest first. */
export function erasuresOf(store: Store, orgId: string): Erasure[] {
  const rows = store.statement(
    `SELECT event_no AS eventNo, details FROM admin_events
     WHERE org_id = ? AND action IN ('operation.erase', 'retention.erase') ORDER BY event_no`,
  );
  const found = rows.all(orgId) as { readonly eventNo: number; readonly details: string }[];
  return found.map(({ eventNo, details }) => ({ eventNo, runs: runsOf(JSON.parse(details)) }));
}

/** The newest erasure of a record between two numbers; null where there is none. */
export function newestErasure(erasures: readonly Erasure[], first: number, last: number): number | null {
  const touches = ({ runs }: Erasure): boolean => runs.some(([from, to]) => from <= last && to >= first);
  return erasures.findLast(touches)?.eventNo ?? null;
}

/** What a run hides, and what its events say of that. */
export interface HiddenRecords {
  /** The newest erasure of one of its records. */
  readonly newest: number | null;
  /** Records that are not shown whole although no event says that they were erased, as `runsText` writes them. */
  readonly unexplained: string;
  /** All that are not shown whole. */
  readonly hidden: string;
}

/** Reads a verified run for what it does not show. @param first @param last sequence numbers of its records */
export async function readHidden(source: BundleSource, first: number, last: number): Promise<HiddenRecords> {
  const erasures: Erasure[] = [];
  let erased: readonly NumberRun[] = [];
  let eventNo = 0;
  const unexplained = new RunBuilder();
  const hidden = new RunBuilder();
  const take = (event: AdminEvent): void => {
    if (ACTIONS.has(event.action)) erasures.push({ eventNo, runs: runsOf(event.details) });
  };
  for await (const contents of readContents(source)) {
    for (const content of contents) {
      if (content.kind === 'admin_event' || content.kind === 'withheld_event') eventNo++;
      if (content.kind === 'admin_event') take(content.value);
      if (content.kind !== 'record') continue;
      if (erased.length === 0) erased = mergeRuns(erasures.flatMap(({ runs }) => runs));
      const { seq_no: seqNo } = content.value.ear;
      if (isShownWhole(content.value)) continue;
      hidden.add(seqNo);
      if (!isInRuns(erased, seqNo)) unexplained.add(seqNo);
    }
  }
  const newest = newestErasure(erasures, first, last);
  return { newest, unexplained: runsText(unexplained.runs), hidden: runsText(hidden.runs) };
}

/** Whether everything in one text of runs is in another. */
export function areWithin(runs: string, others: string): boolean {
  const within = parseRuns(others);
  return parseRuns(runs).every(([first, last]) => {
    for (let n = first; n <= last; n++) if (!isInRuns(within, n)) return false;
    return true;
  });
}
