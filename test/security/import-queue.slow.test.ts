import { describe, expect, it } from 'vitest';
import { RequestStopped } from '../../src/node/index.ts';
import { JobQueue } from '../../src/service/store/base/job-queue.ts';
import { makeBundle } from '../support/bundle-maker.ts';
import { beginCase, importCase } from '../support/cases.ts';
import { errorOf } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { until } from '../support/until.ts';

describe('a queue of jobs', () => {
  it('gives each owner a turn, however many jobs another one has', async () => {
    const done: string[] = [];
    const queue = new JobQueue<'guests'>();
    const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((job) =>
      queue.run('guests', job.slice(0, 1), async () => void done.push(job)),
    );
    await Promise.all(all);
    expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('lets nothing in one lane wait for another lane, and continues after a job that failed', async () => {
    const queue = new JobQueue<'home' | 'guests'>();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const ofGuest = queue.run('guests', 'a', () => held);
    const failing = queue.run('home', 'h', async () => {
      throw new Error('failed');
    });
    const next = queue.run('home', 'h', async () => 'done');
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('done');
    release();
    await ofGuest;
  });

  it('leaves out what nobody waits for any more before its turn', async () => {
    const queue = new JobQueue<'guests'>();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const gone = new AbortController();
    const done: string[] = [];
    const first = queue.run('guests', 'a', () => held);
    const given = queue.run('guests', 'a', async () => void done.push('given up'), gone.signal);
    const last = queue.run('guests', 'a', async () => void done.push('last'));
    gone.abort();
    await expect(given).rejects.toBeInstanceOf(RequestStopped);
    release();
    await Promise.all([first, last]);
    expect(done).toEqual(['last']);
  });
});

describe('the imports of a guest', async () => {
  const service = await TestService.start();
  const home = await service.signUp('home');
  const guest = await service.signUp('guest');
  const bytes = Buffer.from(makeBundle({ agents: 1, epochs: [200] }).text);

  it('do not keep those of the home organization waiting', async () => {
    const theirs = [];
    for (let number = 0; number < 6; number++) theirs.push(await beginCase(guest.client, { name: 'guest', bytes }));
    const { case_id } = await beginCase(home.client, { name: 'home', bytes });
    await until('the import of the home organization', async () => {
      const { state } = await home.client.ok('getCase', { params: { case_id } });
      return state === 'ready';
    });
    const last = await guest.client.ok('getCase', { params: { case_id: theirs.at(-1)?.case_id ?? '' } });
    expect(last.state).toBe('importing');
  });
});

describe('the reports of a guest', async () => {
  const service = await TestService.start();
  const home = await service.signUp('home');
  const guest = await service.signUp('guest');
  const bytes = Buffer.from(makeBundle({ agents: 1, epochs: [300] }).text);
  const ofGuest = { params: { case_id: (await importCase(guest.client, { name: 'guest', bytes })).case_id } };
  const ofHome = { params: { case_id: (await importCase(home.client, { name: 'home', bytes })).case_id } };

  it('do not keep those of the home organization waiting, and are no more than 16 at a time', async () => {
    const codes: string[] = [];
    const theirs = Array.from({ length: 20 }, async () => {
      const answer = await guest.client.call('caseReportPdf', ofGuest);
      codes.push(answer.status === 200 ? 'made' : errorOf(answer).code);
    });
    // Behind all of theirs; only those are made before it that were made before it came, or had their turn just then.
    expect((await home.client.call('caseReportPdf', ofHome)).status).toBe(200);
    expect(codes.filter((code) => code === 'made').length).toBeLessThan(8);
    await Promise.all(theirs);
    expect(codes.toSorted()).toEqual([...Array<string>(4).fill('OVERLOADED'), ...Array<string>(16).fill('made')]);
  });
});
