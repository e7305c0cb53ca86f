import { observeRunner, recordedTools } from '@countersign/agent/openai-agents';
import { Agent, Runner, tool, Usage } from '@openai/agents';
import { z } from 'zod';
import { agent, finish } from './session.mjs';

const session = agent.session({ id: 'openai' });
const parameters = z.object({ city: z.string() });
const fail = () => {
  throw new RangeError('no such city');
};
const tools = recordedTools(session, [
  tool({ name: 'weather', description: 'Weather', parameters, execute: ({ city }) => `sun in ${city}` }),
  tool({ name: 'caught', description: 'Fails', parameters, execute: fail }),
]);
const [thrower] = recordedTools(session, [
  tool({ name: 'thrown', description: 'Fails', parameters, execute: fail, errorFunction: null }),
]);

const call = (name, index) => ({
  type: 'function_call',
  id: `fc_${index}`,
  callId: `call_${index}`,
  name,
  status: 'completed',
  arguments: JSON.stringify({ city: 'Bern' }),
});
const text = { type: 'output_text', text: 'Done.' };
const answers = [
  [call('transfer_to_second', 0)],
  ['weather', 'caught'].map((name, index) => call(name, index + 1)),
  [{ type: 'message', role: 'assistant', status: 'completed', content: [text] }],
];
const model = { getResponse: async () => ({ usage: new Usage(), output: answers.shift() }) };
const second = new Agent({ name: 'second', instructions: 'Be brief.', model, tools });
const first = new Agent({ name: 'first', instructions: 'Hand over.', model, handoffs: [second] });
const runner = new Runner({ tracingDisabled: true });
observeRunner(session, runner);
const result = await runner.run(first, 'Weather?');
const thrown = await thrower.invoke({}, '{"city":"Bern"}').catch(({ message }) => message);
await finish(session, { text: result.finalOutput, thrown });
