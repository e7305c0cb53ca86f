import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contentDigest } from '../../../src/actions/profile/index.ts';
import { compareCalls } from '../../../src/recorder/doctor/check/compare-calls.ts';
import { findTranscript } from '../../../src/recorder/doctor/check/find-transcript.ts';
import type { RecordedCall } from '../../../src/recorder/doctor/check/recorded-calls.ts';
import { readTranscript, type TranscriptCall } from '../../../src/recorder/doctor/check/transcript.ts';
import { RecordError } from '../../../src/recorder/index.ts';
import { RecordedHome } from '../../support/recorded-home.ts';

function captured(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/transcripts/${name}.jsonl`, import.meta.url));
}

const HI = { command: 'echo hi', description: 'say hi' };

describe('a transcript', () => {
  const calls = {
    'claudecode-2.1.330': ['toolu_fake_0', 'toolu_fake_1'],
    'codex-0.169.0': ['call_fake_0', 'call_fake_1'],
    'copilot-1.0.102': ['call_fake_0', 'call_fake_1'],
    'gemini-0.61.0': [
      'run_shell_command__run_shell_command_1795376868585_0',
      'run_shell_command__run_shell_command_1795376868710_1',
    ],
  };
  for (const [name, ids] of Object.entries(calls)) {
    it(`of ${name} has the calls that the program made, each once`, () => {
      const feed = name.split('-')[0] as 'codex';
      const transcript = readTranscript(feed, captured(name));
      expect(transcript.calls.map(({ id }) => id)).toEqual(ids);
      expect(transcript.unreadable).toBe(0);
      expect(transcript.calls[0]?.input).toEqual(feed === 'codex' ? undefined : HI);
    });
  }

  it('that is being written has a last line that is counted, not read', () => {
    const whole = captured('claudecode-2.1.330');
    expect(readTranscript('claudecode', whole.subarray(0, -100)).unreadable).toBe(1);
  });

  it('of a program whose form was not seen is refused', () => {
    expect(() => readTranscript('cursor', Buffer.from(''))).toThrow(RecordError);
  });

  it('is found where the program keeps it, with those of subagents', async () => {
    const home = new RecordedHome();
    const folder = '.claude/projects/-home-ada-project';
    const paths = [home.put(`${folder}/s1.jsonl`, ''), home.put(`${folder}/s1/subagents/agent-1.jsonl`, '')];
    home.put(`${folder}/s2.jsonl`, '');
    expect([...(await findTranscript(home.around, 'claudecode', 's1'))].sort()).toEqual(paths.sort());
    await expect(findTranscript(home.around, 'claudecode', '../s1')).rejects.toThrow(RecordError);
  });
});

describe('calls', () => {
  const said = (id: string, input: TranscriptCall['input'] = HI): TranscriptCall => ({ id, tool: 'bash', input });
  let made = 0;
  const recorded = (callId: string | null, members: Partial<RecordedCall> = {}): RecordedCall => ({
    operationId: `operation-${++made}`,
    actionId: `action-${made}`,
    callId,
    tool: 'Bash',
    input: { value: HI, digest: null, salt: '', isRedacted: false },
    ...members,
  });
  const digested = { value: undefined, digest: contentDigest('c2FsdA', HI), salt: 'c2FsdA', isRedacted: false };

  it('are joined by their ids, whatever they were given', () => {
    const extra = recorded('c');
    const result = compareCalls([said('a'), said('b')], [recorded('a', { input: null }), extra]);
    expect(result).toEqual({ matched: 1, missing: ['b'], unknown: [extra.operationId], byId: true });
  });

  it('without ids are joined by what they were given, each record once', () => {
    const result = compareCalls([said('a'), said('b'), said('c', { command: 'other' })], [recorded(null)]);
    expect(result).toEqual({ matched: 1, missing: ['b', 'c'], unknown: [], byId: false });
  });

  it('are joined by the digest of what they were given where that alone was kept', () => {
    const calls = [recorded(null, { input: digested })];
    expect(compareCalls([said('a')], calls).missing).toEqual([]);
    expect(compareCalls([said('a', { command: 'other' })], calls).missing).toEqual(['a']);
  });

  it('of which something was replaced before signing stand for a call of their tool', () => {
    const input = { value: { command: '[REDACTED]' }, digest: null, salt: '', isRedacted: true };
    expect(compareCalls([said('a')], [recorded(null, { input })]).missing).toEqual([]);
    expect(compareCalls([said('a')], [recorded(null, { input, tool: 'Read' })]).missing).toEqual(['a']);
  });
});
