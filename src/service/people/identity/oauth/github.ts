import { authorizationCodeGrant, Configuration, fetchProtectedResource } from 'openid-client';
import { z } from 'zod';
import { ServiceError } from '../../../store/base/service-error.ts';
import type { Settings } from '../../../store/settings/settings-type.ts';
import { applyRules, checkAddress, clientAuthentication } from './contact.ts';
import type { SignInProvider } from './provider.ts';

/** Logins can be renamed and taken by others; the number stays. */
const userForm = z.looseObject({ id: z.int().positive(), login: z.string(), name: z.string().nullish() });

const emailsForm = z.array(z.looseObject({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

type GithubSettings = Pick<Settings, 'githubClientId' | 'githubClientSecret' | 'githubUrl' | 'githubApiUrl'>;

/** Sign-in by plain OAuth 2: who signed in is what the user API says to the access token, which then is forgotten. */
export function github(settings: GithubSettings): SignInProvider {
  async function ask<Form extends z.ZodType>(
    configuration: Configuration,
    token: string,
    path: string,
    form: Form,
  ): Promise<z.output<Form>> {
    const headers = new Headers({ accept: 'application/vnd.github+json' });
    const address = new URL(`${settings.githubApiUrl}${path}`);
    const response = await fetchProtectedResource(configuration, token, address, 'GET', undefined, headers);
    if (response.status !== 200) throw new Error(`the user API answers with status ${response.status}`);
    return form.parse(await response.json());
  }

  return {
    scope: 'read:user user:email',

    parameters: () => ({}),

    // The settings may have changed since the last time.
    configuration: async () => {
      const { githubClientId: clientId, githubClientSecret: secret, githubUrl, githubApiUrl } = settings;
      if (clientId === null) throw new ServiceError('NOT_CONFIGURED', 'sign-in with github has no client id');
      const base = new URL(githubUrl);
      const api = new URL(githubApiUrl);
      // That of the pages is checked with the address that people are sent to.
      checkAddress('github', api);
      const server = {
        issuer: `${githubUrl}/login/oauth`,
        authorization_endpoint: `${githubUrl}/login/oauth/authorize`,
        token_endpoint: `${githubUrl}/login/oauth/access_token`,
      };
      const configuration = new Configuration(server, clientId, undefined, clientAuthentication(secret));
      applyRules(configuration, 'github', base.protocol === 'http:' ? base : api);
      return configuration;
    },

    identify: async (configuration, callback, { state, codeVerifier }) => {
      const checks = { expectedState: state, pkceCodeVerifier: codeVerifier };
      const { access_token: token } = await authorizationCodeGrant(configuration, callback, checks);
      const user = await ask(configuration, token, '/user', userForm);
      const emails = await ask(configuration, token, '/user/emails', emailsForm);
      const verifiedEmail = emails.find(({ primary, verified }) => primary && verified)?.email ?? null;
      return { subject: String(user.id), verifiedEmail, name: user.name ?? user.login };
    },
  };
}
