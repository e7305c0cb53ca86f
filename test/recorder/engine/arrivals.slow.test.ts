import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { Arrivals } from '../../../src/recorder/engine/arrivals.ts';
import type { InstalledAgent } from '../../../src/recorder/engine/installed-agent.ts';
import { Spool } from '../../../src/recorder/spool/spool.ts';
import { atEnd } from '../../support/cleanup.ts';
import { temporaryFolder } from '../../support/folders.ts';

it('waits, when it is closed, for what is still being prepared, and does nothing meanwhile', async () => {
  const spool = new Spool(join(temporaryFolder(), 'spool.sqlite'), {});
  atEnd(() => spool.close());
  const arrivals = new Arrivals<never>(spool);
  // What fails before it is prepared is asked nothing of its agent.
  const agent = {} as InstalledAgent<never>;
  const { promise: preparing, reject: fail } = Promise.withResolvers<never>();
  const kept = arrivals.keep(agent, preparing);
  const turns = vi.spyOn(globalThis, 'setImmediate');
  const closing = arrivals.close();
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve));
  expect(turns).not.toHaveBeenCalled();
  turns.mockRestore();
  fail(new Error('it cannot be'));
  await closing;
  expect(await kept).toMatchObject({ ok: false, error: { message: 'it cannot be' } });
});
