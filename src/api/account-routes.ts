import * as accounts from './accounts.ts';
import { success } from './fields.ts';
import { rowsOf } from './route.ts';

const anyone = rowsOf({ tag: 'Session and tokens', access: 'public' });
const signedIn = rowsOf({ tag: 'Session and tokens', access: 'authenticated' });
const admin = rowsOf({ tag: 'Session and tokens', access: 'security_admin' });
const onboarding = rowsOf({ tag: 'Onboarding', access: 'authenticated' });

/** Sessions, tokens, and how somebody comes to an organization: rows of the one table (routes.ts). */
export const ACCOUNT_ROUTES = {
  signUp: {
    ...anyone.post,
    path: '/api/auth/sign-up/email',
    isWayIn: true,
    status: 201,
    body: accounts.signUpBody,
    answer: accounts.signUpAnswer,
    summary: 'Make an organization with its first user as owner',
  },
  setUpState: {
    ...anyone.get,
    path: '/v1/set-up',
    answer: accounts.setUpAnswer,
    summary: 'Whether the service has its home organization, and whether one can sign up',
  },
  signIn: {
    ...anyone.post,
    path: '/api/auth/sign-in/email',
    isWayIn: true,
    status: 200,
    body: accounts.signInBody,
    answer: accounts.sessionTokenAnswer,
    summary: 'Sign in with e-mail address and password',
  },
  signInProviders: {
    ...anyone.get,
    path: '/api/auth/providers',
    answer: accounts.providersAnswer,
    summary: 'Which providers one can sign in with here',
  },
  signInSocial: {
    ...anyone.post,
    path: '/api/auth/sign-in/social',
    isWayIn: true,
    status: 200,
    body: accounts.socialBody,
    answer: accounts.socialAnswer,
    summary: 'Begin to sign in with a provider',
  },
  signInCallback: {
    ...anyone.get,
    path: '/api/auth/callback/:provider',
    isWayIn: true,
    status: 302,
    query: accounts.callbackQuery,
    answer: 'redirect',
    summary: 'Where a provider sends the browser back to',
  },
  signOut: {
    ...signedIn.post,
    path: '/api/auth/sign-out',
    needsSession: true,
    status: 200,
    answer: success,
    summary: 'End the session',
  },
  session: {
    ...signedIn.get,
    path: '/api/auth/session',
    answer: accounts.sessionAnswer,
    summary: 'Who the caller is',
  },
  refreshSession: {
    ...signedIn.post,
    path: '/api/auth/session/refresh',
    needsSession: true,
    status: 200,
    answer: accounts.sessionTokenAnswer,
    summary: 'Extend the session under a new token',
  },
  createToken: {
    ...signedIn.post,
    path: '/v1/auth/token',
    needsSession: true,
    status: 201,
    body: accounts.createTokenBody,
    answer: accounts.tokenAnswer,
    summary: 'Issue an API token',
  },
  rotateToken: {
    ...signedIn.post,
    path: '/v1/auth/rotate',
    status: 201,
    forSubmitTokens: true,
    answer: accounts.tokenAnswer,
    summary: 'Replace the presented API token; the new one ends when the first was to end',
  },
  listTokens: {
    ...signedIn.get,
    path: '/v1/auth/tokens',
    answer: accounts.tokensAnswer,
    summary: "List the caller's API tokens",
  },
  revokeToken: {
    ...signedIn.remove,
    path: '/v1/auth/tokens/:token_id',
    answer: success,
    summary: 'Revoke an API token',
  },
  listOrganizationTokens: {
    ...admin.get,
    path: '/v1/auth/organization-tokens',
    answer: accounts.organizationTokensAnswer,
    summary: 'List the API tokens of all members',
  },
  revokeOrganizationToken: {
    ...admin.remove,
    path: '/v1/auth/organization-tokens/:token_id',
    answer: success,
    summary: "Revoke a member's API token",
  },
  onboardingStatus: {
    ...onboarding.get,
    path: '/v1/onboarding/status',
    answer: accounts.onboardingStatus,
    summary: 'Whether the caller has an organization',
  },
  onboardPersonal: {
    ...onboarding.post,
    path: '/v1/onboarding/personal',
    status: 201,
    answer: accounts.onboardingAnswer,
    body: accounts.onboardPersonalBody,
    summary: 'Make a personal workspace',
  },
  onboardOrganization: {
    ...onboarding.post,
    path: '/v1/onboarding/organization',
    status: 201,
    body: accounts.onboardOrganizationBody,
    answer: accounts.onboardingAnswer,
    summary: 'Make an organization and invite its members',
  },
} as const;
