import { expect, it, vi } from 'vitest';
import { Writer } from '../../../src/service/store/writer.ts';
import { atEnd } from '../../support/cleanup.ts';
import { ALWAYS, exportOf, registerAgent, submitNext, TestService } from '../../support/service.ts';

/* docs/retention.md: an export that is being made when something is erased does not hold it afterwards. */

it('makes a file again where an erasure has the writer between its last byte and the end of the job', async () => {
  const service = await TestService.start();
  const owner = await service.signUp();
  const signer = await registerAgent(owner);
  const { operation_id } = await submitNext(owner, signer, { payload: { secret: 'hidden-value' } });
  // The order that a busy writer brings about: whatever ends the job has its turn once the erasure was answered.
  const { run } = Writer.prototype;
  let answer: unknown;
  const watched = vi.spyOn(Writer.prototype, 'run');
  atEnd(() => watched.mockRestore());
  watched.mockImplementation(async function (this: Writer, task) {
    if (answer === undefined && /JobsOfKind\.#end/.test(new Error().stack ?? '')) {
      answer = null;
      answer = await owner.client.ok('eraseOperation', { params: { operation_id }, body: { reason: 'asked for' } });
    }
    return run.call(this, task);
  });
  const exportId = await exportOf(owner, ALWAYS);
  const { bytes } = await owner.client.call('downloadExport', { params: { export_id: exportId } });
  expect(answer).toMatchObject({ operation_id });
  expect(bytes.includes(operation_id)).toBe(true);
  expect(bytes.includes('hidden-value')).toBe(false);
});
