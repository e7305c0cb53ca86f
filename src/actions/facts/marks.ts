import { MAX_CLOCK_LEAD_MS } from '../../protocol/index.ts';
import type { Mark } from '../fields/codes.ts';
import type { MarkMemory } from './mark-memory.ts';
import { isAbout } from './outcomes.ts';
import type { PreparedRules } from './prepared-rules.ts';
import { rateBefore } from './rate.ts';
import type { FactPhase, RecordFacts, RecordHead } from './record-facts.ts';

/** How many calls an agent must have made before a first use is marked: in the beginning everything is new. */
export const CALLS_BEFORE_FIRST_USE = 20;

/** A record in the order of seq_no, as marks take it. */
export interface MarkedRecord {
  readonly seqNo: number;
  readonly head: RecordHead;
  /** In milliseconds since the Unix epoch. */
  readonly issuedAt: number;
  readonly facts: RecordFacts;
}

/** That something about a record is unusual. Its words are made when somebody reads them (explain-marks.ts). */
export interface FoundMark {
  readonly code: Mark;
  /** seq_no of other records that show it. */
  readonly evidence: readonly number[];
  readonly figures: readonly number[];
}

/** Phases in which a call is carried out. */
const EXECUTING: readonly FactPhase[] = ['started', 'completed', 'failed', 'record'];
const PHASES_OF_CALLS: readonly FactPhase[] = [
  'proposed',
  'asked',
  'started',
  'completed',
  'failed',
  'refused',
  'record',
];

/** What is kept about a call: letters in the order in which they came. */
const ASKED = 'a';
const PERMITTED = 'p';
const MARKED = 'm';

const keyOf = (...parts: readonly string[]): string => parts.join('\n');

function mark(code: Mark, evidence: readonly number[] = [], figures: readonly number[] = []): FoundMark {
  return { code, evidence, figures };
}

/** Whether a record is the first of its call, and a call at all. Notes it. */
function beginsCall({ facts }: MarkedRecord, memory: MarkMemory): boolean {
  if (facts.tool === null || !PHASES_OF_CALLS.includes(facts.phase)) return false;
  if (facts.call === null) return true;
  const key = keyOf('begun', facts.call);
  if (memory.get(key) !== undefined) return false;
  memory.set(key, '');
  return true;
}

/** First uses by the agent. Counts its calls. */
function firstUses({ head, facts, seqNo }: MarkedRecord, isNewCall: boolean, memory: MarkMemory): FoundMark[] {
  const agent = head.agent_id;
  const calls = Number(memory.get(keyOf('calls', agent)) ?? 0);
  if (isNewCall) memory.set(keyOf('calls', agent), String(calls + 1));
  const isNew = (kind: string, name: string): boolean => {
    const key = keyOf(kind, agent, name);
    if (memory.get(key) !== undefined) return false;
    memory.set(key, String(seqNo));
    return true;
  };
  const newTool = facts.tool !== null && isNewCall && isNew('tool', facts.tool);
  const newHosts = facts.host.flatMap((host, index) => (isNew('host', host) ? [index] : []));
  if (calls < CALLS_BEFORE_FIRST_USE) return [];
  return [
    ...(newTool ? [mark('FIRST_TOOL', [], [calls])] : []),
    ...(newHosts.length > 0 ? [mark('FIRST_HOST', [], [calls, ...newHosts])] : []),
  ];
}

/** A call of a tool whose last call in the session failed or was refused. */
function retried({ head, facts, seqNo }: MarkedRecord, isNewCall: boolean, memory: MarkMemory): FoundMark[] {
  if (facts.tool === null || facts.session === null) return [];
  const key = keyOf('tried', head.agent_id, facts.session, facts.tool);
  const before = memory.get(key);
  const isBad = facts.outcome === 'failed' || facts.outcome === 'refused';
  if (isBad) memory.set(key, String(seqNo));
  else if (before !== undefined && facts.outcome !== null) memory.delete(key);
  return isNewCall && before !== undefined ? [mark('RETRIED', [Number(before)])] : [];
}

/** Notes what a record says about approvals, and finds a call that is carried out without the one it needs. */
function approvals(record: MarkedRecord, memory: MarkMemory, { rules }: PreparedRules): FoundMark[] {
  const { facts, head } = record;
  const { call, session, tool, phase } = facts;
  const key = call === null ? null : keyOf('approval', call);
  const known = (key !== null && memory.get(key)) || '';
  const note = (letter: string, without = letter): void => {
    if (key !== null) memory.set(key, known.replace(letter, '').replace(without, '') + letter);
  };
  for (const [index, { by }] of rules.approvals.entries()) {
    if (by === undefined || session === null || !isAbout(by, head, tool) || facts.outcome === 'failed') continue;
    const granted = keyOf('granted', session, String(index));
    memory.set(granted, String(Number(memory.get(granted) ?? 0) + 1));
  }
  // Asking again makes earlier decisions void, and so does a later decision against it.
  if (phase === 'asked') note(ASKED, PERMITTED);
  if (phase === 'asked' && call !== null) memory.set(keyOf('asked at', call), String(record.issuedAt));
  if (phase === 'decided' && key !== null && call !== null) {
    // One that says it was made before the question was made for another one, as far as clocks may differ.
    const isEarlier = record.issuedAt + MAX_CLOCK_LEAD_MS < Number(memory.get(keyOf('asked at', call)) ?? 0);
    memory.set(key, known.replace(PERMITTED, '') + (facts.outcome === null && !isEarlier ? PERMITTED : ''));
  }
  if (!EXECUTING.includes(phase) || known.includes(MARKED) || (phase === 'failed' && facts.outcome !== 'failed'))
    return [];
  const isMissing = lacksApproval(record, known, memory, rules.approvals);
  if (isMissing !== null) note(MARKED);
  return isMissing === true ? [mark('APPROVAL_MISSING')] : [];
}

/** Whether an approval is needed and missing; null where none is needed. */
function lacksApproval(
  { facts: { call, session, tool, phase }, head }: MarkedRecord,
  known: string,
  memory: MarkMemory,
  rules: PreparedRules['rules']['approvals'],
): boolean | null {
  if (tool === null && phase === 'record') return null;
  const needed = rules.findIndex((rule) => isAbout(rule, head, tool));
  const rule = rules[needed];
  if (rule === undefined) return known.includes(ASKED) ? !known.includes(PERMITTED) : null;
  if (rule.by === undefined) return call === null || !known.includes(PERMITTED);
  if (session === null) return true;
  // One approval permits one call.
  const granted = keyOf('granted', session, String(needed));
  const left = Number(memory.get(granted) ?? 0);
  if (left > 0) memory.set(granted, String(left - 1));
  return left === 0;
}

/**
 * What is unusual about a record, by what came before it. Records are taken one after the other in the order of seq_no; the same
 * records give the same marks. UNFINISHED is not among them: that a call has no end is known of all of its records only
 * (call-state.ts).
 */
export function marksOf(record: MarkedRecord, memory: MarkMemory, prepared: PreparedRules): readonly FoundMark[] {
  const { facts, head, issuedAt } = record;
  const isNewCall = beginsCall(record, memory);
  const rate = rateBefore(keyOf('rate', head.agent_id), issuedAt, memory);
  return [
    ...(facts.outcome === 'failed' ? [mark('FAILED')] : []),
    ...(facts.outcome === 'refused' ? [mark('REFUSED')] : []),
    ...retried(record, isNewCall, memory),
    ...firstUses(record, isNewCall, memory),
    ...(rate === null ? [] : [mark('RATE_UNUSUAL', [], rate)]),
    ...approvals(record, memory, prepared),
    ...(facts.disguisedIn === null ? [] : [mark('DISGUISED_TEXT')]),
  ];
}
