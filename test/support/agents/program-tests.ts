import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENT_PROGRAMS, type AgentProgramId } from '../../../scripts/support/agent-programs.ts';
import { coherenceOf } from '../../../src/actions/profile/index.ts';
import { nodeCrypto } from '../../../src/node/index.ts';
import type { AgentFile } from '../../../src/recorder/base/agent-file.ts';
import { ledgerOf, type Stored } from '../recorder.ts';
import { type Account, bundleOf, TestService, verifyWith } from '../service.ts';
import { until } from '../until.ts';
import { type ModelCall, type ModelQuestion, type ModelTurn, record } from './conversation.ts';
import { endsOf, joinedCalls, lostIn } from './joined-calls.ts';
import { ModelServer } from './model-server.ts';
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
  shell(command: string): ModelCall;
  read(path: string): ModelCall;
  /** What its own rules do not allow, by its files or arguments. */
  readonly forbidden?: ModelCall;
  /** Has a sub-agent do what it is told; where the program has sub-agents. */
  subAgent?(told: string): ModelCall;
  /** What the ledger says of the calls of the first test, in any order. */
  readonly calls: readonly string[];
  /** Calls that hooks tell little or nothing of: that fail before they begin, are typed into a running shell, have no plain text. */
  readonly plan: Plan;
  /** Whether it says when a session ends. */
  readonly saysEnd: boolean;
  /** What coherence finds, by its codes; a finding that is open leaves records coherent. */
  readonly findings: readonly string[];
}

/** What a model asks for, turn by turn, and what the ledger says of it, in any order. */
export interface Plan {
  /** @param said all that the program told the model so far, as JSON */
  turns(project: string, said: string): readonly (readonly ModelCall[])[];
  readonly calls: readonly string[];
}

const FAILING = 'ls /nonexistent-dir';
const SUB_TASK = 'List the files of the sub task.';

interface Started {
  readonly service: TestService;
  readonly owner: Account;
  readonly agent: RecordedAgent;
  readonly file: AgentFile;
  readonly models: ModelServer;
  ledger(): Promise<Stored[]>;
}

async function start(
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
function clientOf({ owner, service }: Pick<Started, 'owner' | 'service'>): Account {
  return { ...owner, client: service.client(owner.client.token) };
}

async function finished(program: ProgramUnderTest, started: Started): Promise<readonly Stored[]> {
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

/** Runs the program with a model that says what a test wants, and looks at what the ledger has of it. */
export function testProgram(program: ProgramUnderTest): void {
  const { name, version } = AGENT_PROGRAMS[program.id];

  describe(`${name} ${version}`, () => {
    it('has each call in the ledger once, its end joined to its beginning', async () => {
      const subAgent = program.subAgent?.(SUB_TASK);
      const turns: readonly ModelCall[][] = [
        [program.shell('echo hi-from-tool; sleep 0.2'), program.read('a.txt'), program.shell(FAILING)],
        ...(subAgent === undefined ? [] : [[subAgent]]),
        ...(program.forbidden === undefined ? [] : [[program.forbidden]]),
        [program.shell('date')],
      ];
      const started = await start(program, async ({ turn, firstUserText }, { ledger }) => {
        const isSubAgent = firstUserText.includes(SUB_TASK);
        const next = (isSubAgent ? [[program.shell('echo from-sub-agent')]] : turns)[turn];
        if (next !== undefined) return { calls: next };
        // A real model takes longer than a hook: some programs end, or a sub-agent does, without waiting for the last one.
        await until('the ends of the calls', async () => {
          const known = await ledger();
          return isSubAgent ? endsOf(known, 'echo') > 1 : endsOf(known, 'date') > 0;
        });
        return { text: 'All done.' };
      });
      await started.agent.startRecorder();
      const ledger = await finished(program, started);

      expect([...joinedCalls(ledger)].sort()).toEqual([...program.calls].sort());
      expect(lostIn(ledger)).toBe(0);
      expect(ledger[0]?.operation_type).toBe('session.start');
      if (program.saysEnd) expect(ledger.at(-1)?.operation_type).toBe('session.end');
      expect(existsSync(join(started.agent.project, 'a.txt'))).toBe(true);

      const bundle = await bundleOf(started.owner);
      const report = await verifyWith(started.service.kid, bundle);
      expect(report.verdict).toBe('verified');
      const means = { sha256: nodeCrypto.sha256, signal: new AbortController().signal };
      const coherence = await coherenceOf(() => [bundle], report, means);
      expect(coherence.findings.map(({ code, where }) => `${code} ${JSON.stringify(where)}`)).toEqual(
        program.findings.map((code) => expect.stringMatching(new RegExp(`^${code} `))),
      );
      expect(coherence.status).toBe('coherent');
    });

    it('has the calls that no hook tells of, and ends that hooks do not know, from its transcript', async () => {
      const { turns, calls } = program.plan;
      const started = await start(program, ({ turn, body }, { agent }) => {
        const next = turns(agent.project, JSON.stringify(body))[turn];
        return next === undefined ? { text: 'All done.' } : { calls: next };
      });
      await started.agent.startRecorder();
      await finished(program, started);
      const told = await until('the calls of the plan', async () => {
        const joined = joinedCalls(await started.ledger());
        return joined.length >= calls.length && joined.every((call) => !call.endsWith('proposed')) && joined;
      });
      expect([...told].sort()).toEqual([...calls].sort());
      const ledger = await started.ledger();
      const check = ledger.find(({ shown }) => record(shown['note'])['kind'] === 'session.check');
      if (program.saysEnd)
        expect(check?.shown['x_recorder']).toMatchObject({ not_in_transcript: 0, extra: { unread: 0 } });

      const bundle = await bundleOf(started.owner);
      const report = await verifyWith(started.service.kid, bundle);
      const means = { sha256: nodeCrypto.sha256, signal: new AbortController().signal };
      expect((await coherenceOf(() => [bundle], report, means)).status).toBe('coherent');
    });

    it('loses nothing when the recorder is killed twice and the service is away', async () => {
      const address = { url: '' };
      const during = [
        // Killed, and begun again as a system's supervisor does.
        async ({ agent }: Started) => {
          await agent.stopRecorder('SIGKILL');
          await agent.startRecorder();
        },
        async ({ service }: Started) => {
          address.url = service.url;
          await service.stop();
        },
        // The next hook starts one.
        async ({ agent }: Started) => agent.stopRecorder('SIGKILL'),
      ];
      const started = await start(program, async ({ turn }, running) => {
        await during[turn - 1]?.(running);
        if (turn <= during.length) {
          return { calls: [program.shell(`echo first-${turn}`), program.shell(`echo second-${turn}`)] };
        }
        await running.service.restart({ port: Number(new URL(address.url).port) });
        await running.agent.ensureRecorder();
        // Two events for each call. A hook waits three seconds for a recorder to start: what a slower machine loses is stated.
        await until('all that happened', async () => {
          const ledger = await running.ledger();
          const events = ledger.filter(({ subject }) => subject === 'echo');
          return events.length + lostIn(ledger) >= 4 * (during.length + 1);
        });
        return { text: 'All done.' };
      });
      await started.agent.startRecorder();
      const ledger = await finished(program, started);

      expect(joinedCalls(ledger).length).toBeLessThanOrEqual(2 * (during.length + 1));
      for (const call of joinedCalls(ledger)) {
        expect(call).toMatch(/^tool\.shell echo \| (proposed|proposed, (completed|failed)|completed)( |$)/);
      }
      const given = ledger.flatMap(({ action, shown }) =>
        action === 'proposed' ? [JSON.stringify(shown['input'])] : [],
      );
      expect(new Set(given).size).toBe(given.length);
      const report = await verifyWith(started.service.kid, await bundleOf(clientOf(started)));
      expect(report.verdict).toBe('verified');
    });

    it('is stopped at its next call once its agent is frozen', async () => {
      const started = await start(
        program,
        async ({ turn }, { owner, file }) => {
          if (turn === 1) {
            const params = { agent_id: file.agent_id };
            await owner.client.ok('freezeAgent', { params, body: { reason: 'It has to stop.' } });
          }
          return turn > 1 ? { text: 'All done.' } : { calls: [program.shell(`touch made-${turn}.txt`)] };
        },
        '--require-receipt',
      );
      await started.agent.startRecorder();
      const ended = await started.agent.run(...program.run('Do it.'));
      expect(started.models.errors).toEqual([]);
      const made = [0, 1].map((turn) => existsSync(join(started.agent.project, `made-${turn}.txt`)));
      expect(made, `${ended.stdout}\n${ended.stderr}`).toEqual([true, false]);
    });
  });
}
