import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Json, parseJson } from '../../../src/protocol/index.ts';
import { CommandProcess } from '../processes.ts';
import { until } from '../until.ts';
import { list, record } from './conversation.ts';
import { type ProgramUnderTest, type Started, start } from './started.ts';

const SESSIONS = 10;
const FIRST = 'echo first-';

/** Holds ten sessions of a program against their transcripts, then plants what the check has to find. */
export async function checkTenSessions(program: ProgramUnderTest): Promise<void> {
  const { spelling, id } = program;
  const started = await start(program, ({ turn, firstUserText }, { agent }) => {
    const session = /session-\d+/.exec(firstUserText)?.[0] ?? 'none';
    const refused = spelling.forbids === undefined ? [] : [spelling.forbids('a.txt')];
    const turns = [
      [spelling.shell(`${FIRST}${session}`), spelling.read(`${agent.project}/a.txt`)],
      [spelling.shell(`echo "größe 数 second-${session}"; exit 3`), ...refused],
    ];
    const calls = turns[turn];
    return calls === undefined ? { text: 'All done.' } : { calls };
  });
  const { agent } = started;
  await agent.startRecorder();
  for (let number = 0; number < SESSIONS; number++) await ran(program, started, number);
  const sessions = await until('the sessions', async () => {
    const of = program.saysEnd ? 'session.end' : 'session.start';
    const found = (await started.ledger()).filter(({ operation_type }) => operation_type === of);
    return found.length >= SESSIONS && found.map(({ shown }) => String(record(shown['session'])['id']));
  });
  await agent.sent();

  const clean = { missing: [], unknown: [], differing: [], unreadable: 0, hidden: 0, waiting: 0 };
  for (const session of sessions) {
    expect(await check(started, session)).toMatchObject({ code: 0, said: { ...clean, session } });
  }

  // Of opencode the transcript is a database of all sessions.
  if (id === 'opencode') return;
  const [session = '', other = ''] = sessions;
  const { said } = await check(started, session);
  const lines = readFileSync(String(list(said['transcripts'])[0]), 'utf8').split('\n');
  const altered = lines.map((line) => line.replaceAll(FIRST, 'echo other-'));
  const shortened = lines.filter((line) => !line.includes(FIRST));
  for (const [name, kept] of Object.entries({ altered, shortened })) {
    expect(kept, name).not.toEqual(lines);
    const found = await check(started, session, '--transcript', agent.put(`${name}.jsonl`, kept.join('\n')));
    expect(found.code, name).not.toBe(0);
    expect(differences(found.said), `${name}: ${JSON.stringify(found.said)}`).toBeGreaterThan(0);
  }

  // Hooks that say nothing: the ledger has no record of what is done.
  writeFileSync(join(agent.recorder.hooks, id), '#!/bin/sh\n', { mode: 0o700 });
  await ran(program, started, SESSIONS);
  const unseen = readdirSync(agent.folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(agent.folder, name))
    .find((path) => readFileSync(path, 'utf8').includes(`${FIRST}session-${SESSIONS}`));
  const found = await check(started, other, '--transcript', unseen ?? 'none');
  expect(found.code).not.toBe(0);
  expect(list(found.said['missing']).length).toBeGreaterThan(1);
}

async function ran(program: ProgramUnderTest, { agent }: Started, number: number): Promise<void> {
  const { code, stdout, stderr } = await agent.run(...program.run(`Do session-${number}.`));
  expect(code, `${stdout}\n${stderr}`).toBe(0);
}

async function check({ agent, owner }: Started, session: string, ...more: readonly string[]) {
  const token = owner.client.token ?? '';
  const args = ['record', 'check', session, '--program', agent.id, '--token', token, '--json', ...more];
  const { code, stdout, stderr } = await new CommandProcess(args, { ...agent.environment }, agent.project).ended;
  expect(stdout, stderr).not.toBe('');
  return { code, said: record(parseJson(stdout)) };
}

function differences(said: { readonly [member: string]: Json | undefined }): number {
  return ['missing', 'unknown', 'differing'].reduce((sum, name) => sum + list(said[name]).length, 0);
}
