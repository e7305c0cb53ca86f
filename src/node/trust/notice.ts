import type { VerificationReport } from '../../protocol/index.ts';
import type { SeenOrganization, Sighting, TrustStore } from './store-shape.ts';

/** An organization's bundle came with a key that nothing links with the ones met before. */
export interface IssuerChange {
  readonly code: 'ISSUER_CHANGED';
  readonly org_id: string;
  readonly org_name: string;
  /** The key that signed now. */
  readonly kid: string;
  /** The keys that signed for this organization before, and when each was last met. */
  readonly known: readonly { readonly kid: string; readonly last_seen: string }[];
  readonly message: string;
}

export interface Noticed {
  /** The store with what was seen. The same object where nothing is to be remembered. */
  readonly store: TrustStore;
  readonly change: IssuerChange | null;
}

/** Organizations beyond these are not remembered: whoever sends bundles chooses how many there are. */
const MAX_ORGANIZATIONS = 10_000;

function remember(
  organization: SeenOrganization | undefined,
  { org_id, name, kid, sighting }: { org_id: string; name: string; kid: string; sighting: Sighting },
): SeenOrganization {
  const keys = organization?.keys ?? [];
  const known = keys.find((key) => key.kid === kid);
  const entry = { kid, first_seen: known?.first_seen ?? sighting, last_seen: sighting };
  return {
    org_id,
    org_name: name,
    keys: known === undefined ? [...keys, entry] : keys.map((key) => (key === known ? entry : key)),
  };
}

/**
 * Holds a verified bundle's issuer against the ones met before, and remembers it. A key that neither trust nor a signed
 * rotation links with an earlier one of the same organization, or with the one that was confirmed for it, is a change; it is not
 * remembered, so that it is told each time until it is trusted. Nothing is remembered of a bundle that failed: its issuer may not have made it.
 */
export function noticeIssuer(store: TrustStore, report: VerificationReport, sighting: Sighting): Noticed {
  const { bundle, issuer, verdict } = report;
  const { org_id, org_name } = bundle;
  const { kid } = issuer;
  if (org_id === null || kid === null) return { store, change: null };
  const organization = store.seen.find((seen) => seen.org_id === org_id);
  // A proof of records says no name.
  const name = org_name ?? organization?.org_name ?? '';
  const linked = new Set([kid, ...issuer.linked]);
  const confirmed = store.trusted.filter(({ organizations }) => organizations.some((one) => one.org_id === org_id));
  const isKnown = organization === undefined || organization.keys.some((key) => linked.has(key.kid));
  const isConfirmed = confirmed.length === 0 || confirmed.some((key) => linked.has(key.kid));
  if (!(isKnown && isConfirmed) && !issuer.pinned) {
    const before = [
      ...(organization?.keys ?? []).filter((key) => !linked.has(key.kid)),
      ...confirmed.flatMap(({ kid: one, verified_on: last_seen }) =>
        last_seen === null ? [] : [{ kid: one, last_seen }],
      ),
    ];
    const known = [...new Map(before.map((key) => [key.kid, { kid: key.kid, last_seen: key.last_seen.at }])).values()];
    const message =
      'Bundles of this organization were signed by another key before, or you confirmed another one for it, and no signed rotation leads from that key to this ' +
      'one: a service that was set up again, or somebody who poses as it. Ask before you trust this key.';
    return { store, change: { code: 'ISSUER_CHANGED', org_id, org_name: name, kid, known, message } };
  }
  if (verdict === 'failed') return { store, change: null };
  // Whoever signed before the reader confirmed a key may have been anybody: of them only those stay that it is linked with.
  const kept =
    organization && issuer.pinned
      ? { ...organization, keys: organization.keys.filter((key) => linked.has(key.kid)) }
      : organization;
  const remembered = remember(kept, { org_id, name, kid, sighting });
  const isNew = organization === undefined;
  const seen =
    isNew && store.seen.length >= MAX_ORGANIZATIONS
      ? store.seen
      : isNew
        ? [...store.seen, remembered]
        : store.seen.map((one) => (one === organization ? remembered : one));
  const trusted = store.trusted.map((entry) => {
    if (!issuer.pinned || !linked.has(entry.kid)) return entry;
    const verified = verdict === 'verified' ? sighting : entry.verified_on;
    return { ...entry, first_seen: entry.first_seen ?? sighting, verified_on: verified };
  });
  return { store: { ...store, seen, trusted }, change: null };
}
