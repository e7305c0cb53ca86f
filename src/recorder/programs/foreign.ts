import type { Body } from '../../actions/tools/index.ts';
import type { FeedId } from '../base/programs.ts';

/**
 * The program that speaks through another one's hooks. Cursor also runs the hooks in Claude Code's settings, and Copilot those in a
 * repository's `.claude/settings.json`, each with its own form of body. Copilot is known by the time in its bodies, which Claude Code
 * does not send: the variable that tells them apart is not in the body.
 */
export function speakerOf(feed: FeedId, body: Body): FeedId {
  if (feed !== 'claudecode') return feed;
  if (typeof body['cursor_version'] === 'string') return 'cursor';
  const dated = typeof body['timestamp'] === 'string' || typeof body['timestamp'] === 'number';
  return dated && !Object.hasOwn(body, 'permission_mode') && !Object.hasOwn(body, 'tool_use_id') ? 'copilot' : feed;
}
