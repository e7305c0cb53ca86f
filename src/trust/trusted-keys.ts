import type { IssuerKey } from './issuer-keys.ts';
import type { TrustedKey, TrustStore } from './store-shape.ts';
import { TrustError } from './trust-error.ts';

/** How keys come to be trusted. */
export interface Adding {
  readonly label: string | null;
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly by: TrustedKey['added_by'];
}

/** Trusts keys. One that is trusted already keeps its dates, and gets what it lacked: its key, and a new label. */
export function addKeys(store: TrustStore, keys: readonly IssuerKey[], { label, at, by }: Adding): TrustStore {
  const trusted = [...store.trusted];
  for (const { kid, public_key } of keys) {
    const index = trusted.findIndex((entry) => entry.kid === kid);
    const known = trusted[index];
    if (known === undefined) {
      trusted.push({ kid, public_key, label, added_at: at, added_by: by, first_seen: null, verified_on: null });
    } else trusted[index] = { ...known, public_key: known.public_key ?? public_key, label: label ?? known.label };
  }
  return { ...store, trusted };
}

/** The trusted key of a kid. @throws TrustError KEY_UNKNOWN */
export function findKey(store: TrustStore, kid: string): TrustedKey {
  const found = store.trusted.find((entry) => entry.kid === kid);
  if (found === undefined) throw new TrustError('KEY_UNKNOWN', `${kid}: is not among the keys you trust`);
  return found;
}

/**
 * Trusts a key no longer. That its bundles were seen is not forgotten: who signs for their organization next is compared
 * with it.
 * @throws TrustError KEY_UNKNOWN
 */
export function removeKey(store: TrustStore, kid: string): TrustStore {
  const gone = findKey(store, kid);
  return { ...store, trusted: store.trusted.filter((entry) => entry !== gone) };
}

/** The names of organizations whose bundles a key signed, as those bundles call them. */
export function organizationsOf(store: TrustStore, kid: string): { readonly org_id: string; readonly name: string }[] {
  return store.seen
    .filter(({ keys }) => keys.some((key) => key.kid === kid))
    .map(({ org_id, org_name }) => ({ org_id, name: org_name }));
}
