import type { ServiceContext } from '../context.ts';
import type { Handlers } from '../http/handler.ts';

export function ledgerRoutes({
  ledgerVerifications,
}: ServiceContext): Pick<Handlers, 'verifyLedger' | 'ledgerVerification' | 'cancelLedgerVerification'> {
  return {
    verifyLedger: ({ caller }) => ({ body: ledgerVerifications.start(caller.orgId) }),
    ledgerVerification: ({ caller }) => ({ body: ledgerVerifications.get(caller.orgId) }),
    cancelLedgerVerification: async ({ caller }) => ({ body: await ledgerVerifications.cancel(caller.orgId) }),
  };
}
