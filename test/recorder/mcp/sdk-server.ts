import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  CreateMessageResultSchema,
  ElicitResultSchema,
  GetPromptRequestSchema,
  InitializeRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] });

/**
 * A server of the official SDK that has one of everything.
 * @param revision which it negotiates, whatever the client asks for
 */
export function sdkServer(revision: string): Server {
  const capabilities = { tools: { listChanged: true }, resources: {}, prompts: {} };
  const server = new Server({ name: 'everything', version: '1' }, { capabilities });
  server.setRequestHandler(InitializeRequestSchema, () => ({
    protocolVersion: revision,
    capabilities,
    serverInfo: { name: 'everything', version: '1' },
  }));
  let description = 'says it again';
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: ['echo', 'fail', 'ask', 'sample', 'slow', 'change'].map((name) => ({
      name,
      description,
      inputSchema: { type: 'object' as const },
    })),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => ({
    contents: [{ uri: params.uri, text: 'Grüße' }],
  }));
  server.setRequestHandler(GetPromptRequestSchema, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification }) => {
    switch (params.name) {
      case 'echo':
        return text(String(params.arguments?.['text']));
      case 'fail':
        return { ...text('no such file'), isError: true };
      case 'ask': {
        const requestedSchema = { type: 'object' as const, properties: { city: { type: 'string' as const } } };
        const { action } = await server.request(
          { method: 'elicitation/create', params: { mode: 'form', message: 'Which city?', requestedSchema } },
          ElicitResultSchema,
        );
        return text(action);
      }
      case 'sample': {
        const { model } = await server.request(
          { method: 'sampling/createMessage', params: { messages: [], maxTokens: 5 } },
          CreateMessageResultSchema,
        );
        return text(model);
      }
      case 'slow': {
        const progressToken = params._meta?.progressToken ?? 0;
        await sendNotification({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(text('stopped'))));
      }
      case 'change':
        description = 'says it again, and tells others';
        await server.sendToolListChanged();
        return text('changed');
      default:
        throw new McpError(-32602, `there is no tool ${params.name}`);
    }
  });
  return server;
}
