import type { RunRefusalCode } from './archive.ts';

/** Why a file of an archive is not accepted, or an accepted one no longer what it was: a closed set, and what each code says to a person. */
export const RUN_REFUSALS = {
  changed: 'is not as its host signed it, or not as it was accepted',
  missing: 'is missing: what follows it waits',
  second: 'has epochs that another run has too; their statements do not contradict each other',
  foreign: 'does not belong here by its key, its organization, its epochs or its name',
  unconfirmed: 'is of an issuer or an organization that is not confirmed',
  set_back: 'contradicts what came before: its host was set back, or signs two ledgers',
  erasure:
    'hides payloads of which no administrative event says that they were erased, or shows what was to leave the archive',
  superseded: 'has payloads that were erased since, and another run has its place: remove the file',
  awaits_host: 'has payloads that are to leave the archive: its host has not shipped it without them yet',
  incomplete: 'could not be checked completely',
} as const satisfies Record<RunRefusalCode, string>;

/** Refusals that leave open whether something is wrong. */
export const UNDECIDED_REFUSALS: ReadonlySet<RunRefusalCode> = new Set<RunRefusalCode>([
  'unconfirmed',
  'superseded',
  'awaits_host',
  'incomplete',
]);
