import { BlockList, isIP } from 'node:net';
import type { Destination, InvestigationRules } from '../../../actions/index.ts';

/** What never leaves the machine. */
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of [...LOOPBACK, ...networks]) {
    const [address = '', prefix = ''] = network.split('/');
    list.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Tells the organization's own destinations, as its rules say: domains with all below them, hosts, address ranges, people. */
export function ownPlaces({
  domains,
  hosts,
  networks,
  people,
}: InvestigationRules['own']): (to: Destination) => boolean {
  const lower = (names: readonly string[]): ReadonlySet<string> => new Set(names.map((name) => name.toLowerCase()));
  const [ownHosts, ownPeople, ownDomains] = [lower(hosts), lower(people), [...lower(domains)]];
  const list = listOf(networks);
  const isOfDomain = (host: string): boolean =>
    ownDomains.some((domain) => host === domain || host.endsWith(`.${domain}`));
  return ({ kind, id }) => {
    if (kind === 'address') return ownPeople.has(id) || isOfDomain(id.slice(id.lastIndexOf('@') + 1));
    const host = id.replace(/^\[|\]$/g, '');
    const version = isIP(host);
    if (version !== 0) return ownHosts.has(host) || list.check(host, version === 4 ? 'ipv4' : 'ipv6');
    return host === 'localhost' || host.endsWith('.localhost') || ownHosts.has(host) || isOfDomain(host);
  };
}
