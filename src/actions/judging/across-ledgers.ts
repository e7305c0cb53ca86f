import type { Sha256 } from '../../protocol/index.ts';
import { joinOf, type Mark } from '../index.ts';
import { newRecent, RecentMap, type RecentState } from '../profile/index.ts';
import type { ReadFacts } from './first-uses.ts';

/** The most sessions, and the most calls, that are followed at once. */
const MAX_FOLLOWED = 20_000;

interface Followed {
  ledger: string;
}

/** Which ledger of an archive had the last record of a session, and of a call. */
export interface AcrossLedgersState {
  readonly sessions: RecentState<Followed>;
  readonly calls: RecentState<Followed>;
}

export const newAcrossLedgers = (): AcrossLedgersState => ({ sessions: newRecent(), calls: newRecent() });

/** What several ledgers have of one session or one call: each signed what it has, and none knows of the other. */
export class AcrossLedgers {
  readonly #sessions: RecentMap<Followed>;
  readonly #calls: RecentMap<Followed>;

  constructor(hash: Sha256, state: AcrossLedgersState) {
    this.#sessions = new RecentMap(MAX_FOLLOWED, hash, state.sessions);
    this.#calls = new RecentMap(MAX_FOLLOWED, hash, state.calls);
  }

  take({ head, facts, ledger }: ReadFacts & { readonly ledger: string | null }): Mark[] {
    if (ledger === null) return [];
    const isOther = (followed: RecentMap<Followed>, key: string | null): boolean => {
      if (key === null) return false;
      const last = followed.at(key, () => ({ ledger }));
      const differs = last.ledger !== ledger;
      last.ledger = ledger;
      return differs;
    };
    const marks: Mark[] = [];
    if (isOther(this.#sessions, facts.session)) marks.push('SESSION_ON_OTHER_LEDGER');
    if (isOther(this.#calls, joinOf(head, facts))) marks.push('CALL_ON_OTHER_LEDGER');
    return marks;
  }
}
