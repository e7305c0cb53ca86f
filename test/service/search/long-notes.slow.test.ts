// Where people are named besides the records: notes are long and many, and reading them holds up nobody (docs/security.md).
import { expect, it } from 'vitest';
import { onThisThread } from '../../support/own-thread.ts';
import { registerAgent, TestService } from '../../support/service.ts';

const NAMES = Array.from({ length: 20 }, (_, n) => `Ada Lovelace ${n}`);
/** With a letter that has to be folded, so that no short cut tells whom it names. */
const LONG = 'The board heard of Müller, who had asked for nothing. '.repeat(180);

it('is looked for where records are read, and not on the thread that answers everybody', async () => {
  const service = await TestService.start();
  const { client, ...account } = await service.signUp();
  const signer = await registerAgent({ client, ...account });
  const records = Array.from({ length: 200 }, () => signer.next());
  await client.ok('submitBatch', { body: { records } });
  const ids = records.map(({ operation_id }) => operation_id);
  for (let from = 0; from < ids.length; from += 100) {
    const operation_ids = ids.slice(from, from + 100);
    await client.ok('annotateManyLive', { body: { operation_ids, add_note: LONG } });
  }
  const [first = ''] = ids;
  await client.ok('annotateLive', { params: { operation_id: first }, body: { note: `${LONG} ada_lovelace 7` } });
  const ask = () => client.ok('redactionPlaces', { body: { names: NAMES, after: 0 } });
  // The thread and its code are there.
  await ask();
  const { answer, share } = await onThisThread(ask);
  expect(answer.besides).toEqual([{ place: 'note', count: 1, examples: [first] }]);
  expect(share).toBeLessThan(0.5);
});
