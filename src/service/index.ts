/** The audit service. */
export { StartError, type StartErrorCode } from './errors.ts';
export {
  environmentName,
  resolveSettings,
  SETTINGS,
  type SettingDefinition,
  type SettingSources,
  type Settings,
} from './settings.ts';
export { type Service, startService } from './start.ts';
