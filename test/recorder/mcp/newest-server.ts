import { inputRequired, Server } from '@modelcontextprotocol/server';

/** A server of the official packages for revision 2026-07-28. */
export function newestServer(): Server {
  const server = new Server({ name: 'newest', version: '2' }, { capabilities: { tools: {}, resources: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: ['echo', 'ask', 'slow'].map((name) => ({ name, inputSchema: { type: 'object' as const } })),
  }));
  server.setRequestHandler('resources/read', ({ params }) => ({ contents: [{ uri: params.uri, text: 'Grüße' }] }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    if (params.name === 'slow') {
      await new Promise((resolve) => mcpReq.signal.addEventListener('abort', resolve));
      return { content: [] };
    }
    if (params.name !== 'ask') return { content: [{ type: 'text', text: String(params.arguments?.['text']) }] };
    if (mcpReq.inputResponses !== undefined) return { content: [{ type: 'text', text: 'asked' }] };
    const requestedSchema = { type: 'object' as const, properties: { city: { type: 'string' as const } } };
    return inputRequired({
      inputRequests: { city: inputRequired.elicit({ message: 'Which city?', requestedSchema }) },
      requestState: 'round-1',
    });
  });
  return server;
}
