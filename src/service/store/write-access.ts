import type { Store } from './open.ts';
import type { Writer } from './writer.ts';

/** What whoever changes stored state needs: the ledger's file, its one writer, and the time. */
export interface WriteAccess {
  readonly store: Store;
  readonly writer: Writer;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}
