// The filters of a list, as they are typed.
import { describe, expect, it } from 'vitest';
import type { AgentRow } from '../../src/renderer/api/answers.ts';
import { ENDS_FIRST, readFilters } from '../../src/renderer/components/filter-form.tsx';
import { plural } from '../../src/renderer/lib/plural.ts';
import { NOT_A_TIME } from '../../src/renderer/lib/read-time.ts';
import { agentsLike } from '../../src/renderer/screens/audit/list/agents-like.ts';

const FIELDS = [
  { member: 'agentId', label: 'Agent', hint: '' },
  { member: 'startTime', label: 'From', hint: '', kind: 'time' },
  { member: 'endTime', label: 'Before', hint: '', kind: 'time' },
] as const;

describe('filters', () => {
  it('say at each field what is wrong with it', () => {
    const draft = { agentId: 'x', startTime: 'noonish', endTime: '' };
    expect(readFilters(FIELDS, draft, 'UTC')).toEqual({
      problems: { startTime: NOT_A_TIME },
    });
  });

  it.each([
    ['2026-11-21', '2026-11-20'],
    ['2026-11-21 10:00', '2026-11-21 10:00'],
    ['now', '-5m'],
  ])('say that the range from %j to %j ends before it begins', (startTime, endTime) => {
    expect(readFilters(FIELDS, { startTime, endTime }, 'UTC')).toEqual({ problems: { endTime: ENDS_FIRST } });
  });

  it('come as the interface takes them', () => {
    const draft = { agentId: ' x ', startTime: '2026-11-21 10:00', endTime: '' };
    expect(readFilters(FIELDS, draft, 'UTC')).toEqual({
      filters: { agentId: ' x ', startTime: '2026-11-21T10:00:00.000Z', endTime: undefined },
    });
  });

  it('are read in the zone that the page shows times in', () => {
    const here = '2026-11-21T04:15:00.000Z';
    const draft = { agentId: '', startTime: '2026-11-21 10:00', endTime: '2026-11-22 10:00Z' };
    expect(readFilters(FIELDS, draft, 'Asia/Kathmandu')).toEqual({
      filters: { agentId: undefined, startTime: here, endTime: '2026-11-22T10:00:00.000Z' },
    });
  });
});

describe('agents like a text', () => {
  const agents = [
    ['airline-agent-2', 'Second'],
    ['billing', 'Billing bot 2'],
    ['archive', 'Archive'],
  ].map(([agent_id, display_name]) => ({ agent_id, display_name }) as AgentRow);

  it('have it in their id or name, however it is capitalized', () => {
    const ids = (text: string) => agentsLike(agents, text).map(({ agent_id }) => agent_id);
    expect(ids('2')).toEqual(['airline-agent-2', 'billing']);
    expect(ids(' ARCH ')).toEqual(['archive']);
    expect(ids('nobody')).toEqual([]);
  });
});

describe('a number with its noun', () => {
  it('agrees with it', () => {
    expect([0, 1, 2, 1167].map((n) => plural(n, 'operation'))).toEqual([
      '0 operations',
      '1 operation',
      '2 operations',
      '1,167 operations',
    ]);
    expect(plural(2, 'delivery', 'deliveries')).toBe('2 deliveries');
  });
});
