import { callTitle, decisionOf, END_PHASES, joinedEntities, MARKS, type Outcome } from '../../../actions/index.ts';
import type { Step } from '../../../api/index.ts';
import { formatTime, type Json } from '../../../protocol/index.ts';
import type { ContentView } from '../content-index/content-view.ts';
import type { ReadRecord } from '../content-index/record-content.ts';
import { shownEntity } from '../content-index/shown-entity.ts';
import type { Shown } from './shown-value.ts';
import { contentsOf } from './step-contents.ts';
import { isMoment, kindOf } from './step-parts.ts';

/** Records of one action that are read: all of most. */
export const MAX_MOMENTS = 64;

/** A content within a line: data that is no text by its kind and length. */
function lineValue(content: Shown | null): Json | undefined {
  if (content === null) return undefined;
  const { value, digest, media_type: type, bytes } = content;
  if (value !== null || digest === null) return value as Json;
  if (type === null) return '(digest only)';
  return bytes === null ? type : `${type}, ${bytes} bytes`;
}

/** When a call began and ended, and how long it took, where that is recorded. */
function timesOf(own: readonly ReadRecord[]): Pick<Step, 'at' | 'ended_at' | 'duration_ms'> {
  const began = own[0]?.record.issuedMs ?? 0;
  const end = own.findLast(({ facts }) => END_PHASES.has(facts.phase)) ?? null;
  const ended = end === null || own.length < 2 ? null : end.record.issuedMs;
  const took = own.findLast(({ facts }) => facts.duration !== null)?.facts.duration ?? null;
  return {
    at: formatTime(began),
    ended_at: ended === null ? null : formatTime(ended),
    duration_ms: took ?? (ended === null ? null : Math.max(0, ended - began)),
  };
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
    ended_at: facts.duration === null ? null : formatTime(record.issuedMs + facts.duration),
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
  };
}

/**
 * What the records of an action come to: beginning, decision and end as one.
 * @param ns its records, in order; of more than 64 the first are read
 * @param outcome what became of it
 */
export function actionContent(view: ContentView, ns: ArrayLike<number>, outcome: Outcome | null): ActionContent {
  const numbers = Array.from({ length: Math.min(ns.length, MAX_MOMENTS) }, (_, at) => ns[at] ?? 0);
  const [only = 0] = numbers;
  if (numbers.length === 1) return contentOfRecord(view, only, outcome);
  const records = numbers.map((n) => view.record(n));
  const moments = records.filter(isMoment);
  // Of a call that was only asked about, what was asked is all there is.
  const own = moments.length > 0 ? moments : records;
  const contents = own.map(contentsOf);
  const input = contents.find((each) => each.input !== null)?.input ?? null;
  const output = contents.findLast((each) => each.output !== null)?.output ?? null;
  const first = records[0] as ReadRecord;
  const tool = records.find(({ facts }) => facts.tool !== null)?.facts.tool ?? null;
  const ended = own.findLast(({ facts }) => END_PHASES.has(facts.phase))?.facts.error ?? null;
  const error =
    ended ??
    (outcome === 'refused' ? (records.findLast(({ facts }) => facts.error !== null)?.facts.error ?? null) : null);
  const marks = new Set(numbers.flatMap((n) => view.marks(n)));
  const said = { tool: tool ?? first.record.action, outcome, error };
  return {
    kind: moments.length > 0 ? 'call' : kindOf(first.facts),
    tool,
    title: callTitle({ ...said, input: lineValue(input), output: lineValue(output) }),
    ...timesOf(own),
    outcome,
    error,
    input,
    output,
    told: [],
    entities: joinedEntities(own.map(({ facts }) => facts.entity)).map(shownEntity),
    decisions: decisionsIn(records),
    marks: MARKS.filter((mark) => marks.has(mark)),
    causes: [...new Set(own.flatMap(({ facts }) => facts.causes))],
    records,
    own,
  };
}
