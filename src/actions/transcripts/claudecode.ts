import type { ExactJson } from '../../protocol/light.ts';
import { type Body, exitCodeIn, flag, json, list, members, object, text } from '../tools/index.ts';
import type { TranscriptItem, TranscriptLine } from './items.ts';
import { JsonLines, unread } from './json-lines.ts';
import type { End } from './open-calls.ts';

/** Lines that hold no call, no prompt and no answer. */
const ASIDE = new Set(
  `agent-color agent-name agent-setting ai-title api-request api-request-blob api-request-shape atis-latch attachment
  attribution-snapshot bridge-session compact_boundary content-replacement cost-state custom-title file-history-delta
  file-history-snapshot last-prompt marble-origami-commit mode permission-mode pr-link progress queue-operation speculation-accept
  started summary system tag task-summary tools-used worktree-state result`.split(/\s+/),
);
/** Parts of a message that are no call. */
const PARTS = new Set(['text', 'thinking', 'redacted_thinking', 'image', 'document', 'fallback', 'container_upload']);

const lineOf = members({
  type: text,
  isMeta: flag,
  isSidechain: flag,
  agentId: text,
  sessionId: text,
  cwd: text,
  version: text,
  timestamp: text,
  origin: object({ kind: text }),
  message: object({ role: text, model: text, content: json }),
  toolUseResult: json,
  toolDenialKind: text,
  toolDenialBeforeRun: flag,
  permissionDecision: object({ decision: text }),
});
const partOf = object({
  type: text,
  text: text,
  id: text,
  name: text,
  input: json,
  tool_use_id: text,
  content: json,
  is_error: flag,
});
const resultOf = object({ interrupted: flag, totalDurationMs: json, durationMs: json });

/** Kinds of `toolDenialKind` for which nobody refused the call. */
const STOPPED = new Set(['interrupted', 'cancelled']);

type Line = ReturnType<typeof lineOf>;
type Part = NonNullable<ReturnType<typeof partOf>>;

/**
 * Claude Code's transcripts (2.1.330): `~/.claude/projects/FOLDER/SESSION.jsonl`, and `SESSION/subagents/agent-ID.jsonl` of what
 * sub-agents did. Each line has the id of the one before it (`parentUuid`).
 */
export class ClaudeCodeReader extends JsonLines {
  protected override read(body: Body, line: TranscriptLine): readonly TranscriptItem[] {
    const said = lineOf(body);
    const items: TranscriptItem[] = [
      ...this.session.of({
        session_id: said.sessionId,
        cwd: said.cwd,
        version: said.version,
        model: said.message?.model,
        started_at: said.timestamp,
        line: line.line,
      }),
    ];
    if (said.type !== 'user' && said.type !== 'assistant') {
      if (!ASIDE.has(said.type ?? '')) items.push(...this.unknown.of('line', said.type, line.line));
      return items;
    }
    const content = said.message?.content;
    const common = { at: said.timestamp ?? null, sub_agent: said.agentId ?? null, line: line.line };
    if (typeof content === 'string') {
      // What the program itself puts in as the user's has an origin or is marked.
      const isPrompt = said.type === 'user' && said.origin === undefined && said.isMeta !== true;
      if (said.type === 'assistant') items.push({ kind: 'answer', text: content, ...common });
      else if (isPrompt) items.push({ kind: 'prompt', text: content, ...common });
      return items;
    }
    const parts = list(partOf)(content);
    if (parts === undefined) {
      items.push(unread(line, 'the message has no content of a form that is known'));
    }
    for (const part of parts ?? []) {
      if (part.type === 'text' && part.text !== undefined) {
        const isPrompt = said.type === 'user' && said.origin === undefined && said.isMeta !== true;
        if (said.type === 'assistant') items.push({ kind: 'answer', text: part.text, ...common });
        else if (isPrompt) items.push({ kind: 'prompt', text: part.text, ...common });
      } else items.push(...this.#part(part, said, body, line));
    }
    return items;
  }

  #part(part: Part, said: Line, body: Body, line: TranscriptLine): readonly TranscriptItem[] {
    if (part.type === 'tool_use' || part.type === 'server_tool_use' || part.type === 'mcp_tool_use') {
      return this.begin(
        {
          call_id: part.id ?? null,
          tool: part.name ?? 'unnamed',
          input: part.input,
          started_at: said.timestamp ?? null,
          sub_agent: said.agentId ?? null,
        },
        line,
      );
    }
    if (part.type?.endsWith('tool_result') === true) {
      const reason =
        part.tool_use_id === undefined && line.cut !== undefined
          ? `the line has ${line.cut.bytes} bytes, and its head does not name the call that ended`
          : undefined;
      return this.end(part.tool_use_id, endOf(part, said, body), line, reason);
    }
    return PARTS.has(part.type ?? '') ? [] : this.unknown.of('part of a message', part.type, line.line);
  }
}

function endOf(part: Part, said: Line, body: Body): End {
  const shown = textIn(part.content);
  const result = resultOf(said.toolUseResult);
  // Ctrl-C is told in the same member as who refused a call, and in the same words: but the call runs then, and nobody decided.
  const isDecided = said.permissionDecision?.decision === 'reject' || said.toolDenialBeforeRun === true;
  const isLeft = said.toolDenialKind === 'user-rejected' && !isDecided;
  const isStopped = result?.interrupted === true || isLeft || STOPPED.has(said.toolDenialKind ?? '');
  const isDenied = said.toolDenialKind !== undefined || isDecided;
  const isFailed = part.is_error === true;
  const outcome = isStopped ? 'cancelled' : isDenied ? 'denied' : isFailed ? 'failed' : 'completed';
  const duration = result?.totalDurationMs ?? result?.durationMs;
  return {
    outcome,
    // The result in its own form; where it failed, that is the message once more.
    output: isFailed || !Object.hasOwn(body, 'toolUseResult') ? part.content : said.toolUseResult,
    ...(!isFailed && { told_to_hooks: said.toolUseResult }),
    exit_code: (isFailed && !isDenied ? exitCodeIn(shown, 'first') : undefined) ?? null,
    error: outcome === 'completed' ? null : (shown ?? null),
    ended_at: said.timestamp ?? null,
    duration_ms: typeof duration === 'number' ? duration : null,
  };
}

function textIn(content: ExactJson | undefined): string | undefined {
  if (typeof content === 'string') return content;
  return list(partOf)(content)
    ?.map((part) => part.text ?? '')
    .join('\n');
}
