import { existsSync } from 'node:fs';
import { expect } from 'vitest';
import { CALL_GAPS } from '../../../scripts/support/call-gaps.ts';
import { coherenceOf } from '../../../src/actions/profile/index.ts';
import { nodeCrypto } from '../../../src/node/index.ts';
import type { Stored } from '../recorder.ts';
import { bundleOf, verifyWith } from '../service.ts';
import { until } from '../until.ts';
import { type ModelCall, type ModelTurn, record } from './conversation.ts';
import { deviations, expectGapsOf, hasNoFurtherOpen } from './deviations.ts';
import { lostIn } from './joined-calls.ts';
import { type PlannedCall, type PlannedTurn, planOf, SUB_TASK } from './plan.ts';
import type { RecordedAgent } from './recorded-agent.ts';
import { clientOf, finished, type ProgramUnderTest, type Started, start } from './started.ts';

/** What the person says whose run is ended by Ctrl-C. */
const WAITING = 'Wait for a while.';
/** What the person says who is asked, and does not allow it. */
const ASKING = 'Ask me first.';
const AWAY_MS = 30_000;

/** What is done to recorder and service while a program runs. */
class Surroundings {
  #address = '';
  #awaySince = 0;
  readonly #begun = new Set<PlannedTurn>();

  /** Once for each turn: a program may ask its model again. */
  async before(turn: PlannedTurn, { agent, service }: Started): Promise<void> {
    if (this.#begun.has(turn)) return;
    this.#begun.add(turn);
    switch (turn.before) {
      case 'kill':
        // The next hook starts one.
        return agent.stopRecorder('SIGKILL');
      case 'kill and start':
        // As a system's supervisor does.
        await agent.stopRecorder('SIGKILL');
        return agent.startRecorder();
      case 'stop service':
        this.#address = service.url;
        this.#awaySince = performance.now();
        return service.stop();
      case 'start service':
        // Some programs leave a command that takes long, and ask on.
        await until('the service to have been away', () => performance.now() - this.#awaySince > AWAY_MS);
        return service.restart({ port: Number(new URL(this.#address).port) });
      case undefined:
    }
  }
}

/** A person is asked at a terminal, says no, and ends the program. */
async function denied({ run, steps }: NonNullable<ProgramUnderTest['terminal']>, agent: RecordedAgent): Promise<void> {
  const terminal = agent.atTerminal(...run(ASKING));
  let from = 0;
  for (const { shown, keys } of steps) {
    await until(`${shown} at the terminal`, () => terminal.shown().includes(shown, from));
    from = terminal.shown().length;
    terminal.type(keys);
  }
  await terminal.ended;
}

/** Runs a program with the plan of forty calls, and holds each against the ledger. */
export async function runPlan(program: ProgramUnderTest): Promise<void> {
  const surroundings = new Surroundings();
  const made = new Map<string, ModelCall>();
  const waiting = Promise.withResolvers<void>();
  const started = await start(program, async ({ turn, firstUserText, body }, running): Promise<ModelTurn> => {
    const asked = (calls: readonly PlannedCall[]): ModelTurn => {
      const said = JSON.stringify(body);
      for (const one of calls) made.set(one.mark, one.call(said));
      return { calls: calls.flatMap(({ mark }) => made.get(mark) ?? []) };
    };
    if (firstUserText.includes(SUB_TASK)) return turn === 0 ? asked(within) : { text: 'The sub task is done.' };
    if (firstUserText.includes(WAITING)) {
      waiting.resolve();
      return turn === 0 ? asked([plan.interrupted]) : { text: 'It was interrupted.' };
    }
    if (firstUserText.includes(ASKING)) {
      return turn === 0 && plan.asked !== null ? asked([plan.asked]) : { text: 'It was not allowed.' };
    }
    const next = plan.turns[turn];
    if (next !== undefined) {
      await surroundings.before(next, running);
      return asked(next.calls);
    }
    await running.agent.ensureRecorder();
    await running.agent.sent();
    return { text: 'All done.' };
  });
  const { agent } = started;
  const plan = planOf(program.spelling, agent.project);
  const within = plan.turns.flatMap((turn) => turn.within ?? []);
  const once = [plan.interrupted, ...(plan.asked === null ? [] : [plan.asked])];
  const planned = [...plan.turns.flatMap(({ calls }) => calls), ...within, ...once];
  for (const { mark } of planned) agent.put(`project/${mark}.txt`, 'hello file\n');
  await agent.startRecorder();
  await finished(program, started);

  const second = agent.start(...program.run(WAITING));
  // A program takes as long as it takes until it asks its model.
  const tooEarly = second.ended.then(({ stdout, stderr }) =>
    Promise.reject(new Error(`it ended:\n${stdout}\n${stderr}`)),
  );
  await Promise.race([waiting.promise, tooEarly]);
  // Its hook is told before it is carried out: ended between the two, it would be one that was refused.
  await until('the call that is interrupted', async () => existsSync(plan.running));
  second.interrupt();
  await second.ended;
  if (program.terminal !== undefined) await denied(program.terminal, agent);
  await agent.sent();

  const found = (ledger: readonly Stored[]): string[] =>
    deviations(planned, plan.notMade, made, ledger, lostIn(ledger));
  // Ends that its transcript alone tells are recorded once its hooks had their time.
  await until('the ends of all calls', async () => hasNoFurtherOpen(program.id, found(await started.ledger())));
  const ledger = await started.ledger();
  expectGapsOf(program.id, found(ledger), ledger);
  const checks = ledger.filter(({ shown }) => record(shown['note'])['kind'] === 'session.check');
  const checked = checks.map(({ shown }) => record(shown['x_recorder']));
  expect(checked.map(({ extra }) => record(extra)['unread'])).toEqual(checks.map(() => 0));
  const gaps = new Set((CALL_GAPS[program.id] ?? []).filter(({ transcript }) => transcript).map(({ of }) => of));
  const missing = checked.flatMap(({ missing: named }) => (Array.isArray(named) ? named : []));
  expect(missing).toHaveLength(checks.length === 0 ? 0 : planned.filter(({ kind }) => gaps.has(kind)).length);
  const bundle = await bundleOf(clientOf(started));
  const report = await verifyWith(started.service.kid, bundle);
  expect(report.verdict).toBe('verified');
  const means = { sha256: nodeCrypto.sha256, signal: new AbortController().signal };
  expect((await coherenceOf(() => [bundle], report, means)).status).toBe('coherent');
}
