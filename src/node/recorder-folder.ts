import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * What a person may see of a recorder that the system keeps for them (`record install --system`): a folder of root's that has the form of
 * a recorder's own, without anything secret.
 * @param root what stands for `/`
 */
export function systemView(uid: number, root = '/'): string {
  return join(root, 'etc', 'countersign-recorder', String(uid));
}

/** Whether a recorder's folder is such a view. */
export function isSystemView(folder: string): boolean {
  return /\/etc\/countersign-recorder\/\d+$/.test(folder);
}

/**
 * The recorder's folder of this user.
 * @param environment `COUNTERSIGN_RECORDER` names the folder; else it is the view of the system's recorder, where this user has one; else it lies where the system keeps the data of a user's programs,
 *   below HOME (XDG Base Directory Specification on Linux)
 */
export function recorderFolder(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  const given = environment['COUNTERSIGN_RECORDER'];
  if (given !== undefined) return given;
  const uid = platform === 'linux' ? process.getuid?.() : undefined;
  if (uid !== undefined && existsSync(systemView(uid))) return systemView(uid);
  return join(dataFolder(environment, platform), 'countersign', 'recorder');
}

function dataFolder(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const home = environment['HOME'] ?? homedir();
  if (platform === 'win32') return environment['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  const data = environment['XDG_DATA_HOME'];
  // The specification: a relative path in it is to be ignored.
  return data?.startsWith('/') === true ? data : join(home, '.local', 'share');
}
