import { type FeedId, isFeedId } from '../base/programs.ts';
import { RecordError } from '../base/record-error.ts';
import type { Attributes } from './model.ts';

/** The service.name of the programs that export, by how it begins. */
const SERVICES: readonly (readonly [RegExp, FeedId])[] = [
  [/^claude-code\b/, 'claudecode'],
  [/^codex(?![a-z0-9])/, 'codex'],
  [/^gemini-cli\b/, 'gemini'],
  [/^(github-)?copilot\b/, 'copilot'],
  [/^opencode\b/, 'opencode'],
  [/^kimi(-code|-cli)?\b/, 'kimi'],
  [/^letta(-code)?$/, 'letta'],
  [/^cursor(-agent)?$/, 'cursor'],
];

/**
 * The feed that the x-countersign-feed header names; null without one.
 * @throws RecordError EVENT_INVALID
 */
export function feedOfHeader(header: string | null): FeedId | null {
  if (header === null) return null;
  if (isFeedId(header)) return header;
  throw new RecordError('EVENT_INVALID', 'The x-countersign-feed header does not name a program that has recordings.');
}

/** Whose calls the spans and log records of a resource are: a program's that is known, else `enterprise`. */
export function feedOfResource(resource: Attributes): FeedId {
  const service = resource.get('service.name');
  if (typeof service !== 'string') return 'enterprise';
  const name = service.toLowerCase();
  return SERVICES.find(([pattern]) => pattern.test(name))?.[1] ?? 'enterprise';
}
