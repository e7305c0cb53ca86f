import type { ExactJson } from '../../protocol/light.ts';
import { type Body, flag, json, members, number, object, text } from '../tools/index.ts';
import type { TranscriptItem, TranscriptLine } from './items.ts';
import { JsonLines } from './json-lines.ts';

const lineOf = members({ type: text, timestamp: text, agentId: text, data: json });
const startOf = object({
  sessionId: text,
  copilotVersion: text,
  startTime: text,
  selectedModel: text,
  context: object({ cwd: text }),
});
const begunOf = object({
  toolCallId: text,
  toolName: text,
  arguments: json,
  model: text,
  mcpServerName: text,
  mcpToolName: text,
});
const endedOf = object({
  toolCallId: text,
  success: flag,
  result: object({ content: json }),
  error: object({ message: text, code: text }),
  shellExecution: object({ exitCode: number }),
});
const permissionOf = object({ toolCallId: text, result: object({ kind: text, reason: text }) });
const saidOf = object({ content: text, source: text });

/** Events that hold no call, no prompt and no answer, by what they are about. */
const ASIDE =
  /^(?:abort|agents|assistant|auto_mode_switch|capabilities|command|commands|elicitation|exit_plan_mode|extensions|external_tool|hook|mcp|mcp_server|model|pending_messages|permission|sampling|session|skill|skills|subagent|system|tool|user_input|user)\.|^abort$/;
/** It says how a call ended by one of these; other codes are failures. */
const OUTCOMES: ReadonlyMap<string | undefined, 'denied' | 'cancelled'> = new Map([
  ['denied', 'denied'],
  ['rejected', 'denied'],
  ['cancelled', 'cancelled'],
  ['aborted', 'cancelled'],
]);

/**
 * GitHub Copilot CLI's events (1.0.102): `~/.copilot/session-state/SESSION/events.jsonl`. Each event has the id of the one before it
 * (`parentId`); what sub-agents did is in the same file, with the agent's id.
 */
export class CopilotReader extends JsonLines {
  protected override read(body: Body, line: TranscriptLine): readonly TranscriptItem[] {
    const said = lineOf(body);
    const common = { at: said.timestamp ?? null, sub_agent: said.agentId ?? null, line: line.line };
    switch (said.type) {
      case 'session.start':
      case 'session.resume': {
        const start = startOf(said.data);
        return this.session.of({
          session_id: start?.sessionId,
          cwd: start?.context?.cwd,
          version: start?.copilotVersion,
          model: start?.selectedModel,
          started_at: start?.startTime,
          line: line.line,
        });
      }
      case 'tool.execution_start': {
        const begun = begunOf(said.data);
        return this.begin(
          {
            call_id: begun?.toolCallId ?? null,
            tool: begun?.mcpToolName ?? begun?.toolName ?? 'unnamed',
            server: begun?.mcpServerName ?? null,
            input: begun?.arguments,
            started_at: common.at,
            sub_agent: common.sub_agent,
          },
          line,
        );
      }
      case 'tool.execution_complete':
        return this.#end(said.data, common.at, line);
      case 'permission.completed':
        return this.#answered(said.data, common.at);
      case 'user.message':
      case 'assistant.message': {
        const content = saidOf(said.data)?.content;
        const kind = said.type === 'user.message' ? 'prompt' : 'answer';
        return content === undefined || content === '' ? [] : [{ kind, text: content, ...common }];
      }
      default:
        return ASIDE.test(said.type ?? '') ? [] : this.unknown.of('event', said.type, line.line);
    }
  }

  /** A question that its user cancels, with all of the turn, is the last thing said of its call. */
  #answered(data: ExactJson | undefined, at: string | null): readonly TranscriptItem[] {
    const { toolCallId, result } = permissionOf(data) ?? {};
    if (toolCallId !== undefined && result?.kind === 'cancelled') {
      this.calls.more(toolCallId, { outcome: 'cancelled', error: result.reason ?? null, ended_at: at });
    }
    return [];
  }

  #end(data: ExactJson | undefined, at: string | null, line: TranscriptLine): readonly TranscriptItem[] {
    const end = endedOf(data);
    const failed = OUTCOMES.get(end?.error?.code) ?? 'failed';
    const known = {
      outcome: end?.success === true ? 'completed' : end?.success === false ? failed : 'unknown',
      output: end?.result?.content ?? end?.error?.message,
      told_to_hooks: end?.result?.content,
      error: end?.success === true ? null : (end?.error?.message ?? null),
      exit_code: end?.shellExecution?.exitCode ?? null,
      ended_at: at,
    } as const;
    return this.end(end?.toolCallId, known, line);
  }
}
