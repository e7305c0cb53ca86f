import { describe, expect, it } from 'vitest';
import { Calls } from '../../../src/recorder/joining/joined-calls.ts';
import { Sessions } from '../../../src/recorder/joining/sessions.ts';

describe('what an earlier version of the recorder kept', () => {
  it('has nothing in the place of what came since', () => {
    const calls = new Calls();
    calls.load('call/a', { action_id: 'a', call_id: null, ended: null, held: [{ source: 'mcp' }] });
    expect(calls.get('a')).toMatchObject({ touched: [], cwd: null, held: [{ source: 'mcp', error: null }] });
    const sessions = new Sessions();
    sessions.load('session/s', { id: 's', started: true, records: 2, at: 7 });
    expect(sessions.get('s')).toMatchObject({ since: 7, before: 0 });
  });
});
