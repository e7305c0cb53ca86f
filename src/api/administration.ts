import { z } from 'zod';
import { digest, id, isoTime, milliseconds, time } from './fields.ts';
import { LIMITS } from './limits.ts';

/* Administration of the service itself: keys, settings, backups, what it is made of; and the administrative log by filters. */

/** A key of the service with its place in the line of rotations (protocol F112). */
export const serviceKeyRow = z.strictObject({
  kid: id,
  public_key: z.string(),
  status: z.enum(['active', 'retired']),
  created_at: milliseconds,
  retired_at: milliseconds.nullable(),
  prev_kid: id.nullable().meta({ description: 'the key before it, which signed this one; null for the first' }),
});
export type ServiceKeyRow = z.infer<typeof serviceKeyRow>;

const administeredHere = z.boolean().meta({
  description: "whether the caller's organization is the home organization, which administers the service",
});

/** All keys there ever were, the active one first. */
export const serviceKeysAnswer = z.strictObject({
  keys: z.array(serviceKeyRow),
  administered_here: administeredHere,
});

/** Names the key that is to be replaced: who asks twice, or looks at an old list, rotates nothing. */
export const rotateServiceKeyBody = z.strictObject({ kid: z.string().min(1).max(256) });
export const rotateServiceKeyAnswer = z.strictObject({ key: serviceKeyRow });

const settingValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const SETTING_ORIGINS = ['command_line', 'environment', 'config_file', 'program', 'stored', 'default'] as const;
/** Where the value of a setting comes from; the first that has one counts. */
export type SettingOrigin = (typeof SETTING_ORIGINS)[number];

/** One setting as it is in force. */
export const setting = z.strictObject({
  name: id.meta({ description: 'as on the command line, without the dashes' }),
  help: z.string(),
  value: settingValue.meta({ description: 'null where none is set, and for a secret' }),
  default: settingValue,
  origin: z.enum(SETTING_ORIGINS),
  secret: z.boolean().meta({ description: 'it can be set and is never answered' }),
  is_set: z.boolean(),
  changeable: z.boolean(),
  reason: z.string().nullable().meta({ description: 'why it cannot be changed here' }),
  needs_restart: z.boolean(),
  after_restart: settingValue.meta({ description: 'what will hold after the next start, where that differs' }),
  waits_for_restart: z.boolean(),
});
export type Setting = z.infer<typeof setting>;
/** Of the settings an organization that does not administer the service learns nothing. */
export const settingsAnswer = z.strictObject({
  settings: z.array(setting),
  data_dir: z.string().nullable(),
  administered_here: administeredHere,
});
export type SettingsAnswer = z.infer<typeof settingsAnswer>;

/** Whether the machine's clock and the ledger's times are right, and what a person may do where they are not. */
export const clockAnswer = z.strictObject({
  state: z.enum(['right', 'in_doubt', 'ledger_ahead']).meta({
    description:
      'in_doubt: the clock may be ahead, and nothing is signed until it is right or a person confirms it; ledger_ahead: the ledger has signed later times than the clock reads',
  }),
  id: z.string().nullable().meta({ description: 'names what is to be confirmed or corrected' }),
  cause: z.enum(['jump', 'gap', 'submitters', 'nodes']).nullable().meta({
    description:
      'in_doubt: the clock jumped forward; the machine was off for long; agents are all late by the same time; other nodes and the shared log tell another time',
  }),
  reads: isoTime.meta({ description: "what the machine's clock says" }),
  expected: isoTime.nullable().meta({
    description:
      'in_doubt: what it should say, as far as is known, or without the time in which nobody watched it (gap)',
  }),
  latest: isoTime.nullable().meta({ description: 'ledger_ahead: the latest time that was signed' }),
  administered_here: administeredHere,
});
export type ClockAnswer = z.infer<typeof clockAnswer>;

/** Names what is answered: whoever looks at an old page confirms nothing. The reason is recorded. */
export const clockBody = z.strictObject({
  id: z.string().min(1).max(64),
  reason: z.string().trim().min(1).max(LIMITS.reason),
});

/** New values by the names of settings; null takes the stored value away, and the default holds again. */
export const changeSettingsBody = z.strictObject({
  settings: z
    .record(z.string().max(64), z.union([z.string().max(LIMITS.settingValue), z.number(), z.boolean(), z.null()]))
    .refine((given) => Object.keys(given).length > 0, 'must name a setting'),
});

export const backupVerification = z.strictObject({
  verified_at: isoTime,
  state: z.enum(['good', 'bad']),
  message: z.string().nullable().meta({ description: 'what is wrong with it' }),
});
export const backupRow = z.strictObject({
  backup_id: id,
  created_at: isoTime,
  size: z.int().min(0).meta({ description: 'bytes of all its files' }),
  version: z.string(),
  service_kid: id,
  made_by: z.enum(['schedule', 'person']),
  verification: backupVerification.nullable(),
});
export type BackupRow = z.infer<typeof backupRow>;

/** A backup being made or verified. Only one at a time. */
export const backupJob = z.strictObject({
  kind: z.enum(['make', 'verify']),
  backup_id: id,
  status: z.enum(['running', 'completed', 'failed']),
  started_at: isoTime,
  ended_at: isoTime.nullable(),
  share: z.number().min(0).max(1).meta({ description: 'how much of the database is copied' }),
  failure: z.string().nullable().meta({ description: 'why it failed, in a sentence' }),
});
export type BackupJob = z.infer<typeof backupJob>;
export const backupJobAnswer = z.strictObject({ job: backupJob });
export const backupsAnswer = z.strictObject({
  folder: z.string().nullable(),
  next_at: isoTime.nullable().meta({ description: 'when the schedule makes the next; null where it is off' }),
  job: backupJob.nullable().meta({ description: 'the one running, or the last since the start' }),
  last_good: z.strictObject({ backup_id: id, created_at: isoTime }).nullable(),
  backups: z.array(backupRow).meta({ description: 'newest first' }),
  administered_here: administeredHere,
});
export type BackupsAnswer = z.infer<typeof backupsAnswer>;

/** What the service is and what it is made of. */
export const aboutAnswer = z.strictObject({
  name: z.string(),
  version: z.string(),
  node: z.string(),
  sqlite: z.string(),
  electron: z.string().nullable(),
  platform: z.string(),
  schema_version: z.int(),
  components: z.array(
    z.strictObject({ name: z.string(), version: z.string(), licence: z.string(), text: z.int().min(0).nullable() }),
  ),
  texts: z.array(z.string()).meta({ description: 'of the licences; a component names its own by its place here' }),
});
export type About = z.infer<typeof aboutAnswer>;

/** How far the administrative log verifies: hashes recomputed and links followed, from the first event on. */
export const adminChainAnswer = z.strictObject({
  events: z.int().min(0),
  verified: z.int().min(0).meta({ description: 'how many events verify, counted from the first' }),
  head_hash: digest.nullable(),
  broken_event_id: id.nullable().meta({ description: 'the first that does not verify' }),
  sealed: z.int().min(0).meta({ description: 'how many events the newest epoch binds, counted from the first' }),
  sealed_by_epoch_no: z.int().nullable(),
});
export type AdminChain = z.infer<typeof adminChainAnswer>;

const filterText = z.string().min(1).max(2048).optional();

/** Filters of the administrative log; all that are given must fit. */
export const adminEventsFilter = {
  cursor: z.string().max(512).optional().meta({ description: 'empty for the first page' }),
  action: filterText,
  actor: filterText,
  targetType: filterText,
  targetId: filterText,
  startTime: time.optional(),
  endTime: time.optional(),
};
