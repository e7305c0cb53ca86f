import type { Asker } from '../cases/scope.ts';
import type { ServiceContext } from '../context.ts';
import type { Handlers } from '../http/handler.ts';
import type { Sight } from './trust-keeper.ts';

export function trustRoutes({
  trust,
  cases,
}: Pick<ServiceContext, 'trust' | 'cases'>): Pick<Handlers, 'listTrust' | 'addTrust' | 'removeTrust'> {
  // The store is the machine's: whose bundles others verified here is not every organization's to know.
  const sightOf = (asker: Asker): Sight => {
    const own = cases.organizationsSeenBy(asker);
    return (orgId) => asker.workstation || own.has(orgId);
  };
  return {
    listTrust: async (call) => ({ body: await trust.list(sightOf(call)) }),
    addTrust: async (call) => {
      const keys = await trust.add(call.body, sightOf(call));
      const changed = keys.flatMap(({ kid }) => cases.issuerChanges(call, kid));
      return { body: { keys, changed } };
    },
    removeTrust: async ({ param }) => {
      await trust.remove(param('kid'));
      return { body: { success: true } };
    },
  };
}
