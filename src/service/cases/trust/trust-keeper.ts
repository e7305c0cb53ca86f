import type { TrustAnswer, TrustedKeyAnswer } from '../../../api/index.ts';
import { Serial } from '../../../node/index.ts';
import {
  addKeys,
  EMPTY_STORE,
  type IssuerChange,
  type IssuerKey,
  kidOfDigits,
  type NamedOrganization,
  noticeIssuer,
  organizationsOf,
  type PinnedBy,
  publicKeysOf,
  readKeySet,
  readKid,
  removeKey,
  removeOrganization,
  TrustError,
  type TrustedKey,
  type TrustStore,
  TrustStoreFile,
  trustEntriesOf,
  trustStorePath,
  witnessPolicyOf,
} from '../../../node/trust/index.ts';
import {
  fingerprintDigits,
  fingerprintGroups,
  orgFingerprint,
  readFingerprintDigits,
  type VerificationReport,
  type WitnessPolicy,
  withStatedAnchors,
} from '../../../protocol/index.ts';
import type { AdminAction } from '../../ledger/admin-log/admin-action.ts';
import { recordAdminEvent, WORKSTATION } from '../../ledger/admin-log/admin-events.ts';
import { listServiceKeys } from '../../ledger/keys/service-keys.ts';
import { homeOf, isHome, resemblesHome } from '../../people/organizations/home.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import { type CaseFile, ownerOf } from '../case-file.ts';
import type { Owner } from '../scope.ts';
import { anchorsIn } from './anchors-view.ts';

/** What somebody gives to be trusted: exactly one of the first three. */
export interface GivenKey {
  readonly kid?: string | undefined;
  readonly qr?: string | undefined;
  readonly jwks?: object | undefined;
  readonly name?: string | undefined;
  readonly organizations?: readonly NamedOrganization[] | undefined;
}

/** Who changes the trust store: a user, whoever sits at the workstation, or both in one person. */
export interface Pinner {
  readonly workstation: boolean;
  readonly userId: string | null;
}

function keySetIn(jwks: object): IssuerKey[] {
  try {
    return readKeySet(Buffer.from(JSON.stringify(jwks)));
  } catch (error) {
    throw error instanceof TrustError ? new ServiceError('VALIDATION_ERROR', `jwks: ${error.message}`) : error;
  }
}

function keysOf(
  { kid, qr, jwks }: GivenKey,
  store: TrustStore,
): { readonly keys: IssuerKey[]; readonly by: TrustedKey['added_by'] } {
  if (jwks !== undefined) return { keys: keySetIn(jwks), by: 'jwks' };
  const text = kid ?? qr ?? '';
  const digits = readFingerprintDigits(text);
  if (kid !== undefined && digits !== null) {
    return { keys: [{ kid: kidOfDigits(store, digits), public_key: null }], by: 'digits' };
  }
  const member = kid === undefined ? 'qr' : 'kid';
  const read = readKid(text);
  if (read === null) {
    throw new ServiceError(
      'VALIDATION_ERROR',
      `${member}: is neither a kid (43 characters) nor a fingerprint (60 digits)`,
    );
  }
  return { keys: [{ kid: read, public_key: null }], by: member };
}

/** Which organizations somebody may know to have been met here, by org_id. */
export type Sight = (orgId: string) => boolean;

type Likeness = (orgId: string | null, name: string | null) => boolean;

function view(store: TrustStore, key: TrustedKey, sees: Sight, likeness: Likeness): TrustedKeyAnswer {
  const { kid, organizations, ...rest } = key;
  const labels = (orgId: string, name: string | null) => ({
    fingerprint: orgFingerprint(orgId),
    resembles_home: likeness(orgId, name),
  });
  const pairs = new Set(organizations.map(({ org_id }) => org_id));
  return {
    kid,
    fingerprint: fingerprintDigits(kid).join(' '),
    kid_groups: fingerprintGroups(kid).join(' '),
    ...rest,
    organizations: organizations.map((one) => ({ ...one, ...labels(one.org_id, one.org_name) })),
    also_signs_for: organizationsOf(store, kid)
      .filter(({ org_id }) => !pairs.has(org_id) && sees(org_id))
      .map(({ org_id, name }) => ({ org_id, org_name: name, ...labels(org_id, name) })),
  };
}

/** What the trust store fails with, for a caller: without the path of the file. */
function refusal(error: unknown): unknown {
  if (!(error instanceof TrustError)) return error;
  const problem = {
    STORE_INVALID: new ServiceError('CONFLICT', 'the file of the trust store is not a trust store'),
    STORE_UNREACHABLE: new ServiceError('CONFLICT', 'the file of the trust store cannot be read or written'),
    KEY_INVALID: new ServiceError('VALIDATION_ERROR', error.message),
    KEY_UNKNOWN: new ServiceError('NOT_FOUND', 'no such key is trusted, or not for this organization'),
  };
  return problem[error.code];
}

/** @throws ServiceError CONFLICT where the file of the trust store was written by hand, and wrongly */
function policyIn(store: TrustStore): WitnessPolicy | null {
  try {
    return witnessPolicyOf(store);
  } catch (error) {
    throw error instanceof TrustError ? refusal(new TrustError('STORE_INVALID', error.message)) : error;
  }
}

interface TrustKeeperContext extends WriteAccess {
  /** null for the usual place, empty for none. */
  readonly setting: string | null;
}

/** One change of the trust store, as it is recorded. */
export interface TrustChange {
  readonly action: Extract<AdminAction, 'trust.add' | 'trust.demand' | 'trust.remove'>;
  readonly targetType: 'trusted_key' | 'trusted_witness' | 'time_root';
  readonly targets: readonly string[];
  /** Besides by whom it was changed. */
  readonly details: { readonly organizations: readonly string[]; readonly threshold?: number };
}

/**
 * The trust store of the user who runs the service: the same file as that of the command line. It decides what is
 * `verified` for the person at this machine, so guests of the service have no part in it: they neither see nor change it,
 * and their cases are verified without it.
 */
export class TrustKeeper {
  readonly #file: TrustStoreFile | null;
  readonly #context: TrustKeeperContext;
  readonly #changes = new Serial();

  constructor(context: TrustKeeperContext) {
    const path = context.setting ?? trustStorePath();
    this.#file = path === null || path === '' ? null : new TrustStoreFile(path);
    this.#context = context;
  }

  /** Whether the store is somebody's: the workstation's and the home organization's, and nobody else's. */
  isOf(owner: Owner): boolean {
    return owner === 'workstation' || isHome(this.#context.store, owner.orgId);
  }

  /**
   * Whether an organization's name may be taken for that of the home organization, for those at home. To a guest nothing
   * resembles it: files of any name would tell what the home organization is called.
   */
  resemblesHome(owner: Owner, orgId: string | null, name: string | null): boolean {
    return this.isOf(owner) && resemblesHome(this.#context.store, orgId, name);
  }

  /** The kids that this service signs with or signed with: its own word, which is neither an alarm nor a proof here. */
  ownKids(): ReadonlySet<string> {
    return new Set(listServiceKeys(this.#context.store).map(({ kid }) => kid));
  }

  /** The store as far as it speaks for somebody: empty for a guest. @throws ServiceError CONFLICT where it cannot be read */
  async read(owner: Owner): Promise<TrustStore> {
    if (!this.isOf(owner)) return EMPTY_STORE;
    try {
      return (await this.#file?.read()) ?? EMPTY_STORE;
    } catch (error) {
      throw refusal(error);
    }
  }

  /**
   * With what a case is verified, as `verified_with` keeps it: the trust store unless a guest's, and what was named for the case
   * alone. @throws ServiceError CONFLICT
   */
  trustFor(about: CaseFile): Promise<string[]> {
    return this.trustOf(ownerOf(about), about.trusted_kids);
  }

  /** The same for somebody and what they named besides. @throws ServiceError CONFLICT */
  async trustOf(owner: Owner, named: readonly string[]): Promise<string[]> {
    const store = await this.read(owner);
    // The keys by themselves too, where the store has them: what one signed can be checked though a bundle lacks it (protocol V109, V120).
    const keys = new Set([...named, ...trustEntriesOf(store), ...publicKeysOf(store)]);
    return withStatedAnchors([...keys], { witnesses: policyIn(store), roots: store.time_roots ?? [] });
  }

  /** The store, as far as somebody may see whose bundles were verified here. */
  async list(owner: Owner, sees: Sight): Promise<TrustAnswer> {
    const store = await this.read(owner);
    const likeness: Likeness = (orgId, name) => this.resemblesHome(owner, orgId, name);
    const trusted = store.trusted.map((key) => view(store, key, sees, likeness));
    const seen = store.seen
      .filter(({ org_id }) => sees(org_id))
      .map((one) => ({ ...one, resembles_home: likeness(one.org_id, one.org_name) }));
    const enabled = this.#file !== null && this.isOf(owner);
    return { enabled, trusted, seen, ...anchorsIn(store) };
  }

  /** @throws ServiceError VALIDATION_ERROR, CONFLICT */
  async add(given: GivenKey, pinner: Pinner, sees: Sight): Promise<TrustedKeyAnswer[]> {
    const organizations = given.organizations ?? [];
    const adding = { label: given.name ?? null, ...this.pinning(pinner), organizations };
    let kids: string[] = [];
    const { store } = await this.change(pinner, (before) => {
      const { keys, by } = keysOf(given, before);
      kids = keys.map(({ kid }) => kid);
      const details = { organizations: organizations.map(({ org_id }) => org_id) };
      const change = { action: 'trust.add', targetType: 'trusted_key', targets: kids, details } as const;
      return { store: addKeys(before, keys, { ...adding, by }), change };
    });
    // Only those at home change the store.
    const likeness: Likeness = (orgId, name) => resemblesHome(this.#context.store, orgId, name);
    return store.trusted.filter(({ kid }) => kids.includes(kid)).map((key) => view(store, key, sees, likeness));
  }

  /**
   * @param orgId trusts the key no longer for this organization alone; null for all
   * @throws ServiceError NOT_FOUND, CONFLICT
   */
  async remove(given: string, orgId: string | null, pinner: Pinner): Promise<void> {
    const kid = readKid(given) ?? given;
    const organizations = orgId === null ? [] : [orgId];
    await this.change(pinner, (before) => ({
      store: orgId === null ? removeKey(before, kid) : removeOrganization(before, kid, orgId),
      change: { action: 'trust.remove', targetType: 'trusted_key', targets: [kid], details: { organizations } },
    }));
  }

  /**
   * Holds a verified bundle's issuer against those met before, and remembers it. What guests verify leaves no trace, and
   * this service's own key is no surprise to it.
   * @param bundle SHA-256 of the bundle as plain JSON
   */
  async notice(owner: Owner, report: VerificationReport, bundle: string): Promise<IssuerChange | null> {
    if (this.#file === null || !this.isOf(owner)) return null;
    const sighting = { at: new Date(this.#context.now()).toISOString(), bundle };
    const { change } = await this.#update((store) => noticeIssuer(store, report, sighting));
    const own = this.ownKids();
    return report.issuer.linked.some((kid) => own.has(kid)) ? null : change;
  }

  /** By whom and when something is pinned now. */
  pinning(pinner: Pinner): { readonly at: string; readonly pinnedBy: PinnedBy } {
    return { at: new Date(this.#context.now()).toISOString(), pinnedBy: this.#pinnedBy(pinner) };
  }

  #pinnedBy({ workstation, userId }: Pinner): PinnedBy {
    const name = this.#context.store
      .statement('SELECT name FROM users WHERE user_id = ?')
      .pluck()
      .get(userId ?? '');
    const how = workstation ? 'workstation' : 'account';
    return { how, user_id: userId, user_name: typeof name === 'string' ? name : null };
  }

  /**
   * Makes a change and records it in the log of the home organization, where there is one. It is recorded first: a crash in
   * between leaves an event of a change that did not come about, never a change without its event.
   */
  async change(
    pinner: Pinner,
    make: (store: TrustStore) => { readonly store: TrustStore; readonly change: TrustChange },
  ): Promise<{ readonly store: TrustStore }> {
    try {
      return await this.#inTurn(async (file) => {
        const { change } = make(await file.read());
        await this.#record(change, pinner);
        return await file.update(make);
      });
    } catch (error) {
      throw refusal(error);
    }
  }

  async #record(
    { action, targetType, targets, details: said }: TrustChange,
    { workstation, userId }: Pinner,
  ): Promise<void> {
    const { store, writer, now } = this.#context;
    const home = homeOf(store);
    if (home === null) return;
    const details = { ...said, organizations: [...said.organizations], how: workstation ? 'workstation' : 'account' };
    await writer.transact((store) => {
      for (const targetId of targets) {
        const act = {
          orgId: home,
          actor: userId ?? WORKSTATION,
          action,
          targetType,
          targetId,
          details,
        };
        recordAdminEvent(store, act, now());
      }
    });
  }

  #update<T extends { readonly store: TrustStore }>(change: (store: TrustStore) => T): Promise<T> {
    return this.#inTurn((file) => file.update(change));
  }

  /** One change after the other: of two at once the earlier one would be lost. */
  #inTurn<T>(act: (file: TrustStoreFile) => Promise<T>): Promise<T> {
    const file = this.#file;
    if (file === null) {
      return Promise.reject(new ServiceError('CONFLICT', 'the service runs without a trust store'));
    }
    return this.#changes.run(() => act(file));
  }
}
