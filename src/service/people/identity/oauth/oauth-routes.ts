import { PROVIDERS } from '../../../../api/index.ts';
import type { Handlers } from '../../../http/handler.ts';
import type { Flows, OauthContext } from './flows.ts';
import { isConfigured } from './provider.ts';

/** Sign-in with a provider (flows.ts). */
export function oauthRoutes(context: OauthContext) {
  let flows: Promise<Flows> | null = null;
  // Loaded when somebody signs in that way: most services never do, and a start must not wait for it.
  const loaded = (): Promise<Flows> => {
    flows ??= import('./flows.ts').then(({ oauthFlows }) => oauthFlows(context));
    return flows;
  };
  return {
    // The settings may have changed since the last time.
    signInProviders: () => ({ body: { providers: PROVIDERS.filter((name) => isConfigured(context.settings, name)) } }),
    signInSocial: async (call) => (await loaded()).signInSocial(call),
    signInCallback: async (call) => (await loaded()).signInCallback(call),
  } satisfies Partial<Handlers>;
}
