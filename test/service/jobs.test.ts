// docs/decisions/0090-twelve-rooms.md, jobs: what holds for every kind of job.
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { RequestStopped } from '../../src/node/index.ts';
import type { JobEnd, JobKind, JobMeans } from '../../src/service/jobs/job-kind.ts';
import { Jobs } from '../../src/service/jobs/jobs.ts';
import { ServiceError } from '../../src/service/store/base/service-error.ts';
import { openStore } from '../../src/service/store/open.ts';
import { type AroundCommit, Writer } from '../../src/service/store/writer.ts';
import { atEnd } from '../support/cleanup.ts';
import { temporaryFolder } from '../support/folders.ts';
import { until } from '../support/until.ts';

interface Work {
  readonly owner: string;
  readonly key?: string;
  readonly about?: string;
  readonly run?: (means: JobMeans<number>) => Promise<string>;
}

/** Jobs over a database, with what happened to them. */
function open(around?: AroundCommit) {
  const store = openStore(join(temporaryFolder(), 'ledger.sqlite'));
  store.sqlite.exec('CREATE TABLE ends (owner TEXT, status TEXT, failure TEXT, result TEXT)');
  const writer = new Writer(store, around);
  const errors: unknown[] = [];
  const jobs = new Jobs({ writer, isHome: (owner) => owner === 'home', onError: (error) => errors.push(error) });
  atEnd(async () => {
    await jobs.close();
    store.close();
  });
  const done: string[] = [];
  const common: JobKind<Work, string, number> = {
    lane: 'lane',
    guestsApart: true,
    ownerOf: ({ owner }) => owner,
    run: async ({ owner, run }, means) => {
      done.push(owner);
      return (await run?.(means)) ?? 'done';
    },
  };
  const keyed = { ...common, keyOf: ({ key = '' }: Work) => key };
  const keep: NonNullable<typeof common.keep> = (tx, { work }, { status, failure, result }) =>
    void tx.statement('INSERT INTO ends VALUES (?, ?, ?, ?)').run(work.owner, status, failure, result);
  const ends = () => store.sqlite.prepare('SELECT status, failure, result FROM ends').all();
  return { jobs, writer, errors, done, common, keyed, keep, ends };
}

/** Work that waits until it is released, or stopped. */
function held() {
  const { promise, resolve: release } = Promise.withResolvers<string>();
  const begun = Promise.withResolvers<void>();
  const run = async ({ signal }: JobMeans<number>): Promise<string> => {
    begun.resolve();
    const stopped = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(new RequestStopped()));
    });
    return Promise.race([promise, stopped]);
  };
  return { run, release: () => release('released'), begun: begun.promise };
}

describe('a key', () => {
  it('goes to one of those who ask at once, and is free again once that job has ended', async () => {
    const { jobs, keyed } = open();
    const kind = jobs.of(keyed);
    const { run, release } = held();
    // Its row is on its way: nothing runs yet.
    const first = kind.start({ owner: 'a', key: 'k', run }, () => Promise.resolve());
    expect(() => kind.start({ owner: 'b', key: 'k' })).toThrow(ServiceError);
    await first;
    expect(() => kind.start({ owner: 'a', key: 'k' })).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
    release();
    await until('the first job has ended', () => kind.find('k') === undefined);
    const next = held();
    await kind.start({ owner: 'b', key: 'k', run: next.run });
    await next.begun;
    expect(kind.find('k')?.work.owner).toBe('b');
  });

  it('is free where what had to be kept before the job failed', async () => {
    const { jobs, keyed, done } = open();
    const kind = jobs.of(keyed);
    const refused = kind.start({ owner: 'a', key: 'k' }, async () => {
      throw new Error('no row');
    });
    await expect(refused).rejects.toThrow('no row');
    await until('the key is free', () => kind.find('k') === undefined);
    expect(done).toEqual([]);
  });
});

describe('an end in the database', () => {
  it('is kept in the turn of the writer after which there is no open job', async () => {
    const { jobs, writer, keyed, keep, ends } = open();
    const next = Promise.withResolvers<boolean>();
    const kind = jobs.of({
      ...keyed,
      keep: (tx, job, end) => {
        keep(tx, job, end);
        void writer.run(() => next.resolve(kind.find('k') !== undefined));
      },
    });
    await kind.start({ owner: 'a', key: 'k' });
    expect(await next.promise).toBe(false);
    expect(ends()).toEqual([{ status: 'completed', failure: null, result: 'done' }]);
  });

  it('has the work done again where what it read was changed before that turn', async () => {
    const { jobs, writer, keyed, keep, ends, done } = open();
    const kind = jobs.of({ ...keyed, keep });
    const { promise: busy, resolve: release } = Promise.withResolvers<void>();
    // The writer is busy, and has the change before the end.
    const run = async (): Promise<string> => {
      if (done.length === 1) {
        void writer.run(() => busy);
        void writer.run(() => kind.outdate('k'));
        setImmediate(release);
      }
      return `time ${done.length}`;
    };
    await kind.start({ owner: 'a', key: 'k', run });
    await until('the end', () => kind.find('k') === undefined);
    expect(ends()).toEqual([{ status: 'completed', failure: null, result: 'time 2' }]);
  });

  it('says of a failure what was foreseen, and of all others no more than that the log has them', async () => {
    const { jobs, common, keep, ends, errors } = open();
    const foreseen = (error: unknown) => (error instanceof RangeError ? error.message : undefined);
    const kind = jobs.of({ ...common, keep, foreseen });
    const full = Object.assign(new Error('write failed'), { code: 'ENOSPC' });
    for (const error of [new RangeError('too large'), full, new Error('a secret path')]) {
      const run = () => Promise.reject(error);
      await kind.start({ owner: 'a', run });
    }
    await until('the ends', () => ends().length === 3);
    expect(ends().map((end) => (end as { failure: string }).failure)).toEqual([
      'too large',
      'the disk of the data folder is full',
      'unexpected error; the log of the service has it',
    ]);
    expect(errors).toHaveLength(2);
  });
});

describe('an end that a full disk does not take', () => {
  it('is kept once there is room, and its job is open until then', async () => {
    let isFull = true;
    let tries = 0;
    const { jobs, keyed, keep, ends, errors } = open((_, transaction) => {
      tries++;
      if (isFull) throw Object.assign(new Error('write failed'), { code: 'ENOSPC' });
      return transaction();
    });
    const kind = jobs.of({ ...keyed, keep });
    await kind.start({ owner: 'a', key: 'k' });
    // The end of what was completed, and that it failed.
    await until('the end was tried', () => tries === 2);
    expect(kind.find('k')).toBeDefined();
    isFull = false;
    await until('the end', () => kind.find('k') === undefined);
    expect(ends()).toMatchObject([{ status: 'failed', failure: 'the disk of the data folder is full' }]);
    expect(errors).toHaveLength(1);
  });
});

describe('the turns of owners', () => {
  it('are the home organization’s apart from guests’, and one each among guests, also for work of several turns', async () => {
    const { jobs, common, done } = open();
    const turns = new Map([['a', 3]]);
    const kind = jobs.of({
      ...common,
      needsTurn: () => {
        const last = done.at(-1) ?? '';
        turns.set(last, (turns.get(last) ?? 1) - 1);
        return (turns.get(last) ?? 0) > 0;
      },
    });
    const { run, release, begun } = held();
    await kind.start({ owner: 'guest', run });
    await begun;
    for (const owner of ['a', 'b', 'c']) await kind.start({ owner });
    expect(await kind.run({ owner: 'home' })).toBe('done');
    release();
    await until('all turns', () => done.length === 7);
    expect(done).toEqual(['guest', 'home', 'a', 'b', 'c', 'a', 'a']);
  });

  it('are bounded for each owner by that owner’s open jobs alone', async () => {
    const { jobs, common } = open();
    const bound = { most: 2, refusal: () => new ServiceError('OVERLOADED', 'too many', {}, 5) };
    const kind = jobs.of({ ...common, bound });
    const { run, release } = held();
    const theirs = [kind.run({ owner: 'a', run }), kind.run({ owner: 'a', run })];
    expect(() => kind.run({ owner: 'a' })).toThrow(expect.objectContaining({ code: 'OVERLOADED' }));
    const other = kind.run({ owner: 'b' });
    release();
    await Promise.all([...theirs, other]);
    expect(await kind.run({ owner: 'a' })).toBe('done');
  });
});

describe('a job that is cancelled', () => {
  it('has that for its end once its files are closed; one whose turn had not come never began', async () => {
    const { jobs, keyed, keep, ends, done } = open();
    const kind = jobs.of({ ...keyed, keep });
    let isClosed = false;
    const { run, begun } = held();
    const closing = (means: JobMeans<number>) =>
      run(means).finally(() => {
        isClosed = true;
      });
    await kind.start({ owner: 'a', key: 'runs', run: closing });
    await kind.start({ owner: 'a', key: 'waits' });
    await begun;
    await kind.cancel('waits');
    await kind.cancel('runs');
    expect(isClosed).toBe(true);
    expect(done).toEqual(['a']);
    expect(ends()).toEqual(Array(2).fill({ status: 'cancelled', failure: null, result: null }));
  });

  it('does not wait for the clock that holds it back', async () => {
    const { jobs, keyed, keep, ends, done, errors } = open();
    const kind = jobs.of({ ...keyed, keep });
    const run = () => Promise.reject(new ServiceError('CLOCK_IN_DOUBT', 'the clock is in doubt'));
    await kind.start({ owner: 'a', key: 'k', run });
    await until('the first try', () => done.length === 1);
    // Whatever becomes of it has its turn.
    for (let n = 0; n < 10; n++) await nextTurn();
    expect(kind.find('k')).toBeDefined();
    expect(ends()).toEqual([]);
    await kind.cancel('k');
    expect(ends()).toMatchObject([{ status: 'cancelled' }]);
    expect(errors).toEqual([]);
  });

  it('is every job about what is deleted, of whatever kind, and no other', async () => {
    const { jobs, common } = open();
    const aboutOf = { ...common, about: ({ about = '' }: Work) => [about] };
    const [one, other] = [jobs.of(aboutOf), jobs.of({ ...aboutOf, lane: 'other' })];
    const [first, second, third] = [held(), held(), held()];
    const stopped = [
      one.run({ owner: 'a', about: 'case', run: first.run }),
      other.run({ owner: 'a', about: 'case', run: second.run }),
    ].map((result) => result.catch((error: Error) => error.name));
    const kept = other.run({ owner: 'home', about: 'another', run: third.run });
    await Promise.all([first.begun, second.begun, third.begun]);
    await jobs.endAbout('case');
    expect(await Promise.all(stopped)).toEqual(['RequestStopped', 'RequestStopped']);
    third.release();
    expect(await kept).toBe('released');
  });
});

describe('a stop of the service', () => {
  it('waits until what runs has closed its files, gives it no end, and lets nothing begin', async () => {
    const { jobs, common, keep, ends, done, errors } = open();
    const told: JobEnd<string>[] = [];
    const kind = jobs.of({ ...common, keep });
    const elsewhere = jobs.of({ ...common, lane: 'other', ended: (_, end) => void told.push(end) });
    let isClosed = false;
    const { run, begun } = held();
    const closing = (means: JobMeans<number>) =>
      run(means).finally(() => {
        isClosed = true;
      });
    await kind.start({ owner: 'a', run: closing });
    await kind.start({ owner: 'waiting' });
    await elsewhere.start({ owner: 'b', run: held().run });
    await begun;
    await jobs.close();
    expect(isClosed).toBe(true);
    expect(done.toSorted()).toEqual(['a', 'b']);
    expect([...ends(), ...told, ...errors]).toEqual([]);
    expect(() => kind.run({ owner: 'a' })).toThrow(RequestStopped);
  });
});
