// OpenClaw's plugin by the form of its documented hooks (api.on, events and contexts): what it tells the recorder, and what it stops.
import { beforeEach, describe, expect, it } from 'vitest';
import { pluginModule, pluginRecorder } from '../../support/plugin-recorder.ts';

interface PluginModule {
  readonly default: { readonly register: (api: { on: (name: string, handler: Handler) => unknown }) => void };
}
type Handler = (event: object, context: object) => Promise<unknown>;

const CONTEXT = { sessionId: 's', sessionKey: 'agent:main', workspaceDir: '/home/ada/.openclaw/workspace' };
let meanings: readonly string[];
let hooks: Map<string, Handler>;

beforeEach(async () => {
  meanings = await pluginRecorder('openclaw');
  const { default: plugin } = (await pluginModule('openclaw')) as PluginModule;
  hooks = new Map();
  plugin.register({ on: (name, handler) => hooks.set(name, handler) });
});

const call = (name: string, event: object) => hooks.get(name)?.(event, CONTEXT);
const given = (toolCallId: string, command: string) => ({ toolName: 'exec', toolCallId, params: { command } });

describe("OpenClaw's plugin", () => {
  it('tells of a session, of each call before it begins, and of how it ended', async () => {
    await call('session_start', { sessionId: 's' });
    expect(await call('before_tool_call', given('1', 'ls'))).toBeUndefined();
    await call('after_tool_call', { ...given('1', 'ls'), result: { content: [] }, durationMs: 12 });
    await call('before_tool_call', given('2', 'ls /no'));
    await call('after_tool_call', { ...given('2', 'ls /no'), error: 'no such file' });
    await call('session_end', { sessionId: 's', messageCount: 2, reason: 'reset' });
    expect(meanings).toEqual([
      's session_started | no reason',
      's proposed | shell exec | 1 | write ls',
      's completed | shell exec | 1 | ok | 12 ms | write ls',
      's proposed | shell exec | 2 | write ls',
      's failed | shell exec | 2 | error | write ls',
      's session_ended | reset',
    ]);
  });

  it('stops a call that the recorder stops, and tells no second end of it', async () => {
    const stopped = await call('before_tool_call', given('1', 'frozen'));
    expect(stopped).toEqual({ block: true, blockReason: expect.stringContaining('Frozen.') });
    await call('after_tool_call', { ...given('1', 'frozen'), error: 'blocked by a plugin' });
    expect(meanings).toHaveLength(1);
  });
});
