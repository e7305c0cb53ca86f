import { BlockList, isIP } from 'node:net';

/**
 * IPv4 that is not the public Internet (IANA special-purpose registry, RFC 6890): this network, private, carrier-grade NAT,
 * loopback, link-local with the metadata services of clouds, protocol assignments, documentation, 6to4 relays,
 * benchmarking, multicast, and the reserved rest with broadcast.
 */
const SPECIAL_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/**
 * What is special within 2000::/3, the only IPv6 that is global unicast: protocol assignments with Teredo, documentation,
 * and 6to4, both of which carry an IPv4 address of the sender's choice.
 */
const SPECIAL_IPV6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

function blockList(subnets: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}

const special4 = blockList(SPECIAL_IPV4, 'ipv4');
const special6 = blockList(SPECIAL_IPV6, 'ipv6');
const global6 = blockList([['2000::', 3]], 'ipv6');

/** The eight groups of an IPv6 address; the URL parser has written it in its one canonical form by then. */
function groupsOf(address: string): number[] {
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = [], tail] = canonical.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = tail === undefined ? [] : Array(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...(tail ?? [])].map((group) => Number.parseInt(group, 16));
}

/** The IPv4 address within an IPv4-mapped (RFC 4291 §2.5.5.2) or NAT64 (RFC 6052 §2.1) one, or null. */
function embeddedIpv4(groups: readonly number[]): string | null {
  const start = groups.slice(0, 6).join();
  if (start !== [0, 0, 0, 0, 0, 0xffff].join() && start !== [0x64, 0xff9b, 0, 0, 0, 0].join()) return null;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/**
 * Whether an address is one of the public Internet. Whatever is not understood is not: what reaches this comes from a name
 * server that an attacker may run.
 * @param address IPv4 or IPv6 in text, as name servers and sockets give it
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special4.check(address, 'ipv4');
  // A zone only stands behind addresses of the own link.
  if (family !== 6 || address.includes('%')) return false;
  const embedded = embeddedIpv4(groupsOf(address));
  if (embedded !== null) return !special4.check(embedded, 'ipv4');
  return global6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
}
