import { useQuery } from '@tanstack/react-query';
import type { Provider } from '../../api/index.ts';
import { call, sentenceOf } from '../api/call.ts';
import { q } from '../api/query.ts';
import { PROVIDER_BUTTONS } from './texts.ts';

const NAMES: Readonly<Record<Provider, string>> = { google: 'Google', github: 'GitHub' };

interface ProviderButtonsProps {
  readonly onFailure: (sentence: string) => void;
  /** What a button says for a provider of this name: signed in, it links the account to the provider. */
  readonly label?: (name: string) => string;
}

/**
 * Sign-in with the providers that the service has a client id for; nothing where it has none. The desktop's window is
 * held to the service's own address and cannot go to a provider: there the password is the way.
 */
export function ProviderButtons({
  onFailure,
  label = (name) => PROVIDER_BUTTONS.signInWith(name),
}: ProviderButtonsProps) {
  const isDesktop = window.countersign !== undefined;
  const { data } = useQuery({ ...q('signInProviders'), enabled: !isDesktop });
  const begin = async (provider: Provider): Promise<void> => {
    try {
      // The provider sends the browser back to the service, and that to where this page is now.
      const callbackURL = `${location.pathname}${location.hash}`;
      const { url } = await call('signInSocial', { body: { provider, callbackURL } });
      location.assign(url);
    } catch (error) {
      onFailure(sentenceOf(error));
    }
  };
  return data?.providers.map((provider) => (
    <button key={provider} type="button" className="button-provider" onClick={() => void begin(provider)}>
      {label(NAMES[provider])}
    </button>
  ));
}
