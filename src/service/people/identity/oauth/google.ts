import { authorizationCodeGrant, type Configuration, discovery, enableNonRepudiationChecks } from 'openid-client';
import { z } from 'zod';
import { ServiceError } from '../../../store/base/service-error.ts';
import type { Settings } from '../../../store/settings/settings-type.ts';
import { clientAuthentication, discoveryOptions } from './contact.ts';
import type { SignInProvider } from './provider.ts';

/** How long what the issuer tells of itself is taken for true, in milliseconds. */
const DISCOVERY_LIFETIME_MS = 3_600_000;

const claimsForm = z.looseObject({
  sub: z.string().min(1).max(255),
  email: z.string().optional().catch(undefined),
  email_verified: z.boolean().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
});

type GoogleSettings = Pick<Settings, 'googleClientId' | 'googleClientSecret' | 'googleIssuer'>;

/** Sign-in by OpenID Connect: everything about the person comes in the ID token, whose signature is checked. */
export function google(settings: GoogleSettings, now: () => number): SignInProvider {
  let known: { configuration: Configuration; until: number; of: string } | null = null;
  return {
    scope: 'openid email profile',

    // Ties the ID token to this sign-in: one that was issued for another is refused.
    parameters: ({ nonce }) => ({ nonce }),

    // The settings may have changed since the last time.
    configuration: async () => {
      const { googleClientId: clientId, googleClientSecret: secret, googleIssuer } = settings;
      if (clientId === null) throw new ServiceError('NOT_CONFIGURED', 'sign-in with google has no client id');
      const of = JSON.stringify([clientId, secret, googleIssuer]);
      if (known !== null && known.of === of && now() < known.until) return known.configuration;
      const issuer = new URL(googleIssuer);
      const options = discoveryOptions('google', issuer);
      const configuration = await discovery(issuer, clientId, undefined, clientAuthentication(secret), options);
      enableNonRepudiationChecks(configuration);
      known = { configuration, until: now() + DISCOVERY_LIFETIME_MS, of };
      return configuration;
    },

    identify: async (configuration, callback, { state, codeVerifier, nonce }) => {
      const checks = { expectedState: state, pkceCodeVerifier: codeVerifier, expectedNonce: nonce };
      const tokens = await authorizationCodeGrant(configuration, callback, { ...checks, idTokenExpected: true });
      const claims = claimsForm.parse(tokens.claims());
      const verifiedEmail = claims.email_verified === true ? (claims.email ?? null) : null;
      return { subject: claims.sub, verifiedEmail, name: claims.name ?? null };
    },
  };
}
