// Payloads that somebody made to break the reader: nothing is thrown, and neither time nor findings grow without bound.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { AGENT_ACTION_PROFILE, checkPayload, MAX_FINDINGS, PHASES } from '../../../src/actions/profile/index.ts';
import type { Json } from '../../../src/protocol/index.ts';
import { action, actionId, completed, type Members, operationId, Story, started } from '../../support/agent-actions.ts';
import { runs } from '../../support/extent.ts';

/** Nearly right values, so that some of them pass the schema. */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
  fc.constantFrom<Json>(actionId(1), actionId(2), operationId(1), { id: 's1' }, { value: 1 }, { value: [1] }, [
    { value: 1 },
  ]),
);
const NAMES = [
  'action_id',
  'session',
  'cause',
  'tool',
  'input',
  'output',
  'decision',
  'outcome',
  'touched',
  'actor',
  'x_a',
  '__proto__',
];
const payload = fc
  .tuple(
    fc.constantFrom(...Object.keys(PHASES), 'other'),
    fc.array(fc.tuple(fc.constantFrom(...NAMES), value), { maxLength: 6 }),
  )
  .map(
    ([phase, members]): Members =>
      Object.fromEntries([['profile', AGENT_ACTION_PROFILE], ['phase', phase], ...members]),
  );

it('never throws', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(payload, fc.nat({ max: 2 }), fc.constantFrom('a', 'b')), { maxLength: 20 }),
      (records) => {
        const story = new Story();
        for (const [one, withheld, agent] of records) story.add(one, { withheld, agent });
        const report = story.report();
        expect(report.counts.records).toBe(records.length);
        expect(report.counts.contradictions + report.counts.open).toBe(
          Object.values(report.codes).reduce((a, b) => a + b, 0),
        );
      },
    ),
    runs(500),
  );
});

it('refuses a value without canonical form as one of the record, not as an error', () => {
  expect(new Story().add(started('a', '\ud800')).codes()).toEqual(['PROFILE_INVALID c']);
  let deep: Json = 1;
  for (let i = 0; i < 300; i++) deep = [deep];
  expect(checkPayload(completed('a', { output: { value: deep } }), true).ok).toBe(true);
  expect(
    new Story()
      .add(started('a', 1))
      .add(completed('a', { output: { value: deep } }))
      .codes(),
  ).toEqual(['PROFILE_INVALID c', 'STARTED_NEVER_ENDED o']);
});

it('counts all findings and keeps the first', () => {
  const story = new Story();
  for (let i = 0; i < MAX_FINDINGS + 50; i++) story.add(action('completed'));
  const { findings, counts, codes } = story.report();
  expect(findings).toHaveLength(MAX_FINDINGS);
  expect([counts.contradictions, codes.PROFILE_INVALID]).toEqual([MAX_FINDINGS + 50, MAX_FINDINGS + 50]);
});

it('says what it forgot of calls, and does not call that coherent', () => {
  const story = new Story();
  for (let i = 0; i < 20_010; i++) story.add(started(i, 1));
  for (let i = 0; i < 10; i++) story.add(completed(i));
  const { status, not_checked: notChecked, codes } = story.report();
  expect(status).toBe('not_checked');
  // Ten calls were dropped while open, ten came back, and ten more were dropped for them.
  expect(notChecked.forgotten).toBe(30);
  expect(codes.ENDED_NEVER_STARTED).toBeUndefined();
});

it('is coherent over more calls than it follows at once, where each ended before the next', () => {
  const story = new Story();
  for (let i = 0; i < 25_000; i++) story.call(i);
  expect(story.report()).toMatchObject({
    status: 'coherent',
    counts: { calls: 25_000 },
    not_checked: { forgotten: 0 },
  });
});

it('takes a time that grows with the number of records, not with its square', () => {
  // One call with many ends, one session with many sub-agents, one file touched over and over, causes that never come.
  const hostile = (records: number): Story => {
    const story = new Story();
    for (let i = 0; i < records; i++) {
      const members = {
        session: { id: 's1' },
        actor: { sub_agent: { id: `sub-${i}` } },
        cause: [actionId(i)],
        touched: [{ kind: 'file', id: 'a', access: 'write', before: `${i}`, after: `${i}` }],
        whole_call: true,
      };
      story.add(completed('a', members), { agent: i % 2 === 0 ? 'a' : `agent-${i}` });
    }
    return story;
  };
  const timeOf = (story: Story): number => {
    const before = process.cpuUsage().user;
    story.report();
    return process.cpuUsage().user - before;
  };
  const [few, many] = [hostile(1000), hostile(8000)];
  timeOf(few);
  // A square would take 64 times as long.
  expect(timeOf(many)).toBeLessThan(30 * Math.max(timeOf(few), 10_000));
});
