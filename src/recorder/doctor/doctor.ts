import { type AgentFacts, readAgentFacts } from '../base/agent-file.ts';
import { type FeedId, isProgramId } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import type { Surroundings } from '../install/install.ts';
import { configured, runnable, scripted } from './configured.ts';
import { missedLines, recording, served } from './connected.ts';
import { type Finding, finding } from './finding.ts';
import { otherReaders } from './other-readers.ts';
import { switchedOff } from './switched-off.ts';
import { tryRecording, tryWithoutRecorder } from './try-hook.ts';

/**
 * Examines what is installed for a program: by looking, by asking the service and the recorder, and by trying.
 * @param tries whether the hook's script is run, which leaves a note among the agent's records
 */
export async function examine(around: Surroundings, feed: FeedId, tries = true): Promise<Finding[]> {
  let agent: AgentFacts;
  try {
    agent = readAgentFacts(around.home, feed);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return [finding(feed, error.code === 'NOT_INSTALLED' ? 'NOT_INSTALLED' : 'FOLDER_UNUSABLE', error.message)];
  }
  const found: Finding[] = [];
  if (isProgramId(feed)) {
    found.push(...(await configured(around, feed, agent)));
    found.push(...(await switchedOff(around, feed)));
    found.push(...(await otherReaders(around, feed)));
    found.push(...(await runnable(around, feed)));
    const script = await scripted(around, feed, agent);
    found.push(...script);
    const isThere = !script.some(({ code }) => code === 'SCRIPT_MISSING');
    if (tries && isThere) found.push(...(await tryRecording(around, feed)));
    if (tries) found.push(...(await tryWithoutRecorder(around, feed, agent)));
  }
  found.push(...(await served(agent)));
  found.push(...(await recording(around.home, agent)));
  const missed = missedLines(around.home, feed);
  if (missed > 0)
    found.push(finding(feed, 'EVENTS_MISSED', `${missed} events did not reach a recorder: it records them as a gap`));
  return found.filter(
    ({ code }, at) => !SAID_TWICE.has(code) || found.findIndex((other) => other.code === code) === at,
  );
}

/** The service and the recorder both tell of it. */
const SAID_TWICE: ReadonlySet<string> = new Set(['TOKEN_REFUSED', 'AGENT_REFUSED']);
