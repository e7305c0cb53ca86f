import type { DestinationStream, Logger } from 'pino';
import type { PasswordCost } from '../people/identity/passwords.ts';
import type { ServiceNode } from '../shared/node.ts';
import type { SettingOrigins } from '../store/settings/settings.ts';
import type { Settings } from '../store/settings/settings-type.ts';
import type { AroundCommit, LogFlush } from '../store/writer.ts';
import type { Teardown } from './teardown.ts';

/** What whoever starts the service may bring along. */
export interface HostOptions {
  /** The key that the service's secrets are sealed with, 32 bytes. Without it they are plain files, or need a passphrase. */
  readonly wrappingKey?: Uint8Array;
  /** Where the log goes instead of standard error. */
  readonly log?: DestinationStream;
  /** Put around every commit of the ledger's writer: the place for whoever keeps or watches what is committed. */
  readonly aroundCommit?: AroundCommit;
  /** Has the disk keep the ledger's write-ahead log; else by `fdatasync`. */
  readonly logFlush?: LogFlush;
  /** The node of a shared log that this service runs on; it is around every commit then. */
  readonly node?: ServiceNode;
  /** Where the settings that are given come from; else from the program that calls. */
  readonly origins?: SettingOrigins;
  /** PEM certificates that witnesses may have besides those that Node trusts. */
  readonly tlsCa?: readonly string[];
  /** What each hash of a password costs; without it OWASP's parameters. Less than those is for tests alone. */
  readonly passwordCost?: PasswordCost;
}

/** What every part of a start works with. */
export interface StartContext {
  readonly settings: Settings;
  readonly teardown: Teardown;
  readonly log: Logger;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  /** Takes what goes wrong where nobody waits for it. */
  readonly onError: (error: unknown) => void;
  readonly version: string;
}
