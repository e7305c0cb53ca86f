import { join } from 'node:path';
import { isSystemView, recorderFolder } from '../../node/light.ts';
import type { FeedId } from './programs.ts';

/**
 * The recorder's folder of this user, readable by nobody else:
 *
 *     recorder.sock   the Unix socket that hooks speak to
 *     recorder.json   where the running recorder listens: {pid, port, url}
 *     pid             its process id alone, for the shell
 *     token           what who speaks to the TCP port has to show
 *     mcp-token       what who speaks to a proxy of MCP over HTTP has to show
 *     secrets.key     what keeps replaced secrets and digests from being guessed
 *     lock.sqlite     holds the folder for one recorder
 *     spool.sqlite    what is not sent yet, open calls, where the chains end
 *     receipts/       AGENT.jsonl, the receipts of each agent; log-ORG.checkpoint, the newest checkpoint of the service's log, and
 *                     log-ORG.fork.json, what contradicts it
 *     agents/         FEED.json: agent, key, service, token and policy of each program
 *     hooks/          one script for each program
 *     missed/         FEED: a line for each event that did not reach a recorder; away: a hook waited for one in vain, and none answered since
 *     left/           FEED.EVENT, FEED.ID.WITNESS.COUNT: what no recorder answered of hooks, proxies and libraries, until one takes it up
 *
 * A recorder of the system has it under its own account. What the person may see is another folder of the same form, made by root:
 * `recorder.sock` and `missed` are symbolic links, agents/ holds neither keys nor tokens, and the rest is not there.
 */
export interface RecorderHome {
  readonly folder: string;
  /** Whether another account keeps the recorder: hooks neither start nor look after it. */
  readonly isSystem: boolean;
  readonly socket: string;
  readonly address: string;
  readonly pid: string;
  readonly token: string;
  readonly mcpToken: string;
  readonly secretsKey: string;
  readonly lock: string;
  readonly spool: string;
  readonly receipts: string;
  readonly agents: string;
  readonly hooks: string;
  readonly missed: string;
  readonly away: string;
  readonly left: string;
  agent(feed: FeedId): string;
}

/**
 * @param environment `COUNTERSIGN_RECORDER` names the folder; else it lies where the system keeps the data of a user's programs,
 *   below HOME (XDG Base Directory Specification on Linux)
 */
export function recorderHome(
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): RecorderHome {
  const folder = recorderFolder(environment, platform);
  const agents = join(folder, 'agents');
  return {
    folder,
    isSystem: isSystemView(folder),
    socket: join(folder, 'recorder.sock'),
    address: join(folder, 'recorder.json'),
    pid: join(folder, 'pid'),
    token: join(folder, 'token'),
    mcpToken: join(folder, 'mcp-token'),
    secretsKey: join(folder, 'secrets.key'),
    lock: join(folder, 'lock.sqlite'),
    spool: join(folder, 'spool.sqlite'),
    receipts: join(folder, 'receipts'),
    agents,
    hooks: join(folder, 'hooks'),
    missed: join(folder, 'missed'),
    away: join(folder, 'missed', 'away'),
    left: join(folder, 'left'),
    agent: (feed) => join(agents, `${feed}.json`),
  };
}
