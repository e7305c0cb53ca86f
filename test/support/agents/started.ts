import { expect } from 'vitest';
import type { AgentProgramId } from '../../../scripts/support/agent-programs.ts';
import type { AgentFile } from '../../../src/recorder/base/agent-file.ts';
import { ledgerOf, type Stored } from '../recorder.ts';
import { type Account, TestService } from '../service.ts';
import { until } from '../until.ts';
import type { ModelQuestion, ModelTurn } from './conversation.ts';
import { ModelServer } from './model-server.ts';
import type { Spelling } from './plan.ts';
import { RecordedAgent } from './recorded-agent.ts';

/** How a program is run, and how its tools are called. */
export interface ProgramUnderTest {
  readonly id: AgentProgramId;
  /** Variables that lead it to the models' server. */
  environment(models: string): Readonly<Record<string, string>>;
  /** Files that it needs, by their path in HOME; written before installation. */
  files(models: string, project: string): Readonly<Record<string, string>>;
  /** Arguments for one prompt, without a terminal. */
  run(prompt: string): readonly string[];
  readonly spelling: Spelling;
  /** How a person has it run a prompt at a terminal, says *No* when asked, and ends it. */
  readonly terminal?: {
    run(prompt: string): readonly string[];
    /** What it has shown, without white space, before the keys are typed. */
    readonly steps: readonly { readonly shown: string; readonly keys: string }[];
  };
  /** What the ledger says of the calls of the first test, in any order. */
  readonly calls: readonly string[];
  /** Whether it says when a session ends. */
  readonly saysEnd: boolean;
  /** What coherence finds, by its codes; a finding that is open leaves records coherent. */
  readonly findings: readonly string[];
}

export interface Started {
  readonly service: TestService;
  readonly owner: Account;
  readonly agent: RecordedAgent;
  readonly file: AgentFile;
  readonly models: ModelServer;
  ledger(): Promise<Stored[]>;
}

/** Installs the program with a recorder, before a service and a model server of its own. */
export async function start(
  program: ProgramUnderTest,
  answer: (question: ModelQuestion, started: Started) => ModelTurn | Promise<ModelTurn>,
  ...options: readonly string[]
): Promise<Started> {
  const service = await TestService.start();
  const owner = await service.signUp();
  const models = await ModelServer.start((question) => answer(question, started));
  const agent = new RecordedAgent(program.id, program.environment(models.url));
  agent.put('project/a.txt', 'hello file\n');
  for (const [name, text] of Object.entries(program.files(models.url, agent.project))) agent.put(name, text);
  const file = await agent.install(owner, service.url, ...options);
  const ledger = (): Promise<Stored[]> => ledgerOf(clientOf(started), file);
  const started: Started = { service, owner, agent, file, models, ledger };
  return started;
}

/** The owner, as one who calls the service where it listens now. */
export function clientOf({ owner, service }: Pick<Started, 'owner' | 'service'>): Account {
  return { ...owner, client: service.client(owner.client.token) };
}

/** What the ledger has once the program has run to its end. */
export async function finished(program: ProgramUnderTest, started: Started): Promise<readonly Stored[]> {
  const { agent, models } = started;
  const ended = await agent.run(...program.run('Do it.'));
  expect(models.errors).toEqual([]);
  expect(ended.code, `${ended.stdout}\n${ended.stderr}`).toBe(0);
  expect(ended.stdout).toContain('All done.');
  // A program may end before its last hook has.
  if (program.saysEnd) {
    await until('the end of the session', async () =>
      (await started.ledger()).some(({ operation_type }) => operation_type === 'session.end'),
    );
  }
  await agent.sent();
  return started.ledger();
}
