import { ProtocolError, parseWitnessPolicy, type WitnessPolicy } from '../../protocol/index.ts';
import type { PinnedBy, TimeRoot, TrustStore } from './store-shape.ts';
import { TrustError } from './trust-error.ts';

/** Witnesses and authorities for time that one user trusts, besides service keys. */
interface Pinning {
  /** RFC 3339, UTC. */
  readonly at: string;
  readonly pinnedBy: PinnedBy;
}

/** Whose cosignatures the user demands; null where they named nobody. @throws TrustError KEY_INVALID */
export function witnessPolicyOf({ witnesses }: TrustStore): WitnessPolicy | null {
  if (witnesses === undefined) return null;
  const organizations = witnesses.organizations.map(({ name, keys }) => ({ name, keys }));
  try {
    return parseWitnessPolicy({ threshold: witnesses.threshold, organizations });
  } catch (error) {
    throw error instanceof ProtocolError ? new TrustError('KEY_INVALID', error.message) : error;
  }
}

function checked(store: TrustStore): TrustStore {
  witnessPolicyOf(store);
  return store;
}

/**
 * Names keys of a witness. Where all witnesses were demanded so far, all are from now on too: fewer are demanded only by saying so.
 * @throws TrustError KEY_INVALID
 */
export function addWitness(store: TrustStore, name: string, keys: readonly string[], pinning: Pinning): TrustStore {
  const { threshold, organizations } = store.witnesses ?? { threshold: 0, organizations: [] };
  const known = organizations.find((one) => one.name === name);
  if (known !== undefined) {
    const all = [...new Set([...known.keys, ...keys])];
    const changed = organizations.map((one) => (one === known ? { ...known, keys: all } : one));
    return checked({ ...store, witnesses: { threshold, organizations: changed } });
  }
  const added = { name, keys: [...keys], added_at: pinning.at, pinned_by: pinning.pinnedBy };
  const demanded = threshold === organizations.length ? threshold + 1 : threshold;
  return checked({ ...store, witnesses: { threshold: demanded, organizations: [...organizations, added] } });
}

/** Says of how many organizations a cosignature is demanded. @throws TrustError KEY_UNKNOWN, KEY_INVALID */
export function demandWitnesses(store: TrustStore, threshold: number): TrustStore {
  if (store.witnesses === undefined) throw new TrustError('KEY_UNKNOWN', 'no witness is trusted yet');
  return checked({ ...store, witnesses: { ...store.witnesses, threshold } });
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

/** The store without a witness of this name, or a root with this fingerprint; null where there is neither. */
export function removeAnchor(store: TrustStore, text: string): TrustStore | null {
  const { witnesses, time_roots: roots, ...rest } = store;
  if (witnesses?.organizations.some(({ name }) => name === text)) {
    const organizations = witnesses.organizations.filter(({ name }) => name !== text);
    const left = { threshold: Math.min(witnesses.threshold, organizations.length), organizations };
    const kept = roots === undefined ? {} : { time_roots: roots };
    return organizations.length === 0 ? { ...rest, ...kept } : { ...rest, ...kept, witnesses: left };
  }
  if (roots?.some(({ sha256 }) => sha256 === text)) {
    const left = roots.filter(({ sha256 }) => sha256 !== text);
    return {
      ...rest,
      ...(witnesses === undefined ? {} : { witnesses }),
      ...(left.length === 0 ? {} : { time_roots: left }),
    };
  }
  return null;
}
