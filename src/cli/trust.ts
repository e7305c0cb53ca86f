import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  EMPTY_STORE,
  type IssuerChange,
  type IssuerKey,
  noticeIssuer,
  publicKeysOf,
  readKeySet,
  readKid,
  type TimeRoot,
  TrustError,
  type TrustStore,
  TrustStoreFile,
  trustEntriesOf,
  trustStorePath,
  witnessPolicyOf,
} from '../node/trust/index.ts';
import {
  formatTrustEntry,
  parseTrustEntry,
  readFingerprintDigits,
  type TrustEntry,
  type VerificationReport,
  type WitnessPolicy,
} from '../protocol/index.ts';
import { readSmallFile } from './bundle-file.ts';
import { type Option, type ParsedArgs, UsageError } from './command.ts';
import { type TrustBasis, trustBasis } from './trust-basis.ts';

const MAX_KEY_SET_BYTES = 1024 * 1024;

export const STORE_OPTION: Option = {
  flag: 'trust-store',
  value: 'FILE',
  help: 'your trust store; default: COUNTERSIGN_TRUST_STORE, or a file in your settings folder',
};

/** Whom the reader trusts: named on the command line, and kept in their trust store. */
export const TRUST_OPTIONS: readonly Option[] = [
  {
    flag: 'trust',
    value: 'KEY[@ORG_ID]|JWKS-FILE',
    multiple: true,
    help: 'a service key that you trust: its fingerprint (60 digits), its kid, or a key set file',
  },
  STORE_OPTION,
  { flag: 'no-trust-store', help: 'trust only what --trust names, and remember nothing' },
];

/** The keys of a key set file. @throws UsageError */
export async function readKeySetFile(path: string): Promise<IssuerKey[]> {
  const bytes = await readSmallFile(path, MAX_KEY_SET_BYTES);
  try {
    return readKeySet(bytes);
  } catch (error) {
    throw error instanceof TrustError ? new UsageError(`${path}: ${error.message}`) : error;
  }
}

/** `KEY` or `KEY@ORG_ID`, the key by its kid or its digits, in groups or not; null where the text is neither. */
export function readTrustEntry(text: string): TrustEntry | null {
  const { key, orgId } = parseTrustEntry(text);
  const name = readFingerprintDigits(key) ?? readKid(key);
  return name === null || orgId === '' ? null : { key: name, orgId };
}

/** What --trust names, as the verifier takes it, and the public keys that key sets hold. @throws UsageError */
async function readTrust(given: readonly string[]): Promise<{ readonly entries: string[]; readonly keys: string[] }> {
  const entries: string[] = [];
  const keys: string[] = [];
  for (const text of given) {
    const entry = readTrustEntry(text);
    if (entry !== null) entries.push(formatTrustEntry(entry));
    else if (existsSync(text)) {
      for (const { kid, public_key } of await readKeySetFile(text)) {
        entries.push(kid);
        if (public_key !== null) keys.push(public_key);
      }
    } else {
      throw new UsageError(
        `--trust ${text}: is neither a fingerprint (60 digits), nor a kid (43 characters), nor a key set file`,
      );
    }
  }
  return { entries, keys };
}

/** The keys that --trust names for a whole service, whose organizations do not matter. @throws UsageError */
export async function readTrustedKeys(given: readonly string[]): Promise<string[]> {
  const { entries } = await readTrust(given);
  if (entries.some((entry) => parseTrustEntry(entry).orgId !== null)) {
    throw new UsageError('--trust: a backup is of a whole service: name the key without an organization');
  }
  return entries;
}

/** The trust store that the command line and the environment name; null where none is to be used. @throws UsageError */
export function storeFile(args: ParsedArgs): TrustStoreFile | null {
  const named = args.text('trust-store');
  if (args.on('no-trust-store')) {
    if (named !== undefined) throw new UsageError('--trust-store and --no-trust-store contradict each other');
    return null;
  }
  const path = named === undefined ? trustStorePath() : resolve(named);
  return path === null ? null : new TrustStoreFile(path);
}

/** What came of holding a bundle's issuer against those met before. */
export interface Notice {
  readonly change: IssuerChange | null;
  /** Why the store could not be kept up to date; the verification stands all the same. */
  readonly problem: string | null;
}

/** The trust of one run of a command. */
export class EffectiveTrust {
  /** Whom the verifier is to trust, each once, those of the command line first. */
  readonly kids: readonly string[];
  /** The same keys by themselves, where they are known: what one signed can be checked although a bundle does not have it (protocol V109). */
  readonly keys: readonly string[];
  readonly #named: readonly TrustEntry[];
  readonly #kept: TrustStore;
  readonly #store: TrustStoreFile | null;

  private constructor(
    { entries, keys }: { readonly entries: readonly string[]; readonly keys: readonly string[] },
    kept: TrustStore,
    store: TrustStoreFile | null,
  ) {
    this.kids = [...new Set([...entries, ...trustEntriesOf(kept)])];
    this.keys = [...keys, ...publicKeysOf(kept)];
    this.#named = entries.map(parseTrustEntry);
    this.#kept = kept;
    this.#store = store;
  }

  /** @throws UsageError where something named is no key, or the store cannot be read */
  static async of(args: ParsedArgs): Promise<EffectiveTrust> {
    const named = await readTrust(args.list('trust'));
    const store = storeFile(args);
    try {
      return new EffectiveTrust(named, (await store?.read()) ?? EMPTY_STORE, store);
    } catch (error) {
      if (error instanceof TrustError) throw new UsageError(`${error.message}; --no-trust-store goes without it`);
      throw error;
    }
  }

  /** All of it as the verifier takes it, for whatever compares something with a bundle. */
  get entries(): readonly string[] {
    return [...this.kids, ...this.keys];
  }

  /** Whose cosignatures the store demands. */
  get witnesses(): WitnessPolicy | null {
    return witnessPolicyOf(this.#kept);
  }

  /** Whom the store trusts for time. */
  get timeRoots(): readonly TimeRoot[] {
    return this.#kept.time_roots ?? [];
  }

  get usesStore(): boolean {
    return this.#store !== null;
  }

  /** Why an issuer is trusted, or what is known of it where it is not. */
  basisOf(report: VerificationReport): TrustBasis {
    return trustBasis(report, this.#named, this.#kept);
  }

  /**
   * Tells whether the issuer of an organization changed, and remembers it.
   * @param digest of the bundle as plain JSON
   */
  async notice(report: VerificationReport, digest: string): Promise<Notice> {
    if (this.#store === null) return { change: null, problem: null };
    const sighting = { at: new Date().toISOString(), bundle: digest };
    try {
      const { change } = await this.#store.update((store) => noticeIssuer(store, report, sighting));
      return { change, problem: null };
    } catch (error) {
      if (!(error instanceof TrustError)) throw error;
      // What was seen before is still compared where only writing fails.
      const change = await this.#store.read().then(
        (store) => noticeIssuer(store, report, sighting).change,
        () => null,
      );
      return { change, problem: error.message };
    }
  }
}
