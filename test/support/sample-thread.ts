/** A thread that does what its requests say. */
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { serveRequests } from '../../src/node/index.ts';

export type SampleRequest =
  | { readonly kind: 'echo'; readonly value: unknown }
  /** Its result is a function, which no thread can be sent. */
  | { readonly kind: 'unsendable' }
  /** Its result is everything that was noted. */
  | { readonly kind: 'notes' }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'fail'; readonly how: 'refused' | 'code' | 'odd' | 'uncaught' | 'exit' | 'memory' }
  /** Tells of its progress until it is given up. */
  | { readonly kind: 'until-stopped' }
  /** Notes that it began, and holds up no request behind it until the number that is shared is no longer zero. */
  | { readonly kind: 'aside'; readonly gate: Int32Array<SharedArrayBuffer> }
  /** Tells 'begun', and ends once the number that is shared is no longer zero. */
  | { readonly kind: 'until'; readonly gate: Int32Array<SharedArrayBuffer> };

/** The file to which the thread writes a line when it is told to end. */
const { endsIn } = (workerData ?? {}) as { readonly endsIn?: string };
const notes: string[] = [];

class Refused extends Error {
  override readonly name = 'Refused';
}

async function fail(how: (SampleRequest & { kind: 'fail' })['how']): Promise<never> {
  if (how === 'refused') throw new Refused('not today');
  if (how === 'code')
    throw Object.assign(new Error('no room', { cause: new Error('a full disk') }), { code: 'ENOSPC' });
  if (how === 'odd') throw 'no error at all';
  if (how === 'exit') process.exit(3);
  if (how === 'memory') for (const all: string[] = []; ; ) all.push(JSON.stringify(all.slice(-1000)));
  setImmediate(() => {
    throw new RangeError('nobody caught this');
  });
  return once(process, 'never') as Promise<never>;
}

serveRequests<SampleRequest, unknown, string, string>(
  async (request, { signal, tell }) => {
    switch (request.kind) {
      case 'echo':
        return request.value;
      case 'unsendable':
        return () => request.kind;
      case 'notes':
        return notes;
      case 'note':
        return notes.push(request.text);
      case 'fail':
        return fail(request.how);
      case 'until':
        tell('begun');
        Atomics.wait(request.gate, 0, 0);
        return 'open';
      case 'aside':
        notes.push('begun');
        while (Atomics.load(request.gate, 0) === 0) await nextTurn();
        return 'open';
      case 'until-stopped':
        for (;;) {
          tell('at it');
          await nextTurn();
          signal.throwIfAborted();
        }
    }
  },
  {
    refusalOf: (error) => (error instanceof Refused ? error.message : undefined),
    isAside: ({ kind }) => kind === 'aside',
    onEnd: () => endsIn !== undefined && appendFileSync(endsIn, 'closed\n'),
  },
);
