import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { VerificationReport } from '../protocol/index.ts';
import {
  type IssuerChange,
  type IssuerKey,
  noticeIssuer,
  readKeySet,
  readKid,
  TrustError,
  TrustStoreFile,
  trustStorePath,
} from '../trust/index.ts';
import { readSmallFile } from './bundle-file.ts';
import { type Option, type ParsedArgs, UsageError } from './command.ts';

const MAX_KEY_SET_BYTES = 1024 * 1024;

export const STORE_OPTION: Option = {
  flag: 'trust-store',
  value: 'FILE',
  help: 'your trust store, if not COUNTERSIGN_TRUST_STORE or the usual place',
};

/** Whom the reader trusts: named on the command line, and kept in their trust store. */
export const TRUST_OPTIONS: readonly Option[] = [
  {
    flag: 'trust',
    value: 'KID|JWKS-FILE',
    multiple: true,
    help: 'a service key you trust: its kid, or a key set file',
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

/** The kids of what --trust names. @throws UsageError */
export async function readTrust(given: readonly string[]): Promise<string[]> {
  const kids: string[] = [];
  for (const text of given) {
    const kid = readKid(text);
    if (kid !== null) kids.push(kid);
    else if (existsSync(text)) kids.push(...(await readKeySetFile(text)).map((key) => key.kid));
    else throw new UsageError(`--trust ${text}: is neither a kid (43 characters) nor a key set file`);
  }
  return kids;
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
export class TrustInUse {
  /** Each once, those of the command line first. */
  readonly kids: readonly string[];
  readonly #store: TrustStoreFile | null;

  private constructor(kids: readonly string[], store: TrustStoreFile | null) {
    this.kids = kids;
    this.#store = store;
  }

  /** @throws UsageError where something named is no key, or the store cannot be read */
  static async of(args: ParsedArgs): Promise<TrustInUse> {
    const named = await readTrust(args.list('trust'));
    const store = storeFile(args);
    try {
      const kept = (await store?.read())?.trusted.map(({ kid }) => kid) ?? [];
      return new TrustInUse([...new Set([...named, ...kept])], store);
    } catch (error) {
      if (error instanceof TrustError) throw new UsageError(`${error.message}; --no-trust-store goes without it`);
      throw error;
    }
  }

  get usesStore(): boolean {
    return this.#store !== null;
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
