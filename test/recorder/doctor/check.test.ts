import { describe, expect, it } from 'vitest';
import { contentDigest } from '../../../src/actions/profile/index.ts';
import type { TranscriptCall } from '../../../src/actions/transcripts/index.ts';
import { callOf } from '../../../src/actions/transcripts/open-calls.ts';
import { compareCalls } from '../../../src/recorder/doctor/check/compare-calls.ts';
import type { RecordedCall } from '../../../src/recorder/doctor/check/recorded-calls.ts';
import { transcriptCalls } from '../../../src/recorder/doctor/check/transcript-calls.ts';
import { RecordError } from '../../../src/recorder/index.ts';
import { findTranscript } from '../../../src/recorder/transcripts/find-transcript.ts';
import { fixture } from '../../actions/transcripts/read.ts';
import { RecordedHome } from '../../support/recorded-home.ts';

const HI = { command: 'echo hi', description: 'say hi' };

describe('a transcript', () => {
  it('is found where the program keeps it, with those of subagents', async () => {
    const home = new RecordedHome();
    const folder = '.claude/projects/-home-ada-project';
    const paths = [home.put(`${folder}/s1.jsonl`, ''), home.put(`${folder}/s1/subagents/agent-1.jsonl`, '')];
    home.put(`${folder}/s2.jsonl`, '');
    expect([...(await findTranscript(home.around, 'claudecode', 's1'))].sort()).toEqual(paths.sort());
    await expect(findTranscript(home.around, 'claudecode', '../s1')).rejects.toThrow(RecordError);
  });

  it('of a program whose form was not seen is refused, and one that is not there is said', async () => {
    const home = new RecordedHome();
    await expect(transcriptCalls(home.around, 'cursor', 's1', [])).rejects.toThrow('cannot be read');
    await expect(transcriptCalls(home.around, 'kimi', 's1', [])).rejects.toThrow('no transcript of the session s1');
  });

  it('is read with those of its sub-agents, each found by what the session says of it', async () => {
    const home = new RecordedHome();
    for (const thread of ['a07d', 'aee8']) {
      const { path, lines } = fixture('codex', `0.169.0/**/rollout-*-01a21c18-${thread}*.jsonl`);
      const name = path.slice(path.indexOf('sessions/'));
      home.put(`.codex/${name}`, lines.map(({ text }) => text).join('\n'));
    }
    const session = '01a21c18-a07d-7980-ac80-0b1b7787cee7';
    const { files, calls, unread, untried } = await transcriptCalls(home.around, 'codex', session, []);
    expect(files).toHaveLength(2);
    expect(calls.filter(({ sub_agent }) => sub_agent !== null)).toHaveLength(1);
    expect(unread).toBe(0);
    expect(untried).toEqual([]);
  });

  it('of a version that was not tried is read, and the version is named', async () => {
    const home = new RecordedHome();
    const { path, lines } = fixture('codex', '0.169.0/**/rollout-*-01a21c18-aee8*.jsonl');
    for (const [version, named] of [
      ['0.171.0', []],
      ['0.1690.0', ['0.1690.0']],
      ['0.20.0', ['0.20.0']],
    ] as const) {
      const text = lines.map((line) => line.text.replaceAll('0.169.0', version)).join('\n');
      const file = home.put(`${version}/${path.slice(path.indexOf('sessions/'))}`, text);
      const { calls, untried } = await transcriptCalls(home.around, 'codex', 'aee8', [file]);
      expect([calls.length, untried]).toEqual([1, named]);
    }
  });
});

describe('calls', () => {
  const said = (call_id: string, input: TranscriptCall['input'] = HI): TranscriptCall =>
    callOf({ call_id, tool: 'bash', input, line: 1 });
  const ids = (calls: readonly { readonly callId: string | null }[]): (string | null)[] =>
    calls.map(({ callId }) => callId);
  let made = 0;
  const recorded = (callId: string | null, members: Partial<RecordedCall> = {}): RecordedCall => ({
    operationId: `operation-${++made}`,
    actionId: `action-${made}`,
    callId,
    tool: 'Bash',
    input: { value: HI, digest: null, salt: '', isRedacted: false },
    output: null,
    ...members,
  });
  const digested = { value: undefined, digest: contentDigest('c2FsdA', HI), salt: 'c2FsdA', isRedacted: false };

  it('are joined by their ids, whatever they were given', () => {
    const extra = recorded('c');
    const result = compareCalls([said('a'), said('b')], [recorded('a', { input: null }), extra]);
    expect(result).toMatchObject({ matched: 1, differing: [], byId: true });
    // Named so that people know them again.
    expect(result.missing).toEqual([
      { callId: 'b', operationId: null, tool: 'bash', input: '{"command":"echo hi","description":"say hi"}' },
    ]);
    expect(result.unknown).toMatchObject([{ callId: 'c', operationId: extra.operationId, tool: 'Bash' }]);
  });

  it('that were given something else are named', () => {
    const altered = said('a', { command: 'echo altered', description: 'say hi' });
    expect(ids(compareCalls([altered], [recorded('a')]).differing)).toEqual(['a']);
    // One of other members is told in another form.
    expect(compareCalls([said('a', { cmd: 'echo hi' })], [recorded('a')]).differing).toEqual([]);
  });

  it('that gave something else are named, where hooks were told it in the same form', () => {
    const output = { value: 'hi\n', digest: null, salt: '', isRedacted: false };
    const gave = (told_to_hooks: TranscriptCall['output']): TranscriptCall => ({ ...said('a'), told_to_hooks });
    const differing = (told: TranscriptCall['output'], members: Partial<RecordedCall>): (string | null)[] =>
      ids(compareCalls([gave(told)], [recorded('a', members)]).differing);
    expect(differing('hi\n', { output })).toEqual([]);
    expect(differing('altered\n', { output })).toEqual(['a']);
    expect(differing({ stdout: 'altered\n' }, { output })).toEqual([]);
    expect(differing('altered\n', { output: { ...output, isRedacted: true } })).toEqual([]);
    expect(differing('altered\n', {})).toEqual([]);
  });

  it('without ids are joined by what they were given, each record once', () => {
    const result = compareCalls([said('a'), said('b'), said('c', { command: 'other' })], [recorded(null)]);
    expect(result).toMatchObject({ matched: 1, unknown: [], byId: false });
    expect(ids(result.missing)).toEqual(['b', 'c']);
  });

  it('are joined by the digest of what they were given where that alone was kept', () => {
    const calls = [recorded(null, { input: digested })];
    expect(compareCalls([said('a')], calls).missing).toEqual([]);
    expect(ids(compareCalls([said('a', { command: 'other' })], calls).missing)).toEqual(['a']);
  });

  it('of which something was replaced before signing stand for a call of their tool', () => {
    const input = { value: { command: '[REDACTED]' }, digest: null, salt: '', isRedacted: true };
    expect(compareCalls([said('a')], [recorded(null, { input })]).missing).toEqual([]);
    expect(ids(compareCalls([said('a')], [recorded(null, { input, tool: 'Read' })]).missing)).toEqual(['a']);
  });
});
