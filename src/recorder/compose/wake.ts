import { installedFeeds } from '../base/agent-file.ts';
import type { RecorderHome } from '../base/home.ts';
import { startIfNoneRuns } from '../install/start-recorder.ts';

/**
 * Has a recorder of this user run, for whoever hands events over without a hook. Nothing is started where no agent is installed, or
 * the system keeps the recorder.
 * @throws RecordError RECORDER_AWAY with what the recorder said, RECORDER_UNUSABLE
 */
export async function wakeIfInstalled(home: RecorderHome, environment: NodeJS.ProcessEnv): Promise<void> {
  if (!home.isSystem && installedFeeds(home).size > 0) await startIfNoneRuns(home, environment);
}
