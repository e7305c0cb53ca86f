import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

/** What a client needs before it connects, for the server to have somebody to ask. */
export function answerServer(client: Client): void {
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { city: 'Rome' } }));
  client.setRequestHandler(CreateMessageRequestSchema, () => ({
    model: 'm1',
    role: 'assistant',
    content: { type: 'text', text: 'hi' },
  }));
}

export const CLIENT_CAPABILITIES = { sampling: {}, elicitation: {} };

/** Calls everything that the server of the tests has, one after the other. */
export async function useEverything(client: Client, canElicit: boolean): Promise<void> {
  await client.listTools();
  await client.callTool({
    name: 'echo',
    arguments: { text: 'Zoë\u2028🙂' },
    _meta: { 'claudecode/toolUseId': 'toolu_1' },
  });
  await client.callTool({ name: 'fail' });
  await client.callTool({ name: 'nothing' }).catch(() => undefined);
  await client.readResource({ uri: 'test://greeting' });
  await client.getPrompt({ name: 'greet' });
  await client.callTool({ name: 'sample' });
  if (canElicit) await client.callTool({ name: 'ask' });
  const controller = new AbortController();
  const onprogress = (): void => controller.abort('enough');
  await client.callTool({ name: 'slow' }, undefined, { signal: controller.signal, onprogress }).catch(() => undefined);
  const changed = new Promise<void>((resolve) => {
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
  });
  await client.callTool({ name: 'change' });
  await changed;
  await client.listTools();
}

/** What is to be recorded of that. */
export function everything(canElicit: boolean): string[] {
  const text = (value: string): string => JSON.stringify({ content: [{ type: 'text', text: value }] });
  return [
    'tools everything 6',
    'started echo {"text":"Zoë\u2028🙂"}',
    `completed echo ok ${text('Zoë\u2028🙂')}`,
    'started fail {}',
    `failed fail error tool_error ${text('no such file').slice(0, -1)},"isError":true}`,
    'started nothing {}',
    'failed nothing error -32602',
    'started mcp.resource_read {"uri":"test://greeting"}',
    'completed mcp.resource_read ok {"contents":[{"uri":"test://greeting","text":"Grüße"}]}',
    'started mcp.prompt_get {"name":"greet"}',
    'completed mcp.prompt_get ok {"messages":[{"role":"user","content":{"type":"text","text":"Hello"}}]}',
    'started sample {}',
    'started mcp.sampling {"messages":[],"maxTokens":5}',
    'completed mcp.sampling ok {"model":"m1","role":"assistant","content":{"type":"text","text":"hi"}}',
    `completed sample ok ${text('m1')}`,
    ...(canElicit ? asking : []).map((line) => line.replace('TEXT', text('accept'))),
    'started slow {}',
    'failed slow cancelled cancelled',
    'started change {}',
    'note mcp.tools_list_changed',
    `completed change ok ${text('changed')}`,
    'tools everything 6',
  ];
}

const asking = [
  'started ask {}',
  'started mcp.elicitation {"mode":"form","message":"Which city?","requestedSchema":{"type":"object","properties":{"city":{"type":"string"}}}}',
  'completed mcp.elicitation ok {"action":"accept","content":{"city":"Rome"}}',
  'completed ask ok TEXT',
];
