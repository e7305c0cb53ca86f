/**
 * The thread that reads cases: what is asked of a case of a million records may take a second, and the service goes on
 * meanwhile. It closes its databases itself, when told to.
 */
import { parentPort } from 'node:worker_threads';
import type { ErrorCode } from '../../../contract/index.ts';
import { ServiceError } from '../../base/errors.ts';
import { QUERIES, type QueryName } from './case-queries.ts';
import { OpenCase } from './open-case.ts';

export type ReadRequest =
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly folder: string;
      readonly query: QueryName;
      readonly args: readonly unknown[];
    }
  /** Lets go of a case, which is going to be changed or removed. */
  | { readonly kind: 'release'; readonly id: number; readonly folder: string }
  | { readonly kind: 'close' };

export type ReadMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'refused'; readonly id: number; readonly code: ErrorCode; readonly message: string }
  | { readonly kind: 'failed'; readonly id: number; readonly error: unknown };

/** Cases that stay open: each holds two files. */
const MAX_OPEN = 8;

const open = new Map<string, OpenCase>();

function opened(folder: string): OpenCase {
  const known = open.get(folder);
  if (known !== undefined) return known;
  const [oldest] = open.keys();
  if (oldest !== undefined && open.size >= MAX_OPEN) release(oldest);
  const found = new OpenCase(folder);
  open.set(folder, found);
  return found;
}

function release(folder: string): void {
  open.get(folder)?.close();
  open.delete(folder);
}

function tell(message: ReadMessage): void {
  parentPort?.postMessage(message);
}

async function answer(request: ReadRequest & { readonly kind: 'ask' }): Promise<void> {
  const { id, folder, query, args } = request;
  try {
    // The table of queries types both ends (read-thread.ts); between them it is only data.
    const run = QUERIES[query] as (open: OpenCase, ...rest: readonly unknown[]) => unknown;
    tell({ kind: 'answer', id, answer: await run(opened(folder), ...args) });
  } catch (error) {
    if (error instanceof ServiceError) tell({ kind: 'refused', id, code: error.code, message: error.message });
    else tell({ kind: 'failed', id, error });
  }
}

parentPort?.on('message', (request: ReadRequest) => {
  if (request.kind === 'ask') return void answer(request);
  if (request.kind === 'release') {
    release(request.folder);
    return tell({ kind: 'answer', id: request.id, answer: null });
  }
  for (const folder of [...open.keys()]) release(folder);
  parentPort?.close();
});
