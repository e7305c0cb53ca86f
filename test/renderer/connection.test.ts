// The state of the connection that all queries follow, and how often they are asked again.
import { describe, expect, it, vi } from 'vitest';
import { CallFailed } from '../../src/renderer/api/call.ts';
import { ConnectionState, probe } from '../../src/renderer/api/connection.ts';
import { POLLED_PAGES, pace } from '../../src/renderer/api/freshness.ts';
import { until } from '../support/until.ts';

describe('the connection to the service', () => {
  it('is lost since the last answer, not since the first failure', () => {
    let now = 1_000;
    const state = new ConnectionState(() => now);
    now = 5_000;
    state.noteAnswer();
    now = 9_000;
    state.noteUnreachable();
    now = 12_000;
    state.noteUnreachable();
    expect(state.state).toEqual({ lostSince: 5_000, endedSince: null });
    state.noteAnswer();
    expect(state.isCut).toBe(false);
  });

  it('stays cut by an ended session although the service answers', () => {
    const state = new ConnectionState(() => 7);
    state.noteSessionEnded();
    state.noteAnswer();
    expect(state.isCut).toBe(true);
    state.noteNewSession();
    expect(state.isCut).toBe(false);
  });

  it('tells who follows it of changes alone', () => {
    const state = new ConnectionState(() => 7);
    const listener = vi.fn();
    const end = state.subscribe(listener);
    state.noteAnswer();
    state.noteUnreachable();
    state.noteUnreachable();
    state.noteAnswer();
    end();
    state.noteUnreachable();
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it('is probed while it is lost, one request at a time, and no longer', async () => {
    const state = new ConnectionState(() => 7);
    let asked = 0;
    let underWay = 0;
    const ask = async (): Promise<void> => {
      asked++;
      underWay++;
      expect(underWay).toBe(1);
      await Promise.resolve();
      underWay--;
      if (asked === 3) state.noteAnswer();
      else throw new Error('still away');
    };
    const end = probe(state, ask, 1);
    expect(asked).toBe(0);
    state.noteUnreachable();
    await until('the service to be found again', () => !state.isCut);
    state.noteSessionEnded();
    expect(asked).toBe(3);
    end();
  });
});

describe('how often a query is asked again', () => {
  const failed = (code: 'FORBIDDEN' | 'UNAUTHORIZED' | 'NOT_FOUND' | 'INTERNAL_ERROR') => ({
    error: new CallFailed(code, 'no'),
  });

  it('is what it wants as long as it is answered', () => {
    expect(pace({ error: null }, 500)).toBe(500);
    expect(pace({ error: null }, false)).toBe(false);
  });

  it.each(['FORBIDDEN', 'UNAUTHORIZED', 'NOT_FOUND'] as const)('is not at all after %s', (code) => {
    expect(pace(failed(code), 500)).toBe(false);
  });

  it('is soon where the next answer continues what the time of this one ended', () => {
    const coverage = { indexed_to: 9, pending: 0, unread: 0 };
    const answer = { is_own_stated: true, destinations: 0, total: 0, data: [], nextCursor: null, hasMore: false };
    expect(POLLED_PAGES.whatLeft?.([{ ...answer, coverage: { ...coverage, complete: false } }])).toBe(1_500);
    expect(POLLED_PAGES.whatLeft?.([{ ...answer, coverage: { ...coverage, complete: true } }])).toBe(false);
  });

  it('is seldom after a failure that may pass', () => {
    expect(pace(failed('INTERNAL_ERROR'), 500)).toBe(30_000);
    expect(pace(failed('INTERNAL_ERROR'), 60_000)).toBe(60_000);
    expect(pace(failed('INTERNAL_ERROR'), false)).toBe(false);
  });
});
