// The agent library hands to a recorder that runs what its author's program does, and the recorder makes the records.
import { expect, it } from 'vitest';
import { checkPayload } from '../../../src/actions/profile/index.ts';
import { RecorderClient } from '../../../src/agent/index.ts';
import { startRecorder } from '../../../src/recorder/compose/start.ts';
import { atEnd } from '../../support/cleanup.ts';
import { installAgent, ledgerOf } from '../../support/recorder.ts';
import { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await TestService.start();
const owner = await service.signUp();

it('a session of the agent library is recorded by the recorder that runs', async () => {
  const { home, agent } = await installAgent(owner, service.kid, { feed: 'other', before: 'all' });
  const problems: unknown[] = [];
  const recorder = await startRecorder(home, { onError: (error) => problems.push(error) });
  atEnd(() => recorder.close());
  const session = new RecorderClient({ folder: home.folder }).session({
    id: 's',
    program: { name: 'p', version: '3' },
  });
  await session.told({ kind: 'user', value: 'pay the bill' });
  await session.call({ tool: { name: 'pay', type: 'function' }, input: { password: 'hunter2-of-ada' } }, () => ({
    paid: 7,
  }));
  await expect(
    session.call({ tool: 'pay', input: 8 }, () => {
      throw new Error('no money');
    }),
  ).rejects.toThrow('no money');
  await session.end();
  await until('the records to be at the service', () => recorder.status().waiting === 0);
  const shown = (await ledgerOf(owner, agent)).map((stored) => stored.shown);
  expect(shown.map(({ phase }) => phase)).toEqual([
    ...['session_started', 'told', 'started', 'completed', 'started', 'failed', 'session_ended'],
  ]);
  for (const payload of shown) expect(checkPayload(payload, true)).toMatchObject({ ok: true });
  expect(shown[3]).toMatchObject({ output: { value: { paid: 7 } }, action_id: shown[2]?.['action_id'] });
  expect(shown[6]).toMatchObject({ session: { id: 's', totals: { records: 6 } } });
  expect(JSON.stringify(shown)).not.toContain('hunter2');
  expect(problems).toEqual([]);
});
