import { isIP } from 'node:net';
import { isLoopback } from '../../../store/settings/settings.ts';

/** Who a passkey is for: the one origin whose pages can use it, and the domain that the authenticator ties it to. */
export interface RelyingParty {
  readonly origin: string;
  readonly rpId: string;
}

/**
 * The relying party of a service (WebAuthn Level 3 §5.1.2, "rp.id"): that of its public address; without one, where it
 * listens on this machine, `localhost`, for an IP address is no domain. Null where there is none.
 * @param serviceOrigin how browsers reach the service, such as http://127.0.0.1:8787
 */
export function relyingPartyOf(serviceOrigin: string): RelyingParty | null {
  const url = new URL(serviceOrigin);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) === 0) return { origin: url.origin, rpId: host };
  if (!isLoopback(host)) return null;
  url.hostname = 'localhost';
  return { origin: url.origin, rpId: 'localhost' };
}
