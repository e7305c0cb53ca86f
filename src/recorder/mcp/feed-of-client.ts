import type { FeedId } from '../base/programs.ts';

/** How programs call themselves to MCP servers (`clientInfo.name`), by the beginning of it in lowercase. */
const CLIENTS: readonly (readonly [beginning: string, feed: FeedId])[] = [
  ['claude-code', 'claudecode'],
  ['codex', 'codex'],
  ['gemini-cli', 'gemini'],
  ['github-copilot', 'copilot'],
  ['copilot-cli', 'copilot'],
  ['opencode', 'opencode'],
  ['kimi', 'kimi'],
  ['letta', 'letta'],
  ['cursor', 'cursor'],
  ['kiro-cli', 'kirocli'],
  ['kiro', 'kiroide'],
];

/**
 * Whose actions those of a client are: the program's own agent, else the one for programs with windows, else the one for all others.
 * @param name null where the client has not said it
 * @param installed whether an agent is installed for a feed
 */
export function feedOfClient(name: string | null, installed: (feed: FeedId) => boolean): FeedId {
  const lower = name?.toLowerCase() ?? '';
  const own = CLIENTS.find(([beginning]) => lower.startsWith(beginning))?.[1];
  const candidates: readonly FeedId[] = [...(own === undefined ? [] : [own]), 'gui', 'other'];
  return candidates.find(installed) ?? own ?? 'other';
}
