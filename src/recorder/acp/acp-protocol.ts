import type { RpcProtocol } from '../mcp/rpc-protocol.ts';
import { AcpConversation } from './acp-conversation.ts';
import { ACTIONS, ACTS } from './methods.ts';

/**
 * The Agent Client Protocol: a client has an agent work, and the agent has its client ask the person, read and write files, and run
 * commands. So what either side sends may be held back.
 */
export const ACP: RpcProtocol = {
  name: 'acp',
  sides: { client: 'client', server: 'agent' },
  acts: ACTS,
  isHeld: () => true,
  isAction: (message) => message.kind === 'request' && ACTIONS.has(message.method),
  follow: (facts, clock) => new AcpConversation(facts, clock),
};
