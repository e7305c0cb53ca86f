import type { Json } from '../../protocol/light.ts';
import type { PreparedCall } from '../content/prepared.ts';
import type { EndStatus } from '../seen/seen.ts';

const END_STAGES = ['completed', 'failed', 'refused'] as const;
export type EndStage = (typeof END_STAGES)[number];

export function isEnd(stage: PreparedCall['stage']): stage is EndStage {
  return END_STAGES.some((end) => end === stage);
}

const STATUS_WITHOUT_WORDS: Readonly<Record<EndStage, EndStatus>> = {
  completed: 'ok',
  failed: 'error',
  refused: 'denied',
};

/** How a witness says that the call ended. */
export function statusOf({ stage, outcome }: PreparedCall): EndStatus {
  return outcome?.status ?? (isEnd(stage) ? STATUS_WITHOUT_WORDS[stage] : 'unknown');
}

/** How a witness says that the call ended; null for one that saw only that it was carried out, as Codex's hooks do. */
export function toldStatus(seen: PreparedCall): EndStatus | null {
  const status = statusOf(seen);
  return seen.stage === 'completed' && status === 'unknown' ? null : status;
}

/** The phase of a record for a status (docs/agent-actions.md, Phases). */
export function phaseOf(status: EndStatus, stage: EndStage): EndStage {
  if (status === 'ok') return 'completed';
  if (status === 'denied' || status === 'blocked') return 'refused';
  return status === 'cancelled' && stage === 'refused' ? 'refused' : 'failed';
}

/** How a call ended, as the profile has it. */
export function outcomeOf({ outcome }: PreparedCall, status: EndStatus): Json {
  const { exit_code, error } = outcome ?? {};
  return {
    status,
    ...(exit_code === undefined ? {} : { exit_code }),
    ...(error === undefined ? {} : { error: { ...error } }),
  };
}
