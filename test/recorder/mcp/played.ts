import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Conversation } from '../../../src/recorder/mcp/conversation.ts';
import { MCP } from '../../../src/recorder/mcp/mcp-protocol.ts';
import { readMessages } from '../../../src/recorder/mcp/message.ts';
import type { Seen } from '../../../src/recorder/seen/seen.ts';
import { lineOf } from './support.ts';

export const FACTS = { id: 'c0', serverName: null, fallbackName: 'cmd', cwd: null };

/** Plays messages: `> ` before one of the client, `< ` before one of the server. */
export class Played {
  readonly conversation = new Conversation(FACTS, { now: () => 0, monotonic: () => 0 });
  readonly seen: Seen[] = [];

  say(from: 'client' | 'server', message: unknown, scope = ''): this {
    const bytes = Buffer.from(typeof message === 'string' ? message : JSON.stringify(message));
    const raw_sha256 = createHash('sha256').update(bytes).digest('hex');
    for (const one of readMessages(bytes, MCP.acts)?.messages ?? []) {
      this.seen.push(...this.conversation.saw(from, one, { scope, session: null, raw_sha256, size: bytes.length }));
    }
    return this;
  }

  client(message: object, scope?: string): this {
    return this.say('client', { jsonrpc: '2.0', ...message }, scope);
  }

  server(message: object, scope?: string): this {
    return this.say('server', { jsonrpc: '2.0', ...message }, scope);
  }

  close(): this {
    this.seen.push(...this.conversation.closed());
    return this;
  }

  get lines(): string[] {
    return this.seen.map(lineOf);
  }
}

export function play(name: string): Played {
  const played = new Played();
  const lines = readFileSync(new URL(`../fixtures/mcp/${name}.txt`, import.meta.url), 'utf8').split('\n');
  for (const line of lines.filter(Boolean)) played.say(line.startsWith('>') ? 'client' : 'server', line.slice(2));
  return played.close();
}

export const call = (id: number | string, params: object = { name: 'echo', arguments: { text: 'hi' } }): object => ({
  id,
  method: 'tools/call',
  params,
});
