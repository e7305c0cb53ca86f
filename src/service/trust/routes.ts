import type { ServiceContext } from '../context.ts';
import type { Handlers } from '../http/handler.ts';

export function trustRoutes({
  trust,
  cases,
}: Pick<ServiceContext, 'trust' | 'cases'>): Pick<Handlers, 'listTrust' | 'addTrust' | 'removeTrust'> {
  return {
    listTrust: async () => ({ body: await trust.list() }),
    addTrust: async (call) => {
      const keys = await trust.add(call.body);
      const changed = keys.flatMap(({ kid }) => cases.issuerChanges(call, kid));
      return { body: { keys, changed } };
    },
    removeTrust: async ({ param }) => {
      await trust.remove(param('kid'));
      return { body: { success: true } };
    },
  };
}
