import { lstatSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { installedFeeds } from '../base/agent-file.ts';
import { recorderHome } from '../base/home.ts';
import { PROGRAM_IDS } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import { otherRecordersIn } from '../install/config/other-hooks.ts';
import { scriptPath } from '../install/folders.ts';
import { type Surroundings, setupContext } from '../install/install.ts';
import { settingsFiles } from '../install/settings-files.ts';
import type { Account } from './account.ts';

/**
 * Two recorders would each see a part of what the person's programs do. Root does not know where the person's environment puts data
 * (XDG_DATA_HOME): a recorder of theirs is found by its folder where that is the usual or a named one, by the hooks of any program, and
 * by its socket while it runs. To be called with the person's rights.
 * @throws RecordError OTHER_RECORDER, FOLDER_UNUSABLE
 */
export async function checkNoOther(around: Surroundings, { name, uid }: Account): Promise<void> {
  const { userHome, environment } = around;
  const data = environment['XDG_DATA_HOME'];
  const places = [join(userHome, '.local', 'share'), ...(data !== undefined && isAbsolute(data) ? [data] : [])];
  for (const folder of places.map((place) => join(place, 'countersign', 'recorder'))) {
    const installed = installedIn(folder, name);
    if (installed.length > 0) throw otherOf(name, folder, `for ${installed.join(', ')}`);
  }
  for (const feed of PROGRAM_IDS) {
    const script = scriptPath(around.home, feed);
    for (const { path } of settingsFiles(feed, setupContext(around, feed, false, false))) {
      const [folder] = await otherRecordersIn(path, feed, script);
      if (folder !== undefined) throw otherOf(name, folder, `for ${feed}, which ${path} has hooks for`);
    }
  }
  const [running] = runningFolders(uid);
  if (running !== undefined) throw otherOf(name, running, 'for what is installed there; then stop it');
}

function installedIn(folder: string, person: string): string[] {
  try {
    return [...installedFeeds(recorderHome({ COUNTERSIGN_RECORDER: folder }))];
  } catch (error) {
    throw new RecordError('FOLDER_UNUSABLE', `${folder} cannot be read as ${person}`, { cause: error });
  }
}

/** The folders whose recorder listens and is a user's own: proc_net_unix(5), whose last field is the path. */
function runningFolders(uid: number): string[] {
  const lines = readFileSync('/proc/net/unix', 'utf8').split('\n');
  const paths = lines.map((line) => line.slice(line.indexOf(' /') + 1)).filter((path) => isAbsolute(path));
  const sockets = paths.filter((path) => basename(path) === 'recorder.sock');
  const own = sockets.filter((path) => lstatSync(path, { throwIfNoEntry: false })?.uid === uid);
  return own.map((path) => dirname(path));
}

function otherOf(person: string, folder: string, what: string): RecordError {
  return new RecordError(
    'OTHER_RECORDER',
    `${person} has a recorder under their own account in ${folder}: as ${person}, run countersign record uninstall with COUNTERSIGN_RECORDER=${folder} ${what}`,
  );
}
