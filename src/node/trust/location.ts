import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** What tells where this user's files belong. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

export const TRUST_STORE_VARIABLE = 'COUNTERSIGN_TRUST_STORE';

function configFolder({ platform, environment, home }: Surroundings): string {
  if (platform === 'win32') return environment['APPDATA'] || join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  const xdg = environment['XDG_CONFIG_HOME'];
  // XDG Base Directory Specification: a path that is not absolute is to be ignored.
  return xdg?.startsWith('/') ? xdg : join(home, '.config');
}

/**
 * Where this user's trust store is: as COUNTERSIGN_TRUST_STORE says, else in the platform's folder for settings.
 * @returns null where the variable is empty: no trust store is used
 */
export function trustStorePath(
  surroundings: Surroundings = { platform: process.platform, environment: process.env, home: homedir() },
): string | null {
  const set = surroundings.environment[TRUST_STORE_VARIABLE];
  if (set === '') return null;
  if (set !== undefined) return resolve(set);
  return join(configFolder(surroundings), 'countersign', 'trust.json');
}
