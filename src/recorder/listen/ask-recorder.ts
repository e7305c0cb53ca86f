import { z } from 'zod';
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

const refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/**
 * An answer of the running recorder in the form that is expected.
 * @throws RecordError RECORDER_UNUSABLE where it has another one: a recorder of another version knows no such question, or answers otherwise
 */
export function answerIn<T>(form: z.ZodType<T>, answer: unknown): T {
  const { success, data } = form.safeParse(answer);
  if (success) return data;
  const refused = refusal.safeParse(answer).data?.error;
  const isKnown = refused !== undefined && refused.code !== 'NOT_FOUND';
  const message = 'the running recorder is of another version: stop it, and start this one';
  throw new RecordError('RECORDER_UNUSABLE', isKnown ? refused.message : message);
}
