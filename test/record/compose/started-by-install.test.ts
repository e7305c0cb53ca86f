import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { askStatus } from '../../../src/record/compose/ask-status.ts';
import { startIfNoneRuns } from '../../../src/record/install/start-recorder.ts';
import { atEnd } from '../../support/cleanup.ts';
import { RecordedHome } from '../../support/recorded-home.ts';
import { until } from '../../support/until.ts';

it('a recorder is started for an installation, once, without the token of whoever installs', async () => {
  const { home, environment } = new RecordedHome().around;
  const token = 'of-the-one-who-installs';
  const around = { ...process.env, ...environment, COUNTERSIGN_TOKEN: token, NODE_OPTIONS: '--no-such-option' };
  expect(await startIfNoneRuns(home, around)).toBe('started');
  const { pid } = await askStatus(home);
  atEnd(async () => {
    process.kill(pid, 'SIGTERM');
    await until('the recorder to end', () =>
      askStatus(home).then(
        () => false,
        () => true,
      ),
    );
  });
  expect(await startIfNoneRuns(home, around)).toBe('running');
  expect((await askStatus(home)).pid).toBe(pid);
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain(token);
});
