// An export of the home organization waits for none of a guest, however long that takes (docs/security.md).
import { expect, it } from 'vitest';
import { ALWAYS, registerAgent, TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** With a letter that has to be folded, so that each text is read whole for each name. */
const LONG = 'The board heard of Müller, who had asked for nothing. '.repeat(1200);
const NAMES = Array.from({ length: 50 }, (_, n) => `Ada Lovelace ${n}`);

it('is made while that of a guest is being made, which is still under way when it is done', async () => {
  const service = await TestService.start();
  const home = await service.signUp();
  const guest = await service.signUpGuest();
  const ofHome = await registerAgent(home);
  await home.client.ok('submitOperation', { body: ofHome.next() });
  const ofGuest = await registerAgent(guest);
  for (let batch = 0; batch < 8; batch++) {
    const records = Array.from({ length: 50 }, () => ofGuest.next({ payload: { text: LONG } }));
    await guest.client.ok('submitBatch', { body: { records } });
  }
  const stateOf = async ({ client }: typeof home, export_id: string) =>
    (await client.ok('getExport', { params: { export_id } })).status;
  const theirs = await guest.client.ok('createExport', { body: { ...ALWAYS, redact: { names: NAMES } } });
  const ours = await home.client.ok('createExport', { body: ALWAYS });
  await until(
    'ours to be made',
    async () => (await stateOf(home, ours.exportId)) === 'completed' || undefined,
    120_000,
  );
  expect(await stateOf(guest, theirs.exportId)).toBe('processing');
});
