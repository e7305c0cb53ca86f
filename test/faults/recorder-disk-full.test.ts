import { expect, it } from 'vitest';
import { installAgent, openRecorder } from '../support/recorder.ts';
import { TestService } from '../support/service.ts';
import { canMount, SmallDisk } from '../support/small-disk.ts';
import { callSeen, noteSeen } from '../support/stand-in-pipeline.ts';

it.skipIf(!canMount())('counts what a full disk does not take, and records the loss once there is room', async () => {
  const service = await TestService.start();
  const owner = await service.signUp();
  const disk = new SmallDisk(16);
  const { home } = await installAgent(owner, service.kid, {}, disk.folder);
  await service.stop();
  const recorder = openRecorder(home);
  await recorder.take('codex', [noteSeen()]);
  disk.fill();
  let kept = 1;
  let lost = 0;
  // What SQLite has in its files already is used up first.
  for (let n = 0; lost < 3 && n < 200; n++) {
    const verdict = await recorder.take('codex', [callSeen('proposed', { input: 'x'.repeat(60_000) })]);
    expect(verdict).toMatchObject({ allowed: true, reason: null });
    if (verdict.operation_ids.length === 0) lost++;
    else kept++;
  }
  expect(recorder.status().agents[0]).toMatchObject({ lost: 3, waiting: kept });
  disk.clear();
  await recorder.take('codex', [noteSeen()]);
  await recorder.close();
  const next = openRecorder(home);
  expect(next.status().agents[0]).toMatchObject({ lost: 0, waiting: kept + 2, losses: [{ count: 3, tool: 'Bash' }] });
  await next.close();
});
