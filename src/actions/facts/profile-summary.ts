import type { Json } from '../../protocol/index.ts';
import { DECISION_NAMES, decisionIn } from './decision.ts';
import type { ReadPayload } from './read-payload.ts';
import { type FactPhase, MAX_SUMMARY, type RecordHead, type RecordOutcome } from './record-facts.ts';
import { briefValue, callTitle } from './summary.ts';
import { briefLine, cutText } from './texts.ts';
import { isArray, memberAt, textAt } from './tree.ts';

interface Said {
  readonly tool: string | null;
  readonly error: string | null;
  readonly outcome: RecordOutcome | null;
}

const TOLD: Readonly<Record<string, string>> = {
  system: 'System prompt',
  user: 'Prompt',
  memory: 'Memory',
  tool_output: 'Tool output',
  file: 'File',
  agent: 'Message of an agent',
  other: 'Told',
};

/** A content on one line: its value, or that only a digest is there. */
function contentText(content: Json | undefined): Json | undefined {
  const value = memberAt(content, 'value');
  if (textAt(content, 'encoding') === 'base64') {
    const bytes = memberAt(content, 'bytes');
    return `${textAt(content, 'media_type') ?? 'data'}${typeof bytes === 'number' ? `, ${bytes} bytes` : ''}`;
  }
  if (value !== undefined) return value;
  return textAt(content, 'digest') === null ? undefined : '(digest only)';
}

function joined(...parts: readonly (string | null | undefined | false)[]): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' ');
}

function toldText(tree: Json): string {
  const told = memberAt(tree, 'told');
  const [first] = isArray(told) ? told : [];
  const kind = TOLD[textAt(first, 'kind') ?? 'other'] ?? 'Told';
  const more = isArray(told) && told.length > 1 ? ` (and ${told.length - 1} more)` : '';
  const value = contentText(memberAt(first, 'content'));
  return `${kind}: ${value === undefined ? '(not shown)' : briefValue(value, MAX_SUMMARY - 60)}${more}`;
}

function decisionText(tree: Json): string {
  const { outcome = '', by = null, reason = null } = decisionIn(tree) ?? {};
  const line = joined(DECISION_NAMES[outcome] ?? 'Decided', by !== null && `by ${by}`);
  return reason === null ? line : `${line}: ${reason}`;
}

/** The line of a record that is no part of a call. */
function lineOf(phase: FactPhase, tree: Json, head: Pick<RecordHead, 'action' | 'subject'>): string {
  const count = (...names: readonly string[]): string | null => {
    const value = memberAt(tree, ...names);
    return typeof value === 'number' ? value.toLocaleString('en-US') : null;
  };
  switch (phase) {
    case 'session_started':
      return joined(
        'Session started',
        textAt(tree, 'actor', 'program', 'name') && `in ${textAt(tree, 'actor', 'program', 'name')}`,
      );
    case 'session_ended': {
      const records = count('session', 'totals', 'records');
      return joined('Session ended', records !== null && `after ${records} records`);
    }
    case 'told':
      return toldText(tree);
    case 'decided':
      return decisionText(tree);
    case 'tools':
      return joined('Tools of', textAt(tree, 'tools', 'server') ?? 'a server', 'defined:', count('tools', 'count'));
    case 'gap':
      return joined(
        'Gap:',
        count('gap', 'count') ?? 'an unknown number of',
        'records lost:',
        textAt(tree, 'gap', 'reason'),
      );
    case 'note':
      return joined(
        `Note ${textAt(tree, 'note', 'kind') ?? ''}`.trim(),
        textAt(tree, 'note', 'text') && `– ${textAt(tree, 'note', 'text')}`,
      );
    default:
      return joined(head.action, head.subject);
  }
}

const BEFORE: Partial<Record<FactPhase, string>> = { proposed: 'Proposed: ', asked: 'Asked: ' };

/**
 * One line for a payload of the profile.
 * @param given the input content where the payload has none
 */
export function profileSummary(
  phase: FactPhase,
  { tree }: ReadPayload,
  said: Said,
  head: Pick<RecordHead, 'action' | 'subject'>,
  given?: Json,
): string {
  const isCall = phase !== 'decided' && (said.tool !== null || memberAt(tree, 'action_id') !== undefined);
  if (!isCall) return briefLine(lineOf(phase, tree, head), MAX_SUMMARY);
  const input = memberAt(tree, 'input') ?? given;
  const output = memberAt(tree, 'output');
  const title = callTitle({
    tool: said.tool ?? head.action,
    outcome: said.outcome,
    error: said.error,
    input: input === undefined ? undefined : (contentText(input) ?? ''),
    output: contentText(output),
  });
  return cutText(`${BEFORE[phase] ?? ''}${title}`, MAX_SUMMARY);
}
