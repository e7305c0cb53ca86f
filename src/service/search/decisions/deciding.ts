import type { ContentView } from '../content-index/content-view.ts';

/** What became of a question; `operationId` names the record of the decision. */
export type QuestionState =
  | { readonly state: 'waiting' | 'closed' }
  | { readonly state: 'decided'; readonly operationId: string };

/** What ends the time in which a question can be decided, where the agent that asked records it. */
export const CLOSING: ReadonlySet<string> = new Set(['asked', 'started', 'completed', 'failed', 'refused']);

/**
 * The newest decision of a person on a question, before its agent asked again, carried the action out or gave it up.
 *
 * Any agent can write a record that says it decided about an action, or carried it out. So of the agent that asked only what closes
 * the question counts, of people's own agents only what decides it, and of all others nothing.
 * @param seqNo of the record that asked
 * @param people names of people's own agents
 * @returns null where the record asks for no decision
 */
export function decisionOf(view: ContentView, seqNo: number, people: readonly string[]): QuestionState | null {
  // Not indexed yet: nothing can be said of it, and what comes after it is not indexed either.
  if (seqNo > view.indexedTo) return { state: 'waiting' };
  const { ids: calls } = view.columns.category('call');
  const { ids: agents } = view.columns.category('agent');
  const [call, asker] = [calls[seqNo] ?? 0, agents[seqNo]];
  if (call === 0 || view.record(seqNo).facts.phase !== 'asked') return null;
  const decides = new Set(people.map((agentId) => view.idOf('agent', agentId)));
  decides.delete(asker ?? 0);
  let decided: QuestionState | null = null;
  for (let n = seqNo + 1; n <= view.indexedTo; n++) {
    if (calls[n] !== call) continue;
    const agent = agents[n] ?? 0;
    if (agent !== asker && !decides.has(agent)) continue;
    const { facts, record } = view.record(n);
    if (agent !== asker && facts.phase === 'decided') decided = { state: 'decided', operationId: record.operationId };
    // Asked again, an earlier decision is void; carried out, it is the one that counted.
    if (agent === asker && facts.phase === 'asked') return { state: 'closed' };
    if (agent === asker && CLOSING.has(facts.phase)) return decided ?? { state: 'closed' };
  }
  return decided ?? { state: 'waiting' };
}
