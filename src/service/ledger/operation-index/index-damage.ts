import type Database from 'better-sqlite3';
import { isCorrupt } from '../../store/sqlite-errors.ts';
import { disownIndexFile } from './index-file.ts';

/** What happens when the index turns out to be damaged while it is in use: the next start rebuilds it. */
export class IndexDamage {
  readonly #index: Database.Database;
  readonly #onError: (error: unknown) => void;
  #disowned = false;

  /** @param onError receives errors that no caller waits for */
  constructor(index: Database.Database, onError: (error: unknown) => void) {
    this.#index = index;
    this.#onError = onError;
  }

  /** Runs a look-up. @throws whatever it throws; a corrupt file is disowned first */
  ask<T>(lookUp: () => T): T {
    try {
      return lookUp();
    } catch (error) {
      if (isCorrupt(error)) this.disown();
      throw error;
    }
  }

  /** Reports a failure in the background. */
  failed(error: unknown): void {
    this.#onError(error);
    if (isCorrupt(error)) this.disown();
  }

  /** Marks the file as wrong, so that the next start rebuilds it from the ledger. */
  disown(): void {
    if (this.#disowned) return;
    this.#disowned = true;
    this.#onError(new Error('the index of operations is damaged: the next start rebuilds it'));
    try {
      disownIndexFile(this.#index);
    } catch (error) {
      this.#onError(error);
    }
  }
}
