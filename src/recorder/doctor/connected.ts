import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AgentError } from '../../agent/index.ts';
import { hasCode } from '../../protocol/light.ts';
import type { AgentFacts } from '../base/agent-file.ts';
import type { RecorderHome } from '../base/home.ts';
import type { FeedId } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import { isRefusal, ServiceCalls } from '../install/service-calls.ts';
import { askRecorder } from '../listen/ask-recorder.ts';
import { lossText, lostPlace } from '../listen/ask-status.ts';
import { type Finding, finding } from './finding.ts';

/** Whether the service is there, is the same, and takes the recorder's token. */
export async function served({ feed, service_url, service_kid, token, agent_id }: AgentFacts): Promise<Finding[]> {
  try {
    const kid = await new ServiceCalls(service_url).serviceKid();
    if (kid !== service_kid) {
      const text = `${service_url} signs with the key ${kid}, and signed with ${service_kid} at installation: compare its fingerprint, then install with --service-key`;
      return [finding(feed, 'SERVICE_KEY_CHANGED', text)];
    }
    // Where the person cannot have it, the recorder tells whether the service takes it.
    if (token !== null) await new ServiceCalls(service_url, token).call('agentHead', { params: { agent_id } });
    return [];
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    const code = isRefusal(error, 'SERVICE_UNAVAILABLE')
      ? 'SERVICE_AWAY'
      : isRefusal(error, 'UNAUTHORIZED') || isRefusal(error, 'FORBIDDEN')
        ? 'TOKEN_REFUSED'
        : 'AGENT_REFUSED';
    return [finding(feed, code, `${service_url}: ${error.message}`)];
  }
}

const stopped = z.looseObject({ code: z.string(), message: z.string() }).nullable();
const status = z.looseObject({
  agents: z.array(z.looseObject({ agent_id: z.string(), stopped, losses: z.array(lostPlace).default([]) })),
});

const REFUSALS: ReadonlySet<string> = new Set(['AGENT_FROZEN', 'KEY_REVOKED', 'UNKNOWN_AGENT']);

/** Whether a recorder runs, and what it says of the agent. */
export async function recording(home: RecorderHome, { feed, agent_id }: AgentFacts): Promise<Finding[]> {
  try {
    const { data } = status.safeParse(await askRecorder(home, '/v1/status'));
    const agent = data?.agents.find((one) => one.agent_id === agent_id);
    const lost = (agent?.losses ?? []).map((one) =>
      finding(feed, 'EVENTS_LOST', `in the last 7 days: ${lossText(one)}`),
    );
    const refusal = agent?.stopped;
    if (!refusal) return lost;
    const code = REFUSALS.has(refusal.code)
      ? 'AGENT_REFUSED'
      : refusal.code === 'UNAUTHORIZED'
        ? 'TOKEN_REFUSED'
        : null;
    return code === null
      ? lost
      : [...lost, finding(feed, code, `the service takes no records of ${agent_id}: ${refusal.message}`)];
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    const next = home.isSystem
      ? `its socket ${home.socket} does not answer: ask systemctl status 'countersign-recorder@*'`
      : 'no recorder runs; the next hook starts one';
    return [finding(feed, home.isSystem ? 'SYSTEM_AWAY' : 'RECORDER_AWAY', next)];
  }
}

/** How many events of a feed did not reach a recorder and are not recorded as a gap yet. */
export function missedLines(home: RecorderHome, feed: FeedId): number {
  try {
    return readFileSync(join(home.missed, feed), 'utf8').split('\n').length - 1;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 0;
    throw error;
  }
}
