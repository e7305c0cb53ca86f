import { expect, it } from 'vitest';
import { ALWAYS, exportOf, registerAgent, submitNext, TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const DAY_MS = 86_400_000;

it('exports that have had their time are all removed, also where somebody else deletes some of them meanwhile', async () => {
  const service = await TestService.start({ exportKeepDays: 30 });
  const owner = await service.signUp();
  const signer = await registerAgent(owner);
  await submitNext(owner, signer, { payload: { n: 1 } });
  for (let n = 0; n < 6; n++) await exportOf(owner, ALWAYS);
  await service.stop();
  service.sql.prepare('UPDATE exports SET created_at = ?').run(Date.now() - 40 * DAY_MS);
  // As soon as one is removed, two more are gone.
  service.sql.exec(`CREATE TRIGGER somebody_else AFTER DELETE ON exports WHEN (SELECT count(*) FROM exports) = 5 BEGIN
    DELETE FROM exports WHERE rowid IN (SELECT min(rowid) FROM exports UNION SELECT max(rowid) FROM exports);
  END`);
  await service.restart();
  const left = (): unknown => service.sql.prepare('SELECT count(*) FROM exports').pluck().get();
  await until('all of them to be gone', () => left() === 0);
  expect(left()).toBe(0);
});
