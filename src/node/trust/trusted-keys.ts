import { formatTrustEntry, namesKey, parseTrustEntry, readFingerprintDigits } from '../../protocol/index.ts';
import type { IssuerKey } from './issuer-keys.ts';
import type { ConfirmedOrganization, PinnedBy, TrustedKey, TrustStore } from './store-shape.ts';
import { TrustError } from './trust-error.ts';

/** An organization, and what it is called where that is known. */
export interface NamedOrganization {
  readonly org_id: string;
  readonly org_name: string | null;
}

/** How keys come to be trusted, and for which organizations. */
export interface Adding {
  readonly label: string | null;
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly by: TrustedKey['added_by'];
  readonly pinnedBy: PinnedBy;
  /** Without any the keys are known, and bundles under them stay incomplete until their organization is confirmed. */
  readonly organizations: readonly NamedOrganization[];
}

function confirmed(
  before: readonly ConfirmedOrganization[],
  { organizations, at, pinnedBy }: Adding,
): ConfirmedOrganization[] {
  const known = new Set(before.map(({ org_id }) => org_id));
  const added = organizations.filter(({ org_id }) => !known.has(org_id));
  return [...before, ...added.map((one) => ({ ...one, added_at: at, pinned_by: pinnedBy }))];
}

/**
 * Trusts keys for organizations. A key that is trusted already keeps its dates and its organizations, and gets what it
 * lacked: its key, a new label, further organizations.
 */
export function addKeys(store: TrustStore, keys: readonly IssuerKey[], adding: Adding): TrustStore {
  const { label, at, by, pinnedBy } = adding;
  const trusted = [...store.trusted];
  for (const { kid, public_key } of keys) {
    const index = trusted.findIndex((entry) => entry.kid === kid);
    const known = trusted[index];
    if (known === undefined) {
      const origin = { added_at: at, added_by: by, pinned_by: pinnedBy, organizations: confirmed([], adding) };
      trusted.push({ kid, public_key, label, ...origin, first_seen: null, verified_on: null });
    } else {
      const organizations = confirmed(known.organizations, adding);
      trusted[index] = {
        ...known,
        public_key: known.public_key ?? public_key,
        label: label ?? known.label,
        organizations,
      };
    }
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

/** Trusts a key no longer for one organization. @throws TrustError KEY_UNKNOWN */
export function removeOrganization(store: TrustStore, kid: string, orgId: string): TrustStore {
  const key = findKey(store, kid);
  const organizations = key.organizations.filter(({ org_id }) => org_id !== orgId);
  if (organizations.length === key.organizations.length) {
    throw new TrustError('KEY_UNKNOWN', `${orgId}: is not confirmed under this key`);
  }
  return { ...store, trusted: store.trusted.map((entry) => (entry === key ? { ...key, organizations } : entry)) };
}

/** The store as the verifier takes it: an entry for each pair, and for a key without any that it is known. */
export function trustEntriesOf(store: TrustStore): string[] {
  return store.trusted.flatMap(({ kid, organizations }) =>
    organizations.length === 0
      ? [formatTrustEntry({ key: kid, orgId: '' })]
      : organizations.map(({ org_id }) => formatTrustEntry({ key: kid, orgId: org_id })),
  );
}

/** The public keys of this store, where they are known, each for the organizations that were confirmed under it. */
export function publicKeysOf({ trusted }: TrustStore): string[] {
  return trusted.flatMap(({ public_key: key, organizations }) =>
    key === null ? [] : organizations.map(({ org_id: orgId }) => formatTrustEntry({ key, orgId })),
  );
}

/**
 * The key of this store, trusted or only seen, whose fingerprint has these digits. The digits do not give back the kid.
 * @throws TrustError KEY_UNKNOWN
 */
export function kidOfDigits(store: TrustStore, digits: string): string {
  const entry = parseTrustEntry(digits);
  const kids = [...store.trusted, ...store.seen.flatMap(({ keys }) => keys)].map(({ kid }) => kid);
  const found = readFingerprintDigits(digits) === null ? undefined : kids.find((kid) => namesKey(entry, kid));
  if (found === undefined) {
    throw new TrustError(
      'KEY_UNKNOWN',
      'no key with this fingerprint was met here: verify a bundle of the issuer first, or give the kid or the key set',
    );
  }
  return found;
}

/** The names of organizations whose bundles a key signed, as those bundles call them. */
export function organizationsOf(store: TrustStore, kid: string): { readonly org_id: string; readonly name: string }[] {
  return store.seen
    .filter(({ keys }) => keys.some((key) => key.kid === kid))
    .map(({ org_id, org_name }) => ({ org_id, name: org_name }));
}
