import { isIPv6 } from 'node:net';

/**
 * What of an address counts as one where attempts and requests are counted. Every program of this machine has all of
 * 127.0.0.0/8, and whoever has an IPv6 address mostly has its whole /64 (RFC 6177 §2).
 * @param address of a peer, as the socket says it
 */
export function addressGroup(address: string): string {
  const plain = address.replace(/%.*$/, '').toLowerCase();
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (v4 !== undefined) return v4.startsWith('127.') ? 'loopback' : v4;
  if (plain === '::1') return 'loopback';
  if (!isIPv6(plain)) return plain;
  return `${prefixOf(plain)}::/64`;
}

/** The first four groups of an IPv6 address (RFC 4291 §2.2), without leading zeros. */
function prefixOf(address: string): string {
  const [head = '', tail] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    // Figures of IPv4 at the end stand for two groups.
    const after = tail === '' ? 0 : tail.split(':').length + (tail.includes('.') ? 1 : 0);
    while (groups.length + after < 8 && groups.length < 4) groups.push('0');
    groups.push(...tail.split(':'));
  }
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
