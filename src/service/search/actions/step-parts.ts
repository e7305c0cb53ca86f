import { type FactPhase, isMomentOfCall } from '../../../actions/index.ts';
import type { Step } from '../../../api/index.ts';
import { formatTime } from '../../../protocol/index.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { recordsOfCalls } from '../content-index/groups.ts';
import type { ReadRecord } from '../content-index/record-content.ts';

/** Phases that are steps of their own; all others are moments of a call. */
export const KINDS: Partial<Record<FactPhase, Step['kind']>> = {
  session_started: 'start',
  session_ended: 'end',
  told: 'told',
  asked: 'asked',
  decided: 'decided',
  tools: 'note',
  note: 'note',
  gap: 'gap',
};

/** What a record is to a session. */
export function kindOf({ phase, tool, outcome }: ReadRecord['facts']): Step['kind'] {
  return KINDS[phase] ?? (tool === null && outcome === null ? 'record' : 'call');
}

export function isMoment({ facts }: ReadRecord): boolean {
  return isMomentOfCall(facts.phase);
}

export function momentOf({ record, facts }: ReadRecord): Step['moments'][number] {
  const { operationId, seqNo, issuedMs } = record;
  return { operation_id: operationId, seq_no: seqNo, phase: facts.phase, at: formatTime(issuedMs) };
}

/** Whether a person told it: the first thing that was told is a prompt. */
function isPrompt({ leaves }: ReadRecord['read']): boolean {
  return leaves.find(({ pointer }) => pointer === '/told/0/kind')?.value === 'user';
}

/** Who or what a step is of, in the picture of a session. */
export function laneOf({ record, facts, read }: ReadRecord, kind: Step['kind']): Step['lane'] {
  if (kind === 'decided' && facts.person !== null) return { kind: 'person', id: facts.person };
  if (kind === 'told' && isPrompt(read)) return { kind: 'person', id: facts.person ?? 'user' };
  if (facts.subAgent !== null) return { kind: 'sub_agent', id: facts.subAgent };
  if (kind === 'call' && facts.tool !== null) return { kind: 'tool', id: facts.tool };
  return { kind: 'agent', id: record.agentId };
}

/** Records of sessions with the questions and decisions about their calls: who decides may record that in no session. */
export function withDecisions(view: ContentView, ns: Uint32Array): Uint32Array {
  const calls = view.category('call').ids;
  const found = new Set(ns);
  // A call may have any number of records in one session.
  for (const call of new Set(Array.from(ns, (n) => calls[n] ?? 0))) {
    for (const other of recordsOfCalls(view).of(call)) {
      if (KINDS[view.calls.phase(other)] !== undefined) found.add(other);
    }
  }
  return found.size === ns.length ? ns : Uint32Array.from(found).sort();
}
