import { chmodSync } from 'node:fs';
import { type RecorderHome, recorderHome } from '../../../src/recorder/base/home.ts';
import type { FeedId } from '../../../src/recorder/base/programs.ts';
import { type OwnListeners, openListeners } from '../../../src/recorder/listen/listeners.ts';
import type { RequestParts } from '../../../src/recorder/listen/requests.ts';
import type { Seen } from '../../../src/recorder/seen/seen.ts';
import { atEnd } from '../../support/cleanup.ts';
import { temporaryFolder } from '../../support/folders.ts';

export interface Taken {
  readonly feed: FeedId;
  readonly seen: readonly Seen[];
}

export interface Listening {
  readonly home: RecorderHome;
  readonly listeners: OwnListeners;
  /** What was handed in, in order. */
  readonly taken: Taken[];
  open(): Promise<OwnListeners>;
  close(): Promise<void>;
}

/** The listeners of a recorder that keeps what it is given in memory, in a folder of their own. */
export async function recorderFor(parts: Partial<RequestParts> = {}, folder = temporaryFolder()): Promise<Listening> {
  chmodSync(folder, 0o700);
  const home = recorderHome({ COUNTERSIGN_RECORDER: folder });
  const taken: Taken[] = [];
  let open: OwnListeners | null = null;
  const close = async (): Promise<void> => {
    await open?.close();
    open = null;
  };
  const listening = async (): Promise<OwnListeners> => {
    open = await openListeners(home, {
      take: async (feed, seen) => {
        taken.push({ feed, seen });
        return { allowed: true, reason: null, operation_ids: [] };
      },
      takeMissed: async () => undefined,
      installed: () => new Set(),
      status: () => ({ agents: [] }),
      waitingOf: async () => 0,
      onError: (error) => {
        throw error;
      },
      ...parts,
    });
    return open;
  };
  atEnd(close);
  return { home, listeners: await listening(), taken, open: listening, close };
}
