import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import {
  JobThreads,
  killIfLeft,
  RequestStopped,
  RequestThread,
  runJobThread,
  ThreadEnded,
} from '../../src/node/index.ts';
import { CommandProcess } from '../support/processes.ts';
import type { SampleRequest } from '../support/sample-thread.ts';

const url = new URL('../support/sample-thread.ts', import.meta.url);

/** The error that a refusal becomes here. */
class NotToday extends Error {}
const refused = (sentence: string): NotToday => new NotToday(sentence);

type Sample = RequestThread<SampleRequest, unknown, string, string>;
const opened: Sample[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((thread) => thread.terminate()));
});

function sample(
  options: Partial<ConstructorParameters<typeof RequestThread<SampleRequest, unknown, string, string>>[0]> = {},
): Sample {
  const thread: Sample = new RequestThread<SampleRequest, unknown, string, string>({ url, refused, ...options });
  opened.push(thread);
  return thread;
}

const echo = (value: unknown): SampleRequest => ({ kind: 'echo', value });
const newGate = (): Int32Array<SharedArrayBuffer> => new Int32Array(new SharedArrayBuffer(4));
function openGate(gate: Int32Array): void {
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
}

/** The next worker that is started. */
async function nextWorker(): Promise<Worker> {
  const [worker] = (await once(process, 'worker')) as [Worker];
  return worker;
}

it('keeps its process until it has ended, also where it owes an answer', async () => {
  const script = fileURLToPath(new URL('../support/ending-a-thread.ts', import.meta.url));
  const { code, stdout, stderr } = await new CommandProcess([], {}, undefined, script).ended;
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'ended\n', stderr: '' });
});

describe('a thread that only reads', () => {
  it('is left in a call that does not end, and its process ends all the same', async () => {
    const script = fileURLToPath(new URL('../support/leaving-a-thread.ts', import.meta.url));
    const { signal, stdout, stderr } = await new CommandProcess([], {}, undefined, script).ended;
    expect({ signal, stdout, stderr }).toEqual({ signal: 'SIGKILL', stdout: 'all else is closed\n', stderr: '' });
  });

  it('ends by itself where it can', async () => {
    const thread = sample();
    await thread.ask(echo(1));
    await thread.endWithin(60_000);
    expect(thread.isRunning).toBe(false);
    killIfLeft();
  });
});

describe('a request thread', () => {
  it('starts at the first request, and answers all in their order', async () => {
    const thread = sample();
    expect(thread.isRunning).toBe(false);
    const order: number[] = [];
    const asked = [1, 2, 3].map((n) => thread.ask(echo(n)).then(() => order.push(n)));
    expect(thread.waiting).toBe(3);
    await Promise.all(asked);
    expect(order).toEqual([1, 2, 3]);
    expect(thread.waiting).toBe(0);
    expect(thread.isRunning).toBe(true);
  });

  it('begins what is put aside in its turn, and answers others meanwhile', async () => {
    const thread = sample();
    const gate = newGate();
    void thread.ask({ kind: 'note', text: 'before' });
    const aside = thread.ask({ kind: 'aside', gate });
    expect(await thread.ask({ kind: 'notes' })).toEqual(['before', 'begun']);
    const ended = thread.end();
    openGate(gate);
    expect(await aside).toBe('open');
    await ended;
  });

  it('takes what is transferred without a copy', async () => {
    const buffer = Uint8Array.from([1, 2, 3]).buffer;
    const answer = sample().ask(echo(buffer), { transfer: [buffer] });
    expect(buffer.byteLength).toBe(0);
    expect(new Uint8Array((await answer) as ArrayBuffer)).toEqual(Uint8Array.from([1, 2, 3]));
  });

  it('fails a request that cannot be sent, and that one only', async () => {
    const thread = sample();
    await expect(thread.ask(echo(() => 1))).rejects.toThrow(/could not be cloned/);
    expect(thread.waiting).toBe(0);
    expect(await thread.ask(echo('next'))).toBe('next');
  });

  it('fails a request whose answer cannot be sent, and that one only', async () => {
    const thread = sample();
    await expect(thread.ask({ kind: 'unsendable' })).rejects.toThrow(/could not be cloned/);
    expect(await thread.ask(echo('next'))).toBe('next');
  });

  it('tells of what was thrown and is no error', async () => {
    await expect(sample().ask({ kind: 'fail', how: 'odd' })).rejects.toThrow('no error at all');
  });

  it('tells a refusal as the error it stands for', async () => {
    const asked = sample().ask({ kind: 'fail', how: 'refused' });
    await expect(asked).rejects.toThrow(NotToday);
    await expect(asked).rejects.toThrow('not today');
  });

  it('tells any other failure with its message, stack, code and cause, and continues', async () => {
    const thread = sample();
    const failure: unknown = await thread.ask({ kind: 'fail', how: 'code' }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: 'no room', code: 'ENOSPC', cause: { message: 'a full disk' } });
    expect((failure as Error).stack).toContain('sample-thread');
    expect(await thread.ask(echo('next'))).toBe('next');
  });

  it('keeps answers and notices apart: a notice starts no thread, and is taken in its turn', async () => {
    const thread = sample({ firstNotices: () => [{ kind: 'note', text: 'first' }] });
    thread.tell({ kind: 'note', text: 'to nobody' });
    expect(thread.isRunning).toBe(false);
    const before = thread.ask({ kind: 'notes' });
    thread.tell({ kind: 'note', text: 'second' });
    expect(await before).toEqual(['first']);
    expect(await thread.ask({ kind: 'notes' })).toEqual(['first', 'second']);
  });
});

describe('a request with a signal', () => {
  it('is given up between two steps, and the next one is answered', async () => {
    const thread = sample();
    const controller = new AbortController();
    const told: string[] = [];
    const asked = thread.ask(
      { kind: 'until-stopped' },
      {
        signal: controller.signal,
        onProgress: (progress) => {
          told.push(progress);
          controller.abort();
        },
      },
    );
    await expect(asked).rejects.toThrow(RequestStopped);
    expect(told[0]).toBe('at it');
    expect(await thread.ask(echo('next'))).toBe('next');
  });

  it('is not begun where it was given up while it waited', async () => {
    const thread = sample();
    const gate = newGate();
    const controller = new AbortController();
    const first = thread.ask({ kind: 'until', gate });
    const second = thread.ask({ kind: 'note', text: 'second' }, { signal: controller.signal });
    controller.abort();
    openGate(gate);
    expect(await first).toBe('open');
    await expect(second).rejects.toThrow(RequestStopped);
    expect(await thread.ask({ kind: 'notes' })).toEqual([]);
  });

  it('is not even sent where it was given up before', async () => {
    const thread = sample();
    await expect(thread.ask(echo(1), { signal: AbortSignal.abort() })).rejects.toThrow(RequestStopped);
    expect(thread.isRunning).toBe(false);
  });
});

describe('the end of a thread', () => {
  it.each([
    ['exit', /ended before it had answered/],
    ['uncaught', /failed/],
    ['memory', /failed/],
  ] as const)('by %s fails all that wait, and the next request has another thread', async (how, message) => {
    const limits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 };
    const thread = sample({ resourceLimits: limits, firstNotices: () => [{ kind: 'note', text: 'first' }] });
    const failing = thread.ask({ kind: 'fail', how });
    const waiting = thread.ask(echo('behind it'));
    await Promise.all(
      [failing, waiting].map(async (asked) => {
        await expect(asked).rejects.toThrow(ThreadEnded);
        await expect(asked).rejects.toThrow(message);
      }),
    );
    expect(thread.waiting).toBe(0);
    expect(await thread.ask({ kind: 'notes' })).toEqual(['first']);
  });

  it('has what it failed with as the cause', async () => {
    const failure: unknown = await sample()
      .ask({ kind: 'fail', how: 'uncaught' })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ cause: { message: 'nobody caught this' } });
  });

  it('by request comes after its answers, and after it closed what it holds', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-thread-'));
    const endsIn = join(folder, 'ends');
    const thread = sample({ workerData: { endsIn } });
    const asked = thread.ask(echo('last'));
    await Promise.all([thread.end(), expect(asked).resolves.toBe('last')]);
    expect(readFileSync(endsIn, 'utf8')).toBe('closed\n');
    await thread.end();
    expect(await thread.ask(echo('of another'))).toBe('of another');
    await thread.end();
    expect(readFileSync(endsIn, 'utf8')).toBe('closed\nclosed\n');
    rmSync(folder, { recursive: true });
  });

  it('at once fails what it owes', async () => {
    const thread = sample();
    const asked = thread.ask({ kind: 'until-stopped' });
    await Promise.all([expect(asked).rejects.toThrow(ThreadEnded), thread.terminate()]);
    expect(thread.isRunning).toBe(false);
  });

  it('comes by itself where it has nothing to do for long enough', async () => {
    const worker = nextWorker();
    const thread = sample({ idleMs: 1 });
    await thread.ask(echo(1));
    await once(await worker, 'exit');
    expect(thread.isRunning).toBe(false);
    expect(await thread.ask(echo(2))).toBe(2);
  });
});

describe('a job on a separate thread', () => {
  it('is settled once the thread is gone', async () => {
    const worker = nextWorker();
    expect(await runJobThread<SampleRequest, unknown>(echo('done'), { url })).toBe('done');
    expect((await worker).threadId).toBe(-1);
  });

  it('ends in what the thread refused it with', async () => {
    const task: SampleRequest = { kind: 'fail', how: 'refused' };
    await expect(runJobThread<SampleRequest, unknown, string, string>(task, { url, refused })).rejects.toThrow(
      NotToday,
    );
  });
});

describe('threads for jobs', () => {
  const FOR_GOOD = { idleMs: 600_000, keptBytes: Number.POSITIVE_INFINITY };
  const pools: { close(): Promise<void> }[] = [];
  const started: Worker[] = [];
  const note = (worker: Worker): void => void started.push(worker);
  const pool = (options = FOR_GOOD) => {
    started.length = 0;
    process.off('worker', note).on('worker', note);
    const threads = new JobThreads<SampleRequest, unknown, string, string>({ url, refused, ...options });
    pools.push(threads);
    return threads;
  };
  const idsOf = () => started.map(({ threadId }) => threadId);
  afterEach(async () => {
    process.off('worker', note);
    await Promise.all(pools.splice(0).map((threads) => threads.close()));
  });

  it('keep one that has answered for the next job, and no second one', async () => {
    const threads = pool();
    expect(await threads.run(echo(1))).toBe(1);
    expect(await threads.run(echo(2))).toBe(2);
    expect(started).toHaveLength(1);
    expect(await Promise.all([threads.run(echo(3)), threads.run(echo(4))])).toEqual([3, 4]);
    expect(idsOf().filter((id) => id > 0)).toHaveLength(1);
  });

  it.each([
    ['refused', { kind: 'fail', how: 'refused' }],
    ['failed', { kind: 'fail', how: 'code' }],
  ] as const)('end with a job that %s, and the next one has another', async (_, task) => {
    const threads = pool();
    await threads.run(echo(1));
    await expect(threads.run(task)).rejects.toThrow();
    expect(idsOf()).toEqual([-1]);
    expect(await threads.run(echo(2))).toBe(2);
    expect(started).toHaveLength(2);
  });

  it('end with a job that was given up', async () => {
    const threads = pool();
    const stop = new AbortController();
    const asked = threads.run({ kind: 'until-stopped' }, { signal: stop.signal, onProgress: () => stop.abort() });
    await expect(asked).rejects.toBeInstanceOf(RequestStopped);
    expect(idsOf()).toEqual([-1]);
  });

  it('are not kept with more memory than they may have, nor once no more jobs come', async () => {
    const threads = pool({ ...FOR_GOOD, keptBytes: 1 });
    await threads.run(echo(1));
    expect(idsOf()).toEqual([-1]);
    const closed = pool();
    const last = closed.run(echo(2));
    await closed.close();
    await last;
    expect(idsOf()).toEqual([-1]);
  });

  it('are gone after some time without a job', async () => {
    const threads = pool({ ...FOR_GOOD, idleMs: 1 });
    await threads.run(echo(1));
    const [worker] = started;
    if (worker !== undefined && worker.threadId !== -1) await once(worker, 'exit');
    expect(idsOf()).toEqual([-1]);
  });
});
