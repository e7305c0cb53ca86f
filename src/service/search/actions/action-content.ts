import {
  type CallTimes,
  callTitle,
  decisionOf,
  joinedEntities,
  LEAVING_OUT,
  MARKS,
  type Mark,
  type Outcome,
  timesOfCall,
} from '../../../actions/index.ts';
import type { Step } from '../../../api/index.ts';
import { formatTime, type Json } from '../../../protocol/index.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { timesOfAction } from '../content-index/indexed-actions.ts';
import type { ReadRecord } from '../content-index/record-content.ts';
import { shownEntity } from '../content-index/shown-entity.ts';
import type { Shown } from './shown-value.ts';
import { contentsOf } from './step-contents.ts';
import { isMoment, kindOf } from './step-parts.ts';

/** Records of one action that are read, at most: all of most actions. */
const MAX_MOMENTS = 64;

/** A content within a line: data that is no text by its kind and length. */
function lineValue(content: Shown | null): Json | undefined {
  if (content === null) return undefined;
  const { value, digest, media_type: type, bytes } = content;
  if (value !== null || digest === null) return value as Json;
  if (type === null) return '(digest only)';
  return bytes === null ? type : `${type}, ${bytes} bytes`;
}

/**
 * Those of an action's records that are read: of more than 64 the first and the newest, and those with which it begins and ends.
 * @param ns all of its records, in order
 */
export function numbersRead(view: ContentView, ns: ArrayLike<number>): number[] {
  const all = Array.from(ns);
  if (all.length <= MAX_MOMENTS) return all;
  const { began, ended } = timesOfAction(view, ns);
  const half = MAX_MOMENTS / 2 - 1;
  const read = new Set([...all.slice(0, half), began, ended ?? began, ...all.slice(-half)]);
  return [...read].sort((a, b) => a - b);
}

/** Marks of all of an action's records. */
function marksOf(view: ContentView, ns: ArrayLike<number>): Mark[] {
  if (ns.length <= MAX_MOMENTS) {
    const marks = new Set(Array.from(ns).flatMap((n) => view.marks(n)));
    return MARKS.filter((mark) => marks.has(mark));
  }
  const known = view.few('mark');
  const all = Array.from(ns);
  return MARKS.filter((mark) => {
    const marked = known.get(mark);
    return marked !== undefined && all.some((n) => marked.has(n));
  });
}

/** What the records of an action come to. */
export interface ActionContent
  extends Pick<
    Step,
    | 'kind'
    | 'tool'
    | 'title'
    | 'at'
    | 'ended_at'
    | 'duration_ms'
    | 'outcome'
    | 'error'
    | 'input'
    | 'output'
    | 'told'
    | 'entities'
    | 'decisions'
    | 'marks'
    | 'causes'
  > {
  /** All that was read, in order, and what of it is the call itself: no question or decision about it. */
  readonly records: readonly ReadRecord[];
  readonly own: readonly ReadRecord[];
  /** All of the agent that acts, with its questions. */
  readonly acting: readonly ReadRecord[];
  readonly times: CallTimes;
}

/** When an action began and ended: where all of it is read, no column is loaded for that. */
function timesIn(view: ContentView, ns: ArrayLike<number>, records: readonly ReadRecord[]): CallTimes {
  if (ns.length > records.length) return timesOfAction(view, ns);
  const read = new Map(records.map((record) => [record.record.n, record]));
  return timesOfCall(ns, {
    phase: view.calls.actingPhase,
    issued: (n) => read.get(n)?.record.issuedMs ?? Number.NaN,
    duration: (n) => read.get(n)?.facts.duration ?? Number.NaN,
  });
}

/** Who decided, by each record that says so. */
function decisionsIn(records: readonly ReadRecord[]): Step['decisions'] {
  return records.flatMap(({ record, read }) => {
    const decision = decisionOf(read);
    if (decision === null) return [];
    const { operationId: operation_id, seqNo: seq_no, agentId: agent_id, issuedAt: at } = record;
    return [{ operation_id, seq_no, agent_id, at, ...decision }];
  });
}

/** What a record that is an action by itself says. */
function contentOfRecord(view: ContentView, n: number, outcome: Outcome | null): ActionContent {
  const read = view.record(n);
  const { record, facts } = read;
  return {
    kind: kindOf(facts),
    title: facts.summary,
    tool: facts.tool,
    at: formatTime(record.issuedMs),
    ended_at: null,
    duration_ms: facts.duration,
    outcome,
    error: facts.error,
    ...contentsOf(read),
    entities: facts.entity.map(shownEntity),
    decisions: decisionsIn([read]),
    marks: view.marks(n),
    causes: [...facts.causes],
    records: [read],
    own: isMoment(read) ? [read] : [],
    acting: [read],
    times: { began: n, ended: null, took: facts.duration },
  };
}

/**
 * What the records of an action come to: beginning, decision and end as one.
 * @param ns all of its records, in order
 * @param outcome what became of it
 */
export function actionContent(view: ContentView, ns: ArrayLike<number>, outcome: Outcome | null): ActionContent {
  const numbers = numbersRead(view, ns);
  const [only = 0] = numbers;
  if (numbers.length === 1) return contentOfRecord(view, only, outcome);
  const records = numbers.map((n) => view.record(n));
  const times = timesIn(view, ns, records);
  const issuedAt = (n: number): string => formatTime(view.record(n).record.issuedMs);
  const ofAgent = records.filter(({ record }) => view.calls.actingPhase(record.n) !== null);
  const acting = ofAgent.length > 0 ? ofAgent : records;
  const moments = acting.filter(isMoment);
  // Of a call that was only asked about, what was asked is all there is.
  const own = moments.length > 0 ? moments : acting;
  const contents = own.map(contentsOf);
  const input = contents.find((each) => each.input !== null)?.input ?? null;
  const output = contents.findLast((each) => each.output !== null)?.output ?? null;
  const first = records[0] as ReadRecord;
  const tool = acting.find(({ facts }) => facts.tool !== null)?.facts.tool ?? null;
  const ended =
    own.findLast(({ facts }) => facts.outcome !== null && LEAVING_OUT.has(facts.phase))?.facts.error ?? null;
  const error =
    ended ??
    (outcome === 'refused' ? (records.findLast(({ facts }) => facts.error !== null)?.facts.error ?? null) : null);
  const said = { tool: tool ?? first.record.action, outcome, error };
  return {
    kind: moments.length > 0 ? 'call' : kindOf(first.facts),
    tool,
    title: callTitle({ ...said, input: lineValue(input), output: lineValue(output) }),
    at: issuedAt(times.began),
    ended_at: times.ended === null ? null : issuedAt(times.ended),
    duration_ms: times.took,
    outcome,
    error,
    input,
    output,
    told: [],
    entities: joinedEntities(own.map(({ facts }) => facts.entity)).map(shownEntity),
    decisions: decisionsIn(records),
    marks: marksOf(view, ns),
    causes: [...new Set(own.flatMap(({ facts }) => facts.causes))],
    records,
    own,
    acting,
    times,
  };
}
