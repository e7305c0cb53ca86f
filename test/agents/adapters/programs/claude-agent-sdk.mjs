import { createServer } from 'node:http';
import { query } from '@anthropic-ai/claude-agent-sdk';
import { claudeHooks } from '@countersign/agent/claude-agent-sdk';
import { agent, finish } from './session.mjs';

/** Answers as the Messages API does: with these calls first, then with a text. */
function fakeModel(blocks) {
  return createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      const { messages = [], tools = [], stream, model } = text === '' ? {} : JSON.parse(text);
      const done = JSON.stringify(messages).includes('tool_result') || tools.length === 0;
      const content = done ? [{ type: 'text', text: 'Done.' }] : blocks;
      const stop_reason = done ? 'end_turn' : 'tool_use';
      const base = { id: 'msg_1', type: 'message', role: 'assistant', model, stop_sequence: null };
      const message = { ...base, usage: { input_tokens: 1, output_tokens: 1 } };
      if (!stream) {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ ...message, content, stop_reason }));
        return;
      }
      const events = [{ type: 'message_start', message: { ...message, content: [], stop_reason: null } }];
      for (const [index, block] of content.entries()) {
        const isText = block.type === 'text';
        const delta = isText
          ? { type: 'text_delta', text: block.text }
          : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
        events.push({
          type: 'content_block_start',
          index,
          content_block: isText ? { type: 'text', text: '' } : { ...block, input: {} },
        });
        events.push({ type: 'content_block_delta', index, delta }, { type: 'content_block_stop', index });
      }
      events.push({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } });
      events.push({ type: 'message_stop' });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
    });
  });
}

const call = (id, command) => ({ type: 'tool_use', id, name: 'Bash', input: { command, description: 'A test' } });
const server = fakeModel([call('toolu_1', 'echo recorded'), call('toolu_2', 'exit 3')]);
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

async function ask(session) {
  const env = {
    PATH: process.env.PATH,
    HOME: process.cwd(),
    CLAUDE_CONFIG_DIR: process.cwd(),
    IS_SANDBOX: '1',
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${server.address().port}`,
    ANTHROPIC_API_KEY: 'x',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  };
  const options = {
    hooks: claudeHooks(session),
    permissionMode: 'bypassPermissions',
    allowDangerouslySkipPermissions: true,
  };
  const results = [];
  for await (const message of query({
    prompt: 'Run it.',
    options: { ...options, env, cwd: process.cwd(), settingSources: [] },
  })) {
    if (message.type === 'user') results.push(JSON.stringify(message.message.content));
  }
  return results.join(' ');
}

const session = agent.session({ id: 'claude' });
const said = await ask(session);
await session.end();
// What cannot be recorded is not carried out.
const denied = await ask(session);
server.close();
await finish(session, {
  said: said.includes('recorded'),
  denied: denied.includes('could not be recorded'),
  ran: /"recorded/.test(denied),
});
