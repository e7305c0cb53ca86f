import type { TrustedAnchors } from '../../../api/index.ts';
import {
  addTimeRoots,
  addWitness,
  demandWitnesses,
  removeTimeRoot,
  removeWitness,
  type TrustStore,
  witnessesFor,
} from '../../../node/trust/index.ts';
import { ProtocolError, parseTime, parseWitnessKey } from '../../../protocol/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { anchorsIn } from './anchors-view.ts';
import type { Pinner, TrustChange, TrustKeeper } from './trust-keeper.ts';

const invalid = (message: string): ServiceError => new ServiceError('VALIDATION_ERROR', message);

/** Keys of a witness, one in each line. @throws ServiceError VALIDATION_ERROR */
function vkeysIn(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  for (const [index, line] of lines.entries()) {
    try {
      if (line !== '') parseWitnessKey(line);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      throw invalid(`keys: line ${index + 1} is not the key of a witness: ${error.message}`);
    }
  }
  const keys = lines.filter((line) => line !== '');
  if (keys.length === 0) throw invalid('keys: must hold a key in each line, as countersign witness keys prints them');
  return keys;
}

/** Certificates as PEM, or one as DER in base64. @throws ServiceError VALIDATION_ERROR */
async function rootsIn(certificates: string, until: string | undefined) {
  // Loaded only now: it brings schemas of ASN.1.
  const { pinnableRoots, TimeStampError } = await import('../../../node/time-stamps/index.ts');
  const isPem = certificates.includes('-----BEGIN');
  const bytes = Buffer.from(certificates, isPem ? 'latin1' : 'base64');
  try {
    return pinnableRoots(bytes, until === undefined ? null : parseTime(until));
  } catch (error) {
    if (!(error instanceof TimeStampError)) throw error;
    throw invalid(
      'certificates: must hold root certificates as PEM (-----BEGIN CERTIFICATE-----), or one as DER in base64',
    );
  }
}

/** Witnesses and roots for time in the trust store, over HTTP. */
export class AnchorKeeper {
  readonly #trust: TrustKeeper;

  constructor(trust: TrustKeeper) {
    this.#trust = trust;
  }

  async #change(pinner: Pinner, change: TrustChange, make: (store: TrustStore) => TrustStore): Promise<TrustedAnchors> {
    const { store } = await this.#trust.change(pinner, (before) => ({ store: make(before), change }));
    return anchorsIn(store);
  }

  /** @throws ServiceError VALIDATION_ERROR, CONFLICT */
  addWitness(
    given: { readonly name: string; readonly keys: string; readonly org_id?: string | undefined },
    pinner: Pinner,
  ): Promise<TrustedAnchors> {
    const { name } = given;
    const orgId = given.org_id ?? null;
    const keys = vkeysIn(given.keys);
    const change = { action: 'trust.add', targetType: 'trusted_witness', targets: [name], details: of(orgId) } as const;
    return this.#change(pinner, change, (store) =>
      addWitness(store, { name, keys, orgId }, this.#trust.pinning(pinner)),
    );
  }

  /** @throws ServiceError NOT_FOUND, VALIDATION_ERROR, CONFLICT */
  demand(
    given: { readonly threshold: number; readonly org_id?: string | undefined },
    pinner: Pinner,
  ): Promise<TrustedAnchors> {
    const { threshold } = given;
    const orgId = given.org_id ?? null;
    const change = {
      action: 'trust.demand',
      targetType: 'trusted_witness',
      targets: [orgId ?? 'all'],
      details: { ...of(orgId), threshold },
    } as const;
    return this.#change(pinner, change, (store) => {
      const { organizations } = witnessesFor(store, orgId);
      if (organizations.length === 0) throw new ServiceError('NOT_FOUND', 'no witness is demanded there');
      if (threshold > organizations.length) {
        throw invalid(`threshold: must be from 1 to ${organizations.length}, the number of organizations`);
      }
      return demandWitnesses(store, threshold, orgId);
    });
  }

  /** @throws ServiceError NOT_FOUND, CONFLICT */
  removeWitness(name: string, orgId: string | null, pinner: Pinner): Promise<TrustedAnchors> {
    const change = {
      action: 'trust.remove',
      targetType: 'trusted_witness',
      targets: [name],
      details: of(orgId),
    } as const;
    return this.#change(pinner, change, (store) =>
      known(removeWitness(store, name, orgId), 'no such witness is demanded there'),
    );
  }

  /** @throws ServiceError VALIDATION_ERROR, CONFLICT */
  async addTimeRoots(
    { certificates, until }: { readonly certificates: string; readonly until?: string | undefined },
    pinner: Pinner,
  ): Promise<TrustedAnchors> {
    const roots = await rootsIn(certificates, until);
    const targets = roots.map(({ sha256 }) => sha256);
    const change = { action: 'trust.add', targetType: 'time_root', targets, details: of(null) } as const;
    return this.#change(pinner, change, (store) => addTimeRoots(store, roots, this.#trust.pinning(pinner)));
  }

  /** @throws ServiceError NOT_FOUND, CONFLICT */
  removeTimeRoot(sha256: string, pinner: Pinner): Promise<TrustedAnchors> {
    const change = { action: 'trust.remove', targetType: 'time_root', targets: [sha256], details: of(null) } as const;
    return this.#change(pinner, change, (store) =>
      known(removeTimeRoot(store, sha256), 'no such root is trusted for time'),
    );
  }
}

const of = (orgId: string | null) => ({ organizations: orgId === null ? [] : [orgId] });

/** @throws ServiceError NOT_FOUND */
function known(store: TrustStore | null, otherwise: string): TrustStore {
  if (store === null) throw new ServiceError('NOT_FOUND', otherwise);
  return store;
}
