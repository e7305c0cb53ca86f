import type { AdminChain } from '../../../api/index.ts';
import { type Handlers, readerOf } from '../../http/handler.ts';

interface AdminEventDeps {
  /** Answers off the thread of the service: a log is long. */
  readonly content: {
    readonly rows: (by: ReturnType<typeof readerOf>, query: 'adminChain') => Promise<AdminChain>;
  };
}

export function adminRoutes({ content }: AdminEventDeps) {
  return {
    adminChain: async (call) => ({ body: await content.rows(readerOf(call), 'adminChain') }),
  } satisfies Partial<Handlers>;
}
