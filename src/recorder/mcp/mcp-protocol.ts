import { Conversation } from './conversation.ts';
import { Acts } from './message.ts';
import type { RpcProtocol } from './rpc-protocol.ts';

/** The Model Context Protocol: a client calls tools of a server, and what the client sends may be held back. */
export const MCP: RpcProtocol = {
  name: 'mcp',
  sides: { client: 'client', server: 'server' },
  acts: new Acts(
    ['tools/call', 'resources/read', 'prompts/get', 'sampling/createMessage', 'elicitation/create'],
    [],
    ['name', 'arguments', 'uri'],
  ),
  isHeld: (from) => from === 'client',
  isAction: (message) => message.kind === 'request' && message.method === 'tools/call',
  follow: (facts, clock) => new Conversation(facts, clock),
};
