/**
 * The thread that reads cases: what is asked of a case of a million records may take a second, and the service keeps serving
 * meanwhile.
 */
import { type RequestMeans, serveRequests } from '../../../node/index.ts';
import { type Refusal, refusalOf } from '../../store/base/service-error.ts';
import { QUERIES, type QueryName } from './case-queries.ts';
import { OpenCase } from './open-case.ts';

export type ReadRequest =
  | {
      readonly kind: 'ask';
      readonly folder: string;
      readonly query: QueryName;
      readonly args: readonly unknown[];
      /** Whether it pauses, so that others are answered in between. */
      readonly isAside: boolean;
    }
  /** Lets go of a case, which is going to be changed or removed. */
  | { readonly kind: 'release'; readonly folder: string };

/** Cases that stay open: each holds two files. */
const MAX_OPEN = 8;

const open = new Map<string, OpenCase>();

function opened(folder: string): OpenCase {
  const known = open.get(folder);
  if (known !== undefined) return known;
  const [oldest] = [...open].find(([, { aside }]) => aside.isIdle) ?? [];
  if (oldest !== undefined && open.size >= MAX_OPEN) close(oldest);
  const found = new OpenCase(folder);
  open.set(folder, found);
  return found;
}

function close(folder: string): void {
  open.get(folder)?.close();
  open.delete(folder);
}

async function release(folder: string): Promise<void> {
  await open.get(folder)?.aside.idle();
  close(folder);
}

function answer(request: ReadRequest, { signal }: RequestMeans<never>): unknown {
  if (request.kind === 'release') return release(request.folder);
  const { folder, query, args, isAside } = request;
  const run = QUERIES[query] as (open: OpenCase, ...rest: readonly unknown[]) => unknown;
  const of = opened(folder);
  of.begin(signal);
  return isAside ? of.aside.run(() => run(of, ...args)) : run(of, ...args);
}

serveRequests<ReadRequest, unknown, never, Refusal>(answer, {
  refusalOf,
  isAside: (request) => request.kind === 'ask' && request.isAside,
  onEnd: () => {
    for (const folder of [...open.keys()]) close(folder);
  },
});
