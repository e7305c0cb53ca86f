// Any message from either side, changed at random: no crash, nothing that passes unseen, bounded memory.
import { describe, expect, it } from 'vitest';
import { exactJsonText, utf8 } from '../../../src/protocol/index.ts';
import { ACP } from '../../../src/recorder/acp/acp-protocol.ts';
import { readSeenBody } from '../../../src/recorder/listen/seen-body.ts';
import { type RpcMessage, readMessages } from '../../../src/recorder/mcp/message.ts';
import type { Side } from '../../../src/recorder/mcp/open-call.ts';
import { Recording } from '../../../src/recorder/mcp/recording.ts';
import { received } from '../../../src/recorder/seen/received.ts';
import { changedMessage } from '../../support/changed-messages.ts';
import { IS_NIGHTLY, seedOf } from '../../support/extent.ts';
import { SeededRandom } from '../../support/random.ts';
import { Proxied } from '../mcp/proxied.ts';
import { Collector, recordingSettings } from '../mcp/support.ts';

const SEED = seedOf(20_270);
const COUNT = IS_NIGHTLY ? 100_000 : 4_000;
const BLOCKED = { allowed: false, reason: 'not recorded', operation_ids: [] };
const ALLOWED = { allowed: true, reason: null, operation_ids: [] };

const SESSION = { sessionId: 's1' };
const CALL = {
  toolCallId: 'c1',
  title: 'x',
  kind: 'edit',
  status: 'pending',
  rawInput: { path: 'a' },
};
const OPTIONS = [{ optionId: 'y', name: 'Yes', kind: 'allow_once' }];
const BASES: readonly object[] = [
  { id: 1, method: 'initialize', params: { protocolVersion: 1, clientInfo: { name: 'zed', version: '1' } } },
  { id: 1, result: { protocolVersion: 1, agentInfo: { name: 'a', version: '1' } } },
  { id: 2, method: 'session/new', params: { cwd: '/a', mcpServers: [] } },
  { id: 2, result: SESSION },
  { id: 3, method: 'session/load', params: { ...SESSION, cwd: '/a', mcpServers: [] } },
  { id: 3, result: null },
  { id: 4, method: 'session/prompt', params: { ...SESSION, prompt: [{ type: 'text', text: 'é\u{1f600}' }] } },
  { id: 4, result: { stopReason: 'cancelled' } },
  { method: 'session/cancel', params: SESSION },
  { method: 'session/update', params: { ...SESSION, update: { sessionUpdate: 'tool_call', ...CALL } } },
  {
    method: 'session/update',
    params: {
      ...SESSION,
      update: {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'c1',
        status: 'completed',
        content: [{ type: 'diff', path: 'a', newText: 'b' }],
      },
    },
  },
  {
    method: 'session/update',
    params: {
      ...SESSION,
      update: {
        sessionUpdate: 'tool_call_content_chunk',
        toolCallId: 'c1',
        content: { type: 'terminal', terminalId: 't1' },
      },
    },
  },
  { id: 'p', method: 'session/request_permission', params: { ...SESSION, toolCall: CALL, options: OPTIONS } },
  { id: 'p', result: { outcome: { outcome: 'selected', optionId: 'y' } } },
  { id: 'f', method: 'fs/write_text_file', params: { ...SESSION, path: '/a', content: 'b' } },
  { id: 'f', error: { code: -32603, message: 'no' } },
  {
    id: 't',
    method: 'terminal/create',
    params: { ...SESSION, command: 'ls', args: ['-l'], env: [{ name: 'A', value: 'b' }] },
  },
  { id: 't', result: { terminalId: 't1' } },
  { id: 'o', method: 'terminal/output', params: { ...SESSION, terminalId: 't1' } },
  { id: 'o', result: { output: 'x', truncated: false, exitStatus: { exitCode: 1 } } },
  { id: 's', method: 'session/set_mode', params: { ...SESSION, modeId: 'yolo' } },
];

/** Whether a message comes from the side that it is for, in a session. */
function isOfSide(side: Side, message: RpcMessage): boolean {
  if (message.kind !== 'request' || (message.method === 'session/prompt') !== (side === 'client')) return false;
  const { sessionId } = message.params;
  return typeof sessionId === 'string' && sessionId !== '';
}

describe(`${COUNT} changed messages of ACP (seed ${SEED})`, () => {
  it.each([
    ['allows', ALLOWED],
    ['blocks', BLOCKED],
  ])(
    'end no recording where the policy %s what is unread; what passes was understood or is noted, and is of the form that the recorder takes',
    async (_, unrecorded) => {
      const draw = new SeededRandom(SEED);
      const recorder = new Collector();
      recorder.unrecorded = unrecorded;
      let recording = new Recording(recordingSettings(recorder, { protocol: ACP }));
      // Of this test alone: other files of the run share the process.
      const before = process.memoryUsage().heapUsed;
      let most = 0;
      for (let n = 0; n < COUNT; n++) {
        if (n % 200 === 199) {
          recording.closed();
          recording = new Recording(recordingSettings(recorder, { protocol: ACP }));
          most = Math.max(most, process.memoryUsage().heapUsed - before);
        }
        const side: Side = draw.below(2) === 0 ? 'client' : 'server';
        const bytes = changedMessage(draw, BASES);
        recorder.seen.length = 0;
        const refusal = await recording.beforeForwarding(side, received(bytes), '', null);
        const reading = readMessages(bytes, ACP.acts);
        const isUnderstood = reading !== null && reading.others === 0;
        const where = `message ${n}: ${bytes.toString('latin1')}`;
        const isBlank = bytes.every((byte) => byte <= 0x20);
        if (unrecorded === BLOCKED) expect(refusal === null, where).toBe(isUnderstood || isBlank);
        else expect(refusal, where).toBeNull();
        if (!isUnderstood && !isBlank && n % 200 < 50) {
          expect(
            recorder.seen.map(({ raw_event }) => raw_event),
            where,
          ).toContain('acp.not_understood');
        }
        const isAction = reading?.messages.some((one) => ACP.isAction(one) && isOfSide(side, one)) === true;
        if (isAction && refusal === null) expect(recorder.seen.length, where).toBeGreaterThan(0);
        if (recorder.seen.length > 0)
          readSeenBody(received(utf8(exactJsonText({ seen: recorder.seen.slice(0, 1_000) }))));
      }
      expect(most).toBeLessThan(400 << 20);
    },
  );

  it('pass a proxy as they are, split anywhere', async () => {
    const draw = new SeededRandom(SEED + 1);
    const proxied = new Proxied({ protocol: ACP }).script('process.stdin.pipe(process.stdout)');
    const bytes = Buffer.concat(
      Array.from({ length: 500 }, () =>
        Buffer.concat([changedMessage(draw, BASES), Buffer.from(draw.below(9) === 0 ? '\r\n' : '\n')]),
      ),
    );
    for (let at = 0; at < bytes.length; ) {
      const size = 1 + draw.below(400);
      proxied.input.write(bytes.subarray(at, at + size));
      at += size;
    }
    proxied.input.end();
    await proxied.end;
    expect(Buffer.concat(proxied.received).equals(bytes)).toBe(true);
  });
});
