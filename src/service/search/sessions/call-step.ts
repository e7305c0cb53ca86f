import { ACCESSES, callTitle, type FactPhase, MARKS } from '../../../actions/index.ts';
import type { Step } from '../../../api/index.ts';
import { formatTime, type Json } from '../../../protocol/index.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { recordsOfCalls } from '../content-index/groups.ts';
import type { ReadRecord } from '../content-index/record-content.ts';
import type { Shown } from './shown-value.ts';
import { contentsOf } from './step-contents.ts';
import { isMoment, laneOf, momentOf } from './step-parts.ts';

const ENDS: readonly FactPhase[] = ['completed', 'failed', 'refused'];
const MAX_MOMENTS = 64;

/** A content within a line: data that is no text by its kind and length. */
function lineValue(content: Shown | null): Json | undefined {
  if (content === null) return undefined;
  const { value, digest, media_type: type, bytes } = content;
  if (value !== null || digest === null) return value as Json;
  if (type === null) return '(digest only)';
  return bytes === null ? type : `${type}, ${bytes} bytes`;
}

/** What the records touch, each once, with the strongest access. */
function entitiesOf(records: readonly ReadRecord[]): Step['entities'] {
  const found = new Map<string, Step['entities'][number]>();
  for (const { kind, id, access } of records.flatMap(({ facts }) => facts.entity)) {
    const key = `${kind} ${id}`;
    const known = found.get(key);
    if (known === undefined || ACCESSES.indexOf(access) > ACCESSES.indexOf(known.access)) {
      found.set(key, { kind, id, access });
    }
  }
  return [...found.values()];
}

/** When a call began and ended, and how long it took, where that is recorded. */
function timesOf(own: readonly ReadRecord[]): Pick<Step, 'at' | 'ended_at' | 'duration_ms'> {
  const began = own[0]?.record.issuedMs ?? 0;
  const end = own.findLast(({ facts }) => ENDS.includes(facts.phase)) ?? null;
  const ended = end === null || own.length < 2 ? null : end.record.issuedMs;
  const took = own.findLast(({ facts }) => facts.duration !== null)?.facts.duration ?? null;
  return {
    at: formatTime(began),
    ended_at: ended === null ? null : formatTime(ended),
    duration_ms: took ?? (ended === null ? null : Math.max(0, ended - began)),
  };
}

/** A call of several records as one step. @param n its first record in the session */
export function callStep(view: ContentView, n: number, call: number): Step {
  const ns = recordsOfCalls(view).of(call).subarray(0, MAX_MOMENTS);
  const records = Array.from(ns, (each) => view.record(each));
  const own = records.filter(isMoment);
  const first = view.record(n);
  const contents = own.map(({ read }) => contentsOf(read, view.rules));
  const input = contents.find((each) => each.input !== null)?.input ?? null;
  const output = contents.findLast((each) => each.output !== null)?.output ?? null;
  const tool = own.find(({ facts }) => facts.tool !== null)?.facts.tool ?? null;
  const outcome = view.calls.outcomes[call] ?? null;
  const error = own.findLast(({ facts }) => ENDS.includes(facts.phase))?.facts.error ?? null;
  const said = { tool: tool ?? first.record.action, outcome, error };
  const marks = new Set(Array.from(ns, (each) => view.marks(each)).flat());
  return {
    seq_no: first.record.seqNo,
    operation_id: first.record.operationId,
    moments: records.map(momentOf),
    agent_id: first.record.agentId,
    lane: laneOf(first, 'call'),
    kind: 'call',
    tool,
    title: callTitle({ ...said, input: lineValue(input), output: lineValue(output) }),
    ...timesOf(own),
    outcome,
    error,
    input,
    output,
    told: [],
    entities: entitiesOf(own),
    marks: MARKS.filter((mark) => marks.has(mark)),
    causes: [...new Set(own.flatMap(({ facts }) => facts.causes))],
    session: first.facts.session ?? '',
  };
}
