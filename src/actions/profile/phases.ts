import type { Phase } from './profile-name.ts';
import type { AgentAction } from './schema.ts';

type Status = NonNullable<AgentAction['outcome']>['status'];

/** What a payload of each phase must hold, and how it may say that it ended. Other members may come besides. */
interface PhaseRule {
  readonly needs: readonly (keyof AgentAction & string)[];
  /** The states that `outcome` may name; none where a phase has no outcome. */
  readonly outcomes: readonly Status[];
}

export const PHASES: Readonly<Record<Phase, PhaseRule>> = {
  session_started: { needs: ['session'], outcomes: [] },
  session_ended: { needs: ['session'], outcomes: [] },
  told: { needs: ['told'], outcomes: [] },
  proposed: { needs: ['action_id', 'tool', 'input'], outcomes: [] },
  asked: { needs: ['action_id', 'tool', 'input'], outcomes: [] },
  decided: { needs: ['action_id', 'decision'], outcomes: [] },
  started: { needs: ['action_id', 'tool', 'input'], outcomes: [] },
  completed: { needs: ['action_id'], outcomes: ['ok'] },
  failed: { needs: ['action_id', 'outcome'], outcomes: ['error', 'timeout', 'cancelled', 'unknown'] },
  refused: { needs: ['action_id'], outcomes: ['denied', 'blocked', 'cancelled'] },
  tools: { needs: ['tools'], outcomes: [] },
  gap: { needs: ['gap'], outcomes: [] },
  note: { needs: ['note'], outcomes: [] },
};
