import { recordedTools, toldMiddleware } from '@countersign/agent/ai';
import { generateText, isStepCount, tool, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';
import { agent, finish } from './session.mjs';

const session = agent.session({ id: 'ai' });
const inputSchema = z.object({ city: z.string() });
const tools = recordedTools(session, {
  weather: tool({ description: 'Weather', inputSchema, execute: ({ city }) => `sun in ${city}` }),
  broken: tool({
    description: 'Fails',
    inputSchema,
    execute: () => {
      throw new RangeError('no such city');
    },
  }),
  bits: tool({
    description: 'Bit by bit',
    inputSchema,
    async *execute() {
      yield 'some';
      yield 'all';
    },
  }),
  elsewhere: tool({ description: 'Carried out by the client', inputSchema }),
});

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const call = (toolName, index) => ({
  type: 'tool-call',
  toolCallId: `call_${index}`,
  toolName,
  input: JSON.stringify({ city: 'Bern' }),
});
const steps = [
  {
    content: ['weather', 'broken', 'bits'].map(call),
    finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
    usage,
    warnings: [],
  },
  { content: [{ type: 'text', text: 'Done.' }], finishReason: { unified: 'stop', raw: 'stop' }, usage, warnings: [] },
];
const model = wrapLanguageModel({
  model: new MockLanguageModelV4({ doGenerate: async () => steps.shift() }),
  middleware: toldMiddleware(session),
});
const result = await generateText({
  model,
  tools,
  system: 'Be brief.',
  prompt: 'Weather?',
  stopWhen: isStepCount(3),
});
await session.end();
const error = await tools.weather.execute({ city: 'Rome' }, { toolCallId: 'late' }).catch(({ code }) => code);
await finish(session, { text: result.text, error, elsewhere: tools.elsewhere.execute === undefined });
