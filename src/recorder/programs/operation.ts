import type { SeenCall, SeenDecision, SeenGap, SeenNote, SeenSession, SeenTold, SeenTools } from '../seen/seen.ts';
import { shortPath } from './paths.ts';
import { cutText } from './texts.ts';
import { categoryOf, type ToolCategory } from './tools.ts';

/** How an operation of it is called, and what it was done to. */
export interface OperationName {
  readonly operationType: string;
  /** 1 to 512 Unicode characters; a longer one ends with the digest of the whole. */
  readonly subject: string;
  /** Whether it may change something: what only reads may be recorded by its end alone. */
  readonly changes: boolean;
}

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

const SUBJECT_LENGTH = 512;

const TYPE_OF = {
  shell: 'tool.shell',
  read: 'tool.file_read',
  write: 'tool.file_write',
  search: 'tool.search',
  web: 'tool.web',
  agent: 'tool.agent',
  upkeep: 'tool.other',
  mcp: 'tool.mcp',
  other: 'tool.other',
} as const satisfies Record<ToolCategory, string>;

/** Of what names no tool's category for sure, it is taken that it changes something. */
const ONLY_READS = new Set<ToolCategory>(['read', 'search', 'upkeep']);

/** Requests of MCP that are no calls of a tool; their tool is named so. */
const MCP_REQUESTS = new Set(['mcp.resource_read', 'mcp.prompt_get', 'mcp.sampling', 'mcp.elicitation']);

/** Names the operation that a Seen becomes (docs/recorders.md, What is recorded). */
export function operationOf(seen: Nameable): OperationName {
  const named = nameOf(seen);
  return { ...named, subject: cutText(named.subject === '' ? '-' : named.subject, SUBJECT_LENGTH) };
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
  const { tool } = seen;
  if (MCP_REQUESTS.has(tool.name)) {
    return { operationType: tool.name, subject: touchedIn(seen)[0]?.id ?? tool.server ?? tool.name, changes: false };
  }
  const category = categoryOf(tool);
  return { operationType: TYPE_OF[category], subject: subjectOf(seen, category), changes: !ONLY_READS.has(category) };
}

function subjectOf(seen: CallNames | DecisionNames, category: ToolCategory): string {
  const { tool, cwd } = seen;
  if (category === 'mcp') return tool.server === null ? tool.name : `${tool.server}/${tool.name}`;
  const [first, ...more] = touchedIn(seen);
  if (first === undefined) return tool.name;
  const subject = first.kind === 'file' ? shortPath(first.id, cwd) : first.id;
  return more.length === 0 ? subject : `${subject} +${more.length}`;
}

/** What is no person: a subject is signed for good, and cannot be withheld. */
const NAMES_NOBODY: ReadonlySet<SeenCall['touched'][number]['kind']> = new Set(['file', 'host', 'process']);

/** Resources that may be a subject. What the author of an agent lists with the library is not one: only the author knows what may be named. */
function touchedIn(seen: CallNames | DecisionNames): SeenCall['touched'] {
  if (seen.kind !== 'call' || seen.source === 'library') return [];
  return seen.touched.filter(({ kind }) => NAMES_NOBODY.has(kind));
}
