// What touched an entity, against the change before; and agents against their usual day.
import { describe, expect, it } from 'vitest';
import type { Activity, Touch } from '../../../src/renderer/api/answers.ts';
import { barsOf } from '../../../src/renderer/screens/dashboard/agent-bars.ts';
import { touchLines } from '../../../src/renderer/screens/entities/touches.ts';

function touch(n: number, members: Partial<Touch>): Touch {
  const time = new Date(n * 1000).toISOString();
  return {
    operation_id: `operation ${n}`,
    agent_id: 'coder',
    operation_type: 'file.write',
    subject: 's',
    action: 'write',
    issued_at: time,
    seq_no: n,
    server_received_at: time,
    access: 'write',
    declared: true,
    read_from: '/touched/0',
    access_from: 'declared',
    before: null,
    after: null,
    amount: null,
    details: {
      summary: '',
      read_from: [],
      session: null,
      phase: 'record',
      call: null,
      tool: null,
      outcome: null,
      error: null,
      duration_ms: null,
      organization: null,
      issuer: null,
      marks: [],
      withheld: false,
    },
    ...members,
  };
}

describe('the records that touched an entity', () => {
  const touches = [
    touch(1, { after: 'a' }),
    touch(2, { access: 'read' }),
    touch(3, { before: 'a', after: 'b' }),
    touch(4, { before: 'x', after: 'c' }),
  ];

  it('are compared each with the change before, and reads with nothing', () => {
    const previous = touchLines(touches, 'oldest').map((line) => line.previous?.seq_no ?? null);
    expect(previous).toEqual([null, null, 1, 3]);
  });

  it('say where the state is not the one that the change before left', () => {
    expect(touchLines(touches, 'oldest').map(({ isBroken }) => isBroken)).toEqual([false, false, false, true]);
  });

  it('say the same in the other order', () => {
    const lines = touchLines(touches.toReversed(), 'newest');
    expect(lines.map(({ touch: { seq_no } }) => seq_no)).toEqual([4, 3, 2, 1]);
    expect(lines.map(({ isBroken }) => isBroken)).toEqual([true, false, false, false]);
  });

  it('claim nothing after a change that names no state', () => {
    const unknown = [touch(1, { after: 'a' }), touch(2, {}), touch(3, { before: 'z' })];
    expect(touchLines(unknown, 'oldest').some(({ isBroken }) => isBroken)).toBe(false);
  });
});

describe('agents as bars', () => {
  const agent = (agent_id: string, members: Partial<Activity['agents'][number]>): Activity['agents'][number] => ({
    agent_id,
    records: 0,
    usual: null,
    state: 'usual',
    last_at: null,
    ...members,
  });

  it('have one scale, on which a usual day has its place', () => {
    const [busy, usual] = barsOf([
      agent('u', { records: 10, usual: 20 }),
      agent('b', { records: 40, usual: 10, state: 'busy' }),
    ]);
    expect(busy).toMatchObject({ share: 1, usualShare: 0.25 });
    expect(usual).toMatchObject({ share: 0.25, usualShare: 0.5 });
  });

  it('come with what is unusual first', () => {
    const bars = barsOf([
      agent('many', { records: 9 }),
      agent('silent', { usual: 5, state: 'silent' }),
      agent('few', { records: 1 }),
    ]);
    expect(bars.map((bar) => bar.agent.agent_id)).toEqual(['silent', 'many', 'few']);
    expect(barsOf([])).toEqual([]);
  });
});
