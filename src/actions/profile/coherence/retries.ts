import type { Sha256 } from '../../../protocol/index.ts';
import type { FindingLog } from './finding-log.ts';
import { newRecent, RecentMap, type RecentState } from './recent-map.ts';
import { type Place, placeOf } from './report.ts';

/** The most sessions' tools of which a call that did not succeed is remembered. */
const MAX_TRIED = 20_000;

/** A call as far as it matters whether it is tried again; of one whose session or tool is not known, nothing is said. */
export interface TriedCall {
  readonly actor: string | null;
  readonly session: string | null;
  readonly tool: string | null;
}

export type RetriesState = RecentState<{ failed: Place | null }>;
export const newRetries = (): RetriesState => newRecent();

/** The ends after which nothing is tried again: it was done, or nobody saw how it ended. */
const NOT_TRIED_AGAIN: readonly string[] = ['ok', 'unknown'];

function keyOf({ actor, session, tool }: TriedCall): string | null {
  return actor === null || session === null || tool === null ? null : JSON.stringify([actor, session, tool]);
}

/** Follows which calls come after one of the same tool in the same session that had not succeeded. */
export class Retries {
  readonly #log: FindingLog;
  readonly #tried: RecentMap<{ failed: Place | null }>;

  constructor(log: FindingLog, hash: Sha256, state: RetriesState) {
    this.#log = log;
    this.#tried = new RecentMap(MAX_TRIED, hash, state);
  }

  /** A call begins, in the record given. */
  begun(call: TriedCall, record: Place): void {
    const key = keyOf(call);
    const failed = key === null ? null : (this.#tried.find(key)?.failed ?? null);
    if (failed === null) return;
    const message = 'The tool was called again in this session after its last call there had not succeeded.';
    this.#log.add('RETRIED', 'note', record, message, { other: failed });
  }

  /** @param status how a call ended, as `outcome.status` of the profile; null where that is not known */
  ended(call: TriedCall, record: Place, status: string | null): void {
    const key = keyOf(call);
    if (key === null || status === null) return;
    const succeeded = NOT_TRIED_AGAIN.includes(status);
    if (succeeded && this.#tried.find(key) === undefined) return;
    this.#tried.at(key, () => ({ failed: null })).failed = succeeded ? null : placeOf(record);
  }
}
