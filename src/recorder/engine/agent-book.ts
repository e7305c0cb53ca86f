import { statSync } from 'node:fs';
import { join } from 'node:path';
import { AgentError } from '../../agent/light.ts';
import { type AgentFile, installedFeeds, readAgentFile } from '../base/agent-file.ts';
import type { RecorderHome } from '../base/home.ts';
import { prepareOwnFolder } from '../base/own-files.ts';
import type { FeedId } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import type { Spool } from '../spool/spool.ts';
import { InstalledAgent } from './installed-agent.ts';
import type { Pipeline } from './pipeline.ts';
import { SignatureChecks } from './signature-checks.ts';

interface Entry<Prepared> {
  readonly agent: InstalledAgent<Prepared>;
  /** Tells the file that was read from one that was written since. */
  readonly version: string;
}

/** Which agent records for which program. Files are read again once they change: who installs need not stop the recorder. */
export class AgentBook<Prepared> {
  readonly #home: RecorderHome;
  readonly #spool: Spool;
  readonly #pipeline: Pipeline<Prepared>;
  /** One for all: they share a thread. */
  readonly #checks = new SignatureChecks();
  readonly #byFeed = new Map<FeedId, Entry<Prepared>>();
  /** Also those that no feed has any more: their records are sent all the same. */
  readonly #agents: InstalledAgent<Prepared>[] = [];

  constructor(home: RecorderHome, spool: Spool, pipeline: Pipeline<Prepared>) {
    this.#home = home;
    this.#spool = spool;
    this.#pipeline = pipeline;
  }

  /**
   * Reads what is installed.
   * @returns what is wrong with files that cannot be used
   */
  load(): RecordError[] {
    return [...installedFeeds(this.#home)].flatMap((feed) => {
      try {
        this.of(feed);
        return [];
      } catch (error) {
        if (!(error instanceof RecordError)) throw error;
        return error.code === 'NOT_INSTALLED' ? [] : [error];
      }
    });
  }

  /** @throws RecordError NOT_INSTALLED, FOLDER_UNUSABLE */
  of(feed: FeedId): InstalledAgent<Prepared> {
    const version = this.#versionOf(feed);
    const known = this.#byFeed.get(feed);
    if (known !== undefined && known.version === version) return known.agent;
    const agent = this.#open(readAgentFile(this.#home, feed));
    this.#byFeed.set(feed, { agent, version });
    return agent;
  }

  get all(): readonly InstalledAgent<Prepared>[] {
    return this.#agents;
  }

  /** Stops sending for all agents. */
  async close(): Promise<void> {
    await Promise.all(this.#agents.map(({ sender }) => sender.close()));
    await this.#checks.close();
  }

  #versionOf(feed: FeedId): string {
    const stat = statSync(this.#home.agent(feed), { throwIfNoEntry: false });
    return stat === undefined ? '' : `${stat.ino} ${stat.mtimeMs} ${stat.size} ${stat.mode}`;
  }

  #open(file: AgentFile): InstalledAgent<Prepared> {
    const known = this.all.find(
      ({ file: { org_id, agent_id } }) => org_id === file.org_id && agent_id === file.agent_id,
    );
    try {
      known?.use(file);
      if (known !== undefined) return known;
      prepareOwnFolder(this.#home.receipts);
      const agent = new InstalledAgent(file, {
        spool: this.#spool,
        pipeline: this.#pipeline,
        checks: this.#checks,
        receiptsFile: join(this.#home.receipts, nameOf(file)),
      });
      this.#agents.push(agent);
      return agent;
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      throw new RecordError('FOLDER_UNUSABLE', `the agent of ${file.feed} cannot be used: ${error.message}`, {
        cause: error,
      });
    }
  }
}

/** An agent's id has no character that a path could not have, but for the colon. */
function nameOf({ agent_id }: AgentFile): string {
  return `${agent_id.replaceAll(':', '_')}.jsonl`;
}
