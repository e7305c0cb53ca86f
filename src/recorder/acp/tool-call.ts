import { nameOf, toolOf, touchedBy } from '../../actions/tools/index.ts';
import { type ExactJson, isMembers } from '../../protocol/light.ts';
import { asArray, asObject, asText, type JsonObject } from '../mcp/message.ts';
import type { SeenTool, Touched } from '../seen/seen.ts';

/** What the messages so far say of a call, each of which names what is new alone (`ToolCall`, `ToolCallUpdate` of the protocol). */
export interface ToolCallFacts {
  readonly name: string | null;
  readonly title: string | null;
  readonly kind: string | null;
  readonly status: string | null;
  readonly rawInput: ExactJson | undefined;
  readonly rawOutput: ExactJson | undefined;
  readonly content: readonly ExactJson[];
  readonly locations: readonly ExactJson[];
  /** The call of a tool that began the sub-agent which makes this one. */
  readonly parent: string | null;
  readonly exitCode: number | null;
}

const NOTHING_KNOWN: ToolCallFacts = {
  name: null,
  title: null,
  kind: null,
  status: null,
  rawInput: undefined,
  rawOutput: undefined,
  content: [],
  locations: [],
  parent: null,
  exitCode: null,
};

/** The most pieces of content that are kept of one call. */
const MOST_CONTENT = 1_000;

/** What is known once a message came. @param said a ToolCall or ToolCallUpdate */
export function withUpdate(known: ToolCallFacts | null, said: JsonObject): ToolCallFacts {
  const before = known ?? NOTHING_KNOWN;
  const meta = asObject(said['_meta']);
  const claude = asObject(meta?.['claudeCode']);
  return {
    // Claude's adapter names its tools in `_meta` alone.
    name: namedIn(said['name']) ?? namedIn(claude?.['toolName']) ?? namedIn(meta?.['toolName']) ?? before.name,
    title: asText(said['title']) ?? before.title,
    kind: namedIn(said['kind']) ?? before.kind,
    status: asText(said['status']) ?? before.status,
    rawInput: isNothing(said['rawInput']) ? before.rawInput : said['rawInput'],
    rawOutput: isNothing(said['rawOutput']) ? before.rawOutput : said['rawOutput'],
    content: Array.isArray(said['content']) ? asArray(said['content']).slice(0, MOST_CONTENT) : before.content,
    locations: Array.isArray(said['locations']) ? asArray(said['locations']) : before.locations,
    parent: namedIn(claude?.['parentToolUseId']) ?? before.parent,
    exitCode: exitCodeIn(said['rawOutput']) ?? exitCodeIn(meta?.['terminal_exit']) ?? before.exitCode,
  };
}

/** Adds a piece of content (`tool_call_content_chunk`, version 2). */
export function withContent(known: ToolCallFacts | null, piece: ExactJson): ToolCallFacts {
  const before = known ?? NOTHING_KNOWN;
  return before.content.length < MOST_CONTENT ? { ...before, content: [...before.content, piece] } : before;
}

/** Adapters begin a call with an empty input while the model still writes it. */
function isNothing(value: ExactJson | undefined): boolean {
  return value === undefined || value === null || (isMembers(value) && Object.keys(value).length === 0);
}

function namedIn(value: ExactJson | undefined): string | null {
  return nameOf(asText(value) ?? undefined) ?? null;
}

/** The exit code of a command, where the agent or its client says it in a member for it. */
export function exitCodeIn(value: ExactJson | undefined): number | null {
  const said = asObject(value);
  const code = said?.['exitCode'] ?? said?.['exit_code'];
  return typeof code === 'number' && Number.isSafeInteger(code) ? code : null;
}

/** What calls of a kind change. That one only reads is believed of tools alone that are known by their names. */
const TYPE_OF_KIND: ReadonlyMap<string | null, SeenTool['type']> = new Map([
  ['edit', 'file'],
  ['delete', 'file'],
  ['move', 'file'],
  ['execute', 'shell'],
  ['fetch', 'web'],
]);

/** The tool that a call is of: by its name, where the agent says one, else by its kind. */
export function toolOfCall({ name, kind }: ToolCallFacts): SeenTool {
  const named = toolOf(name ?? kind ?? 'tool');
  const type = TYPE_OF_KIND.get(kind);
  return named.type === 'other' && type !== undefined ? { ...named, type } : named;
}

/** What the call was given. Where the agent does not say it, what it shows of the call instead; undefined where it shows nothing. */
export function inputOf({ rawInput, title, locations, content }: ToolCallFacts): ExactJson | undefined {
  if (rawInput !== undefined) return rawInput;
  const shown: { [member: string]: ExactJson } = {};
  if (title !== null) shown['title'] = title;
  if (locations.length > 0) shown['locations'] = locations;
  const diffs = content.filter((piece) => asObject(piece)?.['type'] === 'diff');
  if (diffs.length > 0) shown['content'] = diffs;
  return Object.keys(shown).length === 0 ? undefined : shown;
}

/** What the call gave: its raw output, else the content that the client shows. */
export function outputOf({ rawOutput, content }: ToolCallFacts): ExactJson | undefined {
  if (rawOutput !== undefined) return rawOutput;
  return content.length === 0 ? undefined : content;
}

/** The text of an error, where a call that failed shows one. */
export function messageOf({ content }: ToolCallFacts): string | null {
  for (const piece of content) {
    const text = asText(asObject(asObject(piece)?.['content'])?.['text']);
    if (text !== null) return text;
  }
  return null;
}

/** The most resources that a call may touch. */
const MOST_TOUCHED = 256;

/** The resources of a call: those of its input, else those that the agent shows as its locations and diffs. */
export function touchedOf(tool: SeenTool, facts: ToolCallFacts, cwd: string | null): readonly Touched[] {
  const given = touchedBy(tool, facts.rawInput, cwd);
  if (given.length > 0) return given;
  const places = [...facts.locations, ...facts.content.flatMap(diffsIn)].slice(0, MOST_TOUCHED);
  const paths = places.flatMap((place) => namedIn(asObject(place)?.['path']) ?? []);
  const shown = touchedBy(tool, { paths }, cwd);
  return facts.kind === 'delete' ? shown.map((one) => ({ ...one, access: 'delete' as const })) : shown;
}

/** A diff is one change in version 1, and lists its changes in version 2. */
function diffsIn(piece: ExactJson): readonly ExactJson[] {
  const diff = asObject(piece);
  if (diff?.['type'] !== 'diff') return [];
  return [diff, ...asArray(diff['changes'])];
}
