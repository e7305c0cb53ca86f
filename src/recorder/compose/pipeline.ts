import { userInfo } from 'node:os';
import { ExactNumber } from '../../protocol/light.ts';
import type { RecorderHome } from '../base/home.ts';
import type { Prepared } from '../content/prepared.ts';
import type { Preparer } from '../content/preparer.ts';
import type { Pipeline } from '../engine/pipeline.ts';
import { Joiner } from '../joining/joiner.ts';
import { operationOf } from '../programs/operation.ts';
import { openRecorderKeys } from '../redact/key-file.ts';
import type { RecorderKeys } from '../redact/recorder-keys.ts';
import type { Seen } from '../seen/seen.ts';
import type { LargeEvents } from './large-events.ts';

/**
 * Events that come together with more than this, in UTF-16 code units of their texts and some for each value, are not prepared between
 * the requests of others. Secrets of a few letters cost most: some 65,000 take a twentieth of a second.
 */
const MOST_AT_ONCE = 65_536;
/** What each value costs besides its letters. */
const EACH = 8;

/** Whether taking the secrets out of events would hold up everybody else. Looks at no more than it takes to tell. */
function isLarge(seen: readonly Seen[]): boolean {
  let left = MOST_AT_ONCE;
  const waiting: unknown[] = [...seen];
  while (waiting.length > 0 && left >= 0) {
    const value = waiting.pop();
    left -= EACH;
    if (typeof value === 'string') left -= value.length;
    else if (value instanceof ExactNumber) left -= value.text.length;
    else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        if (!Array.isArray(value)) left -= name.length;
        waiting.push(member);
      }
    }
  }
  return left < 0;
}

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
