import type { ExactJson } from '../../protocol/light.ts';
import { type Body, exitCodeIn, json, list, members, object, text } from '../tools/index.ts';
import type { TranscriptItem, TranscriptLine } from './items.ts';
import { JsonLines } from './json-lines.ts';
import { callOf } from './open-calls.ts';
import { Once } from './said-once.ts';

const lineOf = members({
  sessionId: text,
  startTime: text,
  kind: text,
  id: text,
  timestamp: text,
  type: text,
  model: text,
  content: json,
  toolCalls: list(
    object({ id: text, name: text, args: json, status: text, timestamp: text, result: json, resultDisplay: json }),
  ),
});
const answersOf = list(object({ functionResponse: object({ response: object({ output: json, error: text }) }) }));

type Call = NonNullable<ReturnType<typeof lineOf>['toolCalls']>[number];

const TYPES = new Set(['user', 'gemini', 'info', 'error', 'warning']);
const ENDED = new Set<string | undefined>(['success', 'error', 'cancelled']);
/** Tools whose answer is one text, for model and person: others give hooks parts that the chat has no more. */
const PLAIN = new Set<string | undefined>(['run_shell_command', 'read_file']);
/** It may shorten a long answer for the model after its hooks were told. */
const SHORTENED = /truncated|omitted|masked|too large/i;
const DENIED = /^(?:Tool execution denied by policy\b|\[Operation Cancelled\] Reason: User (?:denied|did not allow))/;

/**
 * Gemini CLI's chats (0.61.0): `~/.gemini/tmp/PROJECT/chats/session-TIME-ID.jsonl`, those of its sub-agents in the folder `ID` next to it. A message is written again whenever it grows, with its
 * calls once they have ended; lines with `$set` change the head alone, or repeat what came before.
 */
export class GeminiReader extends JsonLines {
  readonly #told = new Once();
  /** Whose file it is, if not the session's. */
  #subAgent: string | null = null;

  protected override read(body: Body, line: TranscriptLine): readonly TranscriptItem[] {
    const said = lineOf(body);
    if (said.sessionId !== undefined) {
      if (said.kind === 'subagent') this.#subAgent = said.sessionId;
      return this.session.of({ session_id: said.sessionId, started_at: said.startTime, line: line.line });
    }
    if (Object.keys(body).every((name) => name.startsWith('$'))) return [];
    if (!TYPES.has(said.type ?? '')) return this.unknown.of('line', said.type, line.line);
    const items: TranscriptItem[] = [...this.session.of({ model: said.model, line: line.line })];
    const shown = textOf(said.content);
    const kind = said.type === 'user' ? 'prompt' : 'answer';
    // What the program adds for its model begins like a tag; answers of tools have no text.
    const isSaid =
      shown !== '' && (said.type === 'user' || said.type === 'gemini') && !shown.startsWith('<session_context>');
    if (isSaid && this.#told.isFirst(`text ${said.id} ${shown.length}`)) {
      items.push({ kind, text: shown, at: said.timestamp ?? null, sub_agent: this.#subAgent, line: line.line });
    }
    for (const call of said.toolCalls ?? []) items.push(...this.#call(call, said.timestamp ?? null, line));
    return items;
  }

  #call(call: Call, asked: string | null, line: TranscriptLine): readonly TranscriptItem[] {
    const { id } = call;
    if (id === undefined || this.#told.has(`call ${id}`)) return [];
    const before = this.calls.get(id);
    const begun = {
      call_id: id,
      tool: call.name ?? 'unnamed',
      input: call.args,
      started_at: asked,
      sub_agent: this.#subAgent,
    };
    if (!ENDED.has(call.status)) return before === undefined ? this.begin(begun, line) : [];
    this.#told.isFirst(`call ${id}`);
    const answer = answersOf(call.result)?.[0]?.functionResponse?.response;
    const isDenied = DENIED.test(answer?.error ?? '');
    const outcome = call.status === 'success' ? 'completed' : call.status === 'cancelled' ? 'cancelled' : 'failed';
    const shown = typeof answer?.output === 'string' ? answer.output : undefined;
    const end = {
      outcome: isDenied ? 'denied' : outcome,
      output: answer?.output ?? answer?.error ?? call.result,
      error: call.status === 'success' ? null : (answer?.error ?? shownAs(call.resultDisplay)),
      ...(PLAIN.has(call.name) &&
        call.status === 'success' &&
        shown !== undefined &&
        !SHORTENED.test(shown) &&
        typeof call.resultDisplay === 'string' && {
          told_to_hooks: { llmContent: shown, returnDisplay: call.resultDisplay },
        }),
      exit_code: exitCodeIn(shown, 'gemini') ?? null,
      ended_at: call.timestamp ?? null,
      end_line: line.line,
    } as const;
    return [this.calls.end(id, end) ?? callOf({ ...begun, line: line.line, cut: line.cut ?? null, ...end })];
  }
}

function textOf(content: ExactJson | undefined): string {
  if (typeof content === 'string') return content;
  const parts = list(object({ text }))(content) ?? [];
  return parts.map((part) => part.text ?? '').join('');
}

function shownAs(display: ExactJson | undefined): string | null {
  return typeof display === 'string' ? display : null;
}
