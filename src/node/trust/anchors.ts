import { ProtocolError, parseWitnessPolicy, type WitnessPolicy } from '../../protocol/index.ts';
import type { PinnedBy, StoredDemand, TimeRoot, TrustStore } from './store-shape.ts';
import { TrustError } from './trust-error.ts';

/** Witnesses and authorities for time that one user trusts, besides service keys. */
interface Pinning {
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly pinnedBy: PinnedBy;
}

const NO_DEMAND: StoredDemand = { threshold: 0, organizations: [] };

const bare = ({ threshold, organizations }: StoredDemand) => ({
  threshold,
  organizations: organizations.map(({ name, keys }) => ({ name, keys })),
});

/** Whose cosignatures the user demands; null where they named nobody. @throws TrustError KEY_INVALID */
export function witnessPolicyOf({ witnesses, witnesses_of: ledgers = [] }: TrustStore): WitnessPolicy | null {
  if (witnesses === undefined && ledgers.length === 0) return null;
  const named = ledgers.map(({ org_id, ...demand }) => ({ org_id, ...bare(demand) }));
  const general = witnesses === undefined ? {} : bare(witnesses);
  try {
    return parseWitnessPolicy(named.length === 0 ? general : { ...general, ledgers: named });
  } catch (error) {
    throw error instanceof ProtocolError ? new TrustError('KEY_INVALID', error.message) : error;
  }
}

/** What the user demands of an organization's ledger, or, with null, of every ledger that is not named. */
export function witnessesFor(
  { witnesses, witnesses_of: ledgers = [] }: TrustStore,
  orgId: string | null,
): StoredDemand {
  return (orgId === null ? witnesses : ledgers.find(({ org_id }) => org_id === orgId)) ?? NO_DEMAND;
}

/** The store with another demand of one ledger, or of every one; without it where nobody is left. @throws TrustError KEY_INVALID */
function withDemand(store: TrustStore, orgId: string | null, { threshold, organizations }: StoredDemand): TrustStore {
  const { witnesses, witnesses_of: ledgers = [], ...rest } = store;
  const made = organizations.length === 0 ? null : { threshold, organizations };
  const general = orgId === null ? made : (witnesses ?? null);
  const others = ledgers.filter(({ org_id }) => org_id !== orgId);
  const named = orgId === null || made === null ? others : [...others, { org_id: orgId, ...made }];
  const changed = {
    ...rest,
    ...(general !== null && { witnesses: general }),
    ...(named.length > 0 && { witnesses_of: named }),
  };
  witnessPolicyOf(changed);
  return changed;
}

/**
 * Names keys of a witness. Where all witnesses were demanded so far, all are from now on too: fewer are demanded only by saying so.
 * @param orgId for the ledger of this organization alone; null for every ledger that is not named
 * @throws TrustError KEY_INVALID
 */
export function addWitness(
  store: TrustStore,
  { name, keys, orgId }: { readonly name: string; readonly keys: readonly string[]; readonly orgId: string | null },
  pinning: Pinning,
): TrustStore {
  const { threshold, organizations } = witnessesFor(store, orgId);
  const known = organizations.find((one) => one.name === name);
  if (known !== undefined) {
    const all = [...new Set([...known.keys, ...keys])];
    const changed = organizations.map((one) => (one === known ? { ...known, keys: all } : one));
    return withDemand(store, orgId, { threshold, organizations: changed });
  }
  const added = { name, keys: [...keys], added_at: pinning.at, pinned_by: pinning.pinnedBy };
  const demanded = threshold === organizations.length ? threshold + 1 : threshold;
  return withDemand(store, orgId, { threshold: demanded, organizations: [...organizations, added] });
}

/** Says of how many organizations a cosignature is demanded. @throws TrustError KEY_UNKNOWN, KEY_INVALID */
export function demandWitnesses(store: TrustStore, threshold: number, orgId: string | null): TrustStore {
  const { organizations } = witnessesFor(store, orgId);
  if (organizations.length === 0) throw new TrustError('KEY_UNKNOWN', 'no witness is trusted there yet');
  return withDemand(store, orgId, { threshold, organizations });
}

/** The store without a witness of this name; null where there is none. */
export function removeWitness(store: TrustStore, name: string, orgId: string | null): TrustStore | null {
  const { threshold, organizations } = witnessesFor(store, orgId);
  const left = organizations.filter((one) => one.name !== name);
  if (left.length === organizations.length) return null;
  return withDemand(store, orgId, { threshold: Math.min(threshold, left.length), organizations: left });
}

/** Adds roots for time, or changes until when they are trusted. */
export function addTimeRoots(
  store: TrustStore,
  roots: readonly Pick<TimeRoot, 'certificate' | 'sha256' | 'subject' | 'until'>[],
  { at, pinnedBy }: Pinning,
): TrustStore {
  const before = store.time_roots ?? [];
  const given = new Map(roots.map((root) => [root.sha256, root]));
  const kept = before.map((one) => ({ ...one, until: (given.get(one.sha256) ?? one).until }));
  const known = new Set(before.map(({ sha256 }) => sha256));
  const added = [...given.values()].filter(({ sha256 }) => !known.has(sha256));
  return {
    ...store,
    time_roots: [...kept, ...added.map((root) => ({ ...root, added_at: at, pinned_by: pinnedBy }))],
  };
}

/** The store without the root that has this fingerprint; null where there is none. */
export function removeTimeRoot(store: TrustStore, sha256: string): TrustStore | null {
  const { time_roots: roots = [], ...rest } = store;
  const left = roots.filter((root) => root.sha256 !== sha256);
  if (left.length === roots.length) return null;
  return left.length === 0 ? rest : { ...rest, time_roots: left };
}
