import { userInfo } from 'node:os';
import type { RecorderHome } from '../base/home.ts';
import type { Prepared } from '../content/prepared.ts';
import type { Preparer } from '../content/preparer.ts';
import type { Pipeline } from '../engine/pipeline.ts';
import { Joiner } from '../joining/joiner.ts';
import { operationOf } from '../programs/operation.ts';
import { openRecorderKeys } from '../redact/key-file.ts';
import type { RecorderKeys } from '../redact/recorder-keys.ts';
import { isLarge } from './event-size.ts';
import type { LargeEvents } from './large-events.ts';

export interface OpenedPipeline extends Pipeline<Prepared> {
  /**
   * Opens the recorder's key, or makes one: to be called once the folder is held.
   * @throws RecordError FOLDER_UNUSABLE
   */
  open(): RecorderKeys;
  /** Ends the thread of large events, once nothing is prepared any more. */
  close(): Promise<void>;
}

/**
 * What becomes of events between the witness and the signature: secrets out, within the limits, joined.
 * @param secrets the recorder's own, asked for at each event
 * @param account the name of the user whose programs these are, where the agent's file names none; null where nobody is known
 */
export function makePipeline(
  home: RecorderHome,
  secrets: () => Iterable<string>,
  account: string | null,
): OpenedPipeline {
  let keys: RecorderKeys | null = null;
  const open = (): RecorderKeys => {
    keys ??= openRecorderKeys(home.secretsKey);
    return keys;
  };
  let opened: Promise<Preparer> | null = null;
  // The rules are large: a recorder that has nothing to do has not loaded them.
  const preparer = (): Promise<Preparer> => {
    opened ??= import('../content/preparer.ts').then(({ Preparer }) => Preparer.open(open(), secrets));
    return opened;
  };
  // Their thread, and what starts it, is for the recorders that such events come to.
  let largeEvents: Promise<LargeEvents> | null = null;
  const large = (): Promise<LargeEvents> => {
    largeEvents ??= import('./large-events.ts').then(({ LargeEvents }) => new LargeEvents(open()));
    return largeEvents;
  };
  return {
    open,
    prepare: async (seen, { content }) => {
      if (isLarge(seen)) return (await large()).prepare(seen, { content, secrets: [...secrets()] });
      const small = await preparer();
      return seen.map((event) => small.prepare(event, { content }));
    },
    close: async () => (await largeEvents)?.close(),
    joining: ({ feed, agent_id, before, person }) =>
      new Joiner({ feed, agentId: agent_id, user: person ?? account, before, keys: open(), operationOf }),
  };
}

/** @returns the name of the account that this process runs under; null where the system knows no name for the account */
export function userName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}
