import type { TrustAnswer, TrustedKeyAnswer } from '../../contract/index.ts';
import { fingerprintGroups, type VerificationReport } from '../../protocol/index.ts';
import {
  addKeys,
  EMPTY_STORE,
  type IssuerChange,
  type IssuerKey,
  noticeIssuer,
  organizationsOf,
  readKeySet,
  readKid,
  removeKey,
  TrustError,
  type TrustedKey,
  type TrustStore,
  TrustStoreFile,
  trustStorePath,
} from '../../trust/index.ts';
import { ServiceError } from '../errors.ts';

/** What somebody gives to be trusted: exactly one of the three. */
export interface GivenKey {
  readonly kid?: string | undefined;
  readonly qr?: string | undefined;
  readonly jwks?: object | undefined;
  readonly name?: string | undefined;
}

function keysOf({ kid, qr, jwks }: GivenKey): { readonly keys: IssuerKey[]; readonly by: TrustedKey['added_by'] } {
  if (jwks !== undefined) return { keys: readKeySet(Buffer.from(JSON.stringify(jwks))), by: 'jwks' };
  const member = kid === undefined ? 'qr' : 'kid';
  const read = readKid(kid ?? qr ?? '');
  if (read === null) throw new ServiceError('VALIDATION_ERROR', `${member}: is not a kid (43 characters)`);
  return { keys: [{ kid: read, public_key: null }], by: member };
}

/** Which organizations somebody may know to have been met here, by org_id. */
export type Sight = (orgId: string) => boolean;

function view(store: TrustStore, key: TrustedKey, sees: Sight): TrustedKeyAnswer {
  const organizations = organizationsOf(store, key.kid).filter(({ org_id }) => sees(org_id));
  return { ...key, fingerprint: fingerprintGroups(key.kid).join(' '), organizations };
}

/** What the trust store fails with, for a caller: without the path of the file. */
function refusal(error: unknown): unknown {
  if (!(error instanceof TrustError)) return error;
  const problem = {
    STORE_INVALID: new ServiceError('CONFLICT', 'the file of the trust store is not a trust store'),
    STORE_UNREACHABLE: new ServiceError('CONFLICT', 'the file of the trust store cannot be read or written'),
    KEY_INVALID: new ServiceError('VALIDATION_ERROR', `jwks: ${error.message}`),
    KEY_UNKNOWN: new ServiceError('NOT_FOUND', 'no such key is trusted'),
  };
  return problem[error.code];
}

/** The trust store of the user who runs the service: the same file as that of the command line. */
export class TrustKeeper {
  readonly #file: TrustStoreFile | null;
  readonly #now: () => number;
  #last: Promise<unknown> = Promise.resolve();

  /** @param setting null for the usual place, empty for none */
  constructor(setting: string | null, now: () => number) {
    const path = setting ?? trustStorePath();
    this.#file = path === null || path === '' ? null : new TrustStoreFile(path);
    this.#now = now;
  }

  /** @throws ServiceError CONFLICT where the store cannot be read */
  async read(): Promise<TrustStore> {
    try {
      return (await this.#file?.read()) ?? EMPTY_STORE;
    } catch (error) {
      throw refusal(error);
    }
  }

  /** The store, as far as somebody may see whose bundles were verified here. */
  async list(sees: Sight): Promise<TrustAnswer> {
    const store = await this.read();
    const trusted = store.trusted.map((key) => view(store, key, sees));
    return { enabled: this.#file !== null, trusted, seen: store.seen.filter(({ org_id }) => sees(org_id)) };
  }

  /** @throws ServiceError VALIDATION_ERROR, CONFLICT */
  async add(given: GivenKey, sees: Sight): Promise<TrustedKeyAnswer[]> {
    try {
      const { keys, by } = keysOf(given);
      const adding = { label: given.name ?? null, at: new Date(this.#now()).toISOString(), by };
      const { store } = await this.#update((before) => ({ store: addKeys(before, keys, adding) }));
      const kids = new Set(keys.map(({ kid }) => kid));
      return store.trusted.filter(({ kid }) => kids.has(kid)).map((key) => view(store, key, sees));
    } catch (error) {
      throw refusal(error);
    }
  }

  /** @throws ServiceError NOT_FOUND, CONFLICT */
  async remove(kid: string): Promise<void> {
    try {
      await this.#update((before) => ({ store: removeKey(before, readKid(kid) ?? kid) }));
    } catch (error) {
      throw refusal(error);
    }
  }

  /**
   * Holds a verified bundle's issuer against those met before, and remembers it.
   * @param bundle SHA-256 of the bundle as plain JSON
   */
  async notice(report: VerificationReport, bundle: string): Promise<IssuerChange | null> {
    if (this.#file === null) return null;
    const sighting = { at: new Date(this.#now()).toISOString(), bundle };
    return (await this.#update((store) => noticeIssuer(store, report, sighting))).change;
  }

  /** One change after the other: of two at once the earlier one would be lost. */
  #update<T extends { readonly store: TrustStore }>(change: (store: TrustStore) => T): Promise<T> {
    const file = this.#file;
    if (file === null) {
      return Promise.reject(new ServiceError('CONFLICT', 'the service runs without a trust store'));
    }
    const next = this.#last.then(() => file.update(change));
    this.#last = next.catch(() => undefined);
    return next;
  }
}
