import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { OpencodeStore } from '../../../src/node/index.ts';
import { type Json, parseJson } from '../../../src/protocol/index.ts';
import { CommandProcess } from '../processes.ts';
import { until } from '../until.ts';
import { list, record } from './conversation.ts';
import { type ProgramUnderTest, type Started, start } from './started.ts';

const SESSIONS = 10;
const FIRST = 'echo first-';
const OTHER = 'echo other-';

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

  const clean = { missing: [], unknown: [], differing: [], unreadable: 0, hidden: 0, waiting: 0 };
  for (const session of sessions) {
    expect(await check(started, session)).toMatchObject({ code: 0, said: { ...clean, session } });
  }

  const [session = '', other = ''] = sessions;
  const { said } = await check(started, session);
  const transcript = String(list(said['transcripts'])[0]);
  for (const [name, path] of Object.entries(planted(transcript, agent.folder))) {
    const found = await check(started, session, '--transcript', path);
    expect(found.code, name).not.toBe(0);
    expect(differences(found.said), `${name}: ${JSON.stringify(found.said)}`).toBeGreaterThan(0);
  }

  // Hooks that say nothing: the ledger has no record of what is done.
  if (id === 'opencode')
    agent.put('.config/opencode/plugins/countersign.js', 'export const Silent = async () => ({});\n');
  else writeFileSync(join(agent.recorder.hooks, id), '#!/bin/sh\n', { mode: 0o700 });
  await ran(program, started, SESSIONS);
  const found =
    id === 'opencode'
      ? await check(started, newestIn(transcript))
      : await check(started, other, '--transcript', unseenBelow(agent.folder));
  expect(found.code).not.toBe(0);
  expect(list(found.said['missing']).length).toBeGreaterThan(1);
}

/** Copies of a transcript in which the first command is another one, and in which it is missing, by what was done. */
function planted(transcript: string, folder: string): { readonly [name: string]: string } {
  if (transcript.endsWith('.db')) {
    const changes = {
      altered: `UPDATE part SET data = replace(data, '${FIRST}', '${OTHER}')`,
      shortened: `DELETE FROM part WHERE data LIKE '%${FIRST}%'`,
    };
    return Object.fromEntries(
      Object.entries(changes).map(([name, change]) => [name, changedStore(transcript, join(folder, name), change)]),
    );
  }
  const lines = readFileSync(transcript, 'utf8').split('\n');
  const kept = {
    altered: lines.map((line) => line.replaceAll(FIRST, OTHER)),
    shortened: lines.filter((line) => !line.includes(FIRST)),
  };
  return Object.fromEntries(
    Object.entries(kept).map(([name, changed]) => {
      expect(changed, name).not.toEqual(lines);
      const path = join(folder, `${name}.jsonl`);
      writeFileSync(path, changed.join('\n'));
      return [name, path];
    }),
  );
}

function changedStore(store: string, copy: string, change: string): string {
  const whole = new Database(store);
  whole.prepare('VACUUM INTO ?').run(copy);
  whole.close();
  const changed = new Database(copy);
  expect(changed.prepare(change).run().changes).toBeGreaterThan(0);
  changed.close();
  return copy;
}

/** The last session of opencode's store. */
function newestIn(store: string): string {
  const opened = new OpencodeStore(store);
  const newest = opened.sessions().at(-1);
  opened.close();
  return newest ?? 'none';
}

/** The transcript of the session that no hook told of. */
function unseenBelow(folder: string): string {
  const unseen = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name))
    .find((path) => readFileSync(path, 'utf8').includes(`${FIRST}session-${SESSIONS}`));
  return unseen ?? 'none';
}

async function ran(program: ProgramUnderTest, { agent }: Started, number: number): Promise<void> {
  const { code, stdout, stderr } = await agent.run(...program.run(`Do session-${number}.`));
  expect(code, `${stdout}\n${stderr}`).toBe(0);
}

async function check({ agent, owner }: Started, session: string, ...more: readonly string[]) {
  const token = owner.client.token ?? '';
  const args = ['record', 'check', session, '--program', agent.id, '--token', token, '--json', ...more];
  // What a recorder records while the check starts, of an earlier check or of another session, is not compared yet: the check says so.
  return until('a check of all records', async () => {
    await agent.sent();
    const { code, stdout, stderr } = await new CommandProcess(args, { ...agent.environment }, agent.project).ended;
    expect(stdout, stderr).not.toBe('');
    const said = record(parseJson(stdout));
    return Number(said['waiting'] ?? 0) === 0 && { code, said };
  });
}

function differences(said: { readonly [member: string]: Json | undefined }): number {
  return ['missing', 'unknown', 'differing'].reduce((sum, name) => sum + list(said[name]).length, 0);
}
