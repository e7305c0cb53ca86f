import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The recorder's folder of this user.
 * @param environment `COUNTERSIGN_RECORDER` names the folder; else it lies where the system keeps the data of a user's programs,
 *   below HOME (XDG Base Directory Specification on Linux)
 */
export function recorderFolder(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  return environment['COUNTERSIGN_RECORDER'] ?? join(dataFolder(environment, platform), 'countersign', 'recorder');
}

function dataFolder(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  const home = environment['HOME'] ?? homedir();
  if (platform === 'win32') return environment['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  const data = environment['XDG_DATA_HOME'];
  // The specification: a relative path in it is to be ignored.
  return data?.startsWith('/') === true ? data : join(home, '.local', 'share');
}
