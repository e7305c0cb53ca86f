// What the recorder reads of transcripts while programs write them: docs/recorders.md, Transcripts.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FeedId } from '../../../src/recorder/base/programs.ts';
import type { Seen } from '../../../src/recorder/seen/seen.ts';
import { TranscriptWitness } from '../../../src/recorder/transcripts/witness.ts';
import { fixture } from '../../actions/transcripts/read.ts';
import { SetClock } from '../../corpus/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { storeOf } from '../../support/found-image.ts';
import { seenIn } from '../../support/hooks.ts';

const SESSION = 'c2159485-ec23-4c5d-83a7-63bdc37e42bc';
const { lines } = fixture('claudecode', '2.1.330/*.jsonl');
const TEXT = lines.map(({ text }) => text);
/** Of a sub-agent, with one call. */
const SUB = fixture('claudecode', '2.1.330/*/subagents/*.jsonl').lines.map(({ text }) => text);

/** A witness in a HOME, and everything that it handed on. */
class Reading {
  readonly home = temporaryFolder();
  readonly seen: Seen[] = [];
  readonly errors: unknown[] = [];
  readonly path = join(this.home, '.claude', 'projects', '-home-ada-project', `${SESSION}.jsonl`);
  readonly witness = new TranscriptWitness({
    around: { environment: {}, userHome: this.home },
    onError: (error) => this.errors.push(error),
    quietMs: 0,
    take: async (_feed, seen) => {
      this.seen.push(...seen);
      return { allowed: true, reason: null, operation_ids: [] };
    },
  });

  write(name: string, text: string): void {
    mkdirSync(dirname(name), { recursive: true });
    writeFileSync(name, text);
  }

  async event(hook_event_name: string, members: object = {}, feed: FeedId = 'claudecode'): Promise<void> {
    const seen = seenIn(feed, { hook_event_name, session_id: SESSION, ...members });
    await this.witness.saw(feed, [seen]);
    this.seen.push(seen);
  }

  /** What the transcript added, each call in a line. */
  get told(): readonly string[] {
    return this.seen.flatMap((one) => {
      if (one.source !== 'transcript') return [];
      return one.kind === 'call'
        ? [`${one.stage} ${one.tool.name} ${one.outcome?.status ?? ''}`.trim()]
        : [one.kind === 'note' ? one.name : one.kind];
    });
  }
}

describe('the reading of transcripts', () => {
  it('hands in each call once as the transcript grows, and what it comes to before the end of the session', async () => {
    const reading = new Reading();
    await reading.event('SessionStart', { transcript_path: reading.path });
    const half = TEXT.findIndex((text) => text.includes('call_t1_c0_1'));
    reading.write(reading.path, `${TEXT.slice(0, half).join('\n')}\n${(TEXT[half] ?? '').slice(0, 40)}`);
    await reading.witness.look();
    expect(reading.told).toEqual(['completed Read ok', 'failed Bash error', 'completed Bash ok']);
    appendFileSync(reading.path, `${(TEXT[half] ?? '').slice(40)}\n${TEXT.slice(half + 1).join('\n')}`);
    await reading.witness.look();
    await reading.witness.look();
    expect(reading.told).toHaveLength(12);
    expect(reading.told[3]).toBe('refused Bash denied');
    await reading.event('SessionEnd');
    expect(reading.told.at(-1)).toBe('session.check');
    expect(reading.seen.at(-1)?.kind).toBe('session_ended');
    expect(reading.seen.at(-2)).toMatchObject({ extra: { calls: 12, files: 1, unread: 0 } });
    expect(reading.errors).toEqual([]);
  });

  it('names the version that wrote the transcript where it was not tried', async () => {
    const checked = async (version: string): Promise<Seen | undefined> => {
      const reading = new Reading();
      reading.write(reading.path, TEXT.join('\n').replaceAll('"2.1.330"', JSON.stringify(version)));
      await reading.event('SessionStart', { transcript_path: reading.path });
      await reading.event('SessionEnd');
      return reading.seen.find((one) => one.kind === 'note' && one.name === 'session.check');
    };
    expect(await checked('2.1.331')).not.toHaveProperty('extra.not_tried');
    expect(await checked('3.0.1')).toMatchObject({
      text: 'The transcript has 12 calls. The version that wrote it was not tried.',
      extra: { calls: 12, not_tried: '3.0.1' },
    });
  });

  it('finds the transcript where the program keeps it, and those of its sub-agents', async () => {
    const reading = new Reading();
    reading.write(reading.path, TEXT.join('\n'));
    reading.write(join(dirname(reading.path), SESSION, 'subagents', 'agent-a.jsonl'), SUB.join('\n'));
    await reading.event('SessionStart');
    await reading.event('SessionEnd');
    expect(reading.seen.filter(({ sub_agent, source }) => source === 'transcript' && sub_agent !== null)).toHaveLength(
      1,
    );
    expect(reading.seen.at(-2)).toMatchObject({ extra: { calls: 13, files: 2 } });
  });

  it('says that no transcript could be read, also where its path leads to no file', async () => {
    const reading = new Reading();
    const pipe = join(reading.home, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await reading.event('SessionStart', { transcript_path: pipe });
    await reading.event('SessionEnd');
    expect(reading.told).toEqual(['transcript_missing']);
    expect(reading.errors).toEqual([]);
  });

  it('says so before the end of the session, whatever the clock does', async () => {
    const reading = new Reading();
    const clock = new SetClock(Date.UTC(2026, 9, 12));
    await reading.event('SessionStart');
    await reading.event('SessionEnd');
    expect(reading.told).toEqual(['transcript_missing']);
    clock.set(Date.UTC(2027, 9, 12));
    await reading.event('SessionStart', { transcript_path: reading.path });
    reading.write(reading.path, TEXT.join('\n'));
    const ending = reading.event('SessionEnd');
    clock.set(Date.UTC(2028, 9, 12));
    await ending;
    expect(reading.told.at(-1)).toBe('session.check');
    expect(reading.seen.at(-2)).toMatchObject({ extra: { calls: 12, unread: 0 } });
  });

  it('finds what a sub-agent of Codex did by what began it, where no hook has named the agent since the recorder started', async () => {
    const reading = new Reading();
    const session = '01a21c18-a07d-7980-ac80-0b1b7787cee7';
    for (const thread of ['a07d', 'aee8']) {
      const { path, lines: written } = fixture('codex', `0.169.0/**/rollout-*-01a21c18-${thread}*.jsonl`);
      const name = join(reading.home, '.codex', path.slice(path.indexOf('sessions/')));
      reading.write(name, written.map(({ text }) => text).join('\n'));
    }
    await reading.event('SessionStart', { session_id: session }, 'codex');
    await reading.event('SessionEnd', { session_id: session }, 'codex');
    const within = reading.seen.filter(({ sub_agent, source }) => source === 'transcript' && sub_agent !== null);
    expect(within).toMatchObject([{ kind: 'call', input: { command: 'echo from-sub-agent' } }]);
  });

  it('finds what a sub-agent of Gemini CLI did, in the folder of the session', async () => {
    const reading = new Reading();
    const { path, lines: written } = fixture('gemini', '0.61.0-subagent/**/*.jsonl');
    const session = basename(dirname(path));
    const chats = join(reading.home, '.gemini', 'tmp', 'project', 'chats');
    const main = join(chats, `session-2026-11-28T02-46-${session.slice(0, 8)}.jsonl`);
    reading.write(main, `${JSON.stringify({ sessionId: session, kind: 'main' })}\n`);
    reading.write(join(chats, session, basename(path)), written.map(({ text }) => text).join('\n'));
    for (const told of [{ session_id: session }, { session_id: session, transcript_path: main }]) {
      reading.seen.length = 0;
      await reading.event('SessionStart', told, 'gemini');
      await reading.event('SessionEnd', told, 'gemini');
      expect(reading.told).toEqual(['completed run_shell_command ok', 'completed read_file ok', 'session.check']);
      expect(reading.seen.at(-2)).toMatchObject({ extra: { calls: 2, files: 2 } });
    }
    expect(reading.errors).toEqual([]);
  });

  it('reads on in a session whose sub-agent names its transcript for another session', async () => {
    const reading = new Reading();
    const half = TEXT.findIndex((text) => text.includes('call_t1_c0_1'));
    const other = join(reading.home, 'other.jsonl');
    reading.write(reading.path, `${TEXT.slice(0, half).join('\n')}\n`);
    reading.write(other, `${TEXT.join('\n').replaceAll(SESSION, 'another')}\n`);
    await reading.event('SessionStart', { transcript_path: reading.path });
    await reading.event('SubagentStop', { agent_transcript_path: other });
    await reading.witness.look();
    appendFileSync(reading.path, `${TEXT.slice(half).join('\n')}\n`);
    await reading.event('SessionEnd');
    expect(reading.seen.at(-2)).toMatchObject({ extra: { calls: 12 } });
  });

  it.each(['a\0b', 'x'.repeat(300), `${'/y'.repeat(3000)}`, '/proc/self/mem'])(
    'reads the transcripts of a session where a further one is said to be at a path that cannot be used',
    async (path) => {
      const reading = new Reading();
      reading.write(reading.path, `${TEXT.join('\n')}\n`);
      reading.write(join(dirname(reading.path), SESSION, 'subagents', 'agent-a.jsonl'), `${SUB.join('\n')}\n`);
      await reading.event('SessionStart', { transcript_path: reading.path });
      await reading.event('SubagentStop', { agent_transcript_path: path });
      await reading.event('SessionEnd');
      expect(reading.seen.at(-2)).toMatchObject({ extra: { calls: 13 } });
    },
  );

  it('takes the folder that a hook names by its letters', async () => {
    const reading = new Reading();
    const folder = join(reading.home, '[ab] {c,d}*');
    const main = join(folder, `${SESSION}.jsonl`);
    reading.write(main, `${TEXT.join('\n')}\n`);
    reading.write(join(folder, SESSION, 'subagents', 'agent-a.jsonl'), `${SUB.join('\n')}\n`);
    // What a pattern of that name would find.
    for (const name of ['agent-b.jsonl', 'agent-c.jsonl'])
      reading.write(join(reading.home, 'a c', SESSION, 'subagents', name), `${SUB.join('\n')}\n`);
    await reading.event('SessionStart', { transcript_path: main });
    await reading.event('SessionEnd');
    expect(reading.seen.at(-2)).toMatchObject({ extra: { calls: 13, files: 2 } });
  });

  it('says that what it had read is not there any more', async () => {
    const reading = new Reading();
    await reading.event('SessionStart', { transcript_path: reading.path });
    reading.write(reading.path, TEXT.join('\n'));
    await reading.witness.look();
    const before = reading.told.length;
    rmSync(reading.path);
    reading.write(reading.path, `${TEXT.slice(0, -20).join('\n')}\n`);
    await reading.witness.look();
    expect(reading.told.slice(before)).toContain('transcript_changed');
    // What is read once more is the same observation: the recorder takes it once.
    const ids = reading.seen.flatMap((one) =>
      one.source === 'transcript' && one.kind === 'call' ? [one.event_id] : [],
    );
    expect(new Set(ids).size).toBe(before);
  });

  it('keeps names, size and digest of a call of any length', async () => {
    const reading = new Reading();
    await reading.event('SessionStart', { transcript_path: reading.path });
    const input = { file_path: '/x', content: 'é'.repeat(5_000_000) };
    const asked = { type: 'assistant', sessionId: SESSION, uuid: 'u', timestamp: new Date().toISOString() };
    const content = [{ type: 'tool_use', id: 'c1', name: 'Write', input }];
    const ended = {
      ...asked,
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1' }] },
    };
    const whole = JSON.stringify({ ...asked, message: { role: 'assistant', content } });
    reading.write(reading.path, `${whole}\n${JSON.stringify(ended)}\n`);
    await reading.witness.look();
    const written = reading.seen.find(({ kind, source }) => kind === 'call' && source === 'transcript');
    expect(written).toMatchObject({ call_id: 'c1', tool: { name: 'Write' }, touched: [{ id: '/x' }] });
    expect(written?.extra).toMatchObject({ line_bytes: Buffer.byteLength(whole) });
  });

  it('hands in each call of a store once it is over, and checks a session that was quiet, each time once', async () => {
    const reading = new Reading();
    const session = 'ses_de405a918ffetI0qmxnLlJnrAy';
    const path = join(reading.home, '.local', 'share', 'opencode', 'opencode.db');
    const store = storeOf(path);
    const { lines: rows } = fixture('opencode', '1.18.33/*.jsonl');
    const [running = '', ...others] = rows.flatMap(({ text }) => (text.includes('call_t0_c0_1') ? [text] : []));
    expect(others).toEqual([]);
    const isSaid = ({ text }: (typeof rows)[number]) => text !== '' && text !== running;
    store.add(rows.flatMap((row) => (isSaid(row) ? [row.text] : [])).join('\n'));
    const part = JSON.parse(running) as { id: string; data: string; time_updated: number };
    const begun = part.data.replace('"status":"completed"', '"status":"running"');
    store.add(JSON.stringify({ ...part, data: begun }));
    const seen = seenIn('opencode', { event: 'note', session, kind: 'x', text: 'y' });
    await reading.witness.saw('opencode', [seen]);
    await reading.witness.look();
    await reading.witness.look();
    const before = reading.told.length;
    expect(reading.told.filter((one) => one === 'completed bash ok')).toHaveLength(2);
    expect(reading.told.at(-1)).toBe('session.check');
    const later = part.time_updated + 1;
    store.add(JSON.stringify({ ...part, id: 'prt_later', data: '{"type":"patch"}', time_updated: later }));
    store.change(part.id, part.data, later);
    await reading.witness.saw('opencode', [seen]);
    await reading.witness.look();
    await reading.witness.look();
    await reading.witness.look();
    expect(reading.told.slice(before)).toEqual(['completed bash ok', 'session.check']);
    expect(reading.errors).toEqual([]);
    store.close();
  });

  it('leaves programs alone whose transcripts are not read', async () => {
    const reading = new Reading();
    await reading.event('sessionEnd', { conversation_id: SESSION }, 'cursor');
    expect(reading.told).toEqual([]);
  });
});
