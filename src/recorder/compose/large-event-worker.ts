/*
 * A thread that takes the secrets out of large events, by the same code as the one that answers: the same event gives the same on
 * both, so that it may change its size, and its thread, between two moments of a call.
 */
import { workerData } from 'node:worker_threads';
import { serveRequests } from '../../node/index.ts';
import type { ContentPolicy, Prepared } from '../content/prepared.ts';
import { Preparer } from '../content/preparer.ts';
import { seenOfText } from '../content/seen-text.ts';
import { RecorderKeys } from '../redact/recorder-keys.ts';

export interface LargeEventData {
  /** Of the recorder's keys. */
  readonly root: Uint8Array;
}

export interface LargeEventRequest {
  /** JSON of Seen[], with all digits of numbers. */
  readonly events: string;
  readonly content: ContentPolicy;
  /** The recorder's own, as they are now. */
  readonly secrets: readonly string[];
}

const { root } = workerData as LargeEventData;
let secrets: readonly string[] = [];
const preparer = Preparer.open(new RecorderKeys(root), () => secrets);

serveRequests<LargeEventRequest, readonly Prepared[]>(async ({ events, content, secrets: own }) => {
  const known = await preparer;
  secrets = own;
  return seenOfText(events).map((event) => known.prepare(event, { content }));
});
