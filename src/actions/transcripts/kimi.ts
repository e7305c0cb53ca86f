import { type Body, exitCodeIn, flag, json, list, members, number, object, text } from '../tools/index.ts';
import type { TranscriptItem, TranscriptLine } from './items.ts';
import { JsonLines, unread } from './json-lines.ts';
import { instantText } from './times.ts';

const part = object({ type: text, text });
const lineOf = members({
  type: text,
  agentId: text,
  time: number,
  created_at: number,
  model: text,
  environmentDisclosure: object({ cwd: text }),
  input: list(part),
  origin: object({ kind: text }),
  event: object({
    type: text,
    toolCallId: text,
    name: text,
    args: json,
    result: object({ output: json, isError: flag, durationMs: number }),
    part,
  }),
});

/** Lines that hold no call, no prompt and no answer, by what they are about. */
const ASIDE =
  /^(?:metadata|agent|background|compaction|context|cron|file_history|forked|goal|hook|interaction|llm|mcp|permission|plan|plugin|profile|prompt|question|runtime|session|skill|subagent|task|todo|token_counting|tools|turn|usage|workspace)(?:\.|$)/;
/** Who was asked did not decide. */
const CANCELLED = /^Tool "[^"\n]{1,256}" was not run because the approval request was cancelled\./;
const DENIED = /^Tool "[^"\n]{1,256}" was (?:not run because |denied by permission (?:policy|rule))/;

/**
 * Kimi Code's wire files (2.1.0): `~/.kimi-code/sessions/FOLDER/SESSION/agents/AGENT/wire.jsonl`, one for each agent of a session. The
 * session has its name from the folder alone.
 */
export class KimiReader extends JsonLines {
  readonly #id: string | undefined;

  /** @param path where the file is, or was */
  constructor(path: string) {
    super();
    this.#id = kimiSessionIn(path) ?? undefined;
  }

  protected override read(body: Body, line: TranscriptLine): readonly TranscriptItem[] {
    const said = lineOf(body);
    const at = instantText(said.time);
    // Its own agent is called main.
    const sub_agent = said.agentId === 'main' ? null : (said.agentId ?? null);
    const common = { at, sub_agent, line: line.line };
    switch (said.type) {
      case 'metadata':
        return this.#id === undefined
          ? [unread(line, 'nothing names the session: its folder is not known')]
          : this.session.of({ session_id: this.#id, started_at: instantText(said.created_at), line: line.line });
      case 'profile.bind':
        return this.session.of({ cwd: said.environmentDisclosure?.cwd, line: line.line });
      case 'llm.request':
        return this.session.of({ model: said.model, line: line.line });
      case 'turn.prompt': {
        const told = (said.input ?? []).map((one) => one.text ?? '').join('\n');
        return [{ kind: 'prompt', text: told, ...common }];
      }
      case 'context.append_loop_event':
        return this.#event(said.event, common, line);
      default:
        return ASIDE.test(said.type ?? '') ? [] : this.unknown.of('line', said.type, line.line);
    }
  }

  #event(
    event: ReturnType<typeof lineOf>['event'],
    common: { readonly at: string | null; readonly sub_agent: string | null; readonly line: number },
    line: TranscriptLine,
  ): readonly TranscriptItem[] {
    const { at, sub_agent } = common;
    if (event?.type === 'tool.call') {
      const begun = { call_id: event.toolCallId ?? null, tool: event.name ?? 'unnamed', input: event.args };
      return this.begin({ ...begun, started_at: at, sub_agent }, line);
    }
    if (event?.type === 'tool.result') {
      const { result } = event;
      const shown = typeof result?.output === 'string' ? result.output : undefined;
      const refused = CANCELLED.test(shown ?? '') ? 'cancelled' : DENIED.test(shown ?? '') ? 'denied' : 'failed';
      const outcome = result?.isError === true ? refused : 'completed';
      const end = {
        outcome: result === undefined ? 'unknown' : outcome,
        output: result?.output,
        ...(result?.isError !== true && { told_to_hooks: result?.output }),
        error: result?.isError === true ? (shown ?? null) : null,
        exit_code: (result?.isError === true ? exitCodeIn(shown, 'kimi') : undefined) ?? null,
        ended_at: at,
        duration_ms: result?.durationMs ?? null,
      } as const;
      return this.end(event.toolCallId, end, line);
    }
    if (event?.type === 'content.part') {
      const isText = event.part?.type === 'text' && event.part.text !== undefined;
      return isText ? [{ kind: 'answer', text: event.part?.text ?? '', ...common }] : [];
    }
    const isKnown = event?.type === 'step.begin' || event?.type === 'step.end';
    return isKnown ? [] : this.unknown.of('loop event', event?.type, line.line);
  }
}

/** The session that a wire file is of, by its path. */
function kimiSessionIn(path: string): string | null {
  return /[\\/]([^\\/]{1,256})[\\/]agents[\\/][^\\/]+[\\/]wire\.jsonl$/.exec(path)?.[1] ?? null;
}
