import { type Handlers, readerOf } from '../http/handler.ts';
import type { LedgerReads } from './queries/ledger-reads.ts';

/** Coherence of the live ledger: of a case it is a file that its verification wrote. */
export function coherenceRoutes({ content }: { readonly content: LedgerReads }) {
  return {
    coherence: async (call) => ({ body: await content.ask(readerOf(call), 'coherence') }),
  } satisfies Partial<Handlers>;
}
