import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/protocol/index.ts';
import { meaningOf, problemsOf, read, seenIn } from '../../support/hooks.ts';

const meaning = (body: Json): string => meaningOf(seenIn('other', body));

describe('our own form', () => {
  it.each<readonly [Json, string]>([
    [{ event: 'session_started', session: 'run-1', reason: 'cron' }, 'session_started | cron'],
    [{ event: 'session_ended', session: { id: 'run-1' } }, 'session_ended | no reason'],
    [{ event: 'told', kind: 'user', value: 'deploy' }, 'told | user "deploy"'],
    [{ event: 'note', kind: 'paused', text: 'at night' }, 'note | paused'],
    [
      { event: 'call_proposed', tool: 'bash', call_id: '1', input: { command: 'cd x && git push' } },
      'proposed | shell bash | 1 | write git',
    ],
    [{ event: 'call_started', tool: { name: 'deploy', type: 'function' } }, 'started | function deploy | no id'],
    [
      { event: 'call_completed', tool: { name: 'query', server: 'db' }, exit_code: 0, duration_ms: 12.4 },
      'completed | mcp db/query | no id | ok 0 | 12 ms',
    ],
    [{ event: 'call_completed', tool: 'bash', exit_code: 3 }, 'completed | shell bash | no id | ok 3'],
    [{ event: 'call_failed', tool: 'pay', status: 'timeout' }, 'failed | other pay | no id | timeout'],
    [{ event: 'call_failed', tool: 'pay', status: 'cancelled' }, 'failed | other pay | no id | cancelled'],
    [{ event: 'call_refused', tool: 'pay', status: 'cancelled' }, 'refused | other pay | no id | cancelled'],
    [{ event: 'call_refused', tool: 'pay' }, 'refused | other pay | no id | denied'],
    [
      { event: 'decided', tool: 'pay', call_id: '2', decision: 'approved', by: { kind: 'human', id: 'ada' } },
      'approved | other pay | 2 | by human ada',
    ],
    [
      {
        event: 'call_started',
        tool: 'pay',
        touched: [{ kind: 'payment', id: 'IBAN 1', access: 'send', within: 'bank' }],
      },
      'started | other pay | no id | send IBAN 1',
    ],
  ])('says %j', (body, expected) => {
    expect(meaning(body)).toBe(expected);
    expect(problemsOf(seenIn('other', body))).toEqual([]);
  });

  it('names session, sub-agent, model and trace', () => {
    const body = {
      event: 'call_started',
      tool: 'pay',
      session: { id: 's', parent: 'p', turn: 4 },
      sub_agent: { id: 'a', type: 'worker' },
      model: { name: 'm', provider: 'x' },
      program_version: '3',
      cwd: '/p',
      at: '2026-11-22T11:00:00+01:00',
      traceparent: '00-0b6f1dd8f912d9d0e010f664d5b9e282-6cfb76150e007027-01',
      raw_event: 'paying',
    };
    expect(seenIn('other', body)).toMatchObject({
      source: 'library',
      session: { id: 's', parent: 'p', turn: 4 },
      sub_agent: { id: 'a', type: 'worker' },
      model: { name: 'm', provider: 'x' },
      program_version: '3',
      cwd: '/p',
      observed_at: '2026-11-22T10:00:00.000Z',
      trace: { trace_id: '0b6f1dd8f912d9d0e010f664d5b9e282' },
      raw_event: 'paying',
    });
  });

  it('tells a script what is wrong, and notes the body', () => {
    const reading = read('other', { event: 'call_started', tool: 7 });
    expect(reading.seen.map(meaningOf)).toEqual(['note | unreadable']);
    const answer = reading.answer({ allowed: true, reason: null, operation_ids: [] });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toMatchObject({ allowed: true, problem: expect.stringMatching(/^tool: /) });
  });

  it('answers with the verdict, and stops what is not carried out yet', () => {
    const verdict = { allowed: true, reason: null, operation_ids: ['x'] };
    expect(JSON.parse(read('other', { event: 'note', kind: 'x' }).answer(verdict).body)).toEqual(verdict);
    const blocked = { allowed: false, reason: null, operation_ids: [] };
    expect(read('other', { event: 'call_started', tool: 'pay' }).answer(blocked)).toEqual({
      status: 403,
      body: 'Countersign could not record this call, and may let only recorded calls through.',
    });
  });
});
