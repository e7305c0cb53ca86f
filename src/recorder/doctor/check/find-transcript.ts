import { existsSync } from 'node:fs';
import { glob, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FeedId } from '../../base/programs.ts';
import { RecordError } from '../../base/record-error.ts';
import type { Surroundings } from '../../install/install.ts';

/** A session of a week has a few tens of megabytes. */
const MAX_BYTES = 512 * 1024 * 1024;

/** Where a program keeps the transcript of a session; `*` stands for what is not known of the path. */
function places({ environment, userHome }: Surroundings, feed: FeedId, session: string): readonly string[] {
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
      const base = join(environment['GEMINI_CLI_HOME'] ?? userHome, '.gemini', 'tmp');
      // The name has the beginning of the session's id.
      return [join(base, '*', 'chats', `session-*-${session.slice(0, 8)}.jsonl`)];
    }
    case 'copilot':
      return [
        join(environment['COPILOT_HOME'] || join(userHome, '.copilot'), 'session-state', session, 'events.jsonl'),
      ];
    default:
      return [];
  }
}

/**
 * The files of a session's transcript.
 * @param session the program's own id of it
 * @throws RecordError EVENT_INVALID
 */
export async function findTranscript(around: Surroundings, feed: FeedId, session: string): Promise<readonly string[]> {
  if (!/^[\w-]{1,128}$/.test(session)) {
    throw new RecordError('EVENT_INVALID', 'the id of a session has letters, digits, hyphens and underscores alone');
  }
  const found: string[] = [];
  for (const pattern of places(around, feed, session)) for await (const path of glob(pattern)) found.push(path);
  return found.sort();
}

/** @throws RecordError EVENT_INVALID, EVENT_TOO_LARGE */
export async function readTranscriptFiles(paths: readonly string[]): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (const path of paths) {
    if (!existsSync(path)) throw new RecordError('EVENT_INVALID', `${path} is not there`);
    const info = await stat(path);
    if (!info.isFile()) throw new RecordError('EVENT_INVALID', `${path} is not a file`);
    size += info.size;
    if (size > MAX_BYTES) throw new RecordError('EVENT_TOO_LARGE', `the transcript is larger than ${MAX_BYTES} bytes`);
    parts.push(await readFile(path));
  }
  return Buffer.concat(parts);
}
