import type { TrustedAnchors } from '../../../api/index.ts';
import { type TrustStore, witnessesFor } from '../../../node/trust/index.ts';
import { parseWitnessKey } from '../../../protocol/index.ts';

/** Witnesses and roots for time of a trust store, as they are shown. */
export function anchorsIn(store: TrustStore): TrustedAnchors {
  const ledgers = [null, ...(store.witnesses_of ?? []).map(({ org_id }) => org_id)];
  const witnesses = ledgers.flatMap((org_id) => {
    const { threshold, organizations } = witnessesFor(store, org_id);
    if (organizations.length === 0) return [];
    const shown = organizations.map(({ keys, ...one }) => ({
      ...one,
      keys: keys.map((vkey) => ({ vkey, algorithm: parseWitnessKey(vkey).algorithm })),
    }));
    return [{ org_id, threshold, organizations: shown }];
  });
  const roots = (store.time_roots ?? []).map(({ certificate: _, ...root }) => root);
  return { witnesses, time_roots: roots };
}
