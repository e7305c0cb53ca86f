import { shortPath } from './paths.ts';
import { cutText } from './texts.ts';
import type { SeenTool, Touched } from './tool.ts';
import { categoryOf, type ToolCategory } from './tools.ts';

/** How an operation of it is called, and what it was done to. */
export interface OperationName {
  readonly operationType: string;
  /** 1 to 512 Unicode characters; a longer one ends with the digest of the whole. */
  readonly subject: string;
  /** Whether it may change something: what only reads may be recorded by its end alone. */
  readonly changes: boolean;
}

/** What of a call its names follow from. */
export interface NameableCall {
  readonly tool: SeenTool;
  readonly touched: readonly Touched[];
  readonly cwd: string | null;
}

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

/** What is no person: a subject is signed for good, and cannot be withheld. */
const NAMES_NOBODY: ReadonlySet<Touched['kind']> = new Set(['file', 'host', 'process']);

/** Names the operation that a call is (docs/recorders.md, What is recorded). */
export function operationOfCall(call: NameableCall): OperationName {
  const { tool } = call;
  const touched = call.touched.filter(({ kind }) => NAMES_NOBODY.has(kind));
  if (MCP_REQUESTS.has(tool.name)) {
    const subject = touched[0]?.id ?? tool.server ?? tool.name;
    return { operationType: tool.name, subject: subjectText(subject), changes: false };
  }
  const category = categoryOf(tool);
  return {
    operationType: TYPE_OF[category],
    subject: subjectText(subjectOf({ ...call, touched }, category)),
    changes: !ONLY_READS.has(category),
  };
}

/** A subject within its bounds. */
export function subjectText(subject: string): string {
  return cutText(subject === '' ? '-' : subject, SUBJECT_LENGTH);
}

function subjectOf({ tool, touched, cwd }: NameableCall, category: ToolCategory): string {
  if (category === 'mcp') return tool.server === null ? tool.name : `${tool.server}/${tool.name}`;
  const [first, ...more] = touched;
  if (first === undefined) return tool.name;
  const subject = first.kind === 'file' ? shortPath(first.id, cwd) : first.id;
  return more.length === 0 ? subject : `${subject} +${more.length}`;
}
