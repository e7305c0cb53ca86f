import { lookup as dnsLookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { once } from 'node:events';
import { connect, isIP, type LookupFunction } from 'node:net';
import { type SecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls';
import { ServiceError } from '../../store/base/service-error.ts';
import { isPublicAddress } from './addresses.ts';

/**
 * The endpoint has no address that webhooks may reach. Whether its name has none at all, or one that is private, stays unsaid, and
 * which one: the answer would map a network.
 */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  constructor() {
    super('the endpoint has no public address: its name is not known, or stands for a private or special address');
  }
}

/** Asks for all addresses of a name. */
export type Resolver = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Looks names up for a connection and passes on public addresses only. An attacker controls the answers for names of their
 * own; what is judged here is the very answer that is connected to, so that none given earlier or later counts.
 */
export function publicLookup(resolve: Resolver = dnsLookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      const addresses = error ? [] : found.filter(({ address }) => isPublicAddress(address));
      const [first] = addresses;
      if (first === undefined) callback(new AddressRefused(), []);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** How connections are made. */
export interface Connecting {
  readonly allowPrivate: boolean;
  /** By default the system's lookup, held to public addresses unless all are allowed. */
  readonly lookup?: LookupFunction | undefined;
  /** Certificates trusted; Node's own by default. */
  readonly secureContext?: SecureContext | undefined;
}

/** The host of a URL without the brackets of IPv6. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** Whether an endpoint can't but be refused, as its URL says already. Not relied on: what counts is the connection. */
export function isPlainlyPrivate(url: URL): boolean {
  const host = hostOf(url);
  return isIP(host) === 0 ? /(^|\.)localhost\.?$/.test(host) : !isPublicAddress(host);
}

/**
 * Says early what every connection would run into; the connection itself is what is relied on.
 * @param member of the request
 * @throws ServiceError VALIDATION_ERROR
 */
export function refusePrivate(member: string, url: string, allowPrivate: boolean): void {
  if (!url.isWellFormed()) throw new ServiceError('VALIDATION_ERROR', `${member}: must be well-formed Unicode`);
  if (!allowPrivate && isPlainlyPrivate(new URL(url))) {
    throw new ServiceError('VALIDATION_ERROR', `${member}: must not be at a private or loopback address`);
  }
}

/**
 * Connects to an endpoint, certificate checked. No proxy is used: it would do the lookup itself, out of reach of the checks.
 * @throws AddressRefused before a byte is sent, or what the system says
 */
export async function connectTo(url: URL, connecting: Connecting, signal: AbortSignal): Promise<TLSSocket> {
  const { allowPrivate, secureContext } = connecting;
  const host = hostOf(url);
  // An address in figures is never looked up.
  if (!allowPrivate && isPlainlyPrivate(url)) throw new AddressRefused();
  const lookup = connecting.lookup ?? (allowPrivate ? dnsLookup : publicLookup());
  const port = url.port === '' ? 443 : Number(url.port);
  const socket = connect({ host, port, lookup: lookup as LookupFunction, signal });
  // Errors are taken where they are waited for; one that comes later must not end the process.
  socket.on('error', () => undefined);
  try {
    await once(socket, 'connect', { signal });
    // Once more on what is really there: whatever came between lookup and connection changes nothing.
    if (!allowPrivate && !isPublicAddress(socket.remoteAddress ?? '')) throw new AddressRefused();
    const secure = tlsConnect({
      socket,
      host,
      ALPNProtocols: ['http/1.1'],
      // Names only (RFC 6066 §3); an address is compared with the certificate through `host`.
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(secureContext === undefined ? {} : { secureContext }),
    });
    secure.on('error', () => undefined);
    await once(secure, 'secureConnect', { signal });
    return secure;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
