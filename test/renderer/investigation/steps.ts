// Steps of a session as the service answers them, each ordinary unless a test says otherwise.
import type { Step } from '../../../src/renderer/api/answers.ts';

const BEGAN = Date.UTC(2026, 10, 21, 10);

/** @param seconds after the beginning of the session */
export function stepAt(seconds: number, members: Partial<Step> = {}): Step {
  const at = new Date(BEGAN + seconds * 1000).toISOString();
  const operation_id = `operation at ${seconds}`;
  return {
    seq_no: seconds + 1,
    operation_id,
    agent_id: 'coder',
    title: `step at ${seconds}`,
    kind: 'call',
    moments: [{ operation_id, seq_no: seconds + 1, phase: 'completed', at }],
    lane: { kind: 'tool', id: members.tool ?? 'Bash' },
    tool: 'Bash',
    at,
    ended_at: null,
    duration_ms: null,
    outcome: 'ok',
    error: null,
    input: null,
    output: null,
    told: [],
    entities: [],
    decisions: [],
    marks: [],
    causes: [],
    session: 'main',
    ...members,
  };
}

/** A text as a step shows it. */
export function shown(value: string) {
  return { value, cut: false, digest: null, media_type: null, bytes: null };
}
