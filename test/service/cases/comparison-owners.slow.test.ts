import { expect, it } from 'vitest';
import { importCase } from '../../support/cases.ts';
import { expectError } from '../../support/client.ts';
import { bundleOf, registerAgent, submitNext, TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await TestService.start();
const owner = await service.signUp();
const guest = await service.signUpGuest();
const signer = await registerAgent(owner);
await submitNext(owner, signer);
const bytes = await bundleOf(owner);

async function twoCases({ client }: typeof owner): Promise<readonly [string, string]> {
  const one = await importCase(client, { name: 'a.csbundle', bytes });
  const other = await importCase(client, { name: 'b.csbundle', bytes });
  return [one.case_id, other.case_id];
}

const [home, guests] = [await twoCases(owner), await twoCases(guest)];
const begin = ({ client }: typeof owner, [case_id, other]: readonly [string, string]) =>
  client.call('compareCase', { params: { case_id }, body: { with: { case_id: other } } });

/** Begins a comparison and waits for its end. */
async function compared(account: typeof owner, cases: readonly [string, string]): Promise<string> {
  const { body } = await begin(account, cases);
  const params = { case_id: cases[0], comparison_id: body.comparison_id };
  await until('the comparison has ended', async () => {
    return (await account.client.ok('getComparison', { params })).status === 'completed';
  });
  return body.comparison_id;
}

it('is kept, whatever others compare and however often', async () => {
  const comparison_id = await compared(owner, home);
  const begun = new Set<number>();
  for (let n = 0; n < 100; n++) begun.add((await begin(guest, guests)).status);
  expect([...begun].every((status) => status === 202 || status === 503)).toBe(true);
  const { status } = await owner.client.ok('getComparison', { params: { case_id: home[0], comparison_id } });
  expect(status).toBe('completed');
});

it('is refused to an owner of whom 16 have not ended, and to nobody else', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => begin(guest, guests)));
  const refused = answers.filter(({ status }) => status !== 202);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) expectError(answer, 'OVERLOADED');
  expect((await begin(owner, home)).status).toBe(202);
});
