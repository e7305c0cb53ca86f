import { MAX_FINDINGS } from '../../../actions/profile/light.ts';
import type { CountHeldAnswer, HoldSelection, LedgerCoherence, WaitingAnswer } from '../../../api/index.ts';
import { countRuns, type LoggedCorrection, type NumberRun, parseRuns } from '../../../protocol/index.ts';
import { auditRow } from '../content-index/audit-row.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { type AnswerOf, type ArgumentsOf, CONTENT_QUERIES } from '../content-index/queries/content-queries.ts';
import { coverageOf, detailsOf } from '../content-index/queries/list-records.ts';
import type { CoherenceRow } from '../content-index/shelf-reader.ts';
import { CLOSING, decisionOf } from '../decisions/deciding.ts';
import { coversOf } from '../reading/covers.ts';
import { namingRecordOf, PAGE, STEP_MS } from '../reading/named-places.ts';
import { RECORD_QUERIES } from './record-queries.ts';

/** Heads of records that are read at once. */
const HEADS = 2000;

const NOTHING_READ = { texts: [], read: null } as const;

/** How many of the next records a hold covers, or would. @param runs of a case: its records in the ledger */
function heldRecords(
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

const SHOWN = 100;

/**
 * Questions that no person has decided, and that the agent which asked has not settled after that: carried out, given up, or
 * recorded as decided where it runs. Of one asked again the newest. What is derived here is a list to work from and no evidence.
 * Records of other agents do not count, else each of them could take a question off the list.
 * @param operationId the question alone that is asked about, or null
 * @param people names of people's own agents
 */
function waitingOf(view: ContentView, operationId: string | null, people: readonly string[]): WaitingAnswer {
  const { ids: calls } = view.columns.category('call');
  const { ids: agents } = view.columns.category('agent');
  const deciders = new Set(people.map((agentId) => view.idOf('agent', agentId)));
  const decided = new Set<number>();
  /** Calls that an agent itself has settled, or asked about again. */
  const closed = new Map<number, Set<number>>();
  const ns: number[] = [];
  // From the newest on: what comes after a question is seen before it.
  for (let n = view.indexedTo; n > 0; n--) {
    const [call, agent] = [calls[n] ?? 0, agents[n] ?? 0];
    if (call === 0) continue;
    const phase = view.calls.phase(n);
    if (phase === 'decided' && deciders.has(agent)) decided.add(call);
    if (phase !== 'decided' && !CLOSING.has(phase)) continue;
    const settled = closed.get(agent) ?? new Set();
    if (phase === 'asked' && !settled.has(call) && !decided.has(call)) ns.push(n);
    closed.set(agent, settled.add(call));
  }
  const isMeant = (n: number): boolean => operationId === null || view.record(n).record.operationId === operationId;
  const data = (operationId === null ? ns.slice(0, SHOWN) : ns.filter(isMeant)).map((n) => ({
    ...auditRow(view.record(n).record),
    details: detailsOf(view, n),
  }));
  return { data, total: operationId === null ? ns.length : data.length, coverage: coverageOf(view) };
}

/**
 * Everything that is asked of what is in the live ledger's records, by name: answered on the thread that reads them. Arguments
 * and answers are copied.
 */
export const LEDGER_QUERIES = {
  ...CONTENT_QUERIES,
  ...RECORD_QUERIES,
  coherence: coherenceOf,
  heldRecords,
  waiting: waitingOf,
  decision: decisionOf,
} as const;

export type LedgerQueries = typeof LEDGER_QUERIES;
export type LedgerQueryName = keyof LedgerQueries;
export type LedgerQueryArguments<N extends LedgerQueryName> = ArgumentsOf<LedgerQueries[N]>;
export type LedgerQueryAnswer<N extends LedgerQueryName> = AnswerOf<LedgerQueries[N]>;

type Report = NonNullable<LedgerCoherence['report']>;
type Finding = Report['findings'][number];

function findingOf({ code, severity, seq_no, operation_id, other_seq_no, pointer, message }: CoherenceRow): Finding {
  return {
    code,
    severity,
    where: {
      seq_no,
      operation_id,
      ...(other_seq_no === null ? {} : { other_seq_no }),
      ...(pointer === null ? {} : { pointer }),
    },
    message,
  };
}

/** Whether the records fit together, as the judge has found by now: what a report of a bundle of all of them says. */
function coherenceOf(view: ContentView): LedgerCoherence {
  const { judgedTo, coherence, findings } = view.reader.judgement(MAX_FINDINGS);
  const pending = Math.max(0, view.source.last() - judgedTo);
  if (coherence === null) return { judged_to: judgedTo, pending, report: null };
  return {
    judged_to: judgedTo,
    pending,
    report: { ...(JSON.parse(coherence) as Report), findings: findings.map(findingOf) },
  };
}
