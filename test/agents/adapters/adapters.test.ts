// The adapters of @countersign/agent, packed and installed, with the frameworks themselves and models that are none.
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type AgentPackages,
  FRAMEWORKS,
  hasAgentPackages,
  withoutAgentPackages,
} from '../../../scripts/support/agent-packages.ts';
import { complaintsOf, projectWith, runProgram } from '../../support/framework-programs.ts';
import { type InstalledPackage, installPackage } from '../../support/packages.ts';
import { type Account, TestService } from '../../support/service.ts';

let installed: InstalledPackage;
let at: { service: TestService; owner: Account };

beforeAll(async () => {
  const [made, service] = await Promise.all([installPackage('agent'), TestService.start()]);
  installed = made;
  at = { service, owner: await service.signUp() };
});

const runIn = (group: AgentPackages, program: string) =>
  runProgram(at, process.execPath, projectWith(installed, group), `${program}.mjs`);

const SESSION = `import type { Session } from '@countersign/agent';\ndeclare const session: Session;\n`;

describe.skipIf(!hasAgentPackages(FRAMEWORKS.langchain))(
  `LangChain and LangGraph${withoutAgentPackages(FRAMEWORKS.langchain)}`,
  () => {
    it('has its tool calls and prompts recorded, and stopped where they cannot be', async () => {
      const { printed, told } = await runIn(FRAMEWORKS.langchain, 'langchain');
      expect(printed).toMatchObject({
        carriedOut: false,
        error: expect.stringContaining('has ended'),
        counts: { lost: 0 },
        answers: ['sun in Bern', expect.stringContaining('no such city')],
      });
      expect(told.phases.slice(0, 3)).toEqual(['session_started', 'told', 'told']);
      expect(told.phases.slice(3).toSorted()).toEqual(
        ['completed', 'failed error', 'session_ended', 'started', 'started'].toSorted(),
      );
      const texts = told.records.slice(1, 3).map(({ payload }) => payload['told']);
      expect(texts).toMatchObject([
        [
          { kind: 'system', content: { value: 'Be brief.' } },
          { kind: 'user', content: { value: 'Hi' } },
        ],
        [{ kind: 'user', content: { value: 'Hi' } }],
      ]);
      const started = told.records.find(({ payload }) => payload['phase'] === 'started');
      expect(started?.payload).toMatchObject({
        tool: { name: 'weather', type: 'function', call_id: 'call_0' },
        input: { value: { city: 'Bern' } },
      });
      expect(told.coherence.status).toBe('coherent');
    });

    it('takes the handler by its types', () => {
      const program = `${SESSION}
        import { langchainHandler } from '@countersign/agent/langchain';
        import type { RunnableConfig } from '@langchain/core/runnables';
        export const config: RunnableConfig = { callbacks: [langchainHandler(session)] };`;
      expect(complaintsOf(projectWith(installed, FRAMEWORKS.langchain), program)).toBe('');
    });
  },
);

describe.skipIf(!hasAgentPackages(FRAMEWORKS.ai))(`The AI SDK${withoutAgentPackages(FRAMEWORKS.ai)}`, () => {
  it('has its tool calls and prompts recorded, and stopped where they cannot be', async () => {
    const { printed, told } = await runIn(FRAMEWORKS.ai, 'ai');
    expect(printed).toMatchObject({ text: 'Done.', error: 'SESSION_ENDED', elsewhere: true, counts: { lost: 0 } });
    expect(told.phases.slice(0, 2)).toEqual(['session_started', 'told']);
    expect(told.phases.slice(2).toSorted()).toEqual(
      [...['completed', 'completed', 'failed error', 'session_ended'], ...['started', 'started', 'started']].toSorted(),
    );
    expect(told.records[1]?.payload['told']).toMatchObject([{ kind: 'system' }, { kind: 'user' }]);
    const outputs = told.records.flatMap(
      ({ payload }) => (payload['output'] as { value: unknown } | undefined)?.value ?? [],
    );
    expect(outputs.toSorted()).toEqual(['all', 'sun in Bern']);
    expect(told.coherence.status).toBe('coherent');
  });

  it('takes tools and middleware by their types', () => {
    const program = `${SESSION}
      import { recordedTools, toldMiddleware } from '@countersign/agent/ai';
      import { generateText, tool, wrapLanguageModel } from 'ai';
      import { z } from 'zod';
      const weather = tool({ inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => city });
      declare const model: Parameters<typeof wrapLanguageModel>[0]['model'];
      export const result = generateText({
        model: wrapLanguageModel({ model, middleware: toldMiddleware(session) }),
        tools: recordedTools(session, { weather }),
        prompt: 'x',
      });`;
    expect(complaintsOf(projectWith(installed, FRAMEWORKS.ai), program)).toBe('');
  });
});

describe.skipIf(!hasAgentPackages(FRAMEWORKS.openai))(
  `The OpenAI Agents SDK${withoutAgentPackages(FRAMEWORKS.openai)}`,
  () => {
    it('has its tool calls, prompts and handoffs recorded', async () => {
      const { printed, told } = await runIn(FRAMEWORKS.openai, 'openai-agents');
      expect(printed).toMatchObject({
        text: 'Done.',
        thrown: expect.stringContaining('no such city'),
        counts: { lost: 0 },
      });
      expect(told.phases.toSorted()).toEqual(
        [
          ...['session_started', 'told', 'note', 'started', 'started', 'completed', 'completed'],
          ...['started', 'failed error', 'session_ended'],
        ].toSorted(),
      );
      expect(told.records.find(({ payload }) => payload['phase'] === 'note')?.payload).toMatchObject({
        note: { kind: 'handoff', text: 'first → second' },
      });
      expect(told.coherence.status).toBe('coherent');
    });

    it('takes tools and runner by their types', () => {
      const program = `${SESSION}
        import { observeRunner, recordedTools } from '@countersign/agent/openai-agents';
        import { Agent, Runner, tool } from '@openai/agents';
        import { z } from 'zod';
        const weather = tool({ name: 'w', description: 'w', parameters: z.object({}), execute: async () => 'sun' });
        export const agent = new Agent({ name: 'a', tools: recordedTools(session, [weather]) });
        observeRunner(session, new Runner());`;
      expect(complaintsOf(projectWith(installed, FRAMEWORKS.openai), program)).toBe('');
    });
  },
);

describe.skipIf(!hasAgentPackages(FRAMEWORKS.claude))(
  `The Claude Agent SDK${withoutAgentPackages(FRAMEWORKS.claude)}`,
  () => {
    it('has its tool calls and prompts recorded, and denied where they cannot be', async () => {
      const { printed, told } = await runIn(FRAMEWORKS.claude, 'claude-agent-sdk');
      expect(printed).toMatchObject({ said: true, denied: true, ran: false, counts: { lost: 0 } });
      expect(told.phases.slice(0, 2)).toEqual(['session_started', 'told']);
      expect(told.phases.slice(2).toSorted()).toEqual(
        ['completed', 'failed error', 'proposed', 'proposed', 'session_ended'].toSorted(),
      );
      const proposed = told.records.find(({ payload }) => payload['phase'] === 'proposed');
      expect(proposed?.payload).toMatchObject({ tool: { name: 'Bash', type: 'shell', call_id: 'toolu_1' } });
      expect(told.coherence.status).toBe('coherent');
    });

    it('takes the hooks by their types', () => {
      const program = `${SESSION}
        import type { Options } from '@anthropic-ai/claude-agent-sdk';
        import { claudeHooks } from '@countersign/agent/claude-agent-sdk';
        export const options: Options = { hooks: claudeHooks(session) };`;
      expect(complaintsOf(projectWith(installed, FRAMEWORKS.claude), program)).toBe('');
    });
  },
);
