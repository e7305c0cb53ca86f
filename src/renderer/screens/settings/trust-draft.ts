import {
  fromBase64Url,
  KeySetError,
  type KeySetErrorCode,
  ProtocolError,
  parseKeySet,
  readFingerprintDigits,
} from '../../../protocol/index.ts';
import { TRUST_DRAFT } from './texts.ts';

/** What somebody has of a key that is to be trusted. */
export type TrustWay = 'kid' | 'jwks' | 'qr';

/** The keys of a file, by their fingerprints, and the file as the service takes it. */
export interface KeySet {
  readonly kids: readonly string[];
  readonly jwks: object;
}

export interface TrustDraft {
  readonly way: TrustWay;
  readonly kid: string;
  readonly qr: string;
  readonly keySet: KeySet | null;
  readonly name: string;
  /** The org_id of an organization that was compared, too; empty where none is confirmed yet. */
  readonly orgId: string;
}

export const EMPTY_DRAFT: TrustDraft = { way: 'kid', kid: '', qr: '', keySet: null, name: '', orgId: '' };

/** A key set takes some 150 bytes for each key; what is larger is another file, and the service would take no more. */
const MAX_KEY_SET_BYTES = 512 * 1024;

const KID_LENGTH = 43;

const REFUSED: Readonly<Record<KeySetErrorCode, string>> = {
  KEY_SET_INVALID: TRUST_DRAFT.notKeySet,
  KEY_SET_PRIVATE: TRUST_DRAFT.privateKey,
  KEY_SET_WEAK: TRUST_DRAFT.weakKey,
  KEY_SET_KID: TRUST_DRAFT.otherKid,
};

/** Why a file is no key set that can be trusted, in a sentence. */
export class KeySetRefused extends Error {
  override readonly name = 'KeySetRefused';
}

/**
 * The keys that a key set file (JWKS, RFC 7517) holds.
 * @throws KeySetRefused
 */
export async function readKeySetFile(file: Blob): Promise<KeySet> {
  if (file.size > MAX_KEY_SET_BYTES) throw new KeySetRefused(TRUST_DRAFT.tooLarge);
  try {
    const { keys, jwks } = parseKeySet(new Uint8Array(await file.arrayBuffer()));
    return { kids: keys.map(({ kid }) => kid), jwks };
  } catch (error) {
    if (error instanceof KeySetError) throw new KeySetRefused(REFUSED[error.code]);
    throw error;
  }
}

function kidProblem(text: string, what: string): string | null {
  const kid = text.replace(/\s+/g, '');
  if (kid.length !== KID_LENGTH) {
    return TRUST_DRAFT.wrongLength(what, KID_LENGTH, kid.length);
  }
  if (!/^[\w-]+$/.test(kid)) return TRUST_DRAFT.wrongCharacters(what);
  try {
    fromBase64Url(kid, 32);
    return null;
  } catch (error) {
    if (error instanceof ProtocolError) return TRUST_DRAFT.wrongEnd(what);
    throw error;
  }
}

/** Why nothing can be trusted yet, in a sentence; null where the service is to be asked. */
export function trustProblem({ way, kid, qr, keySet: read }: TrustDraft): string | null {
  if (way === 'kid') return readFingerprintDigits(kid) === null ? kidProblem(kid, TRUST_DRAFT.kid) : null;
  if (way === 'qr') return kidProblem(qr, TRUST_DRAFT.code);
  return read === null ? TRUST_DRAFT.noFile : null;
}

/** A draft as the service takes it. */
export function trustBody({ way, kid, qr, keySet: read, name, orgId }: TrustDraft): object {
  const org = orgId.trim();
  const named = {
    ...(name.trim() === '' ? {} : { name }),
    ...(org === '' ? {} : { organizations: [{ org_id: org }] }),
  };
  if (way === 'jwks') return { jwks: read?.jwks, ...named };
  return way === 'kid' ? { kid, ...named } : { qr, ...named };
}
