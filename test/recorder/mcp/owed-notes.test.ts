// Notes of what a peer may do without end: told together, and not only at the end of the connection, which a crash would not have.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Recording } from '../../../src/recorder/mcp/recording.ts';
import { received } from '../../../src/recorder/seen/received.ts';
import { Collector, recordingSettings } from './support.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A recording, and what is recorded of it once everything so far is handed over. */
function recorded() {
  const recorder = new Collector();
  const settings = recordingSettings(recorder);
  const lines = async (): Promise<string[]> => {
    await settings.handing.idle();
    return recorder.lines;
  };
  return { recording: new Recording(settings), lines };
}

const CHANGED = Buffer.from('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
const MINUTE = 60_000;

describe('a change of tools soon after another', () => {
  it('is noted a minute later, although nothing more comes', async () => {
    const { recording, lines } = recorded();
    for (let n = 0; n < 3; n++) recording.forwarded('server', received(CHANGED), '', null);
    expect(await lines()).toEqual(['note mcp.tools_list_changed']);
    await vi.advanceTimersByTimeAsync(MINUTE);
    const both = ['note mcp.tools_list_changed', 'note mcp.tools_list_changed: 2 times since the last such note'];
    expect(await lines()).toEqual(both);
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(await lines()).toEqual(both);
  });
});

describe('messages that cannot be read', () => {
  it('have a note each up to a hundred, and then one a minute', async () => {
    const { recording, lines } = recorded();
    const send = async (count: number): Promise<void> => {
      for (let n = 0; n < count; n++)
        await recording.beforeForwarding('client', received(Buffer.from('nonsense')), '', null);
    };
    await send(100);
    expect(await lines()).toEqual(Array(100).fill('note mcp.not_understood: from the client, 8 bytes'));
    await send(50);
    expect((await lines()).slice(100)).toEqual(['note mcp.not_understood: 1 more, not read']);
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect((await lines()).slice(101)).toEqual(['note mcp.not_understood: 49 more, not read']);
    await send(2);
    recording.closed();
    expect((await lines()).slice(102)).toEqual([
      'note mcp.not_understood: 2 more, not read',
      'note mcp.not_understood: not understood: 152 from the client, 0 from the server; responses to no request: 0',
    ]);
  });
});
