import type { Json } from '../../../protocol/light.ts';
import { addHooks, doubledEvents, hookedEvents, removeHooks } from '../config/json-hooks.ts';
import type { SetupFile } from './setup.ts';

/** A file whose member `hooks` has a list for each event. */
export function jsonHooksFile(
  path: string,
  command: string,
  events: readonly string[],
  entry: (event: string) => Json,
  top: { readonly [member: string]: Json } = {},
): SetupFile {
  const entries = new Map(events.map((event) => [event, entry(event)]));
  return {
    path,
    empty: '{}\n',
    add: (text) => addHooks(text, { entries, command, top }),
    remove: (text) => withoutTop(removeHooks(text, command), top),
    hooked: (text) => hookedEvents(text, command),
    doubled: (text) => doubledEvents(text, command),
  };
}

/** A file that is all ours. What another program wrote under its name is replaced, and comes back from its backup. */
export function ownFile(path: string, content: string, events: readonly string[]): SetupFile {
  return {
    path,
    empty: null,
    add: () => content,
    remove: () => null,
    hooked: (text) => (text === content ? events : []),
    doubled: () => [],
  };
}

/** Nothing but what we set where it was missing is as good as nothing. */
function withoutTop(text: string | null, top: { readonly [member: string]: Json }): string | null {
  if (text === null || Object.keys(top).length === 0) return text;
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === JSON.stringify(top) ? null : text;
  } catch (error) {
    // It has comments: somebody wrote into it.
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
