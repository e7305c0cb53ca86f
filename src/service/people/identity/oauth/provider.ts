import type { Configuration } from 'openid-client';
import type { Provider } from '../../../../api/index.ts';
import type { Settings } from '../../../store/settings/settings-type.ts';
import type { Flow } from './states.ts';

/** Whoever signed in at a provider, as the provider tells it. */
export interface Person {
  /** Stays the same for the same person at this provider, whatever else changes. */
  readonly subject: string;
  /** Only where the provider says that it belongs to this person. */
  readonly verifiedEmail: string | null;
  readonly name: string | null;
}

/** A provider that people can sign in with. What it answers counts only as far as it is checked here. */
export interface SignInProvider {
  readonly scope: string;
  /** The parameters of the authorization request besides those of every provider. */
  parameters(flow: Flow): Readonly<Record<string, string>>;
  /** @throws ServiceError NOT_CONFIGURED, or whatever openid-client throws */
  configuration(): Promise<Configuration>;
  /** Exchanges the code of a callback and asks who signed in. */
  identify(configuration: Configuration, callback: URL, flow: Flow): Promise<Person>;
}

/** Whether this service has a client id at a provider. */
export function isConfigured(settings: Settings, provider: Provider): boolean {
  return settings[`${provider}ClientId`] !== null;
}
