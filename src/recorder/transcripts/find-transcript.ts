import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FeedId } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';

/** Where a person's programs keep their files. */
export interface ProgramPlaces {
  readonly environment: NodeJS.ProcessEnv;
  /** Of the person: HOME. */
  readonly userHome: string;
}

/** Where a program keeps the transcripts of a session; `*` stands for what is not known of the path. */
function places({ environment, userHome }: ProgramPlaces, feed: FeedId, session: string): readonly string[] {
  switch (feed) {
    case 'claudecode': {
      const projects = join(environment['CLAUDE_CONFIG_DIR'] || join(userHome, '.claude'), 'projects', '*');
      // What subagents did is in files of their own.
      return [join(projects, `${session}.jsonl`), join(projects, session, 'subagents', '*.jsonl')];
    }
    case 'codex': {
      const sessions = join(environment['CODEX_HOME'] || join(userHome, '.codex'), 'sessions');
      return [join(sessions, '*', '*', '*', `rollout-*-${session}.jsonl`)];
    }
    case 'gemini': {
      const base = join(environment['GEMINI_CLI_HOME'] || userHome, '.gemini', 'tmp');
      // The name has the beginning of the session's id.
      return [join(base, '*', 'chats', `session-*-${session.slice(0, 8)}.jsonl`)];
    }
    case 'copilot':
      return [
        join(environment['COPILOT_HOME'] || join(userHome, '.copilot'), 'session-state', session, 'events.jsonl'),
      ];
    case 'kimi': {
      const sessions = join(environment['KIMI_CODE_HOME'] || join(userHome, '.kimi-code'), 'sessions');
      return [join(sessions, '*', session, 'agents', '*', 'wire.jsonl')];
    }
    default:
      return [];
  }
}

/** opencode keeps all sessions in one database. */
export function opencodeStore({ environment, userHome }: ProgramPlaces): string {
  return join(environment['XDG_DATA_HOME'] || join(userHome, '.local', 'share'), 'opencode', 'opencode.db');
}

const ID = /^[\w-]{1,128}$/;

/**
 * The files of a session's transcript.
 * @param session the program's own id of it
 * @throws RecordError EVENT_INVALID
 */
export async function findTranscript(around: ProgramPlaces, feed: FeedId, session: string): Promise<readonly string[]> {
  if (!ID.test(session)) {
    throw new RecordError('EVENT_INVALID', 'the id of a session has letters, digits, hyphens and underscores alone');
  }
  return globbed(places(around, feed, session));
}

/**
 * The files of what sub-agents did, next to the transcript of their session.
 * @param main the transcript, as the program names it
 * @param agents the sub-agents that were met, by their ids
 */
export async function subAgentTranscripts(
  feed: FeedId,
  main: string,
  agents: Iterable<string>,
): Promise<readonly string[]> {
  if (feed === 'claudecode') return globbed([join(main.replace(/\.jsonl$/, ''), 'subagents', '*.jsonl')]);
  if (feed !== 'codex') return [];
  const named = [...agents].filter((id) => ID.test(id));
  return globbed(named.map((id) => join(dirname(main), `rollout-*-${id}.jsonl`)));
}

async function globbed(patterns: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const pattern of patterns) for await (const path of glob(pattern)) found.add(path);
  return [...found].sort();
}
