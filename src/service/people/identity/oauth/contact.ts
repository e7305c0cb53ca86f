import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  customFetch,
  None,
  ResponseBodyError,
} from 'openid-client';
import type { Provider } from '../../../../api/index.ts';
import { ServiceError } from '../../../store/base/service-error.ts';
import { isLoopback } from '../../../store/settings/settings.ts';

/** How long a provider may take for an answer, in seconds. */
const TIMEOUT_SECONDS = 10;

/** What providers answer where they do not know the client, or not its secret; the last is GitHub's own. */
const CLIENT_REFUSED = ['invalid_client', 'unauthorized_client', 'incorrect_client_credentials'];

/** Whether an address may be used: anybody on the way could read and change what goes over plain http. */
function isSafeAddress(url: URL): boolean {
  const isOwnMachine = isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
  return url.protocol === 'https:' || (url.protocol === 'http:' && isOwnMachine);
}

/** @throws ServiceError NOT_CONFIGURED */
export function checkAddress(provider: Provider, url: URL): void {
  if (isSafeAddress(url)) return;
  throw new ServiceError('NOT_CONFIGURED', `${provider}: its addresses must be https, or on this machine`);
}

/**
 * Makes requests to a provider under our rules. Addresses that a discovery document names are checked like those of the
 * settings, and openid-client follows no redirect: nothing a provider answers makes the service contact others.
 */
function guardedFetch(provider: Provider): CustomFetch {
  return (address, options) => {
    checkAddress(provider, new URL(address));
    return fetch(address, options as RequestInit);
  };
}

/** @param base the provider's address in the settings; openid-client refuses plain http unless told otherwise */
export function applyRules(configuration: Configuration, provider: Provider, base: URL): void {
  configuration.timeout = TIMEOUT_SECONDS;
  configuration[customFetch] = guardedFetch(provider);
  if (base.protocol === 'http:') allowInsecureRequests(configuration);
}

export function discoveryOptions(provider: Provider, base: URL) {
  const execute = base.protocol === 'http:' ? [allowInsecureRequests] : [];
  return { timeout: TIMEOUT_SECONDS, [customFetch]: guardedFetch(provider), execute };
}

export function clientAuthentication(secret: string | null): ClientAuth {
  return secret === null ? None() : ClientSecretPost(secret);
}

function* causes(error: unknown): Generator<unknown> {
  for (let depth = 0, at = error; at !== undefined && depth < 8; depth += 1) {
    yield at;
    at = at instanceof Error ? at.cause : undefined;
  }
}

/** The error code in what a provider answered, also where it came with a status of success, as from GitHub. */
function errorInBody(cause: unknown): unknown {
  if (cause instanceof ResponseBodyError) return cause.error;
  if (typeof cause !== 'object' || cause === null || !('body' in cause)) return undefined;
  const { body } = cause;
  return typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
}

function isUnreachable(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  return (cause instanceof TypeError && cause.message === 'fetch failed') || cause.name === 'TimeoutError';
}

/**
 * Does something with a provider. Whatever fails is told in words of ours: what the provider answered, and what is in the
 * errors about it, may hold codes, tokens and secrets.
 * @throws ServiceError UNAUTHORIZED, NOT_CONFIGURED
 */
export async function contact<T>(provider: Provider, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    const chain = [...causes(error)];
    const own = chain.find((cause) => cause instanceof ServiceError);
    if (own !== undefined) throw own;
    if (chain.some((cause) => CLIENT_REFUSED.includes(String(errorInBody(cause))))) {
      throw new ServiceError('NOT_CONFIGURED', `${provider} does not accept the client id or secret of this service`);
    }
    if (chain.some(isUnreachable)) {
      throw new ServiceError('UNAUTHORIZED', `${provider} cannot be reached: try again later`);
    }
    throw new ServiceError('UNAUTHORIZED', `${provider} did not confirm the sign-in: begin again`);
  }
}
