/**
 * The thread that reads cases: what is asked of a case of a million records may take a second, and the service keeps serving
 * meanwhile.
 */
import { serveRequests } from '../../../runtime/index.ts';
import { type Refusal, refusalOf } from '../../base/errors.ts';
import { QUERIES, type QueryName } from './case-queries.ts';
import { OpenCase } from './open-case.ts';

export type ReadRequest =
  | {
      readonly kind: 'ask';
      readonly folder: string;
      readonly query: QueryName;
      readonly args: readonly unknown[];
    }
  /** Lets go of a case, which is going to be changed or removed. */
  | { readonly kind: 'release'; readonly folder: string };

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

function answer(request: ReadRequest): unknown {
  if (request.kind === 'release') return release(request.folder);
  const { folder, query, args } = request;
  const run = QUERIES[query] as (open: OpenCase, ...rest: readonly unknown[]) => unknown;
  return run(opened(folder), ...args);
}

serveRequests<ReadRequest, unknown, never, Refusal>(answer, {
  refusalOf,
  onEnd: () => {
    for (const folder of [...open.keys()]) release(folder);
  },
});
