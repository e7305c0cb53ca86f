import type { Leaf } from './read-payload.ts';
import { MAX_HOSTS } from './record-facts.ts';

/** Of a long text, so much is looked through for addresses. */
const LOOKED_THROUGH = 16_384;
/** The authority of a URL of the web, with whatever stands before the host. */
const URLS =
  /\b(?:https?|wss?|ftp|ssh):\/\/([^\s/"'<>\\`?#()[\]{}|,;]{1,300}|\[[0-9a-fA-F:.]{2,45}\](?::[0-9]{1,5})?)/g;
const NAME = /^[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_.-]*[\p{L}\p{M}\p{N}_])?$/u;

/** The host in the authority of a URL, in lowercase without user, port and the dot of the root; null where it has no form of one. */
function hostOfAuthority(authority: string): string | null {
  const place = authority.slice(authority.lastIndexOf('@') + 1).toLowerCase();
  if (place.startsWith('[')) return place.slice(0, place.indexOf(']') + 1) || null;
  const host = place.replace(/:[0-9]*$/, '').replace(/\.$/, '');
  return host.length <= 253 && NAME.test(host) && !host.includes('..') ? host : null;
}

/** The host that a text names: a URL's, or the text where it is a host itself. */
export function hostOf(text: string): string | null {
  const [first] = hostsIn(text);
  if (first !== undefined) return first;
  return text.includes('/') ? null : hostOfAuthority(text);
}

/** The hosts of all URLs in a text. */
export function hostsIn(text: string): string[] {
  if (!text.includes('://')) return [];
  const found = new Set<string>();
  for (const [, authority = ''] of text.slice(0, LOOKED_THROUGH).matchAll(URLS)) {
    const host = hostOfAuthority(authority);
    if (host !== null) found.add(host);
  }
  return [...found];
}

/**
 * Hosts that a call is given: in any URL among its values. What it gave back is left out, for a page may name any host.
 * @param isGiven whether a value, by its pointer, belongs to what the call was given
 */
export function hostsGiven(leaves: readonly Leaf[], isGiven: (pointer: string) => boolean): Set<string> {
  const hosts = new Set<string>();
  for (const { value, pointer } of leaves) {
    if (typeof value !== 'string' || !value.includes('://') || !isGiven(pointer)) continue;
    for (const host of hostsIn(value)) if (hosts.size < MAX_HOSTS) hosts.add(host);
  }
  return hosts;
}
