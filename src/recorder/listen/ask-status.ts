import { z } from 'zod';
import type { RecorderHome } from '../base/home.ts';
import { answerIn, askRecorder } from './ask-recorder.ts';

/** Events of one session and tool that were not recorded. */
export const lostPlace = z.object({
  session: z.string().nullable(),
  tool: z.string().nullable(),
  count: z.int().nullable(),
  last_at: z.string(),
  reason: z.string(),
});

/** What was lost, for people: it has names that programs gave. */
export function lossText({ session, tool, count, reason }: z.infer<typeof lostPlace>): string {
  const what = count === null ? 'an unknown number of events' : count === 1 ? '1 event' : `${count} events`;
  const where = [...(tool === null ? [] : [`of ${tool}`]), ...(session === null ? [] : [`in session ${session}`])];
  return `${[what, ...where].join(' ')}: ${reason}`;
}

const agent = z.object({
  feed: z.string(),
  agent_id: z.string(),
  org_id: z.string(),
  /** How many signed records wait for the service. */
  waiting: z.int(),
  oldest: z.string().nullable(),
  last_receipt_at: z.string().nullable(),
  head: z.string().nullable(),
  stopped: z.object({ code: z.string(), message: z.string(), since: z.string() }).nullable(),
  /** How many events were lost that no record tells of yet. */
  lost: z.int(),
  /** What was lost in the last seven days, by session and tool. */
  losses: z.array(lostPlace).readonly(),
});

const status = z.object({
  pid: z.int(),
  /** Null where only one user's hooks can reach it, over their socket. */
  url: z.string().nullable(),
  waiting: z.int(),
  spool: z.object({ bytes: z.number(), max_bytes: z.number() }),
  agents: z.array(agent).readonly(),
  problems: z.array(z.string()).readonly(),
});

/** What a running recorder says of itself: `GET /v1/status`. */
export type RunningStatus = z.infer<typeof status>;

/**
 * Asks the recorder of this user how it is.
 * @throws RecordError RECORDER_AWAY where none answers, RECORDER_UNUSABLE where one of another version does
 */
export async function askStatus(home: RecorderHome): Promise<RunningStatus> {
  return answerIn(status, await askRecorder(home, '/v1/status'));
}
