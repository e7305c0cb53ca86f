import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { send } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { type CommandProcess, serve } from '../support/processes.ts';
import { refusedStart } from '../support/refused-start.ts';
import { until } from '../support/until.ts';

const ROUNDS = 3;

describe('two services on one data folder', () => {
  it('are never two: also while one is killed and starts again', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    for (let round = 0; round < ROUNDS; round++) {
      const contenders = [serve(dataDir), serve(dataDir), serve(dataDir)];
      const outcome = await Promise.all(contenders.map(settled));
      expect(outcome.toSorted()).toEqual(['listens', 'refused', 'refused']);
      const holder = contenders[outcome.indexOf('listens')];
      const url = (await holder?.listening()) ?? '';
      expect(await refusedStart({ dataDir })).toMatchObject({ code: 'DATA_DIR_IN_USE' });
      expect((await send(url, { path: '/v1/health' })).status).toBe(200);
      const killed = holder?.kill('SIGKILL');
      // While it dies, others try: they get the folder once it is dead, and not before.
      const next = serve(dataDir);
      await killed;
      expect(['listens', 'refused']).toContain(await settled(next));
      await next.kill('SIGKILL');
    }
    expect(await refusedStart({ dataDir })).toBeUndefined();
  });
});

/** What became of a start. Fails the test where it ended without saying that the folder is in use. */
async function settled(service: CommandProcess): Promise<'listens' | 'refused'> {
  let isEnded = false;
  void service.ended.then(() => {
    isEnded = true;
  });
  const listens = await until('a start', () =>
    service.stdout.includes('listening on') ? 'listens' : isEnded && 'ended',
  );
  if (listens === 'listens') return 'listens';
  const { code, stderr } = await service.ended;
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('another process is using the data folder'),
  });
  return 'refused';
}
