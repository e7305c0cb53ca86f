import type { VerifyProgress, VerifyRequest, VerifyResult } from './messages.ts';
import { useThread } from './use-thread.ts';

const begin = (): Worker => new Worker(new URL('./verify-worker.ts', import.meta.url), { type: 'module' });
const AT_FIRST: VerifyProgress = { bytes: 0, records: 0 };

/** Verifies a bundle, a proof of records or a report in a thread of this window. */
export function useVerification() {
  const { work: verification, ...rest } = useThread<VerifyRequest, VerifyProgress, VerifyResult>(begin, AT_FIRST);
  return { verification, ...rest };
}
