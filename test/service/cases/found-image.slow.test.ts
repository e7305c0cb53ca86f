// docs/evidence-from-before.md: what six programs leave on a disk, two of their sessions altered afterwards, by one command.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCase } from '../../support/case-items.ts';
import { settled } from '../../support/cases.ts';
import { run } from '../../support/command-line.ts';
import { share } from '../../support/extent.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { commandOf, makeImage } from '../../support/found-image.ts';
import { TestService } from '../../support/service.ts';

const service = await TestService.start();
const { client } = await service.signUp();
const folder = temporaryFolder();
const image = makeImage(folder, share(200));
const total = Object.values(image.sessions).reduce((sum, count) => sum + count, 0);
const file = join(folder, 'image.cscase');
const made = await run('import-transcripts', image.home, '-o', file);
const opened = await openCase(client, readFileSync(file));
rmSync(file);
const about = await settled(client, opened.body.case_id);
const params = { case_id: about.case_id };

/** Every action that a query finds. */
async function actionsOf(query: string) {
  const found = [];
  for (let cursor: string | undefined; ; ) {
    const body = { query, limit: 200, ...(cursor && { cursor }) };
    const { data, nextCursor } = await client.ok('caseActions', { params, body });
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
