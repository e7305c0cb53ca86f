import { type OperationName, operationOfCall, subjectText } from '../../actions/tools/index.ts';
import type { SeenCall, SeenDecision, SeenGap, SeenNote, SeenSession, SeenTold, SeenTools } from '../seen/seen.ts';

type CallNames = Pick<SeenCall, 'kind' | 'stage' | 'source' | 'tool' | 'touched' | 'cwd' | 'session'>;
type DecisionNames = Pick<SeenDecision, 'kind' | 'tool' | 'cwd' | 'session'>;

/** What of a Seen its names follow from: it may have lost its secrets and its content by then. */
export type Nameable =
  | CallNames
  | DecisionNames
  | Pick<SeenSession, 'kind' | 'session'>
  | Pick<SeenTold, 'kind' | 'session'>
  | Pick<SeenTools, 'kind' | 'session' | 'server'>
  | Pick<SeenNote, 'kind' | 'session' | 'name' | 'text'>
  | Pick<SeenGap, 'kind' | 'session' | 'reason'>;

/** Names the operation that a Seen becomes (docs/recorders.md, What is recorded). */
export function operationOf(seen: Nameable): OperationName {
  const named = nameOf(seen);
  return { ...named, subject: subjectText(named.subject) };
}

function nameOf(seen: Nameable): OperationName {
  const session = seen.session?.id ?? '-';
  switch (seen.kind) {
    case 'call':
      return seen.stage === 'asked' ? { ...ofCall(seen), operationType: 'permission.ask' } : ofCall(seen);
    case 'decision':
      return { ...ofCall(seen), operationType: 'permission.decide' };
    case 'session_started':
      return { operationType: 'session.start', subject: session, changes: false };
    case 'session_ended':
      return { operationType: 'session.end', subject: session, changes: false };
    case 'told':
      return { operationType: 'prompt.submit', subject: session, changes: false };
    case 'tools':
      return { operationType: 'mcp.tools', subject: seen.server, changes: false };
    case 'gap':
      return { operationType: 'recorder.gap', subject: seen.reason, changes: false };
    case 'note':
      if (seen.name === 'permission_request') {
        return { operationType: 'permission.ask', subject: seen.text ?? '-', changes: false };
      }
      return { operationType: 'recorder.note', subject: seen.name, changes: false };
  }
}

function ofCall(seen: CallNames | DecisionNames): OperationName {
  // What the author of an agent lists with the library is no subject: only the author knows what may be named.
  const isListed = seen.kind === 'call' && seen.source !== 'library';
  return operationOfCall({ tool: seen.tool, cwd: seen.cwd, touched: isListed ? seen.touched : [] });
}
