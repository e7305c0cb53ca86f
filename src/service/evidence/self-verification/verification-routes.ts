import type { Handlers } from '../../http/handler.ts';
import type { LedgerVerifications } from './verification-jobs.ts';

interface VerificationDeps {
  readonly ledgerVerifications: LedgerVerifications;
}

export function ledgerRoutes({ ledgerVerifications }: VerificationDeps) {
  return {
    verifyLedger: ({ caller }) => ({ body: ledgerVerifications.start(caller.orgId) }),
    ledgerVerification: ({ caller }) => ({ body: ledgerVerifications.get(caller.orgId) }),
    cancelLedgerVerification: async ({ caller }) => ({ body: await ledgerVerifications.cancel(caller.orgId) }),
  } satisfies Partial<Handlers>;
}
