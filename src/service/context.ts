import type { SetUp } from './administration/set-up.ts';
import type { StatusChange } from './agents/lifecycle.ts';
import type { Cases } from './cases/cases.ts';
import type { Exports } from './exports/jobs.ts';
import type { DownloadTickets } from './http/download-tickets.ts';
import type { RateLimit } from './http/rate-limit.ts';
import type { AddressCodes } from './identity/address-codes.ts';
import type { Callers } from './identity/callers.ts';
import type { Ceremonies } from './identity/passkeys/ceremonies.ts';
import type { SignInLimits } from './identity/sign-in-limits.ts';
import type { CurrentKey } from './keys/current-key.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { LedgerVerifications } from './ledger-verification/jobs.ts';
import type { IssuedInvitation } from './members/invitations.ts';
import type { OperationIndex } from './operation-index/operation-index.ts';
import type { Refusals } from './refusals/record.ts';
import type { Settings } from './settings-type.ts';
import type { Store } from './store/open.ts';
import type { Writer } from './store/writer.ts';
import type { TrustKeeper } from './trust/trust-keeper.ts';
import type { QueueHealth } from './webhooks/queue-health.ts';
import type { WorkstationSessions } from './workstation/sessions.ts';

/** The parts of a running service, as the routes use them. */
export interface ServiceContext {
  readonly settings: Settings;
  readonly store: Store;
  readonly index: OperationIndex;
  readonly writer: Writer;
  readonly key: CurrentKey;
  readonly ledger: Ledger;
  readonly exports: Exports;
  readonly callers: Callers;
  readonly workstations: WorkstationSessions;
  readonly tickets: DownloadTickets;
  readonly cases: Cases;
  readonly trust: TrustKeeper;
  readonly setUp: SetUp;
  readonly ceremonies: Ceremonies;
  readonly signInLimits: SignInLimits;
  /** Sign-ups of guests, by address. */
  readonly signUpLimit: RateLimit;
  readonly signUpIsOpen: boolean;
  readonly ledgerVerifications: LedgerVerifications;
  /** Notes what is refused. */
  readonly refusals: Refusals;
  /** Tells webhooks of an agent's change of status; within the writer's transaction. */
  readonly onStatusChange: (change: StatusChange) => void;
  readonly queueHealth: () => QueueHealth;
  readonly addressCodes: AddressCodes;
  /** Sends invitations by mail where a mail server is set; failing to is no error, for the code is shown as well. */
  readonly mailInvitations: (
    inviter: { readonly orgId: string; readonly userId: string },
    issued: readonly IssuedInvitation[],
  ) => void;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly version: string;
  /** How browsers and providers reach the service: its public address, or where it listens; without a slash at the end. */
  readonly origin: () => string;
}
