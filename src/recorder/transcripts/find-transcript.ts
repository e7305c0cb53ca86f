import { glob } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TranscriptCall } from '../../actions/transcripts/index.ts';
import type { FeedId } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';

/** Where a person's programs keep their files. */
export interface ProgramPlaces {
  readonly environment: NodeJS.ProcessEnv;
  /** Of the person: HOME. */
  readonly userHome: string;
}

/** Files in a folder, whose name stands for itself; in `patterns`, `*` stands for what is not known of the path. */
interface Place {
  readonly folder: string;
  readonly patterns: readonly string[];
}

const NOWHERE: Place = { folder: '.', patterns: [] };

/** Where a program keeps the transcripts of a session. */
function placeOf({ environment, userHome }: ProgramPlaces, feed: FeedId, session: string): Place {
  switch (feed) {
    case 'claudecode': {
      const folder = join(environment['CLAUDE_CONFIG_DIR'] || join(userHome, '.claude'), 'projects');
      // What subagents did is in files of their own.
      return { folder, patterns: [`*/${session}.jsonl`, `*/${session}/subagents/*.jsonl`] };
    }
    case 'codex': {
      const folder = join(environment['CODEX_HOME'] || join(userHome, '.codex'), 'sessions');
      return { folder, patterns: [`*/*/*/rollout-*-${session}.jsonl`] };
    }
    case 'gemini': {
      const folder = join(environment['GEMINI_CLI_HOME'] || userHome, '.gemini', 'tmp');
      // The name has the beginning of the session's id; what sub-agents did is in files of their own.
      return {
        folder,
        patterns: [`*/chats/session-*-${session.slice(0, 8)}.jsonl`, `*/chats/${session}/*.jsonl`],
      };
    }
    case 'copilot': {
      const folder = join(environment['COPILOT_HOME'] || join(userHome, '.copilot'), 'session-state');
      return { folder, patterns: [`${session}/events.jsonl`] };
    }
    case 'kimi': {
      const folder = join(environment['KIMI_CODE_HOME'] || join(userHome, '.kimi-code'), 'sessions');
      return { folder, patterns: [`*/${session}/agents/*/wire.jsonl`] };
    }
    default:
      return NOWHERE;
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
  return globbed(placeOf(around, feed, session));
}

/** The ids of agents in what a call gave. */
export function agentsNamedIn(output: TranscriptCall['output']): string[] {
  return typeof output === 'string'
    ? [...output.matchAll(/"agent_id":"([\w-]{1,128})"/g)].flatMap(([, id]) => id ?? [])
    : [];
}

/**
 * The files of what sub-agents did, next to the transcript of their session.
 * @param main the transcript, as the program names it
 * @param session the program's own id of it
 * @param agents the sub-agents that were met, by their ids
 */
export async function subAgentTranscripts(
  feed: FeedId,
  main: string,
  session: string,
  agents: Iterable<string>,
): Promise<readonly string[]> {
  if (feed === 'claudecode')
    return globbed({ folder: join(main.replace(/\.jsonl$/, ''), 'subagents'), patterns: ['*.jsonl'] });
  if (feed === 'gemini' && ID.test(session))
    return globbed({ folder: dirname(main), patterns: [`${session}/*.jsonl`] });
  if (feed !== 'codex') return [];
  const named = [...agents].filter((id) => ID.test(id));
  return globbed({ folder: dirname(main), patterns: named.map((id) => `rollout-*-${id}.jsonl`) });
}

async function globbed({ folder, patterns }: Place): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const pattern of patterns)
    for await (const path of glob(pattern, { cwd: folder })) found.add(join(folder, path));
  return [...found].sort();
}
