import type { Step } from '../../../api/index.ts';
import { formatTime } from '../../../protocol/index.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { recordsOfCalls } from '../content-index/groups.ts';
import { callStep } from './call-step.ts';
import { contentsOf } from './step-contents.ts';
import { KINDS, laneOf, momentOf } from './step-parts.ts';

/** A step that is not read yet: its first record, and its call where it is one. */
export interface StepPlace {
  readonly n: number;
  readonly call: number;
}

/** Records of sessions with the questions and decisions about their calls: who decides may record that in no session. */
export function withDecisions(view: ContentView, ns: Uint32Array): Uint32Array {
  const calls = view.columns.category('call').ids;
  const found = new Set(ns);
  for (const n of ns) {
    for (const other of recordsOfCalls(view).of(calls[n] ?? 0)) {
      if (KINDS[view.calls.phase(other)] !== undefined) found.add(other);
    }
  }
  return found.size === ns.length ? ns : Uint32Array.from(found).sort();
}

/** The steps that records come to, in order: the moments of a call are one, where its first record stands. */
export function stepPlaces(view: ContentView, ns: Uint32Array): StepPlace[] {
  const calls = view.columns.category('call').ids;
  const seen = new Set<number>();
  const places: StepPlace[] = [];
  for (const n of ns) {
    const call = KINDS[view.calls.phase(n)] === undefined ? (calls[n] ?? 0) : 0;
    if (call !== 0 && seen.has(call)) continue;
    if (call !== 0) seen.add(call);
    places.push({ n, call });
  }
  return places;
}

/** A record that is a step by itself. */
function singleStep(view: ContentView, n: number, session: string): Step {
  const read = view.record(n);
  const { record, facts } = read;
  const kind = KINDS[facts.phase] ?? (facts.tool === null && facts.outcome === null ? 'record' : 'call');
  return {
    seq_no: record.seqNo,
    operation_id: record.operationId,
    moments: [momentOf(read)],
    agent_id: record.agentId,
    lane: laneOf(read, kind),
    kind,
    title: facts.summary,
    tool: facts.tool,
    at: formatTime(record.issuedMs),
    ended_at: facts.duration === null ? null : formatTime(record.issuedMs + facts.duration),
    duration_ms: facts.duration,
    outcome: view.outcome(n),
    error: facts.error,
    ...contentsOf(read.read, view.rules),
    entities: facts.entity.map(({ kind: of, id, access }) => ({ kind: of, id, access })),
    marks: view.marks(n),
    causes: [...facts.causes],
    session: facts.session ?? session,
  };
}

/** @param session which it is told with, for records that name none */
export function stepOf(view: ContentView, { n, call }: StepPlace, session: string): Step {
  const isJoined = call !== 0 && recordsOfCalls(view).of(call).length > 1;
  return isJoined ? callStep(view, n, call) : singleStep(view, n, session);
}
