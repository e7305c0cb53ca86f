// What a transcript adds to what hooks told: docs/recorders.md, Transcripts.
import { describe, expect, it } from 'vitest';
import { at } from '../../support/bytes.ts';
import { Watching } from '../../support/seen-events.ts';
import { actionOf, COMMAND, codes, phases } from './said-of-drafts.ts';

const READ = { source: 'transcript', given: COMMAND } as const;
const UNSAID = { outcome: { status: 'unknown' } } as const;

describe('a transcript as a witness', () => {
  it('makes the record of a call that no hook reported', () => {
    const watching = new Watching();
    watching.session('session_started');
    watching.call('completed', { ...READ, call_id: 'typed', outcome: { status: 'ok' } });
    expect(at(watching.drafts, 1).payload).toMatchObject({
      whole_call: true,
      input: { value: COMMAND },
      witnesses: [{ source: 'transcript' }],
    });
    expect(codes(watching)).not.toContain('ENDED_NEVER_STARTED c');
  });

  it.each([
    ['failed', { status: 'error', exit_code: 2 }],
    ['completed', { status: 'ok', exit_code: 0 }],
    ['completed', { status: 'ok' }],
  ] as const)('completes a call whose hooks do not say how it ended: %s', (stage, outcome) => {
    const watching = new Watching();
    watching.call('proposed', { given: COMMAND });
    watching.call('completed', UNSAID);
    watching.call(stage, { ...READ, outcome });
    expect(phases(watching.drafts)).toEqual(['proposed', 'completed', stage]);
    expect(at(watching.drafts, 2).payload).toMatchObject({ outcome, witnesses: [{ source: 'transcript' }] });
    expect(actionOf(at(watching.drafts, 2))).toBe(actionOf(at(watching.drafts, 0)));
    expect(codes(watching)).toEqual([]);
    // Read once more, it is counted and not recorded.
    expect(watching.call(stage, { ...READ, outcome })).toEqual([]);
  });

  it('closes a call that was denied under the subject that it began with', () => {
    const watching = new Watching();
    watching.session('session_started');
    const touched = [{ kind: 'process', id: 'rm', access: 'write' }] as const;
    watching.call('proposed', { given: COMMAND, touched });
    const error = { message: 'denied by a rule' };
    expect(watching.call('refused', { ...READ, touched, outcome: { status: 'denied', error } })).toEqual([]);
    watching.session('session_ended');
    expect(phases(watching.drafts)).toEqual(['session_started', 'proposed', 'refused', 'session_ended']);
    expect(at(watching.drafts, 2).payload).toMatchObject({
      touched,
      outcome: { status: 'denied', error },
      x_recorder: { cwd: '/w' },
    });
    expect(codes(watching)).toEqual([]);
  });

  it('says how a call ended that nobody saw the end of', () => {
    const watching = new Watching();
    watching.call('proposed', { given: COMMAND });
    watching.later(25 * 3_600_000);
    expect(at(watching.drafts, 1).payload).toMatchObject({ outcome: { status: 'unknown' } });
    watching.call('completed', { ...READ, outcome: { status: 'ok', exit_code: 0 } });
    expect(codes(watching)).toEqual([]);
  });

  it('is joined by what the call was given where hooks have no ids, whatever they call the tool', () => {
    const watching = new Watching();
    watching.call('proposed', { call_id: null, given: COMMAND });
    watching.call('completed', { call_id: null, given: COMMAND });
    const tool = { name: 'bash', type: 'shell', server: null } as const;
    expect(watching.call('completed', { ...READ, tool, call_id: 'c9', outcome: { status: 'ok' } })).toEqual([]);
    // Also where it is read before the hooks have their turn.
    const given = { command: 'ls' };
    const read = watching.call('completed', { ...READ, given, tool, call_id: 'c10', outcome: { status: 'ok' } });
    expect(phases(read)).toEqual(['completed']);
    expect(watching.call('proposed', { call_id: null, given })).toEqual([]);
    expect(watching.call('completed', { call_id: null, given })).toEqual([]);
  });

  it('is joined with a call that ended, where its end is too long to be read in the transcript', () => {
    const watching = new Watching();
    watching.call('proposed', { call_id: null, given: COMMAND });
    watching.call('completed', { call_id: null, given: COMMAND });
    expect(watching.call('proposed', { ...READ, call_id: 'c9' })).toEqual([]);
    // One that nobody else told is another call.
    expect(phases(watching.call('proposed', { ...READ, call_id: 'c10' }))).toEqual(['proposed']);
  });

  it('is at odds with hooks that saw another input, in the same form', () => {
    const watching = new Watching();
    watching.call('proposed', { given: COMMAND });
    watching.call('completed', {});
    watching.call('completed', { ...READ, given: { command: 'rm -rf /' }, outcome: { status: 'ok' } });
    expect(codes(watching)).toEqual(['WITNESSES_DISAGREE c']);
    const other = new Watching();
    other.call('proposed', { given: COMMAND });
    other.call('completed', {});
    expect(other.call('completed', { ...READ, given: { cmd: 'x' }, outcome: { status: 'ok' } })).toEqual([]);
  });

  describe('with an output', () => {
    const TEXT = { form: 'text/plain' } as const;
    const OK = { outcome: { status: 'ok' } } as const;

    it('agrees with hooks that were told the same, and is at odds with those that were told another one', () => {
      const watching = new Watching();
      watching.session('session_started');
      for (const call_id of ['c1', 'c2']) {
        watching.call('proposed', { call_id, given: COMMAND });
        watching.call('completed', { call_id, gave: 'clean', ...TEXT });
      }
      expect(watching.call('completed', { ...READ, ...OK, gave: 'clean', ...TEXT })).toEqual([]);
      expect(codes(watching)).not.toContain('WITNESSES_DISAGREE c');
      watching.call('completed', { ...READ, ...OK, call_id: 'c2', gave: 'altered', ...TEXT });
      expect(codes(watching)).toContain('WITNESSES_DISAGREE c');
      expect(watching.checked()[0]?.payload['x_recorder']).toMatchObject({
        told_otherwise: 1,
        otherwise: [{ tool: 'Bash', call_id: 'c2' }],
      });
    });

    it('is held against what hooks are told after it', () => {
      const watching = new Watching();
      watching.call('proposed', { given: COMMAND });
      watching.call('completed', { ...READ, ...OK, gave: 'altered', ...TEXT });
      watching.call('completed', { gave: 'clean', ...TEXT });
      expect(codes(watching)).toEqual(['WITNESSES_DISAGREE c']);
    });

    it('is kept and not compared where hooks were told a part, or another form', () => {
      for (const [gave, form] of [
        ['cle', undefined],
        [{ stdout: 'clean' }, 'application/json'],
      ] as const) {
        const watching = new Watching();
        watching.call('proposed', { given: COMMAND });
        watching.call('completed', { ...READ, ...OK, gave: 'clean', ...TEXT });
        watching.call('completed', { gave, ...(form !== undefined && { form }) });
        expect(at(watching.drafts, 1).payload).toMatchObject({
          output: { value: gave },
          witnesses: [{}, { output: { value: 'clean' } }],
        });
        expect(codes(watching)).toEqual([]);
      }
    });
  });

  it('is not recorded for calls from before anything was heard of the session, which are counted', () => {
    const watching = new Watching();
    watching.session('session_started');
    const earlier = { observed_at: '2026-11-20T10:00:00.000Z', outcome: { status: 'ok' } } as const;
    expect(watching.call('completed', { ...READ, ...earlier, call_id: 'old' })).toEqual([]);
    const [note] = watching.checked();
    expect(note?.payload['x_recorder']).toMatchObject({ before_the_recorder: 1, recorded: 0 });
  });

  it('is recorded for what comes after a clock was set that was ahead when the session began', () => {
    const watching = new Watching();
    watching.session('session_started');
    watching.later(-3_600_000);
    const [record] = watching.call('completed', {
      ...READ,
      observed_at: '2026-11-22T09:00:00.000Z',
      call_id: 'typed',
      outcome: { status: 'ok' },
    });
    expect(record?.payload).toMatchObject({ whole_call: true });
  });

  it('is recorded for a call of a session that has ended by the time its transcript was read', () => {
    const watching = new Watching();
    watching.session('session_started');
    watching.later(60_000);
    watching.session('session_ended');
    watching.later(30_000);
    const [record] = watching.call('completed', {
      ...READ,
      observed_at: '2026-11-22T10:01:00.000Z',
      call_id: 'typed',
      outcome: { status: 'ok' },
    });
    expect(record?.payload).toMatchObject({ whole_call: true, witnesses: [{ source: 'transcript' }] });
  });

  it('is held against what was recorded until its session ends, also hours later', () => {
    const watching = new Watching();
    watching.session('session_started');
    watching.call('proposed', { given: COMMAND });
    watching.call('completed', { gave: 'clean' });
    watching.call('proposed', { call_id: 'c2', given: { command: 'never told' } });
    watching.call('completed', { call_id: 'c2' });
    watching.later(3 * 3_600_000);
    expect(watching.call('completed', { ...READ, outcome: { status: 'ok' } })).toEqual([]);
    watching.call('completed', { ...READ, call_id: 'typed', outcome: { status: 'ok' } });
    const [note] = watching.checked();
    expect(note?.payload).toMatchObject({
      note: { kind: 'session.check' },
      x_recorder: {
        recorded: 3,
        told_by_transcript_alone: 1,
        alone: [{ tool: 'Bash', call_id: 'typed' }],
        not_in_transcript: 1,
        missing: [{ tool: 'Bash', call_id: 'c2' }],
      },
    });
  });
});
