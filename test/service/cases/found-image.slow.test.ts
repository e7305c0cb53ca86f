// docs/evidence-from-before.md: what six programs leave on a disk, two of their sessions altered afterwards, by one command.
import { globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TranscriptProgramId } from '../../../src/actions/transcripts/index.ts';
import type { AnswerOf } from '../../../src/api/index.ts';
import { startRecorder } from '../../../src/recorder/compose/start.ts';
import { planInstall } from '../../../src/recorder/index.ts';
import { openCase } from '../../support/case-items.ts';
import { settled } from '../../support/cases.ts';
import { atEnd } from '../../support/cleanup.ts';
import { run } from '../../support/command-line.ts';
import { share } from '../../support/extent.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { commandOf, makeImage } from '../../support/found-image.ts';
import { post } from '../../support/planted/doors.ts';
import { RecordedHome } from '../../support/recorded-home.ts';
import { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await TestService.start();
const owner = await service.signUp();
const { client } = owner;
const folder = temporaryFolder();
// After whatever a recorder hears of them: what a transcript has from before that it does not record.
const image = makeImage(folder, share(200), (Math.floor(Date.now() / 1000) + 600) * 1000);
const total = Object.values(image.sessions).reduce((sum, count) => sum + count, 0);
const file = join(folder, 'image.cscase');
const made = await run('import-transcripts', image.home, '-o', file);
const opened = await openCase(client, readFileSync(file));
rmSync(file);
const about = await settled(client, opened.body.case_id);
const params = { case_id: about.case_id };

type Row = AnswerOf<'actions'>['data'][number];

/** Every action that a query finds. */
function actionsOf(query: string): Promise<Row[]> {
  return allOf((page) => client.ok('caseActions', { params, body: { query, ...page } }));
}

interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor: string | null;
}

async function allOf<T>(ask: (page: { limit: number; cursor?: string }) => Promise<Page<T>>): Promise<T[]> {
  const found: T[] = [];
  for (let cursor: string | undefined; ; ) {
    const { data, nextCursor } = await ask({ limit: 200, ...(cursor && { cursor }) });
    found.push(...data);
    if (nextCursor === null) return found;
    cursor = nextCursor;
  }
}

describe('a disk with the sessions of six programs', () => {
  it('becomes a case by one command', () => {
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(about).toMatchObject({ state: 'ready', verdict: 'incomplete', verdict_code: 'NOT_SIGNED' });
  });

  it('has the sessions of every program', async () => {
    const { data } = await client.ok('caseFacets', { params, body: { fields: ['agent'] } }).then((answer) => ({
      data: JSON.stringify(answer),
    }));
    for (const program of Object.keys(image.sessions)) expect(data).toContain(`found:${program}:ada`);
    expect(about.found?.sessions).toBeGreaterThanOrEqual(total);
  });

  it('tells who ran what: the command of each session is found in that session alone', async () => {
    // Of session 1 the entry with its command was taken out.
    for (const session of [2, Math.floor(total / 2) + 1, total - 1].filter((one) => one % 10 !== 0)) {
      const actions = await actionsOf(`hi-from-${session}`);
      const sessions = new Set(actions.map((action) => action.session));
      expect([session, sessions.size]).toEqual([session, 1]);
    }
  });

  it('tells what left: each host that something was sent to, once', async () => {
    const sent = Array.from({ length: total }, (_, session) => session).filter((session) => session % 10 === 0);
    const actions = await actionsOf('drop-');
    const text = JSON.stringify(actions);
    for (const session of sent) expect(text).toContain(new URL(commandOf(session).split(' ').at(-1) ?? '').host);
  });

  it('tells what failed, as often as the programs say it', async () => {
    const failed = await actionsOf('outcome:failed');
    const byAgent = Map.groupBy(failed, ({ agent_id }) => agent_id);
    // The plan of every session has failing calls: a session without one would be read wrongly.
    for (const [program, count] of Object.entries(image.sessions)) {
      const sessions = new Set(byAgent.get(`found:${program}:ada`)?.map(({ session }) => session));
      expect([program, sessions.size]).toEqual([program, expect.any(Number)]);
      expect(sessions.size).toBeGreaterThanOrEqual(count);
    }
  });

  it('finds the two sessions that were altered afterwards, and no other', async () => {
    const { data } = await client.ok('caseFoundNotes', { params, query: { limit: '200' } });
    const signs = data.filter(({ code }) => code !== 'UNREAD');
    expect([...new Set(signs.map(({ path }) => path))].toSorted()).toEqual([...image.altered].toSorted());
    expect(about.found).toMatchObject({ altered_files: 2 });
  });
});

/** One session of each program, which nobody altered, recorded while it ran: by what the programs' hooks tell, and by their transcripts as they grew. */
describe('the same sessions in a ledger', async () => {
  const programs = Object.keys(image.sessions) as TranscriptProgramId[];
  const home = new RecordedHome();
  const { home: folders } = home.around;
  for (const feed of programs) {
    const given = { feed, service: service.url, token: client.token ?? '', serviceKid: null, inProject: false };
    await (await planInstall(home.around, { ...given, policy: { before: 'all', content: 'full' } })).carryOut();
  }
  const problems: unknown[] = [];
  const onError = (error: unknown) => void problems.push(error);
  const recorder = await startRecorder(folders, { onError, environment: {}, userHome: image.home });
  atEnd(() => recorder.close());
  const sessions: string[] = [];
  let number = 0;
  for (const program of programs) {
    const [first] = await actionsOf(commandOf(number).split(/[ ;/]+/)[number % 10 === 0 ? 4 : 1] ?? '');
    number += image.sessions[program] ?? 0;
    const session = first?.session ?? '';
    sessions.push(session);
    if (program === 'claudecode')
      for (const body of hooksOfClaude(session)) await post(folders, '/v1/hook/claudecode', body);
    await post(folders, `/v1/hook/${program}`, JSON.stringify(beginning(program, session)));
    await post(folders, `/v1/hook/${program}`, JSON.stringify({ hook_event_name: 'SessionEnd', session_id: session }));
  }
  // Of a program that does not say when a session ends its transcript is read a while later.
  for (const session of sessions) {
    await until(`the calls of ${session}`, async () => {
      const calls = (await actionsOf(`session:${session}`)).filter(({ tool }) => tool !== null);
      return (await recordedOf(session)).filter(({ tool }) => tool !== null).length >= calls.length;
    });
  }
  await until('the records', () => recorder.status().agents.every(({ waiting }) => waiting === 0));

  it.each(sessions)(
    'answers for %s what was done, what failed, what was touched and what it comes to in both',
    async (session) => {
      expect(problems).toEqual([]);
      for (const query of [
        `session:${session}`,
        `session:${session} outcome:failed`,
        `session:${session} outcome:refused`,
      ]) {
        const found = await actionsOf(query);
        const recorded = await recordedOf(query.slice('session:'.length));
        expect(linesOf(found)).toEqual(linesOf(recorded));
        expect(found.every(({ marks }) => marks.includes('NOT_SIGNED'))).toBe(true);
        expect(recorded.some(({ marks }) => marks.includes('NOT_SIGNED'))).toBe(false);
      }
      const body = { query: `session:${session}` };
      const sessionsOf = (rows: AnswerOf<'sessions'>['data']): unknown[] =>
        rows.map(({ session: id, parent, calls, failed, refused, tools }) => ({
          id,
          parent,
          calls,
          failed,
          refused,
          tools,
        }));
      const [inCase, inLedger] = [
        await client.ok('caseSessions', { params, body }),
        await client.ok('sessions', { body }),
      ];
      expect(sessionsOf(inCase.data)).toEqual(sessionsOf(inLedger.data));
      const touchedIn = (rows: AnswerOf<'entities'>['data']): string[] =>
        rows.map(({ kind, id }) => `${kind} ${id}`).sort();
      const found = await allOf((page) => client.ok('caseEntities', { params, body: { ...body, ...page } }));
      const recorded = await allOf((page) => client.ok('entities', { body: { ...body, ...page } }));
      expect(touchedIn(found).length).toBeGreaterThan(1);
      expect(touchedIn(found)).toEqual(touchedIn(recorded));
    },
  );

  it('answers what left in both, and which actions touched a file', async () => {
    const body = { contains: 'drop-0.example' };
    const leftIn = (rows: AnswerOf<'whatLeft'>['data']): unknown[] =>
      rows.map(({ destination, kind, ways, sent, asked, failed, refused }) => ({
        destination,
        kind,
        ways,
        sent,
        asked,
        failed,
        refused,
      }));
    const left = leftIn((await client.ok('caseWhatLeft', { params, body })).data);
    expect(left).toMatchObject([{ destination: 'drop-0.example', sent: 1 }]);
    const inLedger = await client.ok('whatLeft', { body });
    expect(leftIn(inLedger.data), JSON.stringify(inLedger)).toEqual(left);
    const [session] = sessions;
    const touches = { kind: 'host', id: 'drop-0.example', unit: 'actions' } as const;
    const touched = (await client.ok('caseEntityTouches', { params, body: touches })).data;
    expect(touched.map(({ access, details }) => [access, details.session])).toEqual([['send', session]]);
    const signed = (await client.ok('entityTouches', { body: touches })).data;
    expect(signed.map(({ access, details }) => [access, details.session])).toEqual([['send', session]]);
  });
});

/** The actions of a session in the ledger. */
function recordedOf(session: string): Promise<Row[]> {
  return allOf((page) => client.ok('actions', { body: { query: `session:${session}`, ...page } }));
}

/** The calls among actions, each in a line, in any order. */
function linesOf(actions: readonly Row[]): string[] {
  const lines = actions.flatMap(({ operation_type, subject, tool, outcome, exit_code, entities }) => {
    // Hooks tell what a call would do before it is refused, and transcripts only that it was.
    const touched = entities
      .map(({ kind, id, access }) => `${outcome === 'refused' ? '' : access} ${kind} ${id}`)
      .sort();
    return tool === null ? [] : [[operation_type, subject, tool, outcome, exit_code, ...touched].join(' | ')];
  });
  return lines.sort();
}

function beginning(feed: TranscriptProgramId, session: string): object {
  return feed === 'opencode'
    ? { event: 'note', session, kind: 'x', text: 'y' }
    : { hook_event_name: 'SessionStart', session_id: session };
}

/** What the hooks of Claude Code are told of the calls of a session, as far as they are told how one ended. */
function hooksOfClaude(session: string): string[] {
  const [path = ''] = globSync(`${image.home}/.claude/projects/*/${session}.jsonl`);
  const calls = new Map<unknown, object>();
  const bodies = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const { cwd, message, toolUseResult } = JSON.parse(line);
      const parts = Array.isArray(message?.content) ? message.content : [];
      return parts.flatMap((part: Record<string, unknown>) => {
        const { type, id, name, input, tool_use_id, content, is_error } = part;
        if (type === 'tool_use') {
          const begun = { cwd, tool_name: name, tool_use_id: id, tool_input: input };
          calls.set(id, begun);
          return [{ ...begun, hook_event_name: 'PreToolUse' }];
        }
        const call = calls.get(tool_use_id);
        if (type !== 'tool_result' || call === undefined) return [];
        // A call that its rules deny has no such hook.
        if (String(content).startsWith('Permission')) return [];
        return is_error === true
          ? [{ ...call, hook_event_name: 'PostToolUseFailure', error: content }]
          : [{ ...call, hook_event_name: 'PostToolUse', tool_response: toolUseResult }];
      });
    });
  return bodies.map((body) => JSON.stringify({ session_id: session, ...body }));
}
