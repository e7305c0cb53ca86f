import { installedFeeds } from '../base/agent-file.ts';
import type { RecorderHome } from '../base/home.ts';
import type { RunningRecorder, StartOptions } from './start.ts';

/**
 * Starts the recorder next to something else that runs, where an agent is installed for this user; where none is, nothing more of
 * the recorder is loaded.
 * @returns null where none is, or the system keeps the recorder
 * @throws RecordError RECORDER_RUNNING, FOLDER_UNUSABLE
 */
export async function startRecorderIfInstalled(
  home: RecorderHome,
  options: StartOptions,
): Promise<RunningRecorder | null> {
  if (home.isSystem || installedFeeds(home).size === 0) return null;
  const { startRecorder } = await import('./start.ts');
  return startRecorder(home, options);
}
