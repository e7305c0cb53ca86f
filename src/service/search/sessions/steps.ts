import type { Step } from '../../../api/index.ts';
import { actionContent } from '../actions/action-content.ts';
import { KINDS, laneOf, momentOf } from '../actions/step-parts.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { recordsOfCalls } from '../content-index/groups.ts';

/** A step that is not read yet: its first record, and its call where it is one. */
export interface StepPlace {
  readonly n: number;
  readonly call: number;
}

/** The steps that records come to, in order: the moments of a call are one, where its first record stands. */
export function stepPlaces(view: ContentView, ns: Uint32Array): StepPlace[] {
  const calls = view.category('call').ids;
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

/** @param session which it is told with, for records that name none */
export function stepOf(view: ContentView, { n, call }: StepPlace, session: string): Step {
  const records = recordsOfCalls(view).of(call);
  const isJoined = call !== 0 && records.length > 1;
  const ns = isJoined ? records : [n];
  const outcome = isJoined ? view.calls.outcomeOf(call) : view.outcome(n);
  const { records: read, own: _, acting: __, times: ___, ...content } = actionContent(view, ns, outcome);
  const first = view.record(n);
  return {
    seq_no: first.record.seqNo,
    operation_id: first.record.operationId,
    moments: read.map(momentOf),
    agent_id: first.record.agentId,
    lane: laneOf(first, content.kind),
    ...content,
    session: first.facts.session ?? (isJoined ? '' : session),
  };
}
