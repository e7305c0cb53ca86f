/** The audit service. */
export { StartError, type StartErrorCode } from './errors.ts';
export { verifyDataDir } from './ledger-verification/verify-data-dir.ts';
export { SETTINGS, type SettingDefinition } from './setting-definitions.ts';
export { environmentName, resolveSettings, type SettingSources } from './settings.ts';
export type { Settings } from './settings-type.ts';
export { type Service, startService } from './start.ts';
