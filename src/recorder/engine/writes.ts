import type { StateChange } from '../joining/draft.ts';
import type { Spool } from '../spool/spool.ts';

/**
 * What many events of one transaction write to the same place: where a chain ends, and what is open. Only what it comes to is written,
 * at the end.
 */
export class Writes {
  readonly #spool: Spool;
  readonly #heads = new Map<number, string | null>();
  readonly #joining = new Map<number, Map<string, StateChange>>();

  constructor(spool: Spool) {
    this.#spool = spool;
  }

  /** Where an agent's chain ends by now. */
  headOf(agent: number): string | null {
    return this.#heads.get(agent) ?? this.#spool.chains.get(agent).head;
  }

  setHead(agent: number, head: string | null): void {
    this.#heads.set(agent, head);
  }

  setJoining(agent: number, change: StateChange): void {
    const changes = this.#joining.get(agent);
    if (changes === undefined) this.#joining.set(agent, new Map([[change.key, change]]));
    else changes.set(change.key, change);
  }

  /** To be called in the same transaction. */
  flush(): void {
    for (const [agent, changes] of this.#joining) {
      for (const change of changes.values()) this.#spool.open.set(agent, change);
    }
    for (const [agent, head] of this.#heads) this.#spool.chains.setHead(agent, head);
  }
}
