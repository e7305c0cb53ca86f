import { readFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { z } from 'zod';
import type { About, ClockAnswer, ServiceKeyRow, SettingsAnswer } from '../../api/index.ts';
import { resourcePath } from '../../node/index.ts';
import { formatTime, type ServiceKey } from '../../protocol/index.ts';
import type { Handlers } from '../http/handler.ts';
import { correctClock } from '../ledger/clock/correct-clock.ts';
import { clockState, confirmClock } from '../ledger/clock/start-clock.ts';
import { type RotationContext, rotateServiceKey } from '../ledger/keys/rotate.ts';
import { listServiceKeys } from '../ledger/keys/service-keys.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isHome, needHome } from '../people/organizations/home.ts';
import { ServiceError } from '../store/base/service-error.ts';
import type { ClockWatch } from '../store/clock-watch.ts';
import { SCHEMA_VERSION } from '../store/migrations.ts';
import type { Store } from '../store/open.ts';
import type { Settings } from '../store/settings/settings-type.ts';
import type { BackupJobs } from './backup/backup-jobs.ts';
import type { RunTimeSettings } from './run-time-settings.ts';

const licencesFile = z.strictObject({
  components: z.array(
    z.strictObject({ name: z.string(), version: z.string(), licence: z.string(), text: z.int().nullable() }),
  ),
  texts: z.array(z.string()),
});

/** What the service is, and the licences of what it is made of: a file that scripts/licences.ts makes. */
function describeService(store: Store, version: string): About {
  return {
    name: 'Countersign',
    version,
    node: process.versions.node,
    sqlite: store.statement('SELECT sqlite_version()').pluck().get() as string,
    electron: process.versions['electron'] ?? null,
    platform: `${platform()} ${arch()}`,
    schema_version: SCHEMA_VERSION,
    ...licencesFile.parse(JSON.parse(readFileSync(resourcePath('licences.json'), 'utf8'))),
  };
}

/** What the operator's routes work on. */
interface OperatorDeps extends RotationContext {
  readonly settings: Settings;
  readonly version: string;
  readonly runTimeSettings: RunTimeSettings;
  readonly backups: BackupJobs;
  /** Whether the ledger of an organization is known to be damaged: then nothing more is signed on top of it. */
  readonly isDamaged: boolean;
  readonly ledger: Ledger;
  readonly watch: ClockWatch;
}

function keyRow({ kid, public_key, status, created_at, retired_at, prev_kid }: ServiceKey): ServiceKeyRow {
  return { kid, public_key, status, created_at, retired_at, prev_kid };
}

export function administrationRoutes(context: OperatorDeps) {
  const { store, settings, backups, runTimeSettings, version } = context;
  // Of what is kept on this machine, and how, an organization that is a guest learns nothing.
  const settingsAnswer = (orgId: string): SettingsAnswer =>
    isHome(store, orgId)
      ? { settings: runTimeSettings.list(), data_dir: settings.dataDir, administered_here: true }
      : { settings: [], data_dir: null, administered_here: false };
  const clockAnswer = (orgId: string): ClockAnswer => {
    const now = context.now();
    const state = clockState(store.clock, now);
    const doubt = state.state === 'in_doubt' ? state.doubt : null;
    const ahead = state.state === 'ledger_ahead' ? state : null;
    return {
      state: state.state,
      id: doubt?.id ?? ahead?.id ?? null,
      cause: doubt?.cause ?? null,
      reads: formatTime(doubt?.reads ?? now),
      expected: doubt === null ? null : formatTime(doubt.expected),
      latest: ahead === null ? null : formatTime(ahead.latest),
      administered_here: isHome(store, orgId),
    };
  };
  return {
    listServiceKeys: ({ caller }) => ({
      body: { keys: listServiceKeys(store).map(keyRow), administered_here: isHome(store, caller.orgId) },
    }),

    rotateServiceKey: async ({ caller, body }) => {
      needHome(store, caller.orgId);
      if (context.isDamaged) throw new ServiceError('CONFLICT', 'a part of the ledger is damaged: restore it first');
      if (backups.isMaking) throw new ServiceError('CONFLICT', 'a backup is being written: wait until it ends');
      return { body: { key: keyRow(await rotateServiceKey(context, caller, body.kid)) } };
    },

    getSettings: ({ caller }) => ({ body: settingsAnswer(caller.orgId) }),

    changeSettings: async ({ caller, body }) => {
      needHome(store, caller.orgId);
      await runTimeSettings.change(caller, body.settings);
      return { body: settingsAnswer(caller.orgId) };
    },

    getClock: ({ caller }) => ({ body: clockAnswer(caller.orgId) }),

    confirmClock: async ({ caller, body }) => {
      needHome(store, caller.orgId);
      await context.writer.run(async () => {
        const by = { home: caller.orgId, actor: caller.userId, reason: body.reason };
        if (await confirmClock(context.writer, context.watch, body.id, by)) return;
        throw new ServiceError('CONFLICT', 'id: the clock is not in this doubt, or no longer');
      });
      return { body: clockAnswer(caller.orgId) };
    },

    correctClock: async ({ caller, body }) => {
      needHome(store, caller.orgId);
      if (context.isDamaged) throw new ServiceError('CONFLICT', 'a part of the ledger is damaged: restore it first');
      const state = clockState(store.clock, context.now());
      if (state.state !== 'ledger_ahead' || state.id !== body.id) {
        throw new ServiceError('CONFLICT', "id: the ledger's times are not ahead in this way, or no longer");
      }
      await correctClock(context, { caller, reason: body.reason });
      return { body: clockAnswer(caller.orgId) };
    },

    listBackups: ({ caller }) => {
      if (isHome(store, caller.orgId)) return { body: { ...backups.describe(), administered_here: true } };
      const nothing = { folder: null, next_at: null, job: null, last_good: null, backups: [] };
      return { body: { ...nothing, administered_here: false } };
    },

    createBackup: async ({ caller }) => {
      needHome(store, caller.orgId);
      return { body: { job: await backups.make(caller) } };
    },

    verifyBackup: ({ caller, param }) => {
      if (!isHome(store, caller.orgId)) throw new ServiceError('NOT_FOUND', 'there is no such backup');
      return { body: { job: backups.verify(param('backup_id')) } };
    },

    about: () => ({ body: describeService(store, version) }),
  } satisfies Partial<Handlers>;
}
