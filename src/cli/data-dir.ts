import { environmentName, SETTINGS } from '../service/light.ts';
import type { Option, ParsedArgs } from './command.ts';

const [setting] = SETTINGS.filter(({ key }) => key === 'dataDir');

/** The data folder of a command that works on one without being the service. */
export const DATA_DIR_OPTION: Option = {
  flag: 'data-dir',
  value: 'DIR',
  help: `data folder of the service (${String(setting?.fallback)})`,
};

/** The folder that was named: on the command line, in the environment, or else the service's own default. */
export function dataDirOf(args: ParsedArgs): string {
  const named = args.text('data-dir') ?? (setting && process.env[environmentName(setting)]);
  return named ?? String(setting?.fallback);
}
