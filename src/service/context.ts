import type { Exports } from './exports/jobs.ts';
import type { SignInLimits } from './identity/sign-in-limits.ts';
import type { KeyHolder } from './keys/key-holder.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Settings } from './settings-type.ts';
import type { Store } from './store/open.ts';
import type { Writer } from './store/writer.ts';

/** The parts of a running service, as the routes use them. */
export interface ServiceContext {
  readonly settings: Settings;
  readonly store: Store;
  readonly writer: Writer;
  readonly key: KeyHolder;
  readonly ledger: Ledger;
  readonly exports: Exports;
  readonly signInLimits: SignInLimits;
  readonly signUpIsOpen: boolean;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly version: string;
}
