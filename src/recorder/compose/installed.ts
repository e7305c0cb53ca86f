import { existsSync } from 'node:fs';
import { installedFeeds, readAgentFile } from '../base/agent-file.ts';
import type { RecorderHome } from '../base/home.ts';
import { readOwnFile } from '../base/own-files.ts';
import type { FeedId } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';

/** How long what was read of the agents' files is used, in milliseconds: events come by the hundred in a second. */
const FRESH_MS = 1_000;

/** What must never be recorded, wherever it turns up: the agents' keys and tokens, and the recorder's. */
export function ownSecrets(home: RecorderHome): readonly string[] {
  // A recorder of the system has no port, and so no token for it.
  const token = existsSync(home.token) ? [readOwnFile(home.token).trim()] : [];
  return [...token, ...[...installedFeeds(home)].flatMap((feed) => secretsOf(home, feed))];
}

/** Reads something again only where the last reading is older than a second. */
export function keptForAWhile<T>(read: () => T): () => T {
  let kept: { readonly value: T; readonly at: number } | null = null;
  return () => {
    const now = performance.now();
    if (kept === null || now - kept.at > FRESH_MS) kept = { value: read(), at: now };
    return kept.value;
  };
}

function secretsOf(home: RecorderHome, feed: FeedId): string[] {
  try {
    const { private_key, token } = readAgentFile(home, feed);
    return [private_key, token];
  } catch (error) {
    // Nothing is signed for an agent whose file cannot be read.
    if (error instanceof RecordError) return [];
    throw error;
  }
}
