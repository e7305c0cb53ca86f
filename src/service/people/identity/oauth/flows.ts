import { buildAuthorizationUrl, calculatePKCECodeChallenge } from 'openid-client';
import { PROVIDERS, type Provider } from '../../../../api/index.ts';
import type { Call, Handlers, RedirectAnswer } from '../../../http/handler.ts';
import { ServiceError } from '../../../store/base/service-error.ts';
import type { Settings } from '../../../store/settings/settings-type.ts';
import type { WriteAccess } from '../../../store/write-access.ts';
import { CALLBACK_PATH, readCallbackUrl } from './callback-url.ts';
import { checkAddress, contact } from './contact.ts';
import { github } from './github.ts';
import { google } from './google.ts';
import type { SignInProvider } from './provider.ts';
import { signInPerson } from './sign-in-person.ts';
import { States } from './states.ts';

export interface OauthContext0 extends WriteAccess {
  readonly settings: Settings;
  readonly signUpIsOpen: boolean;
  /** How browsers and providers reach the service: its public address, or where it listens; without a slash at the end. */
  readonly origin: () => string;
}

export type OauthContext = OauthContext0;

export type Flows = Pick<Handlers, 'signInSocial' | 'signInCallback'>;

function isProvider(name: string): name is Provider {
  return (PROVIDERS as readonly string[]).includes(name);
}

/** The provider's own words are anybody's: whoever makes the link of a callback writes them. */
function refusal(provider: Provider, error: unknown): ServiceError {
  const denied = error === 'access_denied' ? 'the sign-in was denied' : 'the sign-in failed';
  return new ServiceError('UNAUTHORIZED', `${denied} at ${provider}: begin again`);
}

/**
 * Sign-in with a provider, by authorization code with PKCE and state.
 *
 * A callback that signs a browser in must belong to a sign-in which that browser began: else somebody could begin one,
 * sign in as themselves, and have another person open the callback, who then works in the wrong account. The browser that
 * began has the state in a cookie. A client may also begin and have the address opened in a browser elsewhere: there the
 * cookie is missing, and a page of the service asks the person first. Agreeing comes from that page, which the browser
 * says in Sec-Fetch-Site, and which no link elsewhere can make it say.
 */
export function oauthFlows(context: OauthContext): Flows {
  const { settings, now, origin } = context;
  const providers: Record<Provider, SignInProvider> = { google: google(settings, now), github: github(settings) };
  const states = new States(context);
  const redirectUri = (name: Provider): string => `${origin()}${CALLBACK_PATH}${name}`;

  async function finish(name: Provider, { query, flowState, fromOwnPage }: Call<'signInCallback'>) {
    const provider = providers[name];
    const { state, code } = query;
    states.check(name, state);
    if (query['error'] !== undefined) {
      await states.take(name, state);
      throw refusal(name, query['error']);
    }
    if (code === undefined) throw new ServiceError('VALIDATION_ERROR', 'code: is missing');
    const callback = new URL(redirectUri(name));
    callback.search = new URLSearchParams({ code, state }).toString();
    const configuration = await contact(name, () => provider.configuration());
    if (configuration.serverMetadata().authorization_response_iss_parameter_supported) {
      callback.searchParams.set('iss', String(query['iss']));
    }
    if (flowState !== state && !fromOwnPage) return askFirst(name, callback);
    const flow = await states.take(name, state);
    const person = await contact(name, () => provider.identify(configuration, callback, flow));
    const sessionToken = await signInPerson(context, name, person, flow);
    return { location: flow.callbackUrl, sessionToken, flowState: null };
  }

  return {
    signInSocial: async ({ body, authenticate, credentials: { page } }) => {
      const name = body.provider;
      const provider = providers[name];
      const callbackUrl = readCallbackUrl(body.callbackURL, origin());
      const configuration = await contact(name, () => provider.configuration());
      const flow = await states.begin(name, { callbackUrl, page, signedInAs: signedInUser(authenticate) });
      const codeChallenge = await calculatePKCECodeChallenge(flow.codeVerifier);
      const url = await contact(name, async () =>
        buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri(name),
          scope: provider.scope,
          state: flow.state,
          code_challenge: codeChallenge,
          code_challenge_method: 'S256',
          ...provider.parameters(flow),
        }),
      );
      checkAddress(name, url);
      return { body: { url: url.href, redirect: true }, flowState: flow.state };
    },

    signInCallback: async (call) => {
      const name = call.param('provider');
      if (!isProvider(name)) throw new ServiceError('NOT_FOUND', 'there is no such provider');
      return finish(name, call);
    },
  };
}

/** Who is signed in where a sign-in with a provider is begun; a session that has ended is as good as none. */
function signedInUser(authenticate: Call<'signInSocial'>['authenticate']): string | null {
  try {
    const caller = authenticate()?.caller;
    return caller?.by === 'session' ? caller.userId : null;
  } catch (error) {
    if (error instanceof ServiceError && (error.code === 'UNAUTHORIZED' || error.code === 'FORBIDDEN')) return null;
    throw error;
  }
}

function askFirst(provider: Provider, callback: URL): RedirectAnswer {
  const question = `A sign-in with ${provider} was not begun in this browser. Continue only if you began it yourself.`;
  return { location: callback.href, question };
}
