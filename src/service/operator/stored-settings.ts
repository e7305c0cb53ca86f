import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { prepareDurably } from '../../node/index.ts';
import { hasCode } from '../../protocol/light.ts';
import { StartError } from '../store/base/service-error.ts';
import { SETTINGS } from '../store/settings/setting-definitions.ts';
import { parseSetting } from '../store/settings/settings.ts';
import type { Settings } from '../store/settings/settings-type.ts';

/** Values of settings as text, by flag: as a configuration file has them. */
export type StoredValues = Readonly<Partial<Record<string, string>>>;

const settingsFile = z.partialRecord(
  z.enum(SETTINGS.filter(({ change }) => change !== undefined).map(({ flag }) => flag)),
  z.string(),
);

/** The settings that were changed by the interface: a file in the data folder, mode 0600, for there may be secrets in it. */
export function settingsPath(dataDir: string): string {
  return join(dataDir, 'settings.json');
}

/**
 * Reads what was stored.
 * @returns nothing where there is no file
 * @throws StartError SETTING_INVALID
 */
export function readStoredSettings(dataDir: string): StoredValues {
  const path = settingsPath(dataDir);
  let text: string;
  try {
    if ((statSync(path).mode & 0o077) !== 0 && process.platform !== 'win32') {
      throw new StartError('SETTING_INVALID', `other users can reach ${path}, which may hold secrets: chmod 600 it`);
    }
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return {};
    throw new StartError('SETTING_INVALID', `${path} cannot be read`, { cause: error });
  }
  try {
    return settingsFile.parse(JSON.parse(text));
  } catch {
    // The cause would quote the content, in which there may be secrets.
    throw new StartError(
      'SETTING_INVALID',
      `${path} is damaged: repair the file, or remove it and set the settings again`,
    );
  }
}

/** Stored texts as values. @throws StartError SETTING_INVALID, its message naming the setting */
export function parseStoredSettings(stored: StoredValues, place: (flag: string) => string): Partial<Settings> {
  const values: Record<string, unknown> = {};
  for (const setting of SETTINGS) {
    const text = stored[setting.flag];
    if (text !== undefined) values[setting.key] = parseSetting(setting, text, place(setting.flag));
  }
  return values;
}

/** Has new values on disk, beside those that hold. @returns puts them into their place */
export function prepareStoredSettings(dataDir: string, stored: StoredValues): Promise<() => Promise<void>> {
  return prepareDurably(settingsPath(dataDir), `${JSON.stringify(stored, null, 2)}\n`);
}
