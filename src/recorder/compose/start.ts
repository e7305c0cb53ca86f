import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { installedFeeds, readAgentFile } from '../base/agent-file.ts';
import type { RecorderHome } from '../base/home.ts';
import { readOwnFile } from '../base/own-files.ts';
import type { FeedId } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import { Recorder } from '../engine/recorder.ts';
import type { RunningStatus } from '../listen/ask-status.ts';
import { LeftEvents } from '../listen/left-events.ts';
import { listenOnInherited, openListeners } from '../listen/listeners.ts';
import { MissedEvents } from '../listen/missed-events.ts';
import type { Take } from '../seen/feed.ts';
import type { TranscriptWitness } from '../transcripts/witness.ts';
import { startCompilers } from './compilers.ts';
import { MemoryRelease } from './memory-release.ts';
import { makePipeline, userName } from './pipeline.ts';

/** How long what was read of the agents' files is used, in milliseconds: events come by the hundred in a second. */
const FRESH_MS = 1_000;

/** What must never be recorded, wherever it turns up: the agents' keys and tokens, and the recorder's. */
function ownSecrets(home: RecorderHome): readonly string[] {
  // A recorder of the system has no port, and so no token for it.
  const token = existsSync(home.token) ? [readOwnFile(home.token).trim()] : [];
  return [...token, ...[...installedFeeds(home)].flatMap((feed) => secretsOf(home, feed))];
}

/** Reads something again only where the last reading is older than a second. */
function keptForAWhile<T>(read: () => T): () => T {
  let kept: { readonly value: T; readonly at: number } | null = null;
  return () => {
    const now = performance.now();
    if (kept === null || now - kept.at > FRESH_MS) kept = { value: read(), at: now };
    return kept.value;
  };
}

function secretsOf(home: RecorderHome, feed: FeedId): string[] {
  try {
    const { private_key, token } = readAgentFile(home, feed);
    return [private_key, token];
  } catch (error) {
    // Nothing is signed for an agent whose file cannot be read.
    if (error instanceof RecordError) return [];
    throw error;
  }
}

export interface StartOptions {
  /** Takes what goes wrong where nobody waits for it. */
  readonly onError: (error: unknown) => void;
  /** A Unix socket that listens already, which is then the only way in; else a socket in the folder, and a port. */
  readonly socket?: number | null;
  /** Of the person whose programs are recorded: where these keep their transcripts. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly userHome?: string;
}

/** A recorder that listens. */
export interface RunningRecorder {
  /** Such as http://127.0.0.1:34567; null where there is no port. */
  readonly url: string | null;
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
export async function startRecorder(
  home: RecorderHome,
  { onError, socket = null, environment = process.env, userHome = homedir() }: StartOptions,
): Promise<RunningRecorder> {
  const pipeline = makePipeline(
    home,
    keptForAWhile(() => ownSecrets(home)),
    // Whoever was handed a socket may serve somebody else than the account it runs under.
    socket === null ? userName() : null,
  );
  const installed = keptForAWhile(() => installedFeeds(home));
  const recorder = new Recorder({ home, pipeline });
  const release = new MemoryRelease();
  const take = release.counted((feed, seen) => recorder.take(feed, seen));
  let opened: Promise<TranscriptWitness> | null = null;
  // What reads transcripts is for recorders that events come to.
  const witness = (): Promise<TranscriptWitness> => {
    opened ??= import('../transcripts/witness.ts').then(
      ({ TranscriptWitness }) => new TranscriptWitness({ around: { environment, userHome }, take, onError }),
    );
    return opened;
  };
  const missed = new MissedEvents(home, take, (feed, eventId) => recorder.isTaken(feed, eventId));
  let url: string | null = null;
  const status = (): RunningStatus => ({ pid: process.pid, url, ...recorder.status() });
  const takeMissed = (feed: FeedId, lines: Buffer | null): Promise<void> => missed.take(feed, lines);
  const witnessed: Take = async (feed, seen) => {
    const learned = witness().then((one) => one.saw(feed, seen));
    // A hook waits for nothing of it but at the end of a session, which is recorded after what its transcript tells.
    if (seen.some(({ kind }) => kind === 'session_ended')) await learned.catch(onError);
    else learned.catch(onError);
    return take(feed, seen);
  };
  const waitingOf = (feed: FeedId, session: string): Promise<number> => recorder.waitingOf(feed, session);
  const parts = { take: witnessed, takeMissed, installed, status, waitingOf, onError, onFirstEvent: startCompilers };
  const left = new LeftEvents(home, parts);
  const listeners = await closingOnFailure(recorder, async () => {
    pipeline.open();
    // What follows them is handed in once this one listens.
    await left.look();
    return socket === null ? openListeners(home, parts) : listenOnInherited(socket, parts);
  });
  url = listeners.url;
  const look = async (): Promise<void> => {
    release.look();
    await left.look();
    await missed.look();
    await (await opened)?.look();
  };
  const looking = repeatedly(look, MISSED_MS, onError);
  return {
    url,
    folder: home.folder,
    status,
    close: async () => {
      await looking.stop();
      await listeners.close();
      await (await opened)?.close();
      await recorder.close();
      await pipeline.close();
    },
  };
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
