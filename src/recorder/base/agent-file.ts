import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeDurablyNow } from '../../node/light.ts';
import { hasCode } from '../../protocol/light.ts';
import { type AgentFile, isAgentFile, isPublicAgentFile, misfit, type PublicAgentFile } from './agent-form.ts';
import type { RecorderHome } from './home.ts';
import { prepareOwnFolder, readOwnFile, readSystemFile } from './own-files.ts';
import { type FeedId, isFeedId } from './programs.ts';
import { RecordError } from './record-error.ts';

export { type AgentFile, type PublicAgentFile, withoutSecrets } from './agent-form.ts';

/** What has to hold for an agent's records. */
export type AgentPolicy = Pick<AgentFile, 'on_failure' | 'threshold' | 'require_receipt_for' | 'before' | 'content'>;

/**
 * Reads what is installed for a program.
 * @throws RecordError NOT_INSTALLED, FOLDER_UNUSABLE where others can read the file, it is not this user's, or does not hold what it
 *   should; the message quotes nothing of it
 */
export function readAgentFile(home: RecorderHome, feed: FeedId): AgentFile {
  const path = home.agent(feed);
  const given = parsedFile(path, feed, readOwnFile);
  if (!isAgentFile(given)) {
    const at = misfit(given);
    throw new RecordError('FOLDER_UNUSABLE', `${path} does not have the required form: look at the member ${at}`);
  }
  if (given.feed !== feed) throw new RecordError('FOLDER_UNUSABLE', `${path} is the file of ${given.feed}`);
  return given;
}

/** What a person may know of an agent, and the recorder's token where they can have it. */
export type AgentFacts = PublicAgentFile & { readonly token: string | null };

/**
 * Reads what is installed for a program, whoever keeps the recorder.
 * @throws RecordError NOT_INSTALLED, FOLDER_UNUSABLE
 */
export function readAgentFacts(home: RecorderHome, feed: FeedId): AgentFacts {
  if (!home.isSystem) {
    const { private_key: _, ...facts } = readAgentFile(home, feed);
    return facts;
  }
  const path = home.agent(feed);
  const given = parsedFile(path, feed, readSystemFile);
  if (!isPublicAgentFile(given) || given.feed !== feed) {
    throw new RecordError('FOLDER_UNUSABLE', `${path} does not have the required form: install again`);
  }
  return { ...given, token: null };
}

function parsedFile(path: string, feed: FeedId, read: (path: string) => string): unknown {
  try {
    return JSON.parse(read(path));
  } catch (error) {
    if (error instanceof RecordError) throw error;
    if (error instanceof SyntaxError) throw new RecordError('FOLDER_UNUSABLE', `${path} is not JSON`);
    if (hasCode(error, 'ENOENT')) {
      throw new RecordError('NOT_INSTALLED', `no agent is installed for ${feed}: run countersign record install`);
    }
    throw new RecordError('FOLDER_UNUSABLE', `${path} cannot be read`, { cause: error });
  }
}

/**
 * Writes it for this user alone, whole or not at all, and makes it durable.
 * @throws RecordError FOLDER_UNUSABLE; TypeError for what could not be read again
 */
export function writeAgentFile(home: RecorderHome, agent: AgentFile): void {
  const at = misfit(agent);
  if (at !== null) throw new TypeError(`an agent's file cannot have this as its member ${at}`);
  const path = home.agent(agent.feed);
  prepareOwnFolder(dirname(path));
  writeDurablyNow(path, `${JSON.stringify(agent, null, 2)}\n`);
}

/** The feeds that have an agent's file, usable or not. */
export function installedFeeds({ agents }: RecorderHome): ReadonlySet<FeedId> {
  if (!existsSync(agents)) return new Set();
  return new Set(readdirSync(agents).flatMap((name) => [name.replace(/\.json$/, '')].filter(isFeedId)));
}

/**
 * What is installed for every program.
 * @throws RecordError FOLDER_UNUSABLE
 */
export function readAgentFiles(home: RecorderHome): AgentFile[] {
  return [...installedFeeds(home)].flatMap((feed) => {
    try {
      return [readAgentFile(home, feed)];
    } catch (error) {
      if (error instanceof RecordError && error.code === 'NOT_INSTALLED') return [];
      throw error;
    }
  });
}
