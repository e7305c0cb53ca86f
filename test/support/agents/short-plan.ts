import { expect } from 'vitest';
import { coherenceOf } from '../../../src/actions/profile/index.ts';
import { nodeCrypto } from '../../../src/node/index.ts';
import { bundleOf, verifyWith } from '../service.ts';
import { until } from '../until.ts';
import { record } from './conversation.ts';
import { joinedCalls, lostIn } from './joined-calls.ts';
import { clientOf, finished, type ProgramUnderTest, type ShortPlan, type Started, start } from './started.ts';

/** Of programs that are not run with the plan of forty calls: calls that hooks tell little or nothing of. */
export async function runShortPlan(program: ProgramUnderTest, plan: ShortPlan): Promise<void> {
  const { turns, calls } = plan;
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
  if (program.saysEnd) expect(check?.shown['x_recorder']).toMatchObject({ not_in_transcript: 0, extra: { unread: 0 } });

  const bundle = await bundleOf(started.owner);
  const report = await verifyWith(started.service.kid, bundle);
  const means = { sha256: nodeCrypto.sha256, signal: new AbortController().signal };
  expect((await coherenceOf(() => [bundle], report, means)).status).toBe('coherent');
}

/** The recorder is killed twice while the service is away. */
export async function runWhileKilled(program: ProgramUnderTest): Promise<void> {
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
      return { calls: [program.spelling.shell(`echo first-${turn}`), program.spelling.shell(`echo second-${turn}`)] };
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
  const given = ledger.flatMap(({ action, shown }) => (action === 'proposed' ? [JSON.stringify(shown['input'])] : []));
  expect(new Set(given).size).toBe(given.length);
  const report = await verifyWith(started.service.kid, await bundleOf(clientOf(started)));
  expect(report.verdict).toBe('verified');
}
