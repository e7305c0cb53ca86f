import type { RecorderHome } from '../base/home.ts';
import { Recorder } from '../engine/recorder.ts';
import { openListeners } from '../listen/listeners.ts';
import { MissedEvents } from '../listen/missed-events.ts';
import type { RunningStatus } from './ask-status.ts';
import { installedFeeds, keptForAWhile, ownSecrets } from './installed.ts';
import { MemoryRelease } from './memory-release.ts';
import { makePipeline } from './pipeline.ts';

export interface StartOptions {
  /** Takes what goes wrong where nobody waits for it. */
  readonly onError: (error: unknown) => void;
}

/** A recorder that listens. */
export interface RunningRecorder {
  /** Such as http://127.0.0.1:34567 */
  readonly url: string;
  readonly folder: string;
  status(): RunningStatus;
  /** Finishes the events that arrived, and releases the folder. The next recorder sends the records that wait. */
  close(): Promise<void>;
}

/** How often is looked for events that hooks noted as missed, in milliseconds. */
const MISSED_MS = 5_000;

/**
 * Starts the recorder of this user.
 * @throws RecordError RECORDER_RUNNING, FOLDER_UNUSABLE
 */
export async function startRecorder(home: RecorderHome, { onError }: StartOptions): Promise<RunningRecorder> {
  const pipeline = makePipeline(
    home,
    keptForAWhile(() => ownSecrets(home)),
  );
  const installed = keptForAWhile(() => installedFeeds(home));
  const recorder = new Recorder({ home, pipeline });
  const release = new MemoryRelease();
  const take = release.counted((feed, seen) => recorder.take(feed, seen));
  const status = (url: string): RunningStatus => ({ pid: process.pid, url, ...recorder.status() });
  let url = '';
  const listeners = await closingOnFailure(recorder, () => {
    pipeline.open();
    return openListeners(home, { take, installed, status: () => status(url), onError });
  });
  url = listeners.url;
  const missed = new MissedEvents(home, take, (feed, eventId) => recorder.isTaken(feed, eventId));
  const look = async (): Promise<void> => {
    release.look();
    await missed.look();
  };
  const looking = repeatedly(look, MISSED_MS, onError);
  return {
    url,
    folder: home.folder,
    status: () => status(url),
    close: async () => {
      await looking.stop();
      await listeners.close();
      await recorder.close();
    },
  };
}

/**
 * Starts the recorder next to something else that runs, where an agent is installed for this user.
 * @returns null where none is
 * @throws RecordError RECORDER_RUNNING, FOLDER_UNUSABLE
 */
export async function startRecorderIfInstalled(
  home: RecorderHome,
  options: StartOptions,
): Promise<RunningRecorder | null> {
  return installedFeeds(home).size === 0 ? null : startRecorder(home, options);
}

async function closingOnFailure<T>(recorder: { close(): Promise<void> }, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    await recorder.close();
    throw error;
  }
}

/** Does something now, and again a while after each time. */
function repeatedly(
  act: () => Promise<void>,
  everyMs: number,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  const once = async (): Promise<void> => {
    try {
      await act();
    } catch (error) {
      onError(error);
    }
    if (!isStopped) {
      timer = setTimeout(begin, everyMs);
      timer.unref();
    }
  };
  const begin = (): void => {
    running = once();
  };
  begin();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
