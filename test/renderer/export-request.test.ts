// What the form of a new export comes to.
import { describe, expect, it } from 'vitest';
import { ENDS_FIRST } from '../../src/renderer/components/filter-form.tsx';
import { NOT_A_TIME } from '../../src/renderer/lib/read-time.ts';
import {
  adminEventsOf,
  type ExportDraft,
  presetRange,
  previewOf,
  REASON_MISSING,
  readRange,
  readRequest,
} from '../../src/renderer/screens/exports/export-request.ts';

const DRAFT: ExportDraft = {
  zone: 'UTC',
  startTime: '2026-11-20 10:00',
  endTime: '2026-11-21 10:00',
  agentId: '',
  format: 'json',
  details: false,
  agents: '',
  types: '',
  pointers: '',
  people: '',
  linked: false,
  reason: '',
  adminEvents: null,
};
const RANGE = { startTime: '2026-11-20T10:00:00.000Z', endTime: '2026-11-21T10:00:00.000Z' };

describe('the request for an export', () => {
  it('has the range in UTC, and nothing that was left empty', () => {
    expect(readRequest(DRAFT)).toEqual({ body: { ...RANGE, format: 'json', admin_events: 'all' } });
  });

  it('asks for every record only of a report', () => {
    const draft = { ...DRAFT, details: true };
    expect(readRequest({ ...draft, format: 'pdf' })).toMatchObject({ body: { format: 'pdf', details: true } });
    expect(readRequest(draft)).toEqual(readRequest(DRAFT));
  });

  it('names the agent without the blanks around it', () => {
    expect(readRange({ ...DRAFT, agentId: ' clerk ' })).toEqual({ range: { ...RANGE, agentId: 'clerk' } });
  });

  it('withholds each line once, without empty ones', () => {
    const result = readRequest({ ...DRAFT, reason: 'privacy', agents: ' clerk \n\nclerk\nbilling-bot\n' });
    expect(result).toMatchObject({ body: { redact: { agent_ids: ['clerk', 'billing-bot'], pointers: [] } } });
  });

  it('names the field and the line that cannot be withheld', () => {
    const result = readRequest({ ...DRAFT, pointers: '/total\ntotal' });
    expect(result).toEqual({ wrong: expect.stringMatching(/^JSON Pointers, line 2: /) });
  });

  it.each([
    [{ startTime: 'noonish' }, `From: ${NOT_A_TIME}`],
    [{ endTime: '' }, `Before: ${NOT_A_TIME}`],
    [{ startTime: DRAFT.endTime }, ENDS_FIRST],
  ])('is refused for %j', (change, wrong) => {
    expect(readRequest({ ...DRAFT, ...change })).toEqual({ wrong });
    expect(previewOf({ ...DRAFT, ...change })).toBeNull();
  });

  it('wants a reason where payloads are withheld, and may have one where events are', () => {
    const withheld = { ...DRAFT, types: 'payment.release' };
    expect(readRequest(withheld)).toEqual({ wrong: REASON_MISSING });
    expect(readRequest({ ...withheld, reason: ' privacy ' })).toMatchObject({ body: { reason: 'privacy' } });
    expect(readRequest({ ...DRAFT, agentId: 'clerk' })).not.toHaveProperty('body.reason');
    expect(readRequest({ ...DRAFT, agentId: 'clerk', reason: 'asked' })).toMatchObject({ body: { reason: 'asked' } });
    expect(readRequest({ ...DRAFT, reason: 'left over' })).not.toHaveProperty('body.reason');
  });

  it('is previewed by its range and agent alone', () => {
    expect(previewOf({ ...DRAFT, agentId: 'clerk', types: 'file.write' })).toEqual({ ...RANGE, agentId: 'clerk' });
  });
});

describe('the administrative events of an export', () => {
  it.each(['agentId', 'agents', 'types', 'pointers'])('are those of its agents alone where %s narrows it', (member) => {
    expect(adminEventsOf({ ...DRAFT, [member]: '/x' })).toBe('agents');
  });

  it('are what was chosen, whatever narrows it', () => {
    expect(adminEventsOf({ ...DRAFT, agentId: 'clerk', adminEvents: 'all' })).toBe('all');
    expect(adminEventsOf({ ...DRAFT, adminEvents: 'agents' })).toBe('agents');
  });
});

describe('the range of an export, in the zone that the page shows', () => {
  const zone = 'Asia/Kathmandu';

  it('is read in it', () => {
    const draft = { ...DRAFT, zone, startTime: '2026-11-20 10:00', endTime: '2026-11-29 10:00Z' };
    const range = { startTime: '2026-11-20T04:15:00.000Z', endTime: '2026-11-29T10:00:00.000Z' };
    expect(readRange(draft)).toEqual({ range });
  });

  it('is filled in by a preset, so that it reads as the same', () => {
    const now = Date.UTC(2026, 10, 21, 10);
    const draft = { ...DRAFT, zone, ...presetRange(3_600_000, now, zone) };
    expect(readRange(draft)).toMatchObject({ range: { endTime: new Date(now).toISOString() } });
  });

  it('is asked for again where clocks show a time twice', () => {
    const wrong = readRange({ ...DRAFT, zone: 'Europe/Berlin', startTime: '2026-10-25 02:30' });
    expect(wrong).toMatchObject({ wrong: expect.stringMatching(/^From: Clocks of Europe\/Berlin show/) });
  });
});

describe('a preset', () => {
  const now = Date.UTC(2026, 10, 21, 10);

  it('reaches back from now', () => {
    const range = readRange({ ...DRAFT, ...presetRange(3_600_000, now, 'UTC') });
    expect(range).toEqual({
      range: { startTime: '2026-11-21T09:00:00.000Z', endTime: '2026-11-21T10:00:00.000Z' },
    });
  });

  it('of everything reaches back to the first moment', () => {
    const range = readRange({ ...DRAFT, ...presetRange(null, now, 'UTC') });
    expect(range).toMatchObject({ range: { startTime: '1970-01-01T00:00:00.000Z' } });
  });
});
