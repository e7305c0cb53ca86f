import { z } from 'zod';
import type { RecorderHome } from '../base/home.ts';
import { RecordError } from '../base/record-error.ts';
import { askRecorder } from './ask-recorder.ts';

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
  const { success, data } = status.safeParse(await askRecorder(home, '/v1/status'));
  if (success) return data;
  throw new RecordError('RECORDER_UNUSABLE', 'the running recorder is of another version: stop it, and start this one');
}
