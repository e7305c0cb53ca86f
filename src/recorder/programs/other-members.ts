import type { Body } from '../../actions/tools/index.ts';
import type { ExtraFacts } from './hook-event.ts';

/** Members that are worth keeping of an event that is not a call, a prompt or a session: texts, numbers and flags, and small. */
const KEPT = [
  'action',
  'agent_name',
  'agent_transcript_path',
  'agent_type',
  'change_type',
  'command_name',
  'error',
  'error_type',
  'event',
  'expansion_type',
  'failure_type',
  'file_path',
  'from_model',
  'is_steer',
  'load_reason',
  'mcp_server_name',
  'memory_type',
  'message',
  'name',
  'new_cwd',
  'notification_type',
  'old_cwd',
  'origin_kind',
  'origin_name',
  'prompt_id',
  'queue_length',
  'reason',
  'recoverable',
  'source',
  'status',
  'stop_hook_active',
  'stop_reason',
  'stopReason',
  'subagent_id',
  'subagent_type',
  'task_id',
  'task_subject',
  'team_name',
  'teammate_name',
  'title',
  'to_model',
  'tool_name',
  'transcript_path',
  'transcriptPath',
  'trigger',
  'turn_id',
  'uptime_ms',
  'worktree_path',
];

/** What a note keeps of a body. Lists and objects are left out: among them are environments, headers and whole conversations. */
export function otherMembers(body: Body): ExtraFacts {
  return Object.fromEntries(
    KEPT.flatMap((name) => {
      const value = Object.hasOwn(body, name) ? body[name] : undefined;
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? [[name, value]]
        : [];
    }),
  );
}

/** PreCompact, preCompact: pre_compact. */
export function noteName(event: string): string {
  return event
    .slice(0, 512)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();
}
