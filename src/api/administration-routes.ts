import * as administration from './administration.ts';
import { rowsOf } from './route.ts';

const reader = rowsOf({ tag: 'Administration', access: 'readonly_investigator' });
const owner = rowsOf({ tag: 'Administration', access: 'org_owner' });
const admin = rowsOf({ tag: 'Administration', access: 'security_admin' });
const signedIn = rowsOf({ tag: 'Administration', access: 'authenticated' });
const auditor = rowsOf({ tag: 'Administration', access: 'compliance_auditor' });

/** Administration of the service itself: rows of the one table (routes.ts). */
export const ADMINISTRATION_ROUTES = {
  listServiceKeys: {
    ...reader.get,
    path: '/v1/service-keys',
    answer: administration.serviceKeysAnswer,
    summary: 'The keys of the service, and which signed which at a rotation',
  },
  rotateServiceKey: {
    ...owner.post,
    path: '/v1/service-keys/rotate',
    fresh: true,
    status: 200,
    body: administration.rotateServiceKeyBody,
    answer: administration.rotateServiceKeyAnswer,
    summary: 'Go on with a new service key, which the old one signs',
  },
  getSettings: {
    ...owner.get,
    path: '/v1/settings',
    answer: administration.settingsAnswer,
    summary: 'The settings in force, and where each comes from',
  },
  changeSettings: {
    ...owner.patch,
    path: '/v1/settings',
    fresh: true,
    body: administration.changeSettingsBody,
    answer: administration.settingsAnswer,
    summary: 'Change settings while the service runs',
  },
  getClock: {
    ...reader.get,
    path: '/v1/clock',
    answer: administration.clockAnswer,
    summary: "Whether the machine's clock and the ledger's times are right",
  },
  confirmClock: {
    ...owner.post,
    path: '/v1/clock/confirm',
    fresh: true,
    status: 200,
    body: administration.clockBody,
    answer: administration.clockAnswer,
    summary: 'Say that a clock that is in doubt is right: the service signs again',
  },
  correctClock: {
    ...owner.post,
    path: '/v1/clock/correct',
    fresh: true,
    status: 200,
    body: administration.clockBody,
    answer: administration.clockAnswer,
    summary: "Set the times of a ledger that signed under a wrong clock back to the machine's",
  },
  listBackups: {
    ...admin.get,
    path: '/v1/backups',
    answer: administration.backupsAnswer,
    summary: 'The backups that the service made, newest first, and what is under way',
  },
  createBackup: {
    ...admin.post,
    path: '/v1/backups',
    fresh: true,
    status: 202,
    answer: administration.backupJobAnswer,
    summary: 'Make a backup now, as a job',
  },
  verifyBackup: {
    ...admin.post,
    path: '/v1/backups/:backup_id/verify',
    status: 202,
    answer: administration.backupJobAnswer,
    summary: 'Verify a backup, as a job',
  },
  about: {
    ...signedIn.get,
    path: '/v1/about',
    answer: administration.aboutAnswer,
    summary: 'Versions, and the licences of everything that is shipped',
  },
  adminChain: {
    ...auditor.get,
    path: '/v1/admin/chain',
    answer: administration.adminChainAnswer,
    summary: 'How far the administrative log verifies',
  },
} as const;
