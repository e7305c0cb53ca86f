import { type ExactJson, isMembers } from '../../protocol/light.ts';
import { type Body, json, list, members, number, object, openedJson, text, toolOf } from '../tools/index.ts';
import {
  changedIn,
  commandOf,
  durationOf,
  outcomeOf,
  outcomeOfMcp,
  printedIn,
  toldOf,
  wasAborted,
} from './codex-texts.ts';
import type { TranscriptCall, TranscriptItem, TranscriptLine } from './items.ts';
import { JsonLines, unread } from './json-lines.ts';
import { callOf, type End } from './open-calls.ts';
import { instantText } from './times.ts';

const lineOf = members({ timestamp: text, type: text, payload: json });
const metaOf = object({
  id: text,
  session_id: text,
  parent_thread_id: text,
  cwd: text,
  cli_version: text,
  timestamp: text,
});
const contextOf = object({ cwd: text, model: text });
const itemOf = object({
  type: text,
  role: text,
  content: list(object({ type: text, text })),
  call_id: text,
  name: text,
  namespace: text,
  arguments: text,
  input: json,
  action: json,
  output: json,
});
const eventOf = object({
  type: text,
  item: object({
    type: text,
    id: text,
    command: list(text),
    process_id: text,
    status: text,
    aggregated_output: text,
    exit_code: number,
    duration: object({ secs: number, nanos: number }),
    changes: json,
    stdout: text,
    stderr: text,
    server: text,
    tool: text,
    arguments: json,
    result: json,
    error: json,
    content: list(object({ type: text, text })),
  }),
  started_at_ms: number,
  completed_at_ms: number,
});

type Item = NonNullable<ReturnType<typeof itemOf>>;
type Event = NonNullable<ReturnType<typeof eventOf>>;

const ASIDE_LINES = new Set(
  'world_state turn_context token_usage_record compacted ghost_snapshot inter_agent_communication'.split(' '),
);
const ASIDE_ITEMS = new Set(
  `reasoning additional_tools web_search_call tool_search_call tool_search_output ghost_snapshot compaction compaction_summary
  context_compaction agent_message compaction_trigger image_generation_call`.split(/\s+/),
);
const CALLS = new Set(['function_call', 'custom_tool_call', 'local_shell_call']);
/** Of what is completed, what is a call that may stand in no other line. */
const ENDS = new Set(['CommandExecution', 'FileChange', 'McpToolCall']);
/** Likewise of a call that the model has made: of agents. */
const OF_AGENTS = 'CollabAgentToolCall';
const STATUS: ReadonlyMap<string | undefined, TranscriptCall['outcome']> = new Map([
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['declined', 'denied'],
]);
/** The code of Code Mode runs in a cell that a later call waits for: that is no action, like a look at what a command has printed so far. */
const WAITS = 'wait';

/**
 * Codex's rollouts (CLI 0.169.0): `~/.codex/sessions/Y/M/D/rollout-TIME-THREAD.jsonl`, one for each agent. A call is an item of the
 * model's answer; how it ended is in an event (`item_completed`) and in what the model is told. Models that write code have one call
 * `exec`: what its code calls has only events, with ids that begin with `exec-`.
 */
export class CodexReader extends JsonLines {
  /** The call that began each process that may be typed into, and the calls whose process continues; the newest. */
  readonly #processes = new Map<string, string>();
  readonly #inBackground = new Set<string>();
  /** Calls that only look at what a process has printed: no actions. */
  readonly #polls = new Set<string>();
  /** Calls that its user stopped, whose command's end may still come. */
  readonly #aborted = new Set<string>();
  #subAgent: string | null = null;

  protected override read(body: Body, line: TranscriptLine): readonly TranscriptItem[] {
    const said = lineOf(body);
    switch (said.type) {
      case 'session_meta':
        return this.#meta(said.payload, line);
      case 'response_item':
        return this.#item(itemOf(said.payload), said.timestamp ?? null, line);
      case 'event_msg':
        return this.#event(eventOf(said.payload), said.timestamp ?? null, line);
      case 'turn_context': {
        const { cwd, model } = contextOf(said.payload) ?? {};
        return this.session.of({ cwd, model, line: line.line });
      }
      default:
        return ASIDE_LINES.has(said.type ?? '') ? [] : this.unknown.of('line', said.type, line.line);
    }
  }

  #meta(payload: ExactJson | undefined, line: TranscriptLine): readonly TranscriptItem[] {
    const meta = metaOf(payload);
    if (meta?.id === undefined) return [unread(line, 'session_meta names no session')];
    // A rollout of a sub-agent names the session that it is part of, and the agent by its own id.
    const isSubAgent = meta.parent_thread_id !== undefined;
    if (isSubAgent) this.#subAgent = meta.id;
    return this.session.of({
      session_id: meta.session_id ?? meta.id,
      parent_session_id: isSubAgent && meta.session_id === meta.id ? meta.parent_thread_id : null,
      cwd: meta.cwd,
      version: meta.cli_version,
      started_at: meta.timestamp,
      line: line.line,
    });
  }

  #item(item: Item | undefined, at: string | null, line: TranscriptLine): readonly TranscriptItem[] {
    const type = item?.type ?? '';
    if (CALLS.has(type) && item !== undefined) return this.#begin(item, at, line);
    if (/^(?:function|custom_tool)_call_output$/.test(type)) return this.#output(item, at, line);
    if (type === 'message') {
      const said = { text: textOf(item?.content), at, sub_agent: this.#subAgent, line: line.line };
      // What stands before the first turn is about the surroundings, and is the program's.
      const isPrompt =
        item?.role === 'user' && !/^<(?:environment_context|user_instructions|turn_aborted|subagent)/.test(said.text);
      if (item?.role === 'assistant') return [{ kind: 'answer', ...said }];
      return isPrompt ? [{ kind: 'prompt', ...said }] : [];
    }
    return ASIDE_ITEMS.has(type) ? [] : this.unknown.of('response item', item?.type, line.line);
  }

  #begin(item: Item, at: string | null, line: TranscriptLine): readonly TranscriptItem[] {
    const input = inputOf(item);
    const given = isMembers(input) ? input : {};
    const callId = item.call_id ?? null;
    const name = item.name ?? (item.type === 'local_shell_call' ? 'local_shell' : 'unnamed');
    if ((name === 'write_stdin' && isEmpty(given['chars'])) || (name === WAITS && 'cell_id' in given)) {
      if (callId !== null) bounded(this.#polls).add(callId);
      return [];
    }
    const mcp = /^mcp__(.+?)(?:__)?$/.exec(item.namespace ?? '')?.[1];
    return this.begin(
      {
        call_id: callId,
        tool: name,
        server: mcp ?? null,
        input,
        started_at: at,
        sub_agent: this.#subAgent,
        typed_into: name === 'write_stdin' ? (this.#processes.get(String(given['session_id'])) ?? null) : null,
      },
      line,
    );
  }

  /** What the model learns about a call. */
  #output(item: Item | undefined, at: string | null, line: TranscriptLine): readonly TranscriptItem[] {
    const callId = item?.call_id;
    const told = toldOf(item?.output);
    if (callId !== undefined && this.#polls.delete(callId)) return [];
    const call = this.calls.get(callId);
    if (call === undefined || callId === undefined) return [unread(line, 'a call ended that did not begin')];
    // The text of any other tool is whatever its author wrote, or what it read.
    const isSaid =
      call.tool === 'apply_patch' || toolOf(call.tool, { server: call.server ?? undefined }).type === 'shell';
    const head = isSaid ? (told.split('\nOutput:\n', 1)[0] ?? '') : '';
    const exit = /(?:^|\n)(?:Process exited with code|Exit code:) (-?\d{1,10})(?:\n|$)/.exec(head)?.[1];
    const running = /\nProcess running with session ID (\d+)(?:\n|$)/.exec(head)?.[1];
    if (running !== undefined && call.tool !== 'write_stdin') {
      // It continues in the background: an event has its end.
      bounded(this.#processes).set(running, callId);
      bounded(this.#inBackground).add(callId);
      this.calls.more(callId, { output: item?.output });
      return [];
    }
    // What is typed may end the process: the code is that of the call which began it.
    const own = call.tool === 'write_stdin' ? undefined : exit;
    const isAborted = isSaid && wasAborted(told);
    if (isAborted) bounded(this.#aborted).add(callId);
    const said = isAborted ? 'cancelled' : outcomeOf(call.tool, told, own);
    const known = call.outcome === 'unknown' ? said : call.outcome;
    const end: End = {
      outcome: known,
      output: item?.output,
      told_to_hooks: printedIn(told),
      exit_code: call.exit_code ?? (own === undefined ? null : Number(own)),
      error: known === 'completed' || known === 'unknown' ? null : told,
      ended_at: call.ended_at ?? at,
    };
    return this.end(callId, end, line);
  }

  #event(event: Event | undefined, at: string | null, line: TranscriptLine): readonly TranscriptItem[] {
    const item = event?.item;
    const isEnd = ENDS.has(item?.type ?? '') || (item?.type === OF_AGENTS && this.calls.get(item.id) !== undefined);
    if (event?.type !== 'item_completed' || item?.id === undefined || !isEnd) return [];
    const ended_at = event.completed_at_ms === undefined ? at : instantText(event.completed_at_ms);
    const outcome = STATUS.get(item.status) ?? 'unknown';
    const end: End = {
      outcome: item.type === 'McpToolCall' && outcome === 'failed' ? outcomeOfMcp(item.error) : outcome,
      exit_code: item.exit_code ?? null,
      ended_at,
      duration_ms: durationOf(item.duration),
      changed: changedIn(item.changes),
    };
    const call = this.calls.get(item.id);
    if (call !== undefined) {
      if (!this.#inBackground.has(item.id)) {
        this.calls.more(item.id, end);
        return [];
      }
      const output = item.aggregated_output ?? call.output;
      const whole = this.calls.end(item.id, { ...end, output, end_line: line.line });
      return whole === null ? [] : [whole];
    }
    // Of a command that was stopped the event has no exit code that it ended with.
    return this.#aborted.delete(item.id) ? [] : [this.#nested(event, item, end, line)];
  }

  /** A call that no item of the model has: the code of another call made it. */
  #nested(event: Event, item: NonNullable<Event['item']>, end: End, line: TranscriptLine): TranscriptCall {
    const codes = this.calls.values().filter(({ tool }) => tool === 'exec');
    const given = item.type === 'CommandExecution' ? { command: commandOf(item.command) } : undefined;
    return callOf({
      call_id: item.id ?? null,
      tool:
        item.type === 'McpToolCall'
          ? (item.tool ?? 'unnamed')
          : item.type === 'FileChange'
            ? 'apply_patch'
            : 'exec_command',
      server: item.server ?? null,
      input: item.type === 'FileChange' ? item.changes : (given ?? item.arguments),
      output: item.aggregated_output ?? item.stdout ?? item.result,
      error: end.outcome === 'completed' ? null : (item.aggregated_output ?? item.stderr ?? null),
      started_at: instantText(event.started_at_ms),
      sub_agent: this.#subAgent,
      within: codes.length === 1 ? (codes[0]?.call_id ?? null) : null,
      line: line.line,
      end_line: line.line,
      cut: line.cut ?? null,
      ...end,
    });
  }
}

/** The most names of each kind that are known at once. */
const MAX_KNOWN = 10_000;

/** With room for one more: where there are too many, the oldest is forgotten. */
function bounded<T extends Map<string, string> | Set<string>>(known: T): T {
  const [oldest] = known.keys();
  if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  return known;
}

/** What a call was given: members as text, or the text that a tool of free text takes. */
function inputOf({ arguments: given, input, action }: Item): ExactJson | undefined {
  return given === undefined ? (input ?? action) : openedJson(given);
}

function isEmpty(characters: ExactJson | undefined): boolean {
  return characters === undefined || characters === '';
}

function textOf(content: Item['content']): string {
  return (content ?? []).map((part) => part.text ?? '').join('\n');
}
