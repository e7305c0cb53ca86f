import { hostOf } from './hosts.ts';

/** An address within a text (RFC 5322 section 3.4.1, without quoted local parts): a text may be `Ada <ada@corp.example>, bob@corp.example`. */
const ADDRESSES =
  /[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-][\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]{0,127}@[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}.-]{0,251}[\p{L}\p{M}\p{N}])?/gu;
const MAX_ADDRESSES = 64;
/** Kinds of what may be named by an address: an account, a user and a recipient under one address are one. */
const NAMED_BY_ADDRESS: ReadonlySet<string> = new Set([
  ...['email', 'account', 'user', 'customer', 'subject', 'payee', 'person', 'other'],
]);

/** The addresses in a text, with the domain in lowercase (RFC 5321 section 2.4: local parts are told apart by case). */
export function addressesIn(text: string): string[] {
  if (!text.includes('@')) return [];
  return Array.from(text.matchAll(ADDRESSES), ([address]) => withPlainDomain(address)).slice(0, MAX_ADDRESSES);
}

function withPlainDomain(address: string): string {
  const at = address.lastIndexOf('@');
  return address.slice(0, at) + address.slice(at).toLowerCase();
}

/**
 * The kind and id under which something is one, whatever a record calls it: an address is of the kind `email`, and a host is its name, without scheme,
 * port and path. Of anything else they are the record's own.
 */
export function identityOf(kind: string, id: string): { readonly kind: string; readonly id: string } {
  if (kind === 'host') return { kind, id: hostOf(id) ?? id };
  if (!NAMED_BY_ADDRESS.has(kind) || !id.includes('@')) return { kind, id };
  const address = addressOf(id);
  return address === null ? { kind, id } : { kind: 'email', id: address };
}

/** The address that a text is; null for one that has others or anything else besides. */
function addressOf(text: string): string | null {
  const bare = text.trim().replace(/^mailto:/i, '');
  const [address, ...others] = addressesIn(bare);
  return address !== undefined && others.length === 0 && address.length === bare.length ? address : null;
}

/** The address of the one mailbox that a text is, with its owner's name or without (RFC 5322 §3.4); null for a sentence that has an address. */
export function mailboxIn(text: string): string | null {
  return addressOf(/^[^<>]*<([^<>]*)>\s*$/.exec(text)?.[1] ?? text);
}
