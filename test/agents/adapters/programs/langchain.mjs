import { langchainHandler } from '@countersign/agent/langchain';
import { AIMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { z } from 'zod';
import { agent, finish } from './session.mjs';

const session = agent.session({ id: 'langchain' });
const callbacks = [langchainHandler(session)];
const schema = z.object({ city: z.string() });
const weather = tool(({ city }) => `sun in ${city}`, { name: 'weather', description: 'Weather', schema });
const broken = tool(
  () => {
    throw new RangeError('no such city');
  },
  { name: 'broken', description: 'Fails', schema },
);

const model = new FakeListChatModel({ responses: ['Hello', 'again'] });
const messages = [
  ['system', 'Be brief.'],
  ['human', 'Hi'],
];
await model.invoke(messages, { callbacks });
await model.invoke([...messages, ['ai', 'Hello'], ['human', 'Hi']], { callbacks });

// A graph whose model asks for two tools.
const calls = ['weather', 'broken'].map((name, index) => ({
  id: `call_${index}`,
  name,
  args: { city: 'Bern' },
  type: 'tool_call',
}));
const graph = new StateGraph(MessagesAnnotation)
  .addNode('model', () => ({ messages: [new AIMessage({ content: '', tool_calls: calls })] }))
  .addNode('tools', new ToolNode([weather, broken]))
  .addEdge('__start__', 'model')
  .addEdge('model', 'tools')
  .compile();
const state = await graph.invoke({ messages: [] }, { callbacks });
const answers = state.messages.slice(-2).map(({ content }) => content);

// What cannot be recorded is not carried out.
let carriedOut = false;
const guarded = tool(() => (carriedOut = true), { name: 'guarded', description: 'Guarded', schema });
await session.end();
const error = await guarded.invoke({ city: 'Rome' }, { callbacks }).catch(({ message }) => message);
await finish(session, { answers, carriedOut, error });
