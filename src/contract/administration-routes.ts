import * as administration from './administration.ts';
import { noQuery } from './fields.ts';
import { get, post } from './route.ts';

const tag = { tag: 'Administration' } as const;

/** Administration of the service itself: rows of the one table (routes.ts). */
export const ADMINISTRATION_ROUTES = {
  listServiceKeys: {
    ...get,
    ...tag,
    path: '/v1/service-keys',
    access: 'readonly_investigator',
    answer: administration.serviceKeysAnswer,
    summary: 'The keys of the service, and which signed which at a rotation',
  },
  rotateServiceKey: {
    ...post,
    ...tag,
    path: '/v1/service-keys/rotate',
    fresh: true,
    access: 'org_owner',
    status: 200,
    body: administration.rotateServiceKeyBody,
    answer: administration.rotateServiceKeyAnswer,
    summary: 'Go on with a new service key, which the old one signs',
  },
  getSettings: {
    ...get,
    ...tag,
    path: '/v1/settings',
    access: 'org_owner',
    answer: administration.settingsAnswer,
    summary: 'The settings in force, and where each comes from',
  },
  changeSettings: {
    method: 'PATCH',
    query: noQuery,
    ...tag,
    path: '/v1/settings',
    fresh: true,
    access: 'org_owner',
    status: 200,
    body: administration.changeSettingsBody,
    answer: administration.settingsAnswer,
    summary: 'Change settings while the service runs',
  },
  listBackups: {
    ...get,
    ...tag,
    path: '/v1/backups',
    access: 'security_admin',
    answer: administration.backupsAnswer,
    summary: 'The backups that the service made, newest first, and what is under way',
  },
  createBackup: {
    ...post,
    ...tag,
    path: '/v1/backups',
    fresh: true,
    access: 'security_admin',
    status: 202,
    answer: administration.backupJobAnswer,
    summary: 'Make a backup now, as a job',
  },
  verifyBackup: {
    ...post,
    ...tag,
    path: '/v1/backups/:backup_id/verify',
    access: 'security_admin',
    status: 202,
    answer: administration.backupJobAnswer,
    summary: 'Verify a backup, as a job',
  },
  about: {
    ...get,
    ...tag,
    path: '/v1/about',
    access: 'authenticated',
    answer: administration.aboutAnswer,
    summary: 'Versions, and the licences of everything that is shipped',
  },
  adminChain: {
    ...get,
    ...tag,
    path: '/v1/admin/chain',
    access: 'compliance_auditor',
    answer: administration.adminChainAnswer,
    summary: 'How far the administrative log verifies',
  },
} as const;
