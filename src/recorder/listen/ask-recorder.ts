import { requestRecorder } from '../../agent/light.ts';
import type { RecorderHome } from '../base/home.ts';
import { RecordError } from '../base/record-error.ts';

/** How long a running recorder may take to answer, in milliseconds. */
const PATIENCE_MS = 5_000;

/**
 * Asks the running recorder of this user.
 * @param body posted as JSON; without one the path is read
 * @returns the answer, parsed
 * @throws RecordError RECORDER_AWAY
 */
export async function askRecorder({ folder }: RecorderHome, path: string, body?: unknown): Promise<unknown> {
  const posted = body === undefined ? {} : { body: JSON.stringify(body) };
  try {
    const answer = await requestRecorder(folder, { path, timeoutMs: PATIENCE_MS, ...posted });
    return JSON.parse(answer.body.toString('utf8'));
  } catch (cause) {
    throw new RecordError('RECORDER_AWAY', 'no recorder of this user answers', { cause });
  }
}
