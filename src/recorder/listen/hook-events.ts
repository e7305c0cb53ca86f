import type { FeedId } from '../base/programs.ts';
import { RecordError, type RecordErrorCode } from '../base/record-error.ts';
import type { HookContext } from '../programs/read-hook.ts';
import type { Take, Verdict } from '../seen/feed.ts';
import type { Received } from '../seen/received.ts';
import type { Seen } from '../seen/seen.ts';
import { type Answer, jsonAnswer, textAnswer } from './answers.ts';

/** What is kept whole of what comes in; of longer JSON see `Received`. */
export const HOOK_BYTES = 2 * 1024 * 1024;

/** What the events of hooks are taken with. */
export interface HookParts {
  readonly take: Take;
  /** The feeds that have an agent. */
  readonly installed: () => ReadonlySet<FeedId>;
  /** Takes defects, and why events were lost. */
  readonly onError: (error: unknown) => void;
}

/** What the event has been recorded by, if anything, is another hook. */
const NOTHING_TAKEN: Verdict = { allowed: true, reason: null, operation_ids: [] };

/** Why nothing was even counted: no agent's chain can tell of it. */
const NOT_COUNTED: ReadonlySet<RecordErrorCode> = new Set(['NOT_INSTALLED', 'FOLDER_UNUSABLE']);

/** The hook's script does not note it once more as missed, and goes by its policy. */
function lostAnswer(code: RecordErrorCode): Answer {
  return jsonAnswer(422, { error: { code, message: 'the event could not be recorded, and is counted as lost' } });
}

/** Reads what hooks were given, and has it recorded, whether they handed it in or left it. */
export class HookEvents {
  readonly #parts: HookParts;
  #reading: Promise<typeof import('../programs/read-hook.ts')> | null = null;

  constructor(parts: HookParts) {
    this.#parts = parts;
  }

  /**
   * @returns what the hook does with its program
   * @throws RecordError NOT_INSTALLED, FOLDER_UNUSABLE
   */
  async take(feed: FeedId, body: Received, run: Pick<HookContext, 'eventId' | 'receivedAt'>): Promise<Answer> {
    const { readHook, hasOurForm } = await this.#readers();
    const generic = hasOurForm(feed) ? (await import('../programs/generic.ts')).readGeneric : null;
    const installed = this.#parts.installed();
    const reading = readHook(feed, body, { ...run, installed, generic });
    const verdict = reading.seen.length === 0 ? NOTHING_TAKEN : await this.takeOrLose(feed, reading.seen);
    if (verdict === null) return lostAnswer('EVENT_INVALID');
    const { status, body: printed } = reading.answer(verdict);
    return textAnswer(status, printed);
  }

  /** Loaded with the first event, once: a recorder that has nothing to do stays small. */
  #readers(): Promise<typeof import('../programs/read-hook.ts')> {
    this.#reading ??= import('../programs/read-hook.ts');
    return this.#reading;
  }

  /**
   * @returns null for what could not be recorded, and is counted as lost
   * @throws RecordError NOT_INSTALLED, FOLDER_UNUSABLE
   */
  async takeOrLose(feed: FeedId, seen: readonly Seen[]): Promise<Verdict | null> {
    try {
      return await this.#parts.take(feed, seen);
    } catch (error) {
      if (error instanceof RecordError && NOT_COUNTED.has(error.code)) throw error;
      this.#parts.onError(error);
      return null;
    }
  }
}
