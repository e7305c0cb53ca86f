import { setTimeout as pause } from 'node:timers/promises';
import type { AgentFile } from '../base/agent-file.ts';
import type { RecorderHome } from '../base/home.ts';
import { RecordError } from '../base/record-error.ts';
import { askStatus, type RunningStatus } from '../listen/ask-status.ts';

/** The first start of a version compiles it, which takes many times as long as later ones. */
export const START_MS = 30_000;
const LOOK_MS = 100;

/**
 * Asks the recorder of this user how it is, until it answers.
 * @param patienceMs how long, besides the last question, which may take 5 seconds; 0 asks once
 * @param isOver whether there is nothing to wait for any more
 * @returns null where none answered
 * @throws RecordError RECORDER_UNUSABLE
 */
export async function answerOf(
  home: RecorderHome,
  patienceMs: number,
  isOver: () => boolean = () => false,
): Promise<RunningStatus | null> {
  const until = performance.now() + patienceMs;
  while (true) {
    const isLast = isOver() || performance.now() >= until;
    try {
      return await askStatus(home);
    } catch (error) {
      if (!(error instanceof RecordError) || error.code !== 'RECORDER_AWAY') throw error;
    }
    if (isLast) return null;
    await pause(LOOK_MS);
  }
}

/**
 * Makes sure that the recorder answers, and can record for an agent: whoever installs it is told now, and not by what is missing later.
 * @param whyAway what is known of a recorder that does not answer
 * @throws RecordError RECORDER_AWAY, RECORDER_UNUSABLE
 */
export async function checkAnswering(
  home: RecorderHome,
  { feed, agent_id }: Pick<AgentFile, 'feed' | 'agent_id'>,
  { patienceMs = START_MS, whyAway }: { readonly patienceMs?: number; whyAway?(): Promise<string> } = {},
): Promise<void> {
  const status = await answerOf(home, patienceMs);
  if (status === null) {
    const why = whyAway === undefined ? '' : `: ${await whyAway()}`;
    throw new RecordError('RECORDER_AWAY', `the recorder does not answer on ${home.socket}${why}`);
  }
  const { agents, problems, pid } = status;
  if (agents.some((agent) => agent.feed === feed && agent.agent_id === agent_id)) return;
  const why = problems.length === 0 ? 'stop it, and the next hook starts another' : problems.join('; ');
  throw new RecordError(
    'RECORDER_UNUSABLE',
    `the recorder that runs (process ${pid}) does not know ${agent_id}: ${why}`,
  );
}
