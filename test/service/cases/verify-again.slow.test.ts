import { expect, it } from 'vitest';
import { enterWorkstation, importCase, settled } from '../../support/cases.ts';
import { bundleOf, registerAgent, submitNext, TestService } from '../../support/service.ts';

it('is begun once for a case, however many ask for it at the same moment', async () => {
  const service = await TestService.start();
  const owner = await service.signUp();
  const signer = await registerAgent(owner);
  for (let n = 0; n < 20; n++) await submitNext(owner, signer);
  const desk = await enterWorkstation(service);
  const { case_id } = await importCase(desk, { name: 'b.csbundle', bytes: await bundleOf(owner) });
  for (let n = 0; n < 8; n++) {
    // The keys are written into the case's history first: that takes a while in which others ask.
    const ask = () => desk.call('verifyCase', { params: { case_id }, body: { trusted_kids: [service.kid] } });
    const answers = await Promise.all([ask(), ask(), ask(), ask()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409]);
    await settled(desk, case_id);
  }
});
