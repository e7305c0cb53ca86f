// One range and one zone of time for the workspace: which addresses have them.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { chooseZone, offeredZones, readZone, shownZone } from '../../src/renderer/lib/time-zone.ts';
import { keepRange, keepZone, ofRange, takeZone } from '../../src/renderer/lib/workspace-range.ts';

const RANGE = { startTime: '2026-10-25T00:00:00.000Z', endTime: '2026-10-26T00:00:00.000Z' };
const CASE = '11111111-2222-3333-4444-555555555555';
const location = { hash: '' };

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  vi.stubGlobal('window', Object.assign(new EventTarget(), { location }));
});
afterEach(() => vi.unstubAllGlobals());

/** The search of a link from a screen, after what was asked of it. */
function linkFrom(path: string, search: object, asked: object, isOfCase = false): object {
  location.hash = `#${path}`;
  return keepRange(isOfCase)({ search, next: () => asked });
}

/** Somebody is at a screen that shows the range. */
function be(path: string, search: object): void {
  location.hash = `#${path}`;
  const caseId = /^\/cases\/([^/]+)/.exec(path)?.[1];
  ofRange.beforeLoad({ search, params: caseId === undefined ? {} : { caseId } });
}

describe('the range', () => {
  it('is kept by links between screens that show it, and taken away by those that say so', () => {
    be('/dashboard', RANGE);
    expect(linkFrom('/dashboard', RANGE, { query: 'x' })).toEqual({ query: 'x', ...RANGE });
    const none = { startTime: undefined, endTime: undefined };
    expect(linkFrom('/dashboard', RANGE, none)).toEqual(none);
    const since = { startTime: '2026-01-01T00:00:00Z' };
    expect(linkFrom('/dashboard', RANGE, since)).toEqual(since);
  });

  it('is remembered over screens without times by the navigation alone', () => {
    be('/search', RANGE);
    expect(linkFrom('/agents', {}, {})).toEqual(RANGE);
    expect(linkFrom('/admin-events', { startTime: '1990-01-01T00:00:00Z' }, {})).toEqual(RANGE);
    expect(linkFrom('/agents', {}, { agentId: 'a' })).toEqual({ agentId: 'a' });
    be('/search', {});
    expect(linkFrom('/agents', {}, {})).toEqual({});
  });

  it('is left as it was by a session or an entity, which is shown whole', () => {
    be('/sessions', RANGE);
    be('/sessions', { session: 's' });
    expect(linkFrom('/sessions', { session: 's' }, {})).toEqual(RANGE);
    expect(linkFrom('/sessions', RANGE, { session: 's' })).toEqual({ session: 's' });
  });

  it('of a case is another than that of the live ledger, and of another case', () => {
    be('/search', RANGE);
    be(`/cases/${CASE}/search`, {});
    expect(linkFrom(`/cases/${CASE}/search`, {}, {}, true)).toEqual({});
    expect(linkFrom(`/cases/${CASE}/search`, {}, {})).toEqual(RANGE);
    be(`/cases/${CASE}/search`, RANGE);
    expect(linkFrom(`/cases/${CASE}/agents`, {}, {}, true)).toEqual(RANGE);
    expect(linkFrom(`/cases/${CASE.replace('1', '9')}/agents`, {}, {}, true)).toEqual({});
  });
});

describe('the zone', () => {
  const linked = (asked: object) => keepZone({ search: {}, next: () => asked });

  it('is UTC until somebody chooses one, and then in every address', () => {
    expect(shownZone()).toBe('UTC');
    expect(linked({ query: 'x' })).toEqual({ query: 'x' });
    chooseZone('Asia/Colombo');
    expect(shownZone()).toBe('Asia/Colombo');
    expect(linked({ query: 'x' })).toEqual({ query: 'x', zone: 'Asia/Colombo' });
  });

  it('of an address counts before the one that was chosen, and does not replace it', () => {
    chooseZone('Asia/Colombo');
    takeZone({ zone: 'America/Lima' }, false);
    expect(shownZone()).toBe('America/Lima');
    expect(localStorage.getItem('countersign.zone')).toBe('Asia/Colombo');
    takeZone({ zone: 'Mars/Olympus' }, false);
    expect(shownZone()).toBe('America/Lima');
    chooseZone('Asia/Colombo');
  });

  it('of an address with a query and no zone is UTC, where the page begins with it', () => {
    chooseZone('Asia/Colombo');
    takeZone({ query: 'issued > 10:00' }, false);
    expect(shownZone()).toBe('Asia/Colombo');
    takeZone({}, true);
    expect(shownZone()).toBe('Asia/Colombo');
    takeZone({ query: 'issued > 10:00' }, true);
    expect(shownZone()).toBe('UTC');
    chooseZone('UTC');
  });

  it('is offered again after it was typed, whatever its case, and other texts under its key are no zone', () => {
    expect(readZone(' asia/COLOMBO ')).toBe('Asia/Colombo');
    expect([readZone(''), readZone('Mars/Olympus'), readZone('local')]).toEqual([null, null, null]);
    for (const zone of ['Asia/Colombo', 'America/Lima', 'UTC']) chooseZone(zone);
    expect(offeredZones()).toEqual(expect.arrayContaining(['UTC', 'America/Lima', 'Asia/Colombo']));
    localStorage.setItem('countersign.zones', '{"a"');
    localStorage.setItem('countersign.zone', 'nowhere');
    expect(offeredZones()[0]).toBe('UTC');
    expect(shownZone()).toBe('UTC');
  });
});
