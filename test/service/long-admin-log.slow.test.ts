// A long administrative log is read where records are, and holds up nobody (docs/security.md).
import { expect, it } from 'vitest';
import { onThisThread } from '../support/own-thread.ts';
import { TestService } from '../support/service.ts';

const service = await TestService.start();
const { client, orgId } = await service.signUp();
service.sql
  .prepare(
    `INSERT INTO admin_events
       (org_id, event_no, event_id, actor, action, target_type, target_id, details, created_at, prev_event_hash, event_hash)
     WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
     SELECT @orgId, i, @orgId || i, 'a', 'epoch.close', 'organization', @orgId, '{"epoch_no":1}', 1, 'x' || (i - 1), 'x' || i FROM n`,
  )
  .run({ orgId });

it.each<[string, () => Promise<unknown>, object]>([
  [
    'is searched by a filter that nothing fits',
    () => client.ok('listAdminEvents', { query: { action: 'no.such', cursor: '' } }),
    { events: [], hasMore: false },
  ],
  [
    'is searched to its first event',
    () => client.ok('listAdminEvents', { query: { action: 'org.create' } }),
    { events: [{ action: 'org.create' }] },
  ],
  ['is verified', () => client.ok('adminChain'), { events: 200_000, verified: 1 }],
])('%s off the thread that answers everybody', async (_, ask, expected) => {
  // The thread and its code are there.
  await ask();
  const { answer, share } = await onThisThread(() => Promise.all(Array.from({ length: 8 }, ask)));
  expect(answer[0]).toMatchObject(expected);
  expect(share).toBeLessThan(0.5);
});
