import { createHash } from 'node:crypto';
import { ACP } from '../../../src/recorder/acp/acp-protocol.ts';
import { readMessages } from '../../../src/recorder/mcp/message.ts';
import type { Side } from '../../../src/recorder/mcp/open-call.ts';
import type { Seen } from '../../../src/recorder/seen/seen.ts';
import { lineOf } from '../mcp/support.ts';

const FACTS = { id: 'c0', serverName: null, fallbackName: 'agent', cwd: '/home/ada' };

/** Plays messages of one connection, and keeps what is to be recorded. */
export class Played {
  readonly conversation = ACP.follow(FACTS, { now: () => 0, monotonic: () => 0 });
  readonly seen: Seen[] = [];
  #ids = 0;

  say(from: Side, message: object | string): this {
    const bytes = Buffer.from(typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message }));
    const raw_sha256 = createHash('sha256').update(bytes).digest('hex');
    for (const one of readMessages(bytes, ACP.acts)?.messages ?? []) {
      this.seen.push(...this.conversation.saw(from, one, { scope: '', session: null, raw_sha256, size: bytes.length }));
    }
    return this;
  }

  /** A request of the client, and its result; where it is an Error, the agent's error. */
  client(method: string, params: object, result: object = {}): this {
    const id = ++this.#ids;
    return this.say('client', { id, method, params }).say('server', { id, ...answerOf(result) });
  }

  /** A request of the agent, and what the client answers. */
  agent(method: string, params: object, result: object = {}): this {
    const id = `a${++this.#ids}`;
    return this.say('server', { id, method, params: { sessionId: 's1', ...params } }).say('client', {
      id,
      ...answerOf(result),
    });
  }

  update(update: object, sessionId = 's1'): this {
    return this.say('server', { method: 'session/update', params: { sessionId, update } });
  }

  begun(): this {
    return this.client(
      'initialize',
      { protocolVersion: 1, clientInfo: { name: 'zed', version: '1' } },
      { protocolVersion: 1, agentInfo: { name: 'gemini-cli', version: '0.61.0' } },
    ).client(
      'session/new',
      { cwd: '/home/ada/shop', mcpServers: [{ env: [{ name: 'TOKEN', value: 'hidden' }] }] },
      SESSION,
    );
  }

  close(): this {
    this.seen.push(...this.conversation.closed());
    return this;
  }

  /** What was recorded since the beginning of the session. */
  get lines(): string[] {
    return this.seen.map((event) => {
      if (event.kind === 'decision') return `${event.decision} ${event.tool.name}: ${event.reason}`;
      if (event.kind === 'session_started' || event.kind === 'session_ended') return `${event.kind}: ${event.reason}`;
      if (event.kind === 'told') return `told ${JSON.stringify(event.told)}`;
      return lineOf(event);
    });
  }
}

const SESSION = { sessionId: 's1' };

function answerOf(result: object): object {
  return result instanceof Error ? { error: { code: -32603, message: result.message } } : { result };
}

export const OPTIONS = [
  { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];
export const chosen = (optionId: string): object => ({ outcome: { outcome: 'selected', optionId } });
