// What reading threads say of their load, which deep health tells.
import { afterEach, describe, expect, it } from 'vitest';
import { readersPart } from '../../src/service/operator/health/deep-health.ts';
import { type Asking, ReadingThreads } from '../../src/service/store/base/reading-threads.ts';
import type { SampleRequest } from '../support/sample-thread.ts';

const url = new URL('../support/sample-thread.ts', import.meta.url);
const gates: Int32Array<SharedArrayBuffer>[] = [];
const answers: Promise<unknown>[] = [];
let threads = new ReadingThreads<SampleRequest>({ url });

/** A question that is answered at the end of the test. */
function ask(asking: Partial<Asking>, kind: 'until' | 'aside' = 'until'): void {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  gates.push(gate);
  const { signal } = new AbortController();
  answers.push(threads.ask({ owner: 'a', isHome: true, signal, ...asking }, { kind, gate }, kind === 'aside'));
}

afterEach(async () => {
  for (const gate of gates.splice(0)) {
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  }
  await Promise.all(answers.splice(0));
  await threads.close();
  threads = new ReadingThreads({ url });
});

/** The turn in which queues begin. */
const begun = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const NOTHING = { waiting: 0, oldestMs: 0, busyMs: null };
const NUMBER = expect.any(Number);

describe('the load of reading threads', () => {
  it('is told by side, and one that is being answered does not wait', async () => {
    ask({});
    ask({ isHome: false });
    ask({ isHome: false });
    await begun();
    expect(threads.load).toEqual({
      home: { waiting: 0, oldestMs: 0, busyMs: NUMBER },
      guests: { waiting: 1, oldestMs: NUMBER, busyMs: NUMBER },
    });
  });

  it('has neither what pauses for others nor what the service asks itself', async () => {
    ask({}, 'aside');
    ask({}, 'aside');
    ask({ signal: undefined });
    ask({ signal: undefined });
    await begun();
    expect(threads.load).toEqual({ home: NOTHING, guests: NOTHING });
  });
});

describe('the readers in deep health', () => {
  const late = { waiting: 3, oldestMs: 12_000, busyMs: 1500 };

  it('are well where guests wait for long, or a question takes long', () => {
    const busy = { ...NOTHING, busyMs: 19_000 };
    expect(readersPart({ ledger: { home: busy, guests: late }, cases: { home: NOTHING, guests: NOTHING } })).toEqual({
      status: 'ok',
      detail:
        'ledger: 0 waiting, one being answered for 19.0 s, of guests 3 waiting, the oldest for 12.0 s, one being answered for 1.5 s; cases: 0 waiting',
    });
  });

  it('are bad where the home organization waits for long', () => {
    expect(readersPart({ ledger: { home: late, guests: NOTHING } })).toEqual({
      status: 'bad',
      detail: 'ledger: 3 waiting, the oldest for 12.0 s, one being answered for 1.5 s',
    });
  });
});
