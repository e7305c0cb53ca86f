import type { CountHeldAnswer, HoldSelection } from '../../../api/index.ts';
import { countRuns, type LoggedCorrection, type NumberRun, parseRuns } from '../../../protocol/index.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { coversOf } from './covers.ts';
import { namingRecordOf, PAGE, STEP_MS } from './named-places.ts';

/** Heads of records that are read at once. */
const HEADS = 2000;

const NOTHING_READ = { texts: [], read: null } as const;

/** How many of the next records a hold covers, or would. @param runs of a case: its records in the ledger */
export function heldRecords(
  view: ContentView,
  selection: HoldSelection,
  runs: readonly NumberRun[],
  corrections: readonly LoggedCorrection[],
  after: number,
): CountHeldAnswer {
  const last = view.source.last();
  if (selection.kind === 'case') return { records: countRuns(runs), examined: last, last };
  if (selection.kind === 'records') return { records: countRuns(parseRuns(selection.runs)), examined: last, last };
  const { source } = view;
  const ends = performance.now() + STEP_MS;
  const covers = coversOf(selection, runs);
  const readsTexts = selection.kind === 'person' || selection.kind === 'session';
  const next = (from: number) =>
    readsTexts ? source.after(from, PAGE) : source.heads(from + 1, Math.min(from + HEADS, last));
  let [examined, records] = [after, 0];
  while (examined < last && performance.now() < ends) {
    const page = next(examined);
    for (const record of page) {
      const { n, agentId, seqNo, receivedMs: receivedAt, operationType: type, subject, action } = record;
      const naming = readsTexts ? namingRecordOf(record) : { subject, action, type, ...NOTHING_READ };
      if (covers({ ...naming, head: { agentId, seqNo, receivedAt }, corrections })) records++;
      examined = n;
    }
    if (page.length === 0) examined = last;
  }
  return { records, examined, last };
}
